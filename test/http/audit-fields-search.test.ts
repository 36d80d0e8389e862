/** `$creator`, `$created` and `$updated` in filters, sorts, cursors and pipelines. */
import { describe, expect, test } from 'vitest';
import { defined } from '../support/aggregates.ts';
import { Client, type Resource } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { ACL, EVERY_METHOD, makeUser, may } from '../support/people.ts';

/** Later than the clock was. */
async function tick(): Promise<void> {
  const now = Date.now();
  while (Date.now() < now + 2) await Promise.resolve();
}

const client = await Client.create();
const app = await client.withPermissions([may(EVERY_METHOD, '.*', ACL)]);
const [ada, bob] = [await makeUser(client, 'ada'), await makeUser(client, 'bob')];
const made: Resource[] = [];
const between: string[] = [];
for (const [title, by] of [
  ['a', ada],
  ['b', bob],
  ['c', null],
] as const) {
  const data = { type: 'notes', attributes: { title, list: [{ n: 1 }] } };
  const { body } = await (by === null ? client : app).post('/resources/notes', { data }, by?.headers);
  made.push(body.data);
  await tick();
  between.push(new Date(Date.now() - 1).toISOString());
}
/** Times that lie between the creations of the three. */
const times = between;
const [first] = made;
const { type, id } = first ?? expect.fail();
// The first is the last to be changed.
await client.patch(`/resources/notes/${id}`, { data: { type, id, attributes: { changed: true } } });

const fill = (text: string): string =>
  text
    .replaceAll('ADA', ada.link.id)
    .replaceAll('BOB', bob.link.id)
    .replace(/T(\d)/g, (_, at: string) => times[Number(at)] ?? '');

const titles = async (query: string): Promise<string> => {
  const { status, body, text } = await client.get(`/resources/notes?${fill(query)}`);
  return status !== 200 ? text : body.data.map(({ attributes }) => attributes?.['title']).join('');
};

describe('a search', () => {
  test.each([
    ['filter[$creator.id]={"$oid":"ADA"}', 'a'],
    ['filter[$creator.id]={"$in":[{"$oid":"ADA"},{"$oid":"BOB"}]}', 'ab'],
    ['filter[$creator.id]={"$ne":{"$oid":"ADA"}}', 'bc'],
    ['filter[$creator.type]=core.user', 'ab'],
    ['filter[$creator]=null', 'c'],
    ['filter[$creator]={"type":"core.user","id":{"$oid":"BOB"}}', 'b'],
    ['filter[$created]={"$gt":{"$date":"T0"}}', 'bc'],
    ['filter[$created]={"$lte":{"$date":"T1"}}', 'ab'],
    ['filter[$created]={"$gt":"T0"}', ''],
    ['filter[$created]={"$type":"date"}', 'abc'],
    ['filter[$updated]={"$gt":{"$date":"T2"}}', 'a'],
    ['filter[*]={"$or":[{"$creator.id":{"$oid":"BOB"}},{"$updated":{"$gt":{"$date":"T2"}}}]}', 'ab'],
    ['filter[*]={"$and":[{"title":"a"},{"$creator.id":{"$oid":"BOB"}}]}', ''],
    ['sort=-$created', 'cba'],
    ['sort=$updated', 'bca'],
    ['sort=-$updated&page[limit]=1', 'a'],
    ['sort=$creator.type,-title', 'cba'],
    ['filter[*]={"$text":{"$search":"core.user"}}', ''],
    ['filter[*]={"$text":{"$search":"a"}}&sort=-$created', 'a'],
  ])('%s finds %j', async (query, expected) => {
    expect(await titles(query)).toBe(expected);
  });

  test('goes by cursor in the order of the last change', async () => {
    let address: string | null = '/resources/notes?sort=-$updated&page[after]=&page[size]=1';
    const seen: unknown[] = [];
    while (address !== null) {
      const { body } = await client.get(address);
      seen.push(...body.data.map(({ attributes }) => attributes?.['title']));
      address = body.links.next;
    }
    expect(seen.join('')).toBe('acb');
  });

  test('by a user under ACL sees what this user may read', async () => {
    const query = fill('filter[$creator.id]={"$oid":"BOB"}');
    expect((await app.get(`/resources/notes?${query}`, ada.headers)).body.meta.count).toBe(0);
    expect((await app.get(`/resources/notes?${query}`, bob.headers)).body.meta.count).toBe(1);
  });

  test.each([
    ['filter[$other]=1', 'The field name $other must not start with $.'],
    ['filter[$created.$x]=1', 'The field name $x must not start with $.'],
    ['filter[*]={"$creators":1}', 'There is no operator $creators.'],
    ['filter[list]={"$elemMatch":{"n":1,"$created":null}}', 'not of elements of arrays'],
    ['sort=$other', 'The field name $other must not start with $.'],
  ])('%s is refused', async (query, detail) => {
    const reply = await client.get(`/resources/notes?${query}`);
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0]?.detail).toContain(detail);
  });

  test('finds users and groups, and those of a creator', async () => {
    await app.create('/users/core.user-group', { attributes: { name: 'g' } }, bob.headers);
    const query = fill('filter[$creator.id]={"$oid":"BOB"}');
    expect((await client.get(`/users/core.user-group?${query}`)).body.meta.count).toBe(1);
    const users = await client.get(fill('/users/core.user?filter[$created]={"$lt":{"$date":"T0"}}'));
    expect(users.body.meta.count).toBe(2);
  });
});

