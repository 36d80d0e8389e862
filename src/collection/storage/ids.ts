/**
 * Ids: 12 bytes that ascend with creation inside a collection. As in MongoDB's object ids the first four bytes are
 * seconds since 1970; the rest starts at random each second and steps forward by a random stride.
 */
import { storedId, type DocumentId } from '../../domain/ids.ts';

const REST_BITS = 64n;

/** The next id after `last` (hexadecimal, or null for none), given the seconds now and 8 random bytes. */
export function nextId(last: string | null, seconds: number, random: BigUint64Array): DocumentId {
  const bits = random[0] ?? 0n;
  // The top bit stays free, so that a second has room for 2^63 / 2^24 ids before it runs into the next one.
  const fresh = (BigInt(seconds) << REST_BITS) | (bits >> 1n);
  const stride = 1n + (bits & 0xff_ffffn);
  const previous = last === null ? 0n : BigInt(`0x${last}`);
  const next = fresh >> REST_BITS > previous >> REST_BITS ? fresh : previous + stride;
  return storedId(next.toString(16).padStart(24, '0'));
}

/**
 * The bytes of an id. Signed credentials may name any text: a text that is not an id gets bytes that no document has.
 */
export function bytesOfId(hex: string): ArrayBuffer {
  try {
    return bytesOfHex(hex);
  } catch {
    return new ArrayBuffer(0);
  }
}

/** 16 digits that nobody has had before. */
export function randomHex(): string {
  return crypto.getRandomValues(new Uint8Array(8)).toHex();
}

/** The bytes of an even number of hexadecimal digits. */
export function bytesOfHex(hex: string): ArrayBuffer {
  return Uint8Array.fromHex(hex).buffer;
}

export function idOfBytes(bytes: ArrayBuffer): DocumentId {
  return storedId(new Uint8Array(bytes).toHex());
}
