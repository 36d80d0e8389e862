/** `check` in a permission: a write that would leave a document that does not meet it is refused before anything else. */
import { beforeAll, describe, expect, test } from 'vitest';
import { ATOMIC_MEDIA_TYPE, Client, type Reply, type Resource } from '../../support/client.ts';
import { makeUser, type Person } from '../../support/people.ts';
import { codes, under } from '../../support/rules.ts';

let trusted: Client;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  trusted = await Client.create();
  [ada, bob] = [await makeUser(trusted, 'ada'), await makeUser(trusted, 'bob')];
});

describe('check', () => {
  let web: Client;
  beforeAll(async () => {
    web = await trusted.withPermissions([
      under('/resources/messages.*', { check: { 'from.id': '$$viewer.id', 'from.type': '$$viewer.type' } }),
      under('/operations', {}),
    ]);
  });
  const message = (from: Person, text = 'hi') => ({
    data: { type: 'messages', attributes: { text }, relationships: { from: { data: from.link } } },
  });
  const all = () => trusted.get('/resources/messages').then(({ body }) => body.meta.count);

  test('a create that does not meet it stores nothing', async () => {
    const before = await all();
    const forged = await web.post('/resources/messages', message(bob), ada.headers);
    expect([forged.status, codes(forged)]).toEqual([403, ['rule-violated']]);
    const unsigned = await web.post('/resources/messages', message(ada));
    expect([unsigned.status, codes(unsigned)]).toEqual([403, ['rule-violated']]);
    expect(await all()).toBe(before);
    expect((await web.post('/resources/messages', message(ada), ada.headers)).status).toBe(201);
  });

  test('a change, a change of a relationship and an operation meet it', async () => {
    const made = await web.post('/resources/messages', message(ada), ada.headers);
    const { id } = made.body.data;
    const at = `/resources/messages/${id}`;
    const patched = await web.patch(
      at,
      { data: { type: 'messages', id, relationships: { from: { data: bob.link } } } },
      ada.headers,
    );
    const related = await web.patch(`${at}/relationships/from`, { data: bob.link }, ada.headers);
    const other = await web.patch(
      at,
      { data: { type: 'messages', id, attributes: { text: 'x' } } },
      bob.headers,
    );
    const listed = await web.post(
      '/operations',
      {
        'atomic:operations': [
          { op: 'add', data: message(ada).data },
          { op: 'add', data: message(bob).data },
        ],
      },
      { ...ada.headers, 'content-type': ATOMIC_MEDIA_TYPE, accept: ATOMIC_MEDIA_TYPE },
    );
    const before = await all();
    for (const reply of [patched, related, other, listed]) {
      expect([reply.status, codes(reply)]).toEqual([403, ['rule-violated']]);
    }
    expect(await all()).toBe(before);
    expect((await trusted.get(at)).etag).toBe((await trusted.get(at, { 'if-none-match': made.etag })).etag);
    expect((await trusted.get(at)).body.data.attributes).toEqual({ text: 'hi' });
  });
});

describe('check comes before what tells of other documents', () => {
  let web: Client;
  let mine: Resource;

  beforeAll(async () => {
    await trusted.post('/schemas/core.type', {
      data: { type: 'core.type', attributes: { name: 'seats', unique: [['owner.id', 'row']] } },
    });
    await trusted.make('seats', { row: 1 }, { owner: { data: ada.link } });
    mine = await trusted.make('seats', { row: 7 }, { owner: { data: bob.link } });
    web = await trusted.withPermissions([
      under('/resources/seats.*', { check: { 'owner.id': '$$viewer.id' } }),
      under('/operations', {}),
    ]);
  });

  const seat = (row: number) => ({
    type: 'seats',
    attributes: { row },
    relationships: { owner: { data: ada.link } },
  });

  test.each<[string, (row: number) => Promise<Reply>]>([
    ['a create', (row) => web.post('/resources/seats', { data: seat(row) }, bob.headers)],
    [
      'a change',
      (row) => web.patch(`/resources/seats/${mine.id}`, { data: { ...seat(row), id: mine.id } }, bob.headers),
    ],
    [
      'an operation',
      (row) =>
        web.post(
          '/operations',
          { 'atomic:operations': [{ op: 'add', data: seat(row) }] },
          { ...bob.headers, 'content-type': ATOMIC_MEDIA_TYPE },
        ),
    ],
  ])('%s in the name of another does not tell whether a value is taken', async (_, write) => {
    const [taken, free] = [await write(1), await write(2)];
    expect([taken.status, codes(taken)]).toEqual([403, ['rule-violated']]);
    expect([taken.status, taken.text]).toEqual([free.status, free.text]);
  });
});
