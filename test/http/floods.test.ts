/**
 * What requests cost: how many Durable Objects they wake and call, how many look-ups in KV they make. It has a
 * service of its own, because others would be counted too.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { base64url } from '../support/base64.ts';
import { Client, counts, NO_ID, type Link, type Reply } from '../support/client.ts';
import { add, operate, type Operation } from '../support/operations.ts';
import { until } from '../support/started.ts';
import { may } from '../support/people.ts';
import { counted } from '../support/own-service.ts';
import { newService } from '../support/scope.ts';

const service = await newService(counted());
const { client } = service;

interface Cost {
  readonly objects: number;
  readonly calls: number;
  readonly lookups: number;
}

/** What was woken, called and looked up meanwhile. */
async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const before = await counts(service.url);
  await work();
  const after = await counts(service.url);
  return {
    objects: after.objects - before.objects,
    calls: after.calls - before.calls,
    lookups: after.lookups - before.lookups,
  };
}

const NOTHING: Cost = { objects: 0, calls: 0, lookups: 0 };

describe('a flood of made-up keys wakes no object and looks nothing up', () => {
  const flood = async (credential: (n: number) => { application?: string; key: string }) => {
    for (let n = 0; n < 500; n += 50) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, offset) => {
          const { application: id = client.application, key } = credential(n + offset);
          return new Client(service.url, id, key).get(`/resources/type-${n + offset}`);
        }),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    }
  };
  const forged = (payload: string) => {
    const [header = '', , signature = ''] = client.key.split('.');
    return `${header}.${base64url(payload)}.${signature}`;
  };

  test.each([
    ['random texts', (n: number) => ({ key: `key-${n}-${'x'.repeat(80)}` })],
    [
      'genuine ones with another id',
      (n: number) => ({ key: forged(`api-key/${client.application}/${n.toString(16).padStart(24, '0')}`) }),
    ],
    [
      'made-up applications',
      (n: number) => {
        const id = n.toString(16).padStart(24, '0');
        return { application: id, key: forged(`api-key/${id}/${NO_ID}`) };
      },
    ],
    [
      'a genuine key with made-up applications',
      (n: number) => ({ application: `app-${n}`, key: client.key }),
    ],
  ])('%s', async (_, credential) => {
    expect(await costOf(() => flood(credential))).toEqual(NOTHING);
  });

  test('a deleted key asks once, then no more', async () => {
    const other = await client.withPermissions([may('get', '.*')]);
    const { data } = (await client.get('/api-keys/core.api-key')).body;
    const made = data.find(({ attributes }) => attributes?.['secure-id'] === other.key);
    await client.delete(`/api-keys/core.api-key/${made?.id ?? NO_ID}`);
    expect((await other.get('/resources/a')).status).toBe(401);
    const cost = await costOf(() => Promise.all(Array.from({ length: 50 }, () => other.get('/resources/a'))));
    expect(cost).toEqual(NOTHING);
  });
});

describe('a key is looked up once', () => {
  test('in KV at its first use, without waking its collection; then not again', async () => {
    const fresh = await service.newClient();
    await until('the copies of the application and of its key are in KV', async () => {
      const written: unknown = await (await fetch(`${service.url}/test/written`)).json();
      return JSON.stringify(written).split(fresh.application).length > 2;
    });
    expect(await costOf(() => fresh.get('/nothing'))).toEqual({ objects: 0, calls: 0, lookups: 1 });
    expect(await costOf(() => fresh.get('/nothing'))).toEqual(NOTHING);
  });
});

describe('each operation makes so many calls, and no look-up', () => {
  const link = (to: Link) => ({ data: { type: to.type, id: to.id } });
  let a: Link, b: Link, c: Link;
  let path: string;

  beforeAll(async () => {
    [a, b] = [await client.make('people'), await client.make('people')];
    c = await client.make('cities', undefined, { mayor: link(b) });
    const { id } = await client.make('articles', undefined, {
      author: link(a),
      people: { data: [link(a).data, link(b).data] },
      about: link(c),
    });
    path = `/resources/articles/${id}`;
  });

  const body = (members: object) => ({ data: { type: 'articles', id: path.slice(-24), ...members } });
  const cases: [string, () => Promise<Reply>, number][] = [
    ['a read', () => client.get(path), 1],
    ['a read that is 304', () => client.get(path, { 'if-none-match': '*' }), 1],
    ['a list', () => client.get('/resources/articles'), 1],
    ['a create', () => client.create('/resources/articles'), 1],
    [
      'a create with links: one for each type linked to',
      () => {
        const relationships = { x: { data: [link(a).data, link(b).data] }, y: link(a), z: link(c) };
        return client.create('/resources/articles', { relationships });
      },
      3,
    ],
    ['a PATCH', () => client.patch(path, body({ attributes: { a: 1 } })), 1],
    ['a PATCH with links', () => client.patch(path, body({ relationships: { author: link(b) } })), 2],
    ['a read of a relationship', () => client.get(`${path}/relationships/people`), 1],
    [
      'a change of a relationship',
      () => client.post(`${path}/relationships/people`, { data: [link(b).data] }),
      2,
    ],
    ['removing links', () => client.delete(`${path}/relationships/people`, { data: [link(b).data] }), 1],
    ['a related read', () => client.get(`${path}/about`), 2],
    ['an include of one type', () => client.get(`${path}?include=author,people`), 2],
    ['an include of two types', () => client.get(`${path}?include=author,people,about`), 3],
    ['an include of two levels', () => client.get(`${path}?include=about.mayor`), 3],
    ['a list with include', () => client.get('/resources/articles?include=author,people,about'), 4],
    ['a list of operations', () => operate(client, Array<Operation>(100).fill(add('articles'))), 1],
    [
      'a list of operations with links: one for each other type linked to',
      () => {
        const relationships = { x: { data: [link(a).data, link(b).data] }, z: link(c) };
        return operate(client, Array<Operation>(100).fill(add('articles', {}, relationships)));
      },
      3,
    ],
    ['a refused list of operations', () => operate(client, [add('articles'), add('core.user')]), 0],
    ['a refused body', () => client.post('/resources/articles', '{'), 0],
    ['a refused parameter', () => client.get('/resources/articles?x=1'), 0],
    ['an unknown address', () => client.get('/nothing'), 0],
    ['a list of keys', () => client.get('/api-keys/core.api-key'), 1],
    ['a deletion that finds nothing', () => client.delete(`/resources/articles/${NO_ID}`), 1],
  ];
  test.each(cases)('%s', async (_, send, calls) => {
    expect(await costOf(send)).toEqual({ objects: 0, calls, lookups: 0 });
  });
});
