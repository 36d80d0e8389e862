/** `$creator`, `$created` and `$updated` in rules of permissions, and hidden by them. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, type Reply, type Resource } from '../support/client.ts';
import { add, operate } from '../support/operations.ts';
import { ACL, EVERY_METHOD, makeUser, may, type Person } from '../support/people.ts';

const ALL = '$creator,$created,$updated';
const OWN = { '$creator.id': '$$viewer.id' };

const trusted = await Client.create();
const [ada, bob] = [await makeUser(trusted, 'ada'), await makeUser(trusted, 'bob')];
const attributes = {
  'input-type': 'notes',
  'output-type': 'agt.times',
  pipeline: [
    { filter: { '$creator.type': { $in: ['core.user', null] } } },
    { project: { kinds: [{ $type: '$$created' }, { $type: '$$creator' }] } },
  ],
};
const made = await trusted.create('/aggregates/core.aggregate', { attributes });
expect(made.status).toBe(201);

/** A client under a rule, without ACL. */
const under = (rule: object): Promise<Client> =>
  trusted.withPermissions([may(EVERY_METHOD, '.*', { ...rule })]);

const write = async (client: Client, { headers }: Pick<Person, 'headers'>, query = ''): Promise<Reply> => {
  const reply = await client.post(`/resources/notes${query}`, { data: { type: 'notes' } }, headers);
  expect(reply.status).toBe(201);
  return reply;
};

const metaOf = (resource: Resource): unknown => (resource as { readonly meta?: unknown }).meta;

const touch = (client: Client, id: string, { headers }: Person): Promise<Reply> =>
  client.update(`/resources/notes/${id}`, { attributes: { a: 1 } }, headers);

describe('a rule', () => {
  test('that names the viewer makes the user the creator, in lists of operations too', async () => {
    const client = await under({ check: { '$creator.id': '$$viewer.id' } });
    const made = await write(client, ada, `?fields[notes]=${ALL}`);
    expect(metaOf(made.body.data)).toMatchObject({ creator: ada.link });
    const { results } = await operate(client, [add('notes')], bob.headers, `?fields[notes]=$creator`);
    expect(metaOf(results[0]?.data ?? expect.fail())).toEqual({ creator: bob.link });
  });

  test('that names nobody does not', async () => {
    const client = await under({ check: { a: null } });
    const made = await write(client, ada, `?fields[notes]=$creator`);
    expect(metaOf(made.body.data)).toEqual({ creator: null });
  });

  test('shows to each what they created, and lets them alone change it', async () => {
    const client = await under({ where: OWN });
    const ids = [ada, bob].map(async (person) => (await write(client, person)).body.data.id);
    const [hers = '', his = ''] = await Promise.all(ids);
    const listed = await client.get('/resources/notes?page[limit]=1000', ada.headers);
    const shown = listed.body.data.map(({ id }) => id);
    expect([shown.includes(hers), shown.includes(his)]).toEqual([true, false]);
    for (const [id, status] of [
      [hers, 200],
      [his, 403],
    ] as const) {
      expect((await client.get(`/resources/notes/${id}`, ada.headers)).status).toBe(status);
      expect((await touch(client, id, ada)).status).toBe(status);
    }
    expect((await client.get(`/resources/notes?filter[$creator.type]=core.user`)).body.meta.count).toBe(0);
  });

  test('lets a check ask who created the document', async () => {
    const client = await under({ check: OWN });
    const { id } = (await write(client, ada)).body.data;
    expect((await touch(client, id, ada)).status).toBe(200);
    const refused = await touch(client, id, bob);
    expect([refused.status, refused.body.errors[0]?.code]).toEqual([403, 'rule-violated']);
  });

  test('compares times with that of the request', async () => {
    const { id } = (await write(trusted, ada)).body.data;
    const past = await under({ where: { $created: { $lt: '$$now' } } });
    const future = await under({ where: { $created: { $gt: '$$now' } } });
    expect((await past.get(`/resources/notes/${id}`)).status).toBe(200);
    expect((await future.get(`/resources/notes/${id}`)).status).toBe(403);
    expect((await future.get('/resources/notes')).body.meta.count).toBe(0);
  });

  test('is refused where it misspells a name', async () => {
    const reply = await trusted.create('/api-keys/core.api-key', {
      attributes: { name: 'k', permissions: [may('get', '.*', { where: { $creater: 1 } })] },
    });
    expect([reply.status, reply.body.errors[0]?.detail]).toEqual([
      422,
      'There is no operator $creater. Did you mean $creator or $created? All are listed at /docs/search#filters.',
    ]);
  });
});

describe('of a rule that lists what may be read', () => {
  let hides: Client;
  let id: string;
  beforeAll(async () => {
    hides = await under({ fields: { read: ['title', '$created'] } });
    const app = await trusted.withPermissions([may(EVERY_METHOD, '.*', ACL)]);
    id = (await write(app, ada)).body.data.id;
    await trusted.make('boxes', {}, { notes: { data: [{ type: 'notes', id }] } });
  });

  test.each<[string, (client: Client) => Promise<Resource | undefined>]>([
    ['a read', async (client) => (await client.get(`/resources/notes/${id}?fields[notes]=${ALL}`)).body.data],
    ['a list', async (client) => (await client.get(`/resources/notes?fields[notes]=${ALL}`)).body.data[0]],
    ['a create', async (client) => (await write(client, { headers: {} }, `?fields[notes]=${ALL}`)).body.data],
    [
      'a change',
      async (client) =>
        (
          await client.patch(`/resources/notes/${id}?fields[notes]=${ALL}`, {
            data: { type: 'notes', id, attributes: { title: 'T' } },
          })
        ).body.data,
    ],
    [
      'an operation',
      async (client) => (await operate(client, [add('notes')], {}, `?fields[notes]=${ALL}`)).results[0]?.data,
    ],
  ])('only the listed are shown by %s', async (_, read) => {
    const shown = metaOf((await read(hides)) ?? expect.fail());
    expect(Object.keys(shown ?? {})).toEqual(['created']);
  });

  test.each([
    [`filter[$creator.id]={"$oid":"ADA"}`, 0],
    [`filter[$creator.id]={"$in":[{"$oid":"ADA"}]}`, 0],
    ['filter[$updated]={"$type":"date"}', 0],
    ['filter[*]={"$nor":[{"$creator":null}]}', 0],
  ])('the others are missing to %s', async (query, count) => {
    const reply = await hides.get(`/resources/notes?${query.replace('ADA', ada.link.id)}`);
    expect(reply.body.meta.count).toBe(count);
    const all = await trusted.get(`/resources/notes?${query.replace('ADA', ada.link.id)}`);
    expect(all.body.meta.count).toBeGreaterThan(0);
  });

  test('a sort by another gives no order', async () => {
    const plain = await hides.get('/resources/notes');
    const sorted = await hides.get('/resources/notes?sort=-$updated');
    expect(sorted.body.data.map((each) => each.id)).toEqual(plain.body.data.map((each) => each.id));
    const cursor = await hides.get('/resources/notes?sort=$creator.id&page[after]=&page[size]=1');
    expect(cursor.status).toBe(200);
  });

  test('a pipeline sees the listed alone', async () => {
    const kinds = async (client: Client) =>
      new Set(
        (await client.get('/aggregates/agt.times')).body.data.map(({ attributes }) =>
          String(attributes?.['kinds']),
        ),
      );
    expect(await kinds(hides)).toEqual(new Set(['date,missing']));
    expect(await kinds(trusted)).toContain('date,object');
  });
});
