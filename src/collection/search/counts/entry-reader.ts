/** Numbers and places of the entries of an index, between two places in its order. */
import { bytesOfHex } from '../../storage/ids.ts';
import type { Place } from '../../storage/indexes/segments.ts';
import type { Statements } from '../reading/statements.ts';

/** A comparison of both columns is one seek, however many entries have one key. */
const BETWEEN = 'path = ? AND (key, seq) >= (?, ?) AND (key, seq) < (?, ?)';

export class EntryReader {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** How many entries there are. */
  count(index: number, from: Place, to: Place): number {
    const [row] = this.#statements.all(
      `SELECT count(*) FROM entries WHERE ${BETWEEN}`,
      ...boundsOf(index, from, to),
    );
    return Number(row?.[0]);
  }

  /** The least of their positions; without any, one that no document has. */
  least(index: number, from: Place, to: Place): number {
    const [row] = this.#statements.all(
      `SELECT min(seq) FROM entries WHERE ${BETWEEN}`,
      ...boundsOf(index, from, to),
    );
    return Number(row?.[0] ?? Number.MAX_SAFE_INTEGER);
  }

  /** The place behind a number of entries; null where there are no more than these. */
  behind(index: number, from: Place, to: Place, entries: number): Place | null {
    const [row] = this.#statements.all(
      `SELECT key, seq FROM entries WHERE ${BETWEEN} ORDER BY key, seq LIMIT 1 OFFSET ? + 0`,
      ...boundsOf(index, from, to),
      entries,
    );
    const [key, seq] = row ?? [];
    return key instanceof ArrayBuffer ? { key: new Uint8Array(key).toHex(), seq: Number(seq) } : null;
  }
}

function boundsOf(index: number, from: Place, to: Place): SqlStorageValue[] {
  return [index, bytesOfHex(from.key), from.seq, bytesOfHex(to.key), to.seq];
}
