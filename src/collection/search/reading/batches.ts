/**
 * Fields of many documents as one text: a row that crosses from SQLite to JavaScript costs more than the few fields in
 * it, and one parse of many values less than many parses. A document that would take much of such a text is not in it,
 * because texts are bounded.
 */
import { decodeText } from '../../../domain/values/codec.ts';
import type { Fields } from '../../../domain/values/values.ts';
import { memberOf, MOST_CHARACTERS } from '../../../query/index/columns.ts';
import type { SqlCondition } from '../../../query/sql/condition.ts';
import { LIMIT } from '../../storage/sql.ts';
import {
  conditionOfStep,
  conditionsOf,
  NO_ID,
  SIZE_OF_LARGE,
  type Batch,
  type LargeRow,
  type PassStep,
  type Wanted,
  type Statements,
} from './rows.ts';

/** Documents of a batch: with four bytes for each character, they would be less than the platform's 2 MB for a text. */
export const BATCH = 256;

/** The SQL of a JSON object: type, some fields (`paths` in SQL), perhaps the id. What a document lacks is left out. */
export function objectOf(
  type: string,
  names: readonly string[],
  paths: readonly (string | undefined)[],
  withId: boolean,
): string {
  const members = names.map(
    (name, at) => `coalesce(${literal(memberOf(name))} || (documents.body -> ${paths[at] ?? ''}), '')`,
  );
  if (withId) members.push(`',"id":{"$oid":"' || lower(hex(documents.id)) || '"}'`);
  return joined(type, members);
}

/** The same of many documents; of large ones only the size, whatever is read: the statement is not interrupted. */
export function batchOf(object: string): Batch {
  return { object: `coalesce(${SIZE_OF_LARGE}, ${object})`, index: null };
}

/** The same of an index of columns. */
export function batchOfColumns(type: string, index: number): Batch {
  return { object: joined(type, ['fields']), index };
}

/** JSON needs no escapes in types. */
function joined(type: string, members: readonly string[]): string {
  return [literal(`{"type":"${type}"`), ...members, "'}'"].join(' || ');
}

/** The first documents of a step for which a condition holds, in the order of creation; `limit` is at most `BATCH`. */
export function readBatch(
  statements: Statements,
  step: PassStep,
  wanted: Wanted,
  { object, index }: Batch,
  must: SqlCondition,
  limit: number,
): readonly LargeRow[] {
  const { where, certain } = conditionsOf(wanted, must);
  const { text, parameters } = conditionOfStep(step);
  // Who reads columns asks for no versions.
  const [table, version] = index === null ? ['documents', 'version'] : ['columns AS documents', '0'];
  const { list } = statements
    .run<{ list: string | null }>(
      `SELECT group_concat(start || iif(length(object) <= ${MOST_CHARACTERS}, object, 'null') || ']') AS list
       FROM (
         SELECT
           '[' || documents.seq || ',' || ${version} || ',' || (${certain.text}) || ',' AS start,
           ${object} AS object
         FROM ${table}
         WHERE ${index === null ? '' : 'path = ? AND '}${text} AND ${where.text} ORDER BY documents.seq ${LIMIT}
       )`,
      ...certain.parameters,
      ...(index === null ? [] : [index]),
      ...parameters,
      ...where.parameters,
      limit,
    )
    .one();
  if (list === null) return [];
  const rows = decodeText(`[${list}]`) as readonly (readonly [
    number,
    number,
    0 | 1,
    Fields | number | null,
  ])[];
  const units = Math.ceil(list.length / rows.length);
  return rows.map(([seq, version, certain, read]) => {
    const [fields, size] = typeof read === 'number' ? [null, read] : [read, null];
    const row = {
      seq,
      id: NO_ID,
      version,
      possible: true,
      certain: certain === 1,
      text: null,
      auditFields: null,
      fields,
      units,
    };
    return { row, size };
  });
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
