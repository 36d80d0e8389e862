/** The secrets of the environment: what is too short to be one opens and signs nothing. */
import { describe, expect, test } from 'vitest';
import { isOperator } from '../../src/auth/operator.ts';
import { isOperatorSecret, parseCredentialSecrets } from '../../src/domain/environment/credential-secrets.ts';
import { environmentOf } from '../support/exchange.ts';

const secretOf = (length: number) => 's'.repeat(length);

describe('a secret of credentials', () => {
  test('has 32 characters or more', () => {
    expect(parseCredentialSecrets(`1:${secretOf(32)}`)).toEqual([{ kid: '1', secret: secretOf(32) }]);
    expect(() => parseCredentialSecrets(`1:${secretOf(31)}`)).toThrow('32');
    expect(() => parseCredentialSecrets(`1:${secretOf(32)},2:${secretOf(31)}`)).toThrow('32');
  });

  test('has a kid of its own', () => {
    expect(() => parseCredentialSecrets(`:${secretOf(32)}`)).toThrow('kid');
    expect(() => parseCredentialSecrets(`1:${secretOf(32)},1:${secretOf(33)}`)).toThrow('kid');
  });
});

test('the operator secret has 32 characters or more; a shorter one makes nobody the operator', async () => {
  expect([31, 32].map((length) => isOperatorSecret(secretOf(length)))).toEqual([false, true]);
  const environment = environmentOf({}, undefined, { OPERATOR_SECRET: secretOf(31) });
  expect(await isOperator(environment, `Bearer ${secretOf(31)}`)).toBe(false);
});
