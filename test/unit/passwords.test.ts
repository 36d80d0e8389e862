/** Hashes of passwords (decisions, section 4): what verifies, and what only looks alike. */
import { describe, expect, it } from 'vitest';
import { hashPassword, verifyPassword } from '../../src/auth/passwords.ts';

describe('a hashed password', async () => {
  const stored = await hashPassword('correct horse');

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
    const again = await hashPassword('correct horse');
    expect(again).not.toBe(stored);
    expect(await verifyPassword('correct horse', again)).toBe(true);
  });

  it('that is absent is verified by nothing', async () => {
    expect(await verifyPassword('correct horse', undefined)).toBe(false);
  });
});
