/** `check` in a permission: what a refusal tells, and that it comes first of all. Which writes are: property/rules. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, type Reply, type Resource } from '../../support/client.ts';
import { operate } from '../../support/operations.ts';
import { makeUser, type Person } from '../../support/people.ts';
import { codes, under } from '../../support/rules.ts';

const trusted = await Client.create();
const [ada, bob] = [await makeUser(trusted, 'ada'), await makeUser(trusted, 'bob')];

describe('a refusal tells which condition failed, and where', () => {
  const good = { stars: 3, kind: 'good', a: 1 };
  const rightOf = (person: Person) => ({ attributes: good, relationships: { owner: { data: person.link } } });
  const check = {
    stars: { $gte: 1, $lte: 5 },
    $and: [{ kind: { $exists: true } }, { kind: { $in: ['good'] } }],
    $or: [{ a: 1 }, { b: 1 }],
    'owner.id': '$$viewer.id',
    '$creator.id': '$$viewer.id',
  };
  const sourceOf = ({ body: { errors } }: Reply) =>
    errors.map(({ code, meta, source }) => [code, meta?.['pointer'], source?.pointer]);

  test.each<[member: string, content: object, at: string, pointer?: string]>([
    ['a field', { attributes: { ...good, stars: 9 } }, '/stars', '/data/attributes/stars'],
    ['a field that is not there', { attributes: {} }, '/stars', '/data/attributes/stars'],
    ['one of an $and', { attributes: { ...good, kind: 'x' } }, '/$and/1/kind', '/data/attributes/kind'],
    ['several fields', { attributes: { ...good, a: 2, b: 2 } }, '/$or'],
    ['a relationship', rightOf(bob), '/owner.id', '/data/relationships/owner'],
  ])('%s', async (_, content, at, pointer) => {
    const web = await trusted.withPermissions([under('/none', {}), under('/resources/reviews.*', { check })]);
    const told = [['rule-violated', `/permissions/1/check${at}`, pointer]];
    const made = await web.create('/resources/reviews', { ...rightOf(ada), ...content }, ada.headers);
    expect(sourceOf(made)).toEqual(told);
  });

  test('who created it', async () => {
    const web = await trusted.withPermissions([under('/resources/reviews.*', { check })]);
    const { id } = (await trusted.create('/resources/reviews', rightOf(ada))).body.data;
    const changed = await web.update(`/resources/reviews/${id}`, { attributes: { stars: 4 } }, ada.headers);
    expect(sourceOf(changed)).toEqual([['rule-violated', '/permissions/0/check/$creator.id', undefined]]);
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
