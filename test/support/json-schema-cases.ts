/** All schema cases. They run on the validator alone and through HTTP. */
import { ARRAY_CASES } from './json-schema-cases-arrays.ts';
import { LOGIC_CASES } from './json-schema-cases-logic.ts';
import { OBJECT_CASES } from './json-schema-cases-objects.ts';
import { REFERENCE_CASES } from './json-schema-cases-references.ts';
import { VALUE_CASES } from './json-schema-cases-values.ts';
import type { SchemaCase } from './json-schema-case.ts';

export const SCHEMA_CASES: readonly SchemaCase[] = [
  ...VALUE_CASES,
  ...ARRAY_CASES,
  ...OBJECT_CASES,
  ...LOGIC_CASES,
  ...REFERENCE_CASES,
];
