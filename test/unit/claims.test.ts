/** Which claims of an identity provider become attributes: what a user could have sent as exactly. */
import { expect, test } from 'vitest';
import { idOf } from '../support/names.ts';
import { attributesIn } from '../../src/modules/users/providers/provider.ts';

const PROVIDER = {
  ...{
    id: idOf('a'.repeat(24)),
    name: 'site',
    issuer: 'https://site.example',
    clientId: 'shop',
    clientSecret: undefined,
  },
  ...{ signing: null, scopes: '', endpoints: null, claims: { a: 'said' } },
};

test.each([
  ['text', ['x'], ['']],
  ['text of an address', ['x'.repeat(2_000)], ['x'.repeat(10_000)]],
  ['number', [0, -1.5, 2 ** 53 - 1], [2 ** 53, 1e20, NaN]],
  ['flag', [true, false], []],
  ['other value', [], [null, [], {}, ['x']]],
])('%s', (_, taken, left) => {
  const read = (said: unknown) => attributesIn(PROVIDER, { said });
  expect(taken.map(read)).toEqual(taken.map((a) => ({ a })));
  expect(left.map(read)).toEqual(left.map(() => ({})));
});
