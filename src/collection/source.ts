/**
 * The documents that a pipeline is fed with: whole, or no more of each than the pipeline looks at. Of a large
 * document a few fields are read many times faster than all of it.
 */
import { decodeFields, decodeText } from '../domain/codec.ts';
import { ObjectId, type Fields, type Value } from '../domain/values.ts';
import type { SqlCondition } from '../query/index/sql.ts';
import type { Reader } from './records.ts';
import { EXTRACTED, WHOLE, type StepBounds } from './steps.ts';

export interface SourceDocument {
  /** Its place in the order of creation. */
  readonly position: number;
  /** In the measure of the source's bounds. */
  readonly size: number;
  readonly fields: Fields;
}

export interface Source {
  /** How many documents to take in one step. */
  readonly bounds: StepBounds;
  /** The documents after a position, in the order of creation, one at a time. */
  readonly after: (position: number) => Generator<SourceDocument>;
}

/** With more fields than this, reading the whole document is about as fast. */
const MOST_FIELDS = 8;

/**
 * Names that can stand between the quotes of SQLite's JSON paths as they are: those that JSON writes without an
 * escape. `__proto__` could not be set like other fields.
 */
const PLAIN_NAME = /^[^"\\\u0000-\u001f]*$/; // eslint-disable-line no-control-regex

/** `fields`: the names of the fields that are looked at, null for all. */
export function sourceOf(
  records: Reader,
  type: string,
  where: SqlCondition,
  fields: ReadonlySet<string> | null,
): Source {
  const names = [...(fields ?? [])].filter((name) => name !== 'id' && name !== 'type');
  if (fields === null || names.length > MOST_FIELDS || !names.every(isPlain)) {
    return { bounds: WHOLE, after: (position) => whole(records, type, where, position) };
  }
  const wanted = { names, withId: fields.has('id') };
  return { bounds: EXTRACTED, after: (position) => extracted(records, type, where, wanted, position) };
}

function isPlain(name: string): boolean {
  return PLAIN_NAME.test(name) && name.isWellFormed() && name !== '__proto__';
}

function* whole(
  records: Reader,
  type: string,
  where: SqlCondition,
  after: number,
): Generator<SourceDocument> {
  for (const { seq, id, body } of records.after(after, where)) {
    const fields: Fields = { ...decodeFields(body), id: new ObjectId(id), type };
    yield { position: seq, size: body.length, fields };
  }
}

function* extracted(
  records: Reader,
  type: string,
  where: SqlCondition,
  wanted: { readonly names: readonly string[]; readonly withId: boolean },
  after: number,
): Generator<SourceDocument> {
  const { names, withId } = wanted;
  for (const [position, size, id, ...texts] of records.fieldsAfter(after, where, wanted)) {
    const fields: Record<string, Value> = { type };
    if (withId) fields['id'] = new ObjectId(id);
    for (const [index, text] of texts.entries()) {
      if (text !== null) fields[names[index] ?? ''] = decodeText(text);
    }
    yield { position, size, fields };
  }
}
