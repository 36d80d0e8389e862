/** Hashes of passwords (decisions, section 4): what verifies, and what only looks alike. */
import { describe, expect, it } from 'vitest';
import { hashPassword, isHash, verifyPassword } from '../../src/auth/passwords.ts';

describe('a hashed password', async () => {
  const stored = (await hashPassword('correct horse')) ?? '';

  it.each<[what: string, password: string, verifies: boolean]>([
    ['itself', 'correct horse', true],
    ['another case', 'Correct horse', false],
    ['a part', 'correct hors', false],
    ['nothing', '', false],
    // The hash pads its key with NULs.
    ['itself with a NUL behind it', 'correct horse\0', false],
    ['itself with two', 'correct horse\0\0', false],
  ])('is verified by: %s', async (_, password, verifies) => {
    expect(await verifyPassword(password, stored)).toBe(verifies);
  });

  it('is another each time, and verifies all the same', async () => {
    const again = (await hashPassword('correct horse')) ?? '';
    expect(again).not.toBe(stored);
    expect(await verifyPassword('correct horse', again)).toBe(true);
  });

  it('that is absent is verified by nothing', async () => {
    expect(await verifyPassword('correct horse', undefined)).toBe(false);
  });
});

describe('a text is a hash that the service would make', () => {
  const salt = `${'a'.repeat(21)}Q`;
  const hash = `${'b'.repeat(42)}k`;
  const own = '$scrypt$ln=14,r=8,p=5$';

  it.each<[what: string, text: string, is: boolean]>([
    ['in its own form', `${own}${salt}$${hash}`, true],
    ['not without salt and hash', own, false],
    ['not with a short salt', `${own}YQ$${hash}`, false],
    ['not with a longer salt', `${own}${salt}aa$${hash}`, false],
    ['not with a short hash', `${own}${salt}$YQ`, false],
    ['not with a third part', `${own}${salt}$${hash}$${hash}`, false],
    ['not with bits beyond the salt', `${own}${'a'.repeat(22)}$${hash}`, false],
    ['not with bits beyond the hash', `${own}${salt}$${'b'.repeat(43)}`, false],
    ['not with padding', `${own}${salt}==$${hash}=`, false],
    ['not in the alphabet of URLs', `${own}${'-'.repeat(21)}Q$${hash}`, false],
    ['not with a line behind it', `${own}${salt}$${hash}\n`, false],
    ['not at another cost', `$scrypt$ln=1,r=8,p=1$${salt}$${hash}`, false],
    ['not of another function', '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy', false],
  ])('%s', (_, text, is) => {
    expect(isHash(text)).toBe(is);
  });

  it('as each new hash is', async () => {
    expect(isHash((await hashPassword('correct horse')) ?? '')).toBe(true);
  });
});
