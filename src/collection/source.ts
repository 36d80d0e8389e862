/**
 * The documents that a pipeline is fed with: whole, or no more of each than the pipeline looks at. Of a large
 * document a few fields are read many times faster than all of it.
 */
import { decodeFields, decodeText } from '../domain/codec.ts';
import { ObjectId, setField, type Fields, type Value } from '../domain/values.ts';
import type { SqlCondition } from '../query/index/sql.ts';
import { jsonPathOf } from './json-paths.ts';
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

/** `fields`: the names of the fields that are looked at, null for all. */
export function sourceOf(
  records: Reader,
  type: string,
  where: SqlCondition,
  fields: ReadonlySet<string> | null,
): Source {
  const names = [...(fields ?? [])].filter((name) => name !== 'id' && name !== 'type');
  const paths = names.map(jsonPathOf).filter((path) => path !== null);
  if (fields === null || paths.length < names.length || names.length > MOST_FIELDS) {
    return { bounds: WHOLE, after: (position) => whole(records, type, where, position) };
  }
  const wanted = { names, paths, withId: fields.has('id') };
  return { bounds: EXTRACTED, after: (position) => extracted(records, type, where, wanted, position) };
}

interface Wanted {
  readonly names: readonly string[];
  /** In the order of the names. */
  readonly paths: readonly string[];
  readonly withId: boolean;
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
  wanted: Wanted,
  after: number,
): Generator<SourceDocument> {
  const { names, withId } = wanted;
  for (const [position, size, id, ...texts] of records.fieldsAfter(after, where, wanted)) {
    const fields: Record<string, Value> = {};
    for (const [index, text] of texts.entries()) {
      if (text !== null) setField(fields, names[index] ?? '', decodeText(text));
    }
    // Last, as in whole documents.
    if (withId) fields['id'] = new ObjectId(id);
    fields['type'] = type;
    yield { position, size, fields };
  }
}
