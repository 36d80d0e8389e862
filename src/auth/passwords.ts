/**
 * Password hashes: scrypt as a PHC string (decisions, section 4). Hashing takes a tenth of a second of CPU time or
 * more, so it runs in the Worker, never in an object that others wait for.
 */
import { createCipheriv, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { argon2d, argon2i, argon2id } from '@noble/hashes/argon2.js';
import bcrypt from 'bcryptjs';
import { fail } from '../domain/problems.ts';
import { fromBase64, toBase64 } from '../domain/values/base64.ts';
import { inTurn } from './login/hash-turns.ts';

/** Of a hash: a seventh of a second of the processor. Tests of other things make it less. */
export const COST = { N: 2 ** 14, r: 8, p: 5, maxmem: 64 * 1024 * 1024 };
/**
 * Milliseconds of a wrong login, at least: most imported hashes take less time than ours, and would tell who has one.
 * Not more: a hundred in a minute, one after the other, must reach the limit of an address.
 */
export const WRONG_LOGIN = { lasts: 500 };
const PREFIX = '$scrypt$ln=14,r=8,p=5$';
/** Seconds after which those that wait now have had their turns. */
const RETRY_AFTER = 5;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Base64 of the salt and of the hash: the last digit of each has no bits beyond them. */
const FORM = /^\$scrypt\$ln=14,r=8,p=5\$[A-Za-z0-9+/]{21}[AQgw]\$[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]$/;

/** True for a text that `hashPassword` might give. */
export function isHash(text: string): boolean {
  return FORM.test(text);
}

/** The hash of no password: of a user who logs in otherwise. It looks as any, and takes as long. */
export const NO_PASSWORD = `${PREFIX}${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** A new hash of a password, with a new salt; null where too many wait for one. */
export async function hashPassword(password: string): Promise<string | null> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const hash = await inTurn(() => derive(password.normalize('NFC'), salt));
  return hash && `${PREFIX}${toBase64(salt)}$${toBase64(hash)}`;
}

/** A form in which an import brings hashes of another service. The next login replaces each by one of ours. */
interface ForeignForm {
  readonly pattern: RegExp;
  /** Whether a login can pay for it: the numbers are those of the pattern's groups before the texts. */
  readonly isCheap: (...costs: readonly number[]) => boolean;
  readonly verify: (password: string, parts: readonly string[], hash: string) => Promise<boolean>;
}

const ARGON2 = { argon2id, argon2i, argon2d } as const;

/** What a login pays for: a second of a processor or less, and half of an isolate's memory. */
const FOREIGN: readonly ForeignForm[] = [
  {
    pattern: /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/,
    isCheap: (cost = 0) => cost >= 4 && cost <= 13,
    verify: (password, _, hash) => Promise.resolve(bcrypt.compareSync(password, hash)),
  },
  {
    pattern:
      /^\$(argon2id|argon2i|argon2d)\$v=19\$m=(\d{1,9}),t=(\d{1,3}),p=(\d{1,3})\$([\w+/]{11,86})\$([\w+/]{16,86})$/,
    isCheap: (_, m = 0, t = 0, p = 0) => p > 0 && m >= 8 * p && m <= 65_536 && t > 0 && m * t <= 262_144,
    verify: (password, [name = '', m, t, p, salt = '', hash = '']) => {
      const expected = fromBase64(hash) ?? new Uint8Array();
      const cost = { m: Number(m), t: Number(t), p: Number(p), dkLen: expected.length };
      const derived = ARGON2[name as keyof typeof ARGON2](password, fromBase64(salt) ?? '', cost);
      return Promise.resolve(isEqual(derived, expected));
    },
  },
  {
    // Firebase's scrypt: the derived key encrypts the key of the project.
    pattern: /^\$firescrypt\$ln=(\d\d?),r=(\d\d?),p=(\d)\$([\w+/=]+)\$([\w+/=]+)\$([\w+/=]*)\$([\w+/=]+)$/,
    isCheap: (ln = 0, r = 0, p = 0) => ln > 0 && ln <= 14 && r > 0 && r <= 8 && p === 1,
    verify: async (password, [ln, r, , ...texts]) => {
      const [salt, hash, separator, signer] = texts.map((each) => fromBase64(each) ?? new Uint8Array());
      const salted = Uint8Array.of(...(salt ?? []), ...(separator ?? []));
      const key = await derive(password, salted, { N: 2 ** Number(ln), r: Number(r), p: 1 });
      const cipher = createCipheriv('aes-256-ctr', key, new Uint8Array(16));
      return isEqual(cipher.update(signer ?? new Uint8Array()), hash ?? new Uint8Array());
    },
  },
];

function formOf(text: string) {
  for (const form of FOREIGN) {
    const [, ...parts] = form.pattern.exec(text) ?? [];
    if (parts.length > 0 && form.isCheap(...parts.map(Number))) return { form, parts };
  }
  return undefined;
}

/** What a text must be to be stored as a hash, where it is none of those that a login can verify. */
export function faultOfHash(text: string): string | undefined {
  if (isHash(text) || formOf(text) !== undefined) return undefined;
  const argon2 = 'argon2 (to 64 MiB and 4 passes over these)';
  const forms = `of bcrypt (to cost 13), ${argon2} or as $firescrypt$ of Firebase`;
  return `A password comes as the hash that an export has, or ${forms}.`;
}

/** Whether a text that was sent as a password looks like a hash of one. */
export function looksHashed(text: string): boolean {
  return /^\$(?:2[abxy]?\$\d\d\$|[a-z][a-z0-9-]{1,31}\$)[^ ]{20,}$/.test(text);
}

/**
 * Whether a password belongs to a hash. Without a hash it takes as long as one of ours and is false, so that nobody can
 * distinguish an unknown name from a wrong password. Null where too many wait for a hash.
 */
export async function verifyPassword(password: string, phc: string | undefined): Promise<boolean | null> {
  // Hashes of others end at a NUL.
  const foreign = phc === undefined || password.includes('\0') ? undefined : formOf(phc);
  if (phc !== undefined && foreign !== undefined) {
    const { form, parts } = foreign;
    return inTurn(() => form.verify(password, parts, phc));
  }
  const [salt = '', hash = ''] = phc?.startsWith(PREFIX) === true ? phc.slice(PREFIX.length).split('$') : [];
  const expected = fromBase64(hash) ?? new Uint8Array();
  const saltBytes = fromBase64(salt) ?? new Uint8Array();
  const salted = saltBytes.length === 0 ? new Uint8Array(SALT_BYTES) : saltBytes;
  const actual = await inTurn(() => derive(password.normalize('NFC'), salted));
  if (actual === null) return null;
  // The hash pads its key with NULs: another NUL at the end of a password would make no difference.
  return isEqual(actual, expected) && !password.includes('\0');
}

/** What is told where too many wait for a hash. */
export function tooManyHashes() {
  const detail = 'Too many passwords are checked or set at a time.';
  return fail('too-many-requests', detail, undefined, { 'retry-after': RETRY_AFTER });
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function derive(password: string, salt: Uint8Array, cost: ScryptOptions = COST): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, HASH_BYTES, cost, (error, key) => {
      if (error === null) resolve(new Uint8Array(key));
      else reject(error);
    });
  });
}
