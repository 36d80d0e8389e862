/**
 * Indexes that nobody declares: searches teach a collection which paths are worth one. That answers are the matcher's
 * alone is a property (search-plans.test.ts).
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../support/aggregates.ts';
import { Client, type Reply } from '../support/client.ts';
import { crowd } from '../support/crowd.ts';
import { searchPath } from '../support/search.ts';
import { explain, planOf, type Plan } from '../support/plan.ts';

const SIZE = 1200;

function attributesOf(index: number) {
  return {
    n: index,
    group: index % 7,
    tag: index % 5 === 0 ? [`t${index % 11}`, `u${index % 3}`] : `t${index % 11}`,
    deep: [{ x: index % 13 }, { x: (index * 5) % 17 }],
    name: `name ${String(index).padStart(5, '0')}`,
    ...(index % 4 === 0 && { maybe: null }),
    ...(index % 4 === 1 && { maybe: index / 2 }),
  };
}

const client = await Client.create();
await crowd(client, 'learned', SIZE, attributesOf);

/** Searches for one value of a field after the other until an index serves; otherwise the test's time limit ends it. */
async function teach(field: string): Promise<void> {
  // Another value each time: what was counted already costs too little to be worth an index.
  for (let value = -1; ; value -= 1) {
    const reply = await explain(client, searchPath('learned', { [field]: value }));
    expect(reply.status).toBe(200);
    if (!planOf(reply).scan) return;
  }
}

describe('the plan', () => {
  test('is told to the operator alone', async () => {
    const path = searchPath('learned', { n: 3 });
    expect((await client.get(path)).body.meta).toEqual({ count: 1 });
    expect((await client.get(path, { 'foredge-explain': 'x'.repeat(40) })).body.meta).toEqual({ count: 1 });
    expect((await explain(client, path)).body.meta).toMatchObject({
      count: 1,
      plan: { 'documents-returned': 1 },
    });
  });

  test('of a search that keeps scanning becomes one with an index', async () => {
    const path = searchPath('learned', { group: 3, name: { $regex: '^name' } }, { 'page[limit]': '1' });
    const first = planOf(await explain(client, path));
    expect(first).toMatchObject({ scan: true, indexes: [] });
    expect(first['documents-visited']).toBeGreaterThanOrEqual(SIZE);
    // SQL sees by itself which documents are of no such group.
    expect(first['documents-decoded']).toBeLessThan(SIZE / 6);
    await teach('group');
    const plan = planOf(
      await explain(client, searchPath('learned', { group: 4, name: { $regex: '^name' } })),
    );
    expect(plan).toMatchObject({ scan: false, indexes: ['group'] });
    expect(plan['documents-visited']).toBeLessThan(SIZE / 6);
  });

  test('decides alone what its indexes decide exactly: nothing is decoded', async () => {
    await teach('n');
    const reply = await explain(client, searchPath('learned', { n: { $gte: 100, $lt: 200 } }));
    expect(reply.body.meta.count).toBe(100);
    expect(planOf(reply)).toEqual({
      way: 'positions-of-an-index',
      indexes: ['n'],
      scan: false,
      'rows-read': expect.any(Number) as number,
      'documents-visited': 0,
      'documents-decoded': 0,
      'documents-returned': 20,
    });
  });

  test('of words in the order of a field costs the matches, not the words at each step', async () => {
    await teach('n');
    const query = { $text: { $search: 't3 t5 t7 t9' } };
    const reply = await explain(client, searchPath('learned', query, { sort: 'n' }));
    expect(reply.body.meta.count).toBeGreaterThan(400);
    const plan = planOf(reply);
    expect(plan).toMatchObject({ way: 'order-of-an-index', 'documents-visited': 0, 'documents-decoded': 0 });
    expect(plan['rows-read']).toBeLessThan(SIZE);
  });

  test('of many matches in an order that has no index becomes a walk in that order', async () => {
    const documents = Array.from({ length: 800 }, (_, index) => ({
      text: index % 4 === 0 ? 'shut' : 'open',
      due: (index * 7) % 800,
    }));
    await crowd(client, 'ordered', documents);
    const query = { $text: { $search: 'open' } };
    const untilPlanned = async (sort: Readonly<Record<string, string>>, isSo: (plan: Plan) => boolean) => {
      for (;;) {
        const reply = await explain(client, searchPath('ordered', query, sort));
        expect(reply.body.meta.count).toBe(600);
        if (isSo(planOf(reply))) return reply;
      }
    };
    // The words are learned before an order is asked for, so that nothing but the order lacks an index.
    await untilPlanned({}, ({ scan }) => !scan);
    const reply = await untilPlanned({ sort: 'due' }, ({ indexes }) => indexes.includes('due'));
    expect(planOf(reply)).toMatchObject({ way: 'order-of-an-index', 'documents-visited': 0 });
    const dues = documents.filter(({ text }) => text === 'open').map(({ due }) => due);
    const first = dues.sort((one, other) => one - other).slice(0, 20);
    expect(reply.body.data.map(({ attributes }) => attributes?.['due'])).toEqual(first);
  });

  test('has indexes on what the service knows as on fields', async () => {
    await teach('$updated');
    const { id } = (await client.get('/resources/learned?page[limit]=1')).body.data[0] ?? expect.fail();
    const now = new Date().toISOString();
    await client.update(`/resources/learned/${id}`, { attributes: { last: 1 } });
    const sorted = await explain(client, '/resources/learned?sort=-$updated&page[limit]=1');
    expect(sorted.body.data.map((each) => each.id)).toEqual([id]);
    expect(planOf(sorted)).toMatchObject({ way: 'order-of-an-index', indexes: ['$updated'], scan: false });
    const changed = await explain(client, searchPath('learned', { $updated: { $gte: { $date: now } } }));
    expect(changed.body.data.map((each) => each.id)).toEqual([id]);
    expect(planOf(changed)).toMatchObject({ indexes: ['$updated'], 'documents-decoded': 0 });
  });
});

