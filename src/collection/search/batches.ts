/**
 * Fields of many documents as one text: a row that crosses from SQLite to JavaScript costs more than the few fields in
 * it, and one parse of many values less than many parses. A document that would take much of such a text is not in it,
 * because texts are bounded.
 */
import { decodeText } from '../../domain/values/codec.ts';
import type { Fields } from '../../domain/values/values.ts';
import { memberOf, MOST_CHARACTERS } from '../../query/index/columns.ts';
import { on, type SqlCondition } from '../../query/sql/condition.ts';
import { LARGE } from '../storage/documents.ts';
import { LIMIT } from '../storage/sql.ts';
import { conditionOfStep, NO_ID, type Batch, type Row, type Step } from './rows.ts';
import type { Statements } from './statements.ts';

/**
 * Documents of a batch: were all their characters of four bytes, they would be less than the 2 MB that the platform takes
 * for a text.
 */
export const BATCH = 256;

/** The fields of documents; `paths` are theirs in SQL. */
export function batchOf(
  type: string,
  names: readonly string[],
  paths: readonly (string | undefined)[],
  withId: boolean,
): Batch {
  const members = names.map(
    (name, at) => `coalesce(${literal(memberOf(name))} || (documents.body -> ${paths[at] ?? ''}), '')`,
  );
  if (withId) members.push(`',"id":{"$oid":"' || lower(hex(documents.id)) || '"}'`);
  // What is large is in no batch, whatever is read of it: the statement is not interrupted.
  const object = `CASE WHEN length(documents.body) <= ${LARGE} THEN ${objectOf(type, members)} END`;
  return { object, index: null };
}

/** The same of an index of columns. */
export function batchOfColumns(type: string, index: number): Batch {
  return { object: objectOf(type, ['fields']), index };
}

/** JSON needs no escapes in types. */
function objectOf(type: string, members: readonly string[]): string {
  return [literal(`{"type":"${type}"`), ...members, "'}'"].join(' || ');
}

/** The first documents of a step for which a condition holds, in the order of creation; `limit` is at most `BATCH`. */
export function readBatch(
  statements: Statements,
  step: Step,
  where: SqlCondition,
  { object, index }: Batch,
  must: SqlCondition,
  limit: number,
): readonly Row[] {
  const [possible, certain] = [on('documents', where), on('documents', must)];
  const { text, parameters } = conditionOfStep(step);
  // Who reads columns asks for no versions.
  const [table, version] = index === null ? ['documents', 'version'] : ['columns AS documents', '0'];
  const { list } = statements
    .run<{ list: string | null }>(
      `SELECT group_concat(start || CASE WHEN length(object) <= ${MOST_CHARACTERS} THEN object ELSE 'null' END || ']') AS list
       FROM (
         SELECT
           '[' || documents.seq || ',' || ${version} || ',' || (${certain.text}) || ',' AS start,
           ${object} AS object
         FROM ${table} WHERE ${index === null ? '' : 'path = ? AND '}${text} AND (${possible.text}) ORDER BY documents.seq ${LIMIT}
       )`,
      ...certain.parameters,
      ...(index === null ? [] : [index]),
      ...parameters,
      ...possible.parameters,
      limit,
    )
    .one();
  if (list === null) return [];
  const rows = decodeText(`[${list}]`) as readonly (readonly [number, number, 0 | 1, Fields | null])[];
  const units = Math.ceil(list.length / rows.length);
  return rows.map(([seq, version, certain, fields]) => ({
    seq,
    id: NO_ID,
    version,
    certain: certain === 1,
    columns: NO_COLUMNS,
    fields,
    units,
  }));
}

/** Nothing is read of a batch's documents but the object. */
const NO_COLUMNS: Row['columns'] = [];

/** A text as a literal of SQL. */
function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
