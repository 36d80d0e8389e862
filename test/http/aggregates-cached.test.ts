/**
 * Aggregates that keep their groups: whatever changes documents, and how many at once, a read behind it tells what a
 * run over all documents tells. The property test of the same name makes single writes, of every kind of value.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { defined, outputsPath } from '../support/aggregates.ts';
import { Client, type Reply } from '../support/client.ts';
import { ALL, NEVER_CACHED, PASSES, pipelineOf, SHOWN } from '../support/cached-pipelines.ts';
import { some } from '../support/long.ts';
import { add, operate, remove, update } from '../support/operations.ts';
import { SECRETS, workerNamed } from '../support/own-service.ts';
import { EVERY_METHOD, grant, linkOf, makeUser, underAcl, type Person } from '../support/people.ts';
import { settle } from '../support/type-settings.ts';
import { newService } from '../support/scope.ts';
import { explain, planOf } from '../support/plan.ts';

/** More than two parts of kept groups have. */
const SIZE = 1_500;
const LIST = 500;
/** A segment has so many positions; what is kept of one is stored, but for the last one. */
const SEGMENT = 16_384;

const ENTRY = workerNamed('rewinding');
const SORTED = { sort: 'id', 'page[limit]': '1000' };

/** The service has another address after a restart. */
const by = (key: keyof typeof keys) => new Client(own.url, own.client.application, keys[key]);

const at = (id: string, type: string) => ({ type, id });
const ofOperator = (method: string, path: string, body?: string, type = 'application/json') =>
  fetch(`${own.url}/applications/core.application/${own.client.application}/${path}`, {
    method,
    headers: { authorization: `Bearer ${SECRETS.OPERATOR_SECRET}`, 'content-type': type },
    ...(body !== undefined && { body }),
  });

const shown = ({ status, text, body }: Reply): unknown =>
  status === 200 ? body.data.map(({ id, attributes }) => [id, attributes]) : text;
const wayOf = (reply: Reply): unknown => planOf(reply).way;

const readCached = (type: string): Promise<Reply> =>
  explain(own.client, outputsPath(`cached-${type}`, SORTED), SECRETS.OPERATOR_SECRET);
const computed = async (type: string): Promise<unknown> =>
  shown(await own.client.get(outputsPath(`fresh-${type}`, SORTED)));

async function touch(type: string, id: string): Promise<void> {
  const data = { ...at(id, type), attributes: { touched: Math.random() } };
  expect((await own.client.patch(`/resources/${type}/${id}`, { data })).status).toBe(200);
}

/** Reads after writes until groups are cached. */
async function cached(type: string, id: string): Promise<Reply> {
  for (;;) {
    await touch(type, id);
    const reply = await readCached(type);
    if (wayOf(reply) === 'kept-groups') return reply;
    expect(shown(reply)).toEqual(await computed(type));
  }
}

const readPass = (name: keyof typeof PASSES, type: string): Promise<Reply> =>
  explain(own.client, outputsPath(`${name}-${type}`, SORTED), SECRETS.OPERATOR_SECRET);

/** Reads after writes until a pass reads an index of columns. */
async function indexed(type: string, id: string): Promise<void> {
  for (const [name, pipeline] of Object.entries(PASSES))
    await defined(own.client, `${name}-${type}`, type, pipeline);
  for (;;) {
    await touch(type, id);
    const { indexes } = planOf(await readPass('columns', type));
    if (Array.isArray(indexes) && indexes.length > 0) return;
  }
}

/** A pass over columns tells what one over whole documents tells, and does so before ended ones are deleted. */
async function expectColumns(type: string): Promise<void> {
  for (;;) {
    const reply = await readPass('columns', type);
    const whole = await readPass('whole', type);
    expect(planOf(whole).indexes).toEqual([]);
    expect(shown(reply)).toEqual(shown(whole));
    if (JSON.stringify(planOf(reply).indexes) === '["$columns.kind.n.value"]') return;
  }
}

interface World {
  readonly type: string;
  readonly ids: readonly string[];
  /** Who has made two of the documents. */
  readonly ada: Person;
}

