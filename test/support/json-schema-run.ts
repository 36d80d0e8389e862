/** Runs schemas over documents as requests send them. */
import { sentenceOf } from '../../src/domain/names.ts';
import { parseJson, type Parsed } from '../../src/domain/values/json.ts';
import { isFields } from '../../src/domain/values/values.ts';
import { readValue } from '../../src/domain/values/wrappers.ts';
import { compileSchema } from '../../src/schema/compile.ts';
import { schemaView } from '../../src/schema/view.ts';
import type { ViolationCase } from './json-schema-case.ts';

/** A JSON text as the service reads the content of a schema. */
export function jsonOf(text: string): Parsed {
  const parsed = parseJson(text, 64);
  if (!parsed.ok) throw new Error(parsed.detail);
  return parsed.value;
}

/** What a schema has against a document with these attributes; both are JSON texts. */
export function validated(content: string, attributes: string): readonly ViolationCase[] {
  const fields = readValue(jsonOf(attributes), null, (_place, detail) => {
    throw new Error(sentenceOf(detail));
  });
  if (!isFields(fields)) throw new Error('not an object');
  const violations = compileSchema(jsonOf(content)).validate(
    schemaView({ attributes: fields, relationships: {} }),
  );
  return violations.map(({ pointer, keyword }) => ({ pointer, keyword }));
}
