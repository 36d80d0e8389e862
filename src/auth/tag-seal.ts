/**
 * Seals the numbers of entity tags: a tag tells which changes a collection has had, and a number in clear would tell
 * everybody how many. The same number of the same type has the same seal, so that equal tags have equal texts.
 *
 * The permutation is Speck64/128 (Beaulieu and others, "The SIMON and SPECK Families of Lightweight Block Ciphers",
 * 2013, https://eprint.iacr.org/2013/404): it takes a microsecond, where WebCrypto would have to be waited for.
 */
import type { ApplicationId } from '../domain/ids.ts';

type Block = readonly [number, number];

const ROUNDS = 27;

/** A key of four words, the last one first in the paper's notation, as the keys of the rounds. */
export function roundKeys(words: readonly number[]): Int32Array {
  const [first = 0, ...rest] = words;
  const keys = new Int32Array(ROUNDS).fill(first, 0, 1);
  for (let at = 0; at < ROUNDS - 1; at += 1) {
    const key = keys[at] ?? 0;
    const next = ((key + rotated(rest[at] ?? 0, 24)) ^ at) | 0;
    rest.push(next);
    keys[at + 1] = rotated(key, 3) ^ next;
  }
  return keys;
}

export function encrypt(keys: Int32Array, [x, y]: Block): Block {
  let [left, right] = [x | 0, y | 0];
  for (const key of keys) {
    left = ((rotated(left, 24) + right) | 0) ^ key;
    right = rotated(right, 3) ^ left;
  }
  return [left >>> 0, right >>> 0];
}

export function decrypt(keys: Int32Array, [x, y]: Block): Block {
  let [left, right] = [x | 0, y | 0];
  for (let at = keys.length - 1; at >= 0; at -= 1) {
    right = rotated(right ^ left, 29);
    left = rotated(((left ^ (keys[at] ?? 0)) - right) | 0, 8);
  }
  return [left >>> 0, right >>> 0];
}

/** To the left. */
function rotated(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

/** As `roundKeys` makes them, of each secret. */
export type TagKeys = readonly [Int32Array, ...Int32Array[]];

/** What seals the numbers of one application's tags. */
export class TagSeal {
  /** Of this key and this process: who has it was given by us. */
  readonly origin: number;
  readonly #keys: Int32Array;
  readonly #former: TagSeal | null;

  /**
   * From the service's keys, those of former secrets behind the first. `epoch`: 16 hexadecimal digits, or none
   * (collection/rpc/environment.ts).
   */
  constructor([service, ...former]: TagKeys, application: ApplicationId, epoch = '') {
    const [next, ...others] = former;
    this.#former = next === undefined ? null : new TagSeal([next, ...others], application, epoch);
    const word = (text: string, at: number) => parseInt(text.slice(at * 8, at * 8 + 8), 16) | 0;
    // CBC-MAC, over texts of one length.
    const [x, y] = encrypt(service, [word(application, 0), word(application, 1)]);
    const last = word(application, 2);
    const keyed = [1, 2].flatMap((part) => encrypt(service, [x ^ last, y ^ part]));
    this.#keys = roundKeys(keyed);
    [this.origin] = encrypt(this.#keys, [word(epoch, 0), word(epoch, 1)]);
  }

  /** This and those of former secrets. */
  get all(): readonly TagSeal[] {
    return [this, ...(this.#former?.all ?? [])];
  }

  /** The seal of a number below 2^53 under a type's key. */
  seal(type: number, number: number): Block {
    return encrypt(this.#keys, [Math.floor(number / 2 ** 32), number ^ type]);
  }

  /** The number of a seal; at least 2^53 for most of those that are none of ours. */
  open(type: number, sealed: Block): number {
    const [high, low] = decrypt(this.#keys, sealed);
    return high * 2 ** 32 + ((low ^ type) >>> 0);
  }
}