/** A type with documents, of which an aggregate has kept its groups. */
async function prepared(type: string, size = SIZE, gathered: object = ALL): Promise<World> {
  const ids: string[] = [];
  for (let from = 0; from < size; from += LIST) {
    const list = Array.from({ length: LIST }, (_, at) => {
      const n = from + at;
      return add(type, { n, kind: `k${n % 5}`, value: (n % 7) / 10 });
    });
    const { results } = await operate(own.client, list);
    ids.push(...results.map(({ data }) => String(data?.id)));
  }
  expect(ids).toHaveLength(size);
  // Two of a user, who may be erased: one that is hers, and one that somebody else answers for as well.
  const ada = await makeUser(own.client, `ada-${type}`);
  const mine = { data: { type, attributes: { n: -1, kind: 'k1', value: 1 } } };
  for (const keepers of [[ada.link], [ada.link, eve.link]]) {
    const { id } = linkOf(await by('under').post(`/resources/${type}`, mine, ada.headers));
    await grant(own.client, `/resources/${type}/${id}`, {}, { update: keepers });
  }
  await defined(own.client, `cached-${type}`, type, pipelineOf(SHOWN, gathered));
  await defined(own.client, `fresh-${type}`, type, pipelineOf(NEVER_CACHED, gathered));
  await cached(type, ids[0] ?? '');
  return { type, ids, ada };
}

const bulk = (method: string, type: string, filter: unknown, attributes?: unknown): Promise<Reply> =>
  by('many').send(method, `/resources/${type}?filter[*]=${encodeURIComponent(JSON.stringify(filter))}`, {
    body: { ...(attributes !== undefined && { data: { type, attributes } }), meta: { limit: 500 } },
  });

type Change = (world: World) => Promise<void>;

/** What changes documents while the object that has kept groups goes on. */
const CHANGES: Readonly<Record<string, Change>> = {
  'a change of many': async ({ type }) => {
    expect((await bulk('PATCH', type, { n: { $gte: 1_050 } }, { kind: 'many' })).status).toBe(200);
  },
  'a deletion of many': async ({ type }) => {
    expect((await bulk('DELETE', type, { n: { $mod: [4, 1] } })).status).toBe(200);
  },
  'a list of operations': async ({ type, ids }) => {
    const list = [
      add(type, { n: 5_000, kind: 'k1', value: 5 }),
      update(at(ids[3] ?? '', type), { kind: 'k4' }),
      remove(at(ids[700] ?? '', type)),
      update(at(ids[1_450] ?? '', type), { value: -6 }),
    ];
    expect((await operate(own.client, list)).status).toBe(200);
  },
  'an import': async ({ type, ids }) => {
    const page = await ofOperator('GET', `documents/${type}?page[after]=&page[size]=3`);
    const [first = ''] = (await page.text()).split('\n');
    const before = 'a'.repeat(24).replace(/^a{8}/, '00000001');
    const lines = [
      first.replace(ids[0] ?? '', before).replace('"k0"', '"k3"'),
      first.replace(ids[0] ?? '', 'e'.repeat(24)).replace('"k0"', '"late"'),
    ].join('\n');
    const done = await ofOperator('POST', `documents/${type}`, `${lines}\n`, 'application/x-ndjson');
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('"stored":2')]);
  },
  'the end of documents that expire': async ({ type }) => {
    expect((await settle(own.client, { name: type, expires: 'until' })).status).toBe(201);
    const until = { $date: '2020-01-01T00:00:00Z' };
    expect((await bulk('PATCH', type, { n: { $lt: 100 } }, { until })).status).toBe(200);
  },
  'the erasure of a person': async ({ type, ada }) => {
    const erased = await ofOperator('DELETE', `users/core.user/${ada.link.id}/data`);
    expect(erased.status, await erased.text()).toBe(200);
    // One is gone, of the other nobody is known to have made it.
    const { body } = await own.client.get(`/resources/${type}?filter[n]=-1`);
    expect(body.data).toHaveLength(1);
  },
};

