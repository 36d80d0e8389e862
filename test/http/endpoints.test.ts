/** The table of endpoints: each answers as it says there. That it has all of the specification: unit/docs. */
import { describe, expect, inject, test } from 'vitest';
import type { Endpoint } from '../../src/modules/endpoint.ts';
import { Client, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import type { Sample } from '../support/sample.ts';
import { samplesFor } from '../support/samples.ts';

/** An endpoint as data. */
type Row = Omit<Endpoint, 'handle' | 'serves' | 'knowsId'>;

/** The table as the running service has it. */
const table = await (await fetch(`${inject('url')}/test/endpoints`)).json<readonly Row[]>();

const client = await Client.create();

test('the table holds no endpoint twice', () => {
  const names = table.map(({ method, path }) => `${method} ${path}`);
  expect(names).toEqual([...new Set(names)]);
});

const call = (
  { method }: Row,
  { address, bodies, headers, queries }: Sample,
  more: Readonly<Record<string, string>> = {},
): Promise<Reply> =>
  client.send(method, `${address}${queries?.[method] ?? ''}`, {
    headers: { ...headers, ...more },
    ...(bodies?.[method] !== undefined && { body: bodies[method] }),
  });

/** Makes what a request to the endpoint needs, and says where it goes. */
function sampleOf({ path }: Row): Promise<Sample> {
  return samplesFor(client)[path]?.() ?? Promise.reject(new Error(`There is no sample for ${path}.`));
}

const cached = new Map<string, Promise<Sample>>();

/** One for all requests that change nothing. */
function cachedSampleOf(endpoint: Row): Promise<Sample> {
  const found = cached.get(endpoint.path) ?? sampleOf(endpoint);
  cached.set(endpoint.path, found);
  return found;
}

describe('an endpoint', () => {
  // One machine keeps no past to go back to: transfer/rewind.test.ts has an imitation.
  const here = table.filter(({ path }) => !path.includes('/history/'));

  test.each(here)('$method $path answers with a status of its table', async (endpoint) => {
    const answer = await call(endpoint, await sampleOf(endpoint));
    expect(Object.keys(endpoint.answers)).toContain(String(answer.status));
    expect(answer.status).toBeLessThan(300);
  });

  test.each(table.filter(({ answers }) => '304' in answers))(
    '$method $path answers 304 when nothing changed',
    async (endpoint) => {
      const sample = await cachedSampleOf(endpoint);
      let { etag } = await call(endpoint, sample);
      for (;;) {
        const again = await call(endpoint, sample, { 'if-none-match': etag });
        if (again.status === 304) return;
        // Other tests make applications meanwhile: then the answer has changed, and says so.
        expect([again.status, again.etag === etag]).toEqual([200, false]);
        ({ etag } = again);
      }
    },
  );

  test.each(table.filter(({ headers }) => headers?.includes('If-Match')))(
    '$method $path answers 412 to a stale If-Match',
    async (endpoint) => {
      const answer = await call(endpoint, await cachedSampleOf(endpoint), { 'if-match': '"stale"' });
      expect(faultsOf(answer)).toEqual(['412 precondition-failed If-Match:']);
    },
  );

  test.each(table.filter(({ body }) => body !== undefined && body !== 'content' && body !== 'bytes'))(
    '$method $path answers 415 to another media type, and 400 to no body',
    async (endpoint) => {
      const sample = await cachedSampleOf(endpoint);
      const other = await call(endpoint, sample, { 'content-type': 'application/json' });
      expect(faultsOf(other)).toEqual(['415 unsupported-media-type Content-Type:']);
      expect(faultsOf(await call(endpoint, { ...sample, bodies: {} }))).toEqual(['400 missing-body']);
    },
  );
});

describe('an address that is in no table is 404', () => {
  test.each([
    '/x',
    '/users',
    '/users/core.api-key',
    '/api-keys/core.user',
    '/aggregates/things',
    '/aggregates/core.user',
    '/favicon.ico',
    '/test/count',
  ])('%s', async (address) => {
    expect(faultsOf(await client.get(address))).toEqual(['404 not-found']);
  });
});