describe('id and type, which no body holds', () => {
  let inOrder: readonly string[];
  beforeAll(async () => {
    const pages = await Promise.all(
      [0, 1000].map((offset) => client.get(`/resources/learned?page[limit]=1000&page[offset]=${offset}`)),
    );
    inOrder = pages.flatMap(({ body }) => body.data.map(({ id }) => id));
  });

  test.each(['id', '-id'])(
    'a range of ids reads a few rows more than the page, sorted by %s',
    async (sort) => {
      const [from = '', to = ''] = [inOrder[100], inOrder[1000]];
      const filter = { id: { $gte: { $oid: from }, $lt: { $oid: to } } };
      const asked = (offset: string) =>
        explain(client, searchPath('learned', filter, { sort, 'page[limit]': '10', 'page[offset]': offset }));
      expect((await asked('0')).body.meta.count).toBe(900);
      const second = await asked('10');
      const range = inOrder.slice(100, 1000);
      if (sort === '-id') range.reverse();
      expect(second.body.data.map(({ id }) => id)).toEqual(range.slice(10, 20));
      const plan = planOf(second);
      expect(plan).toMatchObject({
        indexes: [],
        scan: false,
        'documents-visited': 0,
        'documents-decoded': 0,
      });
      // The range is counted once: two pages of keys and one of documents remain.
      expect(plan['rows-read']).toBeLessThan(100);
    },
  );

  test('a page at an offset is found without a walk past all before it', async () => {
    const reply = await explain(client, '/resources/learned?page[offset]=1100&page[limit]=10');
    expect(reply.body.data.map(({ id }) => id)).toEqual(inOrder.slice(1100, 1110));
    expect(planOf(reply)['rows-read']).toBeLessThan(50);
  });

  test.each(['id', '-id'])('a page reads its documents, and no other, sorted by %s', async (sort) => {
    const reply = await explain(client, `/resources/learned?page[offset]=50&page[limit]=10&sort=${sort}`);
    const sorted = sort === 'id' ? inOrder : inOrder.toReversed();
    expect(reply.body.data.map(({ id }) => id)).toEqual(sorted.slice(50, 60));
    // Each has an entry in the index of ids; one more entry is where the page begins.
    const skipped = sort === 'id' ? 0 : 50;
    expect(planOf(reply)['rows-read']).toBeLessThanOrEqual(skipped + 2 * 10 + 1);
  });

  // What is asked again and again is what an index would be learned for.
  test.each([1, 2, 3, 4])('are answered alike at every time: %i', async () => {
    const [first = '', last = ''] = [inOrder[0], inOrder.at(-1)];
    const list = async (query: string) => {
      const { body } = await client.get(`/resources/learned?${query}`);
      return { ids: body.data.map(({ id }) => id), count: body.meta.count };
    };
    const count = inOrder.length;
    const newest = inOrder.toReversed();
    expect(await list('sort=-id')).toEqual({ ids: newest.slice(0, 20), count });
    expect(await list('sort=id')).toEqual({ ids: inOrder.slice(0, 20), count });
    expect(await list('sort=-type')).toEqual({ ids: inOrder.slice(0, 20), count });
    expect(await list('sort=type,-id&page[offset]=1000')).toEqual({ ids: newest.slice(1000, 1020), count });
    expect(await list('filter[type]="learned"')).toEqual({ ids: inOrder.slice(0, 20), count });
    expect(await list('filter[type]="other"')).toEqual({ ids: [], count: 0 });
    expect(await list(`filter[id]={"$gte":{"$oid":"${inOrder[count - 2] ?? ''}"}}`)).toEqual({
      ids: inOrder.slice(-2),
      count: 2,
    });
    const either = `{"$or":[{"id":{"$oid":"${last}"}},{"id":{"$oid":"${first}"}},{"type":"other"}]}`;
    expect(await list(`filter[*]=${either}`)).toEqual({ ids: [first, last], count: 2 });
    const always = '{"$or":[{"n":{"$size":3}},{"type":{"$regex":"^learn"}}]}';
    expect(await list(`filter[*]=${always}&sort=-id`)).toEqual({ ids: newest.slice(0, 20), count });
  });

  test.each(['sort=-id', 'sort=-type', 'filter[type]="learned"', 'filter[type]="learned"&sort=-id'])(
    'a cursor goes to the end: %s',
    async (query) => {
      const visited: string[] = [];
      let next: string | null = `/resources/learned?${query}&page[after]=&page[size]=500`;
      for (let page = 0; next !== null && page < 4; page += 1) {
        const reply: Reply = await client.get(next);
        visited.push(...reply.body.data.map(({ id }) => id));
        next = reply.body.links.next ?? null;
      }
      expect(next).toBeNull();
      expect(visited).toEqual(query.includes('-id') ? inOrder.toReversed() : inOrder);
    },
  );

  test('are decided without looking at documents', async () => {
    for (const query of ['sort=-id', 'filter[type]="learned"', 'filter[type]="other"', 'sort=type']) {
      const plan = planOf(await explain(client, `/resources/learned?${query}`));
      expect(plan).toMatchObject({
        indexes: [],
        scan: false,
        'documents-visited': 0,
        'documents-decoded': 0,
      });
    }
  });

  test('are found by pipelines', async () => {
    await defined(client, 'own', 'learned', [
      { filter: { type: 'learned', id: { $ne: null } } },
      { group: { total: { $sum: 1 } } },
    ]);
    const { body } = await client.get('/aggregates/agt.own');
    expect(body.data.map((each) => each.attributes)).toEqual([{ total: inOrder.length }]);
  });
});
