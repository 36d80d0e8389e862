/**
 * The order of a list: by the `sort` parameter, by distance, or by id alone. Keys are plain data, so that a cursor
 * can carry the key of the last document of a page to the request for the next one.
 */
import { fromBase64, toBase64Url } from '../../domain/base64.ts';
import { decodeText, encodeText } from '../../domain/codec.ts';
import { isFields, isList, type Fields, type Value } from '../../domain/values.ts';
import { compareValues } from './compare.ts';
import { sortKey, type SortField } from './sort.ts';

/** One part for each sort field; `undefined` is an empty array, which sorts before null. */
export type Key = readonly (Value | undefined)[];

export interface Ordering {
  readonly keyOf: (document: Fields) => Key;
  /** Without the tie-break by id, which is the caller's. */
  readonly compare: (a: Key, b: Key) => number;
}

export function bySortFields(sort: readonly SortField[]): Ordering {
  return {
    keyOf: (document) => sort.map(({ path, direction }) => sortKey(document, path, direction)),
    compare: (a, b) => {
      for (const [index, { direction }] of sort.entries()) {
        const difference = compareValues(a[index], b[index]);
        if (difference !== 0) return direction === 'ascending' ? difference : -difference;
      }
      return 0;
    },
  };
}

/** Nearest first; `distanceOf` in meters. */
export function byDistance(distanceOf: (document: Fields) => number): Ordering {
  return {
    keyOf: (document) => [distanceOf(document)],
    compare: ([a], [b]) => Number(a) - Number(b),
  };
}

/** Where a page ended: the key of its last document, and its id. */
export interface Position {
  readonly key: Key;
  readonly id: string;
}

/** A position as an opaque text for a URL (JSON:API's cursor pagination profile). */
export function formatCursor({ key, id }: Position): string {
  const parts = key.map((part): Value => (part === undefined ? [] : [part]));
  return toBase64Url(new TextEncoder().encode(encodeText({ key: parts, id })));
}

/** The position of a cursor, or undefined for a text that is none, or one of an order with other keys. */
export function parseCursor(cursor: string, keys: number): Position | undefined {
  try {
    const value = decodeText(new TextDecoder().decode(fromBase64(cursor)));
    const { key, id } = isFields(value) ? value : {};
    if (key === undefined || !isList(key) || key.length !== keys) return undefined;
    if (typeof id !== 'string' || !/^[0-9a-f]{24}$/.test(id)) return undefined;
    return { key: key.map((part) => (isList(part) ? part[0] : null)), id };
  } catch {
    return undefined;
  }
}