/** What ends the object that has kept groups, or might. */
const ENDS: Readonly<Record<string, Change>> = {
  'the end of the process, without a warning': () => own.restart(),
  'a deletion of the application that is undone': async () => {
    for (const method of ['POST', 'DELETE']) expect((await ofOperator(method, 'deletion')).status).toBe(200);
  },
  'a way back to a moment before': async ({ type, ids }) => {
    // Only what is awake can go back.
    for (const path of ['api-keys/core.api-key', 'aggregates/core.aggregate', 'users/core.user']) {
      expect((await own.client.get(`/${path}`)).status).toBe(200);
    }
    await fetch(`${own.url}/test/remember`, { method: 'POST' });
    await bulk('PATCH', type, { n: { $gte: 1_050 } }, { kind: 'late' });
    await cached(type, ids[1_100] ?? '');
    const moment = `${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
    expect((await ofOperator('POST', `history/${moment}`)).status).toBe(200);
  },
};

/** After them, what is kept is from before: it may be used, or not. */
async function expectComputed(type: string): Promise<Reply> {
  const reply = await readCached(type);
  expect(shown(reply)).toEqual(await computed(type));
  return reply;
}

const own = await newService({ entry: ENTRY, settings: { SESSION_LEASE: '200' } });
const eve = await makeUser(own.client, 'eve');
const many = [{ path: '.*', methods: [...EVERY_METHOD, 'bulk'] }];
/** A key under ACL, and one that may change many documents at a time. */
const keys = { under: (await underAcl(own.client)).key, many: (await own.client.withPermissions(many)).key };

describe('what is made of kept groups is what is made of all documents, after', () => {
  test.each(some(Object.entries(CHANGES), 6, 'whole'))('%s', async (name, change) => {
    const type = `t${Object.keys(CHANGES).indexOf(name)}`;
    const world = await prepared(type);
    const { ids } = world;
    await indexed(type, ids[200] ?? '');
    const before = await cached(type, ids[200] ?? '');
    await change(world);
    const after = await expectComputed(type);
    await expectColumns(type);
    expect(shown(after)).not.toEqual(shown(before));
    // Single writes on top of that.
    await touch(type, ids[202] ?? '');
    await expectComputed(type);
    expect(shown(await cached(type, ids[402] ?? ''))).toEqual(await computed(type));
  });

  test('a list of operations that is refused at its end', async () => {
    const { ids } = await prepared('refused');
    const before = await cached('refused', ids[200] ?? '');
    const list = [
      ...ids.slice(300, 400).map((id) => update(at(id, 'refused'), { kind: 'never' })),
      remove(at('f'.repeat(24), 'refused')),
    ];
    expect((await operate(own.client, list)).status).toBe(404);
    const after = await expectComputed('refused');
    expect(shown(after)).toEqual(shown(before));
  });

  test('changes of rights, for whoever has none by default', async () => {
    const { ids, ada } = await prepared('rights');
    await cached('rights', ids[200] ?? '');
    for (const [count, readers] of [
      [2, [ada.link, eve.link]],
      [1, [eve.link]],
      [0, []],
    ] as const) {
      for (const id of [ids[7], ids[900]]) {
        await grant(own.client, `/resources/rights/${id ?? ''}`, { read: readers });
      }
      await touch('rights', ids[202] ?? '');
      for (const name of ['cached', 'fresh']) {
        const mine = await by('under').get(outputsPath(`${name}-rights`), eve.headers);
        const seen = mine.body.data.map(({ attributes }) => attributes?.['n']);
        expect([name, seen]).toEqual([name, count === 0 ? [] : [1, 1]]);
      }
      await expectComputed('rights');
    }
  });

  test.each(some(Object.entries(ENDS), 3, 'whole'))('%s', async (name, end) => {
    const type = `e${Object.keys(ENDS).indexOf(name)}`;
    const world = await prepared(type);
    const { ids } = world;
    await indexed(type, ids[200] ?? '');
    const before = await cached(type, ids[200] ?? '');
    await end(world);
    const after = await expectComputed(type);
    expect(shown(after)).toEqual(shown(before));
    await own.client.delete(`/resources/${type}/${ids[10] ?? ''}`);
    await expectComputed(type);
    await expectColumns(type);
    expect(shown(await cached(type, ids[402] ?? ''))).toEqual(await computed(type));
  });
});

describe('what is stored of kept groups', () => {
  let world: World;
  const last = () => world.ids.at(-1) ?? '';
  beforeAll(async () => {
    // A list of all documents would be more than is stored of a segment.
    world = await prepared('large', 33 * LIST, {});
  });

  /** Reads after writes to the last segment, until what is kept outlives the process; the first answer behind that. */
  async function outlived(): Promise<Reply> {
    for (;;) {
      // Made, found as it was, and handed over to be stored.
      for (let times = 0; times < 3; times += 1) await cached('large', last());
      await own.restart();
      const reply = await readCached('large');
      expect(shown(reply)).toEqual(await computed('large'));
      if (planOf(reply)['documents-visited'] < SEGMENT) return reply;
    }
  }

  test('is read after a start in place of the documents, but for the last segment', async () => {
    const reply = await outlived();
    expect(planOf(reply)).toMatchObject({ way: 'kept-groups' });
    expect(planOf(reply)['documents-visited']).toBeLessThan(LIST);
  });

  test.each(some(Object.entries(ENDS), 3, 'whole'))('is never wrong after %s', async (_, end) => {
    await outlived();
    await end(world);
    await expectComputed('large');
    await touch('large', world.ids[11] ?? '');
    await own.restart();
    await expectComputed('large');
  });
});