let definitions = 0;

/** The attributes of what a pipeline makes of the notes. */
async function run(pipeline: unknown): Promise<readonly unknown[]> {
  definitions += 1;
  const type = `agt.known-${definitions}`;
  const attributes = { 'input-type': 'notes', 'output-type': type, pipeline };
  const made = await client.create('/aggregates/core.aggregate', { attributes });
  if (made.status !== 201) return faultsOf(made);
  const { status, body, text } = await client.get(`/aggregates/${type}`);
  if (status !== 200) throw new Error(text);
  return body.data.map((each) => each.attributes);
}

describe('a pipeline', () => {
  test.each<[string, unknown, () => unknown]>([
    [
      'filters and sorts by the names of filters',
      [{ filter: { '$creator.id': { $ne: null } } }, { sort: '-$created' }, { project: { title: 1 } }],
      () => [{ title: 'b' }, { title: 'a' }],
    ],
    [
      'has them as variables in expressions',
      [
        { sort: 'title' },
        {
          project: {
            by: '$$creator.id',
            kind: { $type: '$$created' },
            later: { $gt: ['$$updated', '$$created'] },
          },
        },
      ],
      () => [
        { by: ada.link.id, kind: 'date', later: true },
        { by: bob.link.id, kind: 'date', later: false },
        { kind: 'date', later: false },
      ],
    ],
    [
      'groups by the creator',
      [
        { group: { id: '$$creator.id', count: { $sum: 1 }, first: { $min: '$$created' } } },
        { sort: '-count,first' },
        { project: { count: 1 } },
      ],
      () => [{ count: 1 }, { count: 1 }, { count: 1 }],
    ],
    [
      'knows them behind unwind, skip and limit',
      [
        { sort: 'title' },
        { unwind: '$list' },
        { limit: 2 },
        { filter: { '$creator.id': { $type: 'objectId' } } },
        { project: { by: '$$creator.id' } },
      ],
      () => [{ by: ada.link.id }, { by: bob.link.id }],
    ],
    [
      'shows them nowhere unasked',
      [{ filter: { $created: { $type: 'date' } } }, { sort: '-$updated' }, { limit: 1 }],
      () => [{ title: 'a', list: [{ n: 1 }], changed: true }],
    ],
    [
      'has them in no whole document',
      [
        { filter: { title: 'b' } },
        { sort: '$created' },
        {
          project: {
            whole: '$$ROOT',
            names: { $map: { input: { $objectToArray: '$$CURRENT' }, in: '$$this.k' } },
          },
        },
      ],
      () => [
        {
          whole: expect.objectContaining({ title: 'b', list: [{ n: 1 }], type: 'notes' }) as unknown,
          names: ['title', 'list', 'id', 'type'],
        },
      ],
    ],
  ])('%s', async (_, pipeline, expected) => {
    expect(await run(pipeline)).toEqual(expected());
  });

  test.each<[string, unknown]>([
    ['an expression', [{ group: { id: '$title' } }, { project: { at: '$$created' } }]],
    ['a filter', [{ project: { title: 1 } }, { filter: { $created: null } }]],
    ['a sort', [{ project: { title: 1 } }, { sort: '$created' }]],
    [
      'the elements of an array',
      [{ project: { a: { $sortArray: { input: '$list', sortBy: { $created: 1 } } } } }],
    ],
  ])('is refused where they are not known: in %s', async (_, pipeline) => {
    const faults = await run(pipeline);
    expect(JSON.stringify(faults)).toContain('422');
  });

  test('sees a change of the last change', async () => {
    await client.make('logs', { n: 1 });
    const log = await client.make('logs', { n: 2 });
    await defined(client, 'latest-log', 'logs', [{ sort: '-$updated' }, { limit: 1 }]);
    const latest = async () =>
      (await client.get('/aggregates/agt.latest-log')).body.data[0]?.attributes?.['n'];
    await tick();
    await client.update(`/resources/logs/${log.id}`, { attributes: { n: 3 } });
    expect(await latest()).toBe(3);
    const list = await client.get('/resources/logs?sort=$created');
    const { type, id } = list.body.data[0] ?? expect.fail();
    await tick();
    await client.patch(`/resources/logs/${id}`, { data: { type, id, attributes: { n: 4 } } });
    expect(await latest()).toBe(4);
  });
});
