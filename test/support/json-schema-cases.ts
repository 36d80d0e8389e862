/** All schema cases. They run on the validator alone and through HTTP. */
import { PLACE_CASES } from './json-schema-cases-places.ts';
import { REFERENCE_CASES } from './json-schema-cases-references.ts';
import { VALUE_CASES } from './json-schema-cases-values.ts';
import type { SchemaCase } from './json-schema-case.ts';

export const SCHEMA_CASES: readonly SchemaCase[] = [...VALUE_CASES, ...PLACE_CASES, ...REFERENCE_CASES];
