/** What `/` answers: what this is, and where its documentation is (issue: HTTP manners). */
import { describe, expect, inject, test } from 'vitest';
import { Client, MEDIA_TYPE } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';

const nobody = new Client(inject('url'), '', '');

describe('the front page', () => {
  test('needs no key, and says what this is and where to read on', async () => {
    const response = await fetch(`${inject('url')}/`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, MEDIA_TYPE]);
    const { meta } = await response.json<{ meta: Record<string, unknown> }>();
    expect(meta['service']).toBe('Foredge');
    expect(meta['documentation']).toEqual(expect.stringMatching(/\S/));
  });

  test('leads to the documentation, the reference and OpenAPI', async () => {
    const { meta } = (await nobody.get('/')).body;
    for (const name of ['documentation', 'reference', 'openapi']) {
      expect((await nobody.get(String(meta[name]))).status).toBe(200);
    }
  });

  test('names the endpoints', async () => {
    const { endpoints } = (await nobody.get('/')).body.meta as unknown as {
      endpoints: { method: string; path: string; summary: string }[];
    };
    expect(endpoints).toContainEqual(
      expect.objectContaining({ method: 'GET', path: '/resources/{type}/{id}' }) as unknown,
    );
    expect(endpoints.length).toBeGreaterThan(10);
  });

  test('is shown to browsers, whatever they accept', async () => {
    expect((await nobody.get('/', { accept: 'text/html' })).status).toBe(200);
  });

  test('answers HEAD without a body', async () => {
    const head = await nobody.send('HEAD', '/');
    expect([head.status, head.text]).toEqual([200, '']);
  });

  test.each(['POST', 'PATCH', 'DELETE'])('knows no %s: 405 with Allow', async (method) => {
    const client = await Client.create();
    const answer = await client.send(method, '/');
    expect(faultsOf(answer)).toEqual(['405 method-not-allowed']);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });
});
