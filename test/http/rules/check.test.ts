/** `check` in a permission: a write that would leave a document that does not meet it is refused first of all. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, type Reply, type Resource } from '../../support/client.ts';
import { operate } from '../../support/operations.ts';
import { makeUser, type Person } from '../../support/people.ts';
import { codes, under } from '../../support/rules.ts';

const trusted = await Client.create();
const [ada, bob] = [await makeUser(trusted, 'ada'), await makeUser(trusted, 'bob')];

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
    const patched = await web.update(at, { relationships: { from: { data: bob.link } } }, ada.headers);
    const related = await web.patch(`${at}/relationships/from`, { data: bob.link }, ada.headers);
    const other = await web.update(at, { attributes: { text: 'x' } }, bob.headers);
    const listed = await operate(
      web,
      [
        { op: 'add', data: message(ada).data },
        { op: 'add', data: message(bob).data },
      ],
      ada.headers,
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

describe('a refusal tells which condition failed, and where', () => {
  /** All fields that a check may look at, each wrong in its own way. */
  const WRONG: readonly [member: string, content: object, at: string, pointer: string | undefined][] = [
    ['a field', { attributes: { stars: 9 } }, '/stars', '/data/attributes/stars'],
    ['a field that is not there', { attributes: {} }, '/stars', '/data/attributes/stars'],
    ['one of an $and', { attributes: { kind: 'x' } }, '/$and/1/kind', '/data/attributes/kind'],
    ['several fields', { attributes: { a: 2, b: 2 } }, '/$or', undefined],
    ['a relationship', {}, '/owner.id', '/data/relationships/owner'],
    ['who created it', {}, '/$creator.id', undefined],
  ];
  const rightOf = (person: Person) => ({
    attributes: { stars: 3, kind: 'good', a: 1 },
    relationships: { owner: { data: person.link } },
  });
  const check = {
    stars: { $gte: 1, $lte: 5 },
    $and: [{ kind: { $exists: true } }, { kind: { $in: ['good'] } }],
    $or: [{ a: 1 }, { b: 1 }],
    'owner.id': '$$viewer.id',
    '$creator.id': '$$viewer.id',
  };
  const sourceOf = ({ body: { errors } }: Reply) =>
    errors.map(({ code, meta, source }) => [code, meta?.['pointer'], source?.pointer]);

  test.each(WRONG)('%s', async (member, content, at, pointer) => {
    const web = await trusted.withPermissions([under('/none', {}), under('/resources/reviews.*', { check })]);
    const right = rightOf(ada);
    const told = [['rule-violated', `/permissions/1/check${at}`, pointer]];
    const made = await trusted.create('/resources/reviews', right);
    const { id } = made.body.data;
    if (member !== 'who created it') {
      expect(
        sourceOf(
          await web.create(
            '/resources/reviews',
            {
              attributes: member === 'a field that is not there' ? {} : { ...right.attributes, ...content },
              relationships:
                member === 'a relationship' ? { owner: { data: bob.link } } : right.relationships,
              ...(member === 'several fields' && { attributes: { ...right.attributes, a: 2, b: 2 } }),
              ...(member === 'one of an $and' && { attributes: { ...right.attributes, kind: 'x' } }),
              ...(member === 'a field' && { attributes: { ...right.attributes, stars: 9 } }),
            },
            ada.headers,
          ),
        ),
      ).toEqual(told);
      return;
    }
    const change = { data: { type: 'reviews', id, attributes: { stars: 4 } } };
    expect(sourceOf(await web.patch(`/resources/reviews/${id}`, change, ada.headers))).toEqual(told);
  });

  test('a change of links is told at its linkage', async () => {
    const web = await trusted.withPermissions([
      under('/resources/reviews.*', { check: { 'owner.id': null } }),
    ]);
    const { id } = await trusted.make('reviews', {});
    const reply = await web.patch(`/resources/reviews/${id}/relationships/owner`, { data: ada.link });
    expect(sourceOf(reply)).toEqual([['rule-violated', '/permissions/0/check/owner.id', '/data']]);
  });

  test('without a user where the rule names one: the check itself', async () => {
    const web = await trusted.withPermissions([under('/resources/reviews.*', { check })]);
    const reply = await web.create('/resources/reviews', rightOf(ada));
    expect(sourceOf(reply)).toEqual([['rule-violated', '/permissions/0/check', undefined]]);
  });

  test('nothing of a field that the key does not show, nor of a document that is not shown', async () => {
    const rule = { check: { hidden: 1, n: 1 }, fields: { read: ['n'] } };
    const web = await trusted.withPermissions([under('/resources/parts.*', rule)]);
    const where = { check: { n: 1 } };
    const blind = await trusted.withPermissions([
      under('/resources/parts.*', where, ['post', 'patch']),
      under('/resources/parts.*', { where: { open: true } }, ['get']),
    ]);
    const { id } = await trusted.make('parts', { n: 1, hidden: 2 });
    const change = (n: number) => ({ data: { type: 'parts', id, attributes: { n } } });
    const bare = [['rule-violated', undefined, undefined]];
    expect(sourceOf(await web.patch(`/resources/parts/${id}`, change(1)))).toEqual(bare);
    expect(sourceOf(await web.patch(`/resources/parts/${id}`, change(2)))).toEqual([
      ['rule-violated', '/permissions/0/check/n', '/data/attributes/n'],
    ]);
    expect(sourceOf(await blind.patch(`/resources/parts/${id}`, change(2)))).toEqual(bare);
  });
});

describe('check comes before what tells of other documents', () => {
  let web: Client;
  let mine: Resource;

  beforeAll(async () => {
    await trusted.create('/schemas/core.type', {
      attributes: { name: 'seats', unique: [['owner.id', 'row']] },
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
    ['an operation', (row) => operate(web, [{ op: 'add', data: seat(row) }], bob.headers)],
  ])('%s in the name of another does not tell whether a value is taken', async (_, write) => {
    const [taken, free] = [await write(1), await write(2)];
    expect([taken.status, codes(taken)]).toEqual([403, ['rule-violated']]);
    expect([taken.status, taken.text]).toEqual([free.status, free.text]);
  });
});
