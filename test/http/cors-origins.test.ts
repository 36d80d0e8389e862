/** The setting CORS_ORIGINS: which origins browsers may call from, told by every answer (docs/operating.md). */
import { describe, expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { counted } from '../support/own-service.ts';
import { newService } from '../support/scope.ts';

const OURS = 'https://app.example.com';

const clientWith = async (setting: string): Promise<Client> =>
  (await newService(counted({ CORS_ORIGINS: setting }))).client;
const client = await clientWith(`${OURS}, https://www.example.com`);

const allowed = async (client: Client, origin: string | null, method = 'GET', path = '/resources/things') => {
  const { headers } = await client.send(method, path, { headers: origin === null ? {} : { origin } });
  return headers.get('access-control-allow-origin');
};

describe('with origins in CORS_ORIGINS', () => {
  test.each([
    ['the first', OURS, OURS],
    ['the second', 'https://www.example.com', 'https://www.example.com'],
    ['another', 'https://evil.example', null],
    ['one that begins like ours', `${OURS}.evil.example`, null],
    ['ours without TLS', 'http://app.example.com', null],
    ['ours at another port', `${OURS}:8443`, null],
    ['none that a page has', 'null', null],
    ['the whole setting', `${OURS}, https://www.example.com`, null],
    ['none', null, null],
  ])('a read and its preflight let in: %s', async (_, origin, expected) => {
    expect(await allowed(client, origin)).toBe(expected);
    expect(await allowed(client, origin, 'OPTIONS')).toBe(expected);
  });

  test('so do refusals and the front page', async () => {
    for (const path of ['/resources/things?sort=', '/nowhere', '/', '/resources/things?a=b']) {
      expect(await allowed(client, OURS, 'GET', path)).toBe(OURS);
      expect(await allowed(client, 'https://evil.example', 'GET', path)).toBeNull();
    }
    expect(await allowed(client, OURS, 'PUT')).toBe(OURS);
  });

  test('answers say that they depend on the origin', async () => {
    for (const origin of [OURS, 'https://evil.example']) {
      const { headers } = await client.get('/resources/things', { origin });
      expect(headers.get('vary')?.split(/, */)).toContain('Origin');
    }
  });

  test('what one origin was told is not told to the next', async () => {
    const origins = [OURS, 'https://evil.example', 'https://www.example.com', null, OURS];
    const told = await Promise.all(origins.map((origin) => allowed(client, origin)));
    expect(told).toEqual([OURS, null, 'https://www.example.com', null, OURS]);
  });
});

test('with * among them any origin is let in', async () => {
  const client = await clientWith(`${OURS}, *`);
  expect(await allowed(client, 'https://any.example')).toBe('*');
});
