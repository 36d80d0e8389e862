/** Whether a user has a way in beside passkeys and identities. */
import { expect, test } from 'vitest';
import { NO_PASSWORD } from '../../src/auth/passwords.ts';
import { logsInByName } from '../../src/modules/users/accounts/ways-in.ts';

test.each([
  ['no password at all', {}, false],
  ['the hash of none', { password: NO_PASSWORD }, false],
  ['a password', { password: '$scrypt$…' }, true],
  ['a confirmed address', { 'confirmed-email': 'ada@example.org' }, true],
])('with %s', (_, attributes, is) => {
  expect(logsInByName(attributes)).toBe(is);
});

test.each([
  [false, false],
  [true, true],
])('where no password logs in, and a mail does: %s', (logInByMail, is) => {
  const settings = { logInByMail, logInByPassword: false };
  expect(logsInByName({ password: '$scrypt$…', 'confirmed-email': 'ada@example.org' }, settings)).toBe(is);
  expect(logsInByName({ password: '$scrypt$…' }, settings)).toBe(false);
});
