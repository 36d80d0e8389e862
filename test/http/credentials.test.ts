/** Credentials that are not genuine: forged, cut, or of another application (decisions, section 4). */
import { describe, expect, test } from 'vitest';
import { base64url } from '../support/base64.ts';
import { Client, NO_ID } from '../support/client.ts';

const client = await Client.create();

const list = (other: Client) => other.get('/resources/things');

describe('a credential that is not genuine is 401', () => {
  const parts = () => client.key.split('.') as [string, string, string];

  test.each([
    ['made up', () => 'x'.repeat(100)],
    ['truncated', () => client.key.slice(0, -1)],
    ['prolonged', () => `${client.key}A`],
    ['without its signature', () => `${parts()[0]}.${parts()[1]}.`],
    ['with another signature', () => `${parts()[0]}.${parts()[1]}.${'A'.repeat(parts()[2].length)}`],
    [
      'for another id',
      () => `${parts()[0]}.${base64url(`api-key/${client.application}/${NO_ID}`)}.${parts()[2]}`,
    ],
    ['with alg none', () => `${base64url('{"alg":"none"}')}.${parts()[1]}.`],
    [
      'with alg none and a signature',
      () => `${base64url('{"alg":"none","kid":"1"}')}.${parts()[1]}.${parts()[2]}`,
    ],
    ['with another kid', () => `${base64url('{"alg":"HS256","kid":"2"}')}.${parts()[1]}.${parts()[2]}`],
    [
      'with a public-key algorithm',
      () => `${base64url('{"alg":"RS256","kid":"1"}')}.${parts()[1]}.${parts()[2]}`,
    ],
    ['the id of the key', () => NO_ID],
    ['very long', () => 'a.'.repeat(3000)],
    ['empty', () => ''],
  ])('%s', async (_, credential) => {
    const forged = await list(new Client(client.url, client.application, credential()));
    expect(forged.status).toBe(401);
    expect(forged.body.errors[0]?.source).toEqual({ header: 'api-key' });
  });

  test('of another application, with either application-id', async () => {
    const other = await Client.create();
    expect((await list(new Client(client.url, client.application, other.key))).status).toBe(401);
    expect((await list(new Client(client.url, other.application, client.key))).status).toBe(401);
  });

  test('of an application that does not exist', async () => {
    for (const application of [NO_ID, 'system', '', '../x', `${client.application} `.repeat(2)]) {
      expect((await list(new Client(client.url, application, client.key))).status).toBe(401);
    }
  });
});
