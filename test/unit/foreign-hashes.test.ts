/** Hashes of passwords by other services: what verifies, what is refused, and how no new password may look. */
import { argon2Sync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  COST,
  faultOfHash,
  hashPassword,
  looksHashed,
  verifyPassword,
  WRONG_LOGIN,
} from '../../src/auth/passwords.ts';
import { toBase64 } from '../../src/domain/values/base64.ts';

// Our own hash, which stands in for one that is refused, costs next to nothing here.
const [cost, wrong] = [{ ...COST }, { ...WRONG_LOGIN }];
beforeAll(() => {
  Object.assign(COST, { N: 2, p: 1 });
  WRONG_LOGIN.lasts = 0;
});
afterAll(() => {
  Object.assign(COST, cost);
  Object.assign(WRONG_LOGIN, wrong);
});

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** As Node's own implementation makes it. */
function argon2(algorithm: 'argon2id' | 'argon2i' | 'argon2d', m: number, t: number, p: number): string {
  const nonce = bytesOf('a salt of sixteen');
  const cost = {
    message: bytesOf('correct horse'),
    nonce,
    parallelism: p,
    tagLength: 32,
    memory: m,
    passes: t,
  };
  return `$${algorithm}$v=19$m=${m},t=${t},p=${p}$${toBase64(nonce)}$${toBase64(argon2Sync(algorithm, cost))}`;
}

/** Those of bcrypt by libxcrypt; that of Firebase from the documentation of its scrypt. */
const FIREBASE =
  '$firescrypt$ln=14,r=8,p=1$42xEC+ixf3L2lw==$' +
  'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==$Bw==$' +
  'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==';

const HASHES: readonly [form: string, password: string, hash: string][] = [
  ['bcrypt 2b', 'correct horse', '$2b$04$CXvvESdSb9KGbyUL11VJEe4zglK3y3iXJ42l8GQf8jpI84fDtT8ie'],
  ['bcrypt 2y', 'correct horse', '$2y$05$CXvvESdSb9KGbyUL11VJEelBIZFyeXfwqPL1L4wpY3gDqZJBuHGOq'],
  ['bcrypt 2a', 'correct horse', '$2a$06$CXvvESdSb9KGbyUL11VJEe15CeaFcffr5jSRhT3.JOYF4UfY/qb2G'],
  ['argon2id', 'correct horse', argon2('argon2id', 64, 2, 1)],
  ['argon2i of several lanes', 'correct horse', argon2('argon2i', 64, 1, 4)],
  ['argon2d', 'correct horse', argon2('argon2d', 32, 3, 2)],
  ['scrypt of Firebase', 'user1password', FIREBASE],
];

test('a wrong login lasts half a second, which most hashes of other services take no longer than', () => {
  expect(wrong).toEqual({ lasts: 500 });
});

describe('a hash of another service', () => {
  test.each(HASHES)('%s is taken, and verifies its password alone', async (_, password, hash) => {
    expect(faultOfHash(hash)).toBe(undefined);
    expect(await verifyPassword(password, hash)).toBe(true);
    for (const wrong of [`${password}x`, password.slice(1), '', `${password}\0`]) {
      expect(await verifyPassword(wrong, hash)).toBe(false);
    }
  });

  const own = argon2('argon2id', 64, 2, 1);
  test.each<[what: string, hash: string]>([
    ['a cost of bcrypt that takes seconds', '$2b$14$CXvvESdSb9KGbyUL11VJEe4zglK3y3iXJ42l8GQf8jpI84fDtT8ie'],
    ['a cost below those of bcrypt', '$2b$03$CXvvESdSb9KGbyUL11VJEe4zglK3y3iXJ42l8GQf8jpI84fDtT8ie'],
    ['a short bcrypt', '$2b$04$CXvvESdSb9KGbyUL11VJEe4zglK3y3iXJ42l8GQf8jpI84fDtT8i'],
    ['more memory than an isolate can give', own.replace('m=64', 'm=65537')],
    ['many passes', own.replace('m=64,t=2', 'm=65536,t=5')],
    ['no lanes', own.replace('p=1', 'p=0')],
    ['more lanes than memory', own.replace('p=1', 'p=9')],
    ['an older argon2', own.replace('v=19', 'v=16')],
    ['a line behind', `${own}\n`],
    ['a dear scrypt', FIREBASE.replace('ln=14', 'ln=20')],
    ['PBKDF2', '$pbkdf2-sha256$29000$N2YMIWQsBWBMae09x1jrPQ$1t8iyB2A.WF/Z5JZv.lfCIhXXN33N23OSgQYThBYRfk'],
    ['a password', 'correct horse'],
  ])('%s is refused', async (_, hash) => {
    expect(faultOfHash(hash)).toContain('bcrypt (to cost 13)');
    expect(await verifyPassword('correct horse', hash)).toBe(false);
  });
});

test('a new password must not look like a hash', async () => {
  for (const [, , hash] of HASHES) expect([hash, looksHashed(hash)]).toEqual([hash, true]);
  expect(looksHashed((await hashPassword('x')) ?? '')).toBe(true);
  for (const each of ['$ecret', '$2b', 'a$2b$10$', '$money$ is what I like best, I think', 'correct horse']) {
    expect([each, looksHashed(each)]).toEqual([each, false]);
  }
});
