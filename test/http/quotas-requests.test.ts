/** Quotas of requests a second (docs/operating.md): of an application, and of an API key. */
import { describe, expect, test } from 'vitest';
import { limited, runApp } from '../support/app.ts';
import { Client, MEDIA_TYPE, operator, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { callOperator } from '../support/transfer.ts';
import { may } from '../support/people.ts';

const PATH = '/applications/core.application';

/** The application's document, as the operator changes it. */
const patched = (client: Client, quotas: unknown): Promise<Reply> =>
  callOperator('PATCH', client.application, {
    data: { type: 'core.application', id: client.application, attributes: { quotas } },
  });

interface Flood {
  readonly served: number;
  readonly refused: readonly Reply[];
  readonly seconds: number;
}

/** Sends many requests at once. */
async function flood(send: (at: number) => Promise<Reply>, count = 60): Promise<Flood> {
  const begun = Date.now();
  const replies = await Promise.all(Array.from({ length: count }, (_, at) => send(at)));
  const refused = replies.filter(({ status }) => status === 429);
  return { served: count - refused.length, refused, seconds: (Date.now() - begun) / 1000 };
}

/** What a bucket of one second lets through, however long the requests took. */
const most = (rate: number, { seconds }: Flood) => rate + rate * Math.ceil(seconds);

describe('a quota of requests a second', () => {
  test('is obeyed by the next request, and says when to come again', async () => {
    const client = await limited({ requests: 5 });
    const all = await flood(() => client.get('/resources/things'));
    expect(all.served).toBeGreaterThanOrEqual(5);
    expect(all.served).toBeLessThanOrEqual(most(5, all));
    expect(all.refused.length).toBeGreaterThan(0);
    for (const refused of all.refused) {
      expect(faultsOf(refused)).toEqual(['429 rate-exceeded']);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(refused.headers.get('content-type')).toBe(MEDIA_TYPE);
    }
  });

  test('counts every request that a key sends, whatever becomes of it', async () => {
    const client = await limited({ requests: 5 });
    const paths = [
      '/resources/a',
      '/nowhere',
      '/users/core.user/me',
      '/resources/b?no=1',
      `/account/${client.application}/${client.key}`,
    ];
    const all = await flood((at) => client.get(paths[at % paths.length] ?? ''));
    expect(all.served).toBeLessThanOrEqual(most(5, all));
  });

  test('is one for all keys of the application', async () => {
    const client = await Client.create('shared');
    const other = await client.withPermissions([may('get', '.*')]);
    await operator().change(client.application, { quotas: { requests: 5 } });
    const all = await flood((at) => (at % 2 === 0 ? client : other).get('/resources/things'));
    expect(all.served).toBeLessThanOrEqual(most(5, all));
  });

  test('of a key is its own, and leaves the others alone', async () => {
    const client = await Client.create('by key');
    const quotas = { requests: 5 };
    const { client: slow, path } = await client.newKey([may('get', '.*')], { quotas });
    expect((await client.get(path)).body.data.attributes?.['quotas']).toEqual(quotas);
    const all = await flood(() => slow.get('/resources/things'));
    expect(all.served).toBeLessThanOrEqual(most(5, all));
    expect((await flood(() => client.get('/resources/things'))).refused).toEqual([]);
    expect((await client.update(path, { attributes: { quotas: null } })).status).toBe(200);
    expect((await flood(() => slow.get('/resources/things'))).refused).toEqual([]);
  });

  test('of one application says nothing of another, and ends when it is taken away', async () => {
    const [one, other] = [await limited({ requests: 1 }), await Client.create('other')];
    expect((await flood(() => one.get('/resources/things'))).refused.length).toBeGreaterThan(0);
    expect((await flood(() => other.get('/resources/things'))).refused).toEqual([]);
    await operator().change(one.application, { quotas: null });
    expect((await flood(() => one.get('/resources/things'))).refused).toEqual([]);
  });

  test('lets made-up keys take nothing from it', async () => {
    const client = await limited({ requests: 5 });
    const forged = new Client(client.url, client.application, `${client.key.slice(0, -3)}abc`);
    const { served, refused } = await flood(() => forged.get('/resources/things'));
    expect([served, refused.length]).toEqual([60, 0]);
    expect((await client.get('/resources/things')).status).toBe(200);
  });
});

test.each([
  ['no object', 7, ['422 invalid-attribute /data/attributes/quotas']],
  ['another name', { request: 1 }, ['422 invalid-attribute /data/attributes/quotas/request']],
  ['no number', { documents: '7' }, ['422 invalid-attribute /data/attributes/quotas/documents']],
  ['a fraction', { bytes: 1.5 }, ['422 invalid-attribute /data/attributes/quotas/bytes']],
  ['a negative number', { types: -1 }, ['422 invalid-attribute /data/attributes/quotas/types']],
  ['no requests at all', { requests: 0 }, ['422 invalid-attribute /data/attributes/quotas/requests']],
])('quotas of an application that are %s are refused', async (_, quotas, faults) => {
  expect(faultsOf(await patched(await Client.create('faulty'), quotas))).toEqual(faults);
});

test('a key has no quota of documents', async () => {
  const client = await Client.create('faulty key');
  const attributes = { name: 'a', permissions: [], quotas: { documents: 1 } };
  const refused = await client.create('/api-keys/core.api-key', { attributes });
  expect(faultsOf(refused)).toEqual(['422 invalid-attribute /data/attributes/quotas/documents']);
});

test('a key can not write the quotas of its application', async () => {
  const client = await limited({ requests: 50 });
  const refused = await client.update(`${PATH}/${client.application}`, { attributes: { quotas: null } });
  expect(faultsOf(refused)).toEqual(['401 operator-required Authorization:']);
});

test('npm run app -- quota sets the quotas that it names, and ends them all', async () => {
  const client = await Client.create('by command');
  const run = (...args: string[]) => runApp(['quota', ...args]);
  const quotas = async () => (await callOperator('GET', client.application)).body.data.attributes?.['quotas'];
  const { stdout } = await run(client.application, 'documents=100000', 'requests=50');
  expect(stdout).toBe(`${client.application}  documents=100000  requests=50\n`);
  expect(await quotas()).toEqual({ documents: 100_000, requests: 50 });
  await run(client.application, 'types=3');
  expect(await quotas()).toEqual({ types: 3 });
  await run(client.application, 'off');
  expect(await quotas()).toBeNull();
  await expect(run(client.application, 'documents')).rejects.toThrow('documents=1000, not documents');
  await expect(run(client.application, 'request=1')).rejects.toThrow('There is no quota request.');
  await expect(run(client.application)).rejects.toThrow('The command needs quotas');
});
