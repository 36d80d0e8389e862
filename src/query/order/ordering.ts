/**
 * The order of a list: by the `sort` parameter, by distance, or by id alone. Keys are plain data, so that a cursor
 * can carry the key of the last document of a page to the request for the next one.
 */
import { fromBase64, toBase64Url } from '../../domain/values/base64.ts';
import { decodeText, encodeText } from '../../domain/values/codec.ts';
import { digest64 } from '../../domain/digest.ts';
import { isId, type DocumentId } from '../../domain/ids.ts';
import { isFields, type Fields, type Value } from '../../domain/values/values.ts';
import { compareValues } from './compare.ts';
import { compileKeys, type Key } from './keys.ts';
import type { SortField } from './sort.ts';
import type { Path } from '../walk.ts';
import { isList } from '../../domain/values/tree.ts';

export type { Key } from './keys.ts';

export interface Ordering {
  readonly parts: number;
  readonly keyOf: (document: Fields) => Key;
  /** The names of the fields that they are made of. */
  readonly fields: readonly string[];
  /** Without the tie-break by id, which is the caller's. */
  readonly compare: (a: Key, b: Key) => number;
}

export function bySortFields(sort: readonly SortField[]): Ordering {
  return {
    parts: sort.length,
    keyOf: compileKeys(sort),
    fields: sort.flatMap(({ path }) => path[0] ?? []),
    compare: (a, b) => {
      for (const [index, { direction }] of sort.entries()) {
        const difference = compareValues(a[index], b[index]);
        if (difference !== 0) return direction === 'ascending' ? difference : -difference;
      }
      return 0;
    },
  };
}

/** Nearest first; `distanceOf` in meters, of what lies at the path. */
export function byDistance([field]: Path, distanceOf: (document: Fields) => number): Ordering {
  return {
    parts: 1,
    fields: field === undefined ? [] : [field],
    keyOf: (document) => [distanceOf(document)],
    compare: ([a], [b]) => Number(a) - Number(b),
  };
}

/** Where a page ended: the key of its last document, and its id. */
export interface Position {
  readonly key: Key;
  /** Where ids do not ascend with them: the position of the document. */
  readonly seq?: number;
  readonly id: DocumentId;
}

/** A position whose key was too long for a cursor: that of the document with the id, as long as it has this digest. */
export interface Reference {
  readonly id: DocumentId;
  readonly seq?: number;
  readonly digest: string;
}

/** Bytes of a position beyond which its cursor holds a reference: a cursor is part of an address. */
const LONGEST_POSITION = 1_500;

/** A position as an opaque text for a URL (JSON:API's cursor pagination profile). */
export function formatCursor({ key, id, seq }: Position): string {
  const place = { id, ...(seq !== undefined && { seq }) };
  const whole = new TextEncoder().encode(encodeText({ key: partsOf(key), ...place }));
  const bytes =
    whole.length <= LONGEST_POSITION
      ? whole
      : new TextEncoder().encode(encodeText({ digest: digestOfKey(key), ...place }));
  return toBase64Url(bytes);
}

/** The position of a cursor, or undefined for a text that is none, or one of an order with other keys. */
export function parseCursor(cursor: string, keys: number): Position | Reference | undefined {
  try {
    const value = decodeText(new TextDecoder().decode(fromBase64(cursor)));
    const { key, id, digest, seq } = isFields(value) ? value : {};
    if (typeof id !== 'string' || !isId(id)) return undefined;
    const place = { id, ...(typeof seq === 'number' && { seq }) };
    if (typeof digest === 'string') return { ...place, digest };
    if (key === undefined || !isList(key) || key.length !== keys) return undefined;
    return { ...place, key: key.map((part) => (isList(part) ? part[0] : null)) };
  } catch {
    return undefined;
  }
}

/** Tells keys apart; see `Reference`. */
export function digestOfKey(key: Key): string {
  return digest64(encodeText(partsOf(key)));
}

function partsOf(key: Key): readonly Value[] {
  return key.map((part): Value => (part === undefined ? [] : [part]));
}
