/**
 * Conditions as SQL over the tables of indexes. An inexact translation still holds for every match: the
 * matcher decides.
 */
import { isFields, ObjectId, type Value } from '../../domain/values/values.ts';
import { indexKeyOf } from '../index/keys.ts';
import type { FindIndex, PathIndex } from '../index/path-index.ts';
import { nameOfPath } from '../index/paths.ts';
import { on, sql, type SqlCondition, type SqlParameters } from './condition.ts';
import { isList } from '../../domain/values/tree.ts';

/** A condition as SQL over indexes. */
export interface Translation {
  readonly condition: SqlCondition;
  /** A SELECT of the positions for which it holds, each once. */
  readonly positions: string;
  readonly parameters: SqlParameters;
  /** True when it holds for no document but those that match. */
  readonly exact: boolean;
  /** True when the SELECT gives them in their order without having to sort them. */
  readonly ascending: boolean;
  /** Ranges of entries, one for each of the positions and none in common; null where they are found otherwise. */
  readonly entries: readonly EntryRange[] | null;
}

/** Entries of an index with keys from one, inclusive, to another, exclusive; in hexadecimal. */
export interface EntryRange {
  readonly index: PathIndex;
  readonly from: string;
  readonly to: string;
}

/** Up to this number, the keys of `$in` are counted one by one. */
const FEW_KEYS = 16;

/** The documents of which some value at a path equals one of the values, by the index of the path. */
export function keysAmong(
  path: readonly string[],
  values: readonly Value[],
  find: FindIndex,
): Translation | null {
  const index = find(nameOfPath(path));
  if (index === undefined) return null;
  const [only, second] = values;
  if (only !== undefined && second === undefined) {
    const { hex, exact } = indexKeyOf(only);
    const positions = 'SELECT seq FROM entries WHERE path = ? AND key = unhex(?)';
    return among(positions, [index.id, hex], index.exact && exact, true, entriesAt(index, [hex]));
  }
  const keys = values.map(indexKeyOf);
  const exact = index.exact && keys.every(({ exact: alone }) => alone);
  const hexes = keys.map(({ hex }) => hex);
  const isAsked = 'key IN (SELECT unhex(value) FROM json_each(?))';
  const positions = `SELECT ${distinct(index)}seq FROM entries WHERE path = ? AND ${isAsked}`;
  const entries = entriesAt(index, [...new Set(hexes)]);
  return among(positions, [index.id, JSON.stringify(hexes)], exact, false, entries);
}

function entriesAt(index: PathIndex, keys: readonly string[]): Translation['entries'] {
  if (!index.single || keys.length > FEW_KEYS) return null;
  return keys.map((key) => ({ index, from: key, to: afterKey(key) }));
}

/** A document may be found under several keys. */
function distinct({ single }: PathIndex): string {
  return single ? '' : 'DISTINCT ';
}

/** A range of the keys of an index, or of ids. */
export interface KeyRange {
  readonly index: PathIndex | 'id';
  readonly from: string;
  readonly to: string;
  readonly exact: boolean;
}

/** Bounds of all ids. */
export const ANY_ID = { from: '', to: 'ff'.repeat(13) };

/** The documents of which some value at the path of an index has its key in a range. */
export function withinRange({ index, from, to, exact }: KeyRange): Translation {
  if (index === 'id') {
    return where(
      sql((row) => `${row}.id >= unhex(?) AND ${row}.id < unhex(?)`, from, to),
      exact,
    );
  }
  const positions = `SELECT ${distinct(index)}seq FROM entries WHERE path = ? AND key >= unhex(?) AND key < unhex(?)`;
  const entries = index.single ? [{ index, from, to }] : null;
  return among(positions, [index.id, from, to], exact, false, entries);
}

/** The condition that a document is among the positions of a SELECT. */
export function among(
  positions: string,
  parameters: SqlParameters,
  exact: boolean,
  ascending = false,
  entries: Translation['entries'] = null,
): Translation {
  const condition = sql((row) => `${row}.seq IN (${positions})`, ...parameters);
  return { condition, positions, parameters, exact, ascending, entries };
}

/** The least key above this one: keys of one length are compared byte by byte, and no string has a byte 00 ahead. */
export function afterKey(hex: string): string {
  return `${hex}00`;
}

export function isScalar(value: Value): boolean {
  return !isList(value) && !isFields(value);
}

/** The documents for which a condition holds. */
export function where(condition: SqlCondition, exact: boolean): Translation {
  const { text, parameters } = on('documents', condition);
  const positions = `SELECT seq FROM documents WHERE ${text}`;
  return { condition, positions, parameters, exact, ascending: false, entries: null };
}

/** The documents with one of the ids; values of other kinds are no ids. */
export function idsAmong(values: readonly Value[]): Translation {
  const ids = values.flatMap((value) => (value instanceof ObjectId ? value.hex : []));
  const condition = sql((row) => `${row}.id IN (SELECT unhex(value) FROM json_each(?))`, JSON.stringify(ids));
  return where(condition, true);
}

/** Where all that has a geometry at the path of an index of cells is found: what has entries there. */
export function anyGeometry({ id }: PathIndex, exact: boolean): Translation {
  return among('SELECT DISTINCT seq FROM cells WHERE path = ?', [id], exact);
}

export const SYMBOLS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
