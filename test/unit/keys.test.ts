/** Who a key is: what its signature says decides, whatever is stored under the same id. */
import { describe, expect, test } from 'vitest';
import { signerOf, type Claims } from '../../src/auth/credentials.ts';
import { authenticate } from '../../src/auth/keys.ts';
import { encodeText } from '../../src/domain/values/codec.ts';
import { APPLICATION, environmentOf } from '../support/exchange.ts';
import type { Lookup } from '../../src/collection/rpc/maintenance/lookup.ts';
import { CORE } from '../../src/domain/types.ts';
import { applicationId, idOf } from '../support/names.ts';

const everything: Lookup = {
  state: 'current',
  body: encodeText({ permissions: [{ path: '.*', methods: ['get'] }] }),
};

/** Each test has an id of its own: isolates remember keys. */
async function headersOf(claims: Claims): Promise<Headers> {
  const signer = await signerOf(environmentOf({}));
  return new Headers({ 'application-id': APPLICATION, 'api-key': await signer.sign(claims) });
}

describe('where KV has a key under every id', () => {
  const environment = environmentOf({}, () => Promise.resolve(everything));
  const key = { kind: 'api-key', application: APPLICATION } as const;

  test('a key of this application is taken', async () => {
    const headers = await headersOf({ ...key, id: idOf('a'.repeat(24)) });
    expect((await authenticate(environment, headers)).ok).toBe(true);
  });

  test('a key of another application is not', async () => {
    const headers = await headersOf({
      ...key,
      application: applicationId('b'.repeat(24)),
      id: idOf('b'.repeat(24)),
    });
    expect((await authenticate(environment, headers)).ok).toBe(false);
  });

  test('a user token is not', async () => {
    const holder = { type: CORE.user, id: idOf('d'.repeat(24)) } as const;
    const id = idOf('c'.repeat(24));
    const token = { kind: 'token', application: APPLICATION, id, holder, version: 1, created: 0 } as const;
    expect((await authenticate(environment, await headersOf(token))).ok).toBe(false);
  });
});

test('a copy that is marked as changing sends the question to the collection', async () => {
  const environment = environmentOf({ lookUp: () => everything }, () =>
    Promise.resolve({ state: 'changing' }),
  );
  const headers = await headersOf({ kind: 'api-key', application: APPLICATION, id: idOf('e'.repeat(24)) });
  expect((await authenticate(environment, headers)).ok).toBe(true);
});
