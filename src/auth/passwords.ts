/**
 * Password hashes: scrypt as a PHC string (decisions, section 4). Hashing takes a tenth of a second of CPU time or
 * more, so it runs in the Worker, never in an object that others wait for.
 */
import { scrypt, timingSafeEqual } from 'node:crypto';
import { fromBase64, toBase64 } from '../domain/values/base64.ts';

const COST = { N: 2 ** 14, r: 8, p: 5, maxmem: 64 * 1024 * 1024 };
const PREFIX = '$scrypt$ln=14,r=8,p=5$';
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** True for a text of the form of a hash. */
export function isHash(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** A new hash of a password, with a new salt. */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const hash = await derive(password, salt);
  return `${PREFIX}${toBase64(salt)}$${toBase64(hash)}`;
}

/**
 * Whether a password belongs to a hash. Without a hash it takes the same time and is false, so that nobody can
 * distinguish an unknown name from a wrong password.
 */
export async function verifyPassword(password: string, phc: string | undefined): Promise<boolean> {
  const [salt = '', hash = ''] = phc?.startsWith(PREFIX) === true ? phc.slice(PREFIX.length).split('$') : [];
  const expected = fromBase64(hash) ?? new Uint8Array();
  const saltBytes = fromBase64(salt) ?? new Uint8Array();
  const actual = await derive(password, saltBytes.length === 0 ? new Uint8Array(SALT_BYTES) : saltBytes);
  // The hash pads its key with NULs: another NUL at the end of a password would make no difference.
  return expected.length === actual.length && timingSafeEqual(actual, expected) && !password.includes('\0');
}

function derive(password: string, salt: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, HASH_BYTES, COST, (error, key) => {
      if (error === null) resolve(new Uint8Array(key));
      else reject(error);
    });
  });
}
