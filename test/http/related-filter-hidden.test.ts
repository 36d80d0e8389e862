/** Filters by fields of linked documents, where these have gone or may not be read: they tell nothing of them. */
import { beforeAll, describe, expect, test } from 'vitest';
import { makeBooks, titles } from '../support/books.ts';
import { Client, link, type Link } from '../support/client.ts';
import { crowd } from '../support/crowd.ts';
import { faultsOf } from '../support/faults.ts';
import { EVERY_METHOD, grant, makeUser, may, type Person } from '../support/people.ts';

const { person, find } = await makeBooks();

describe('A linked document that has gone, or that may not be read, is as if it were not linked', () => {
  let secured: Client;
  let by: Client;
  const named = (links: readonly (Link | undefined)[]) => links.map((link) => link ?? person(''));

  beforeAll(async () => {
    secured = await Client.create();
    by = await secured.withPermissions([may('get patch bulk', '/resources/.*', { where: { hidden: null } })]);
    const make = async (type: string, attributes: object) => {
      const { id } = await secured.make(type, attributes);
      return { type, id };
    };
    for (const type of ['posts', 'firms']) {
      const nameless = await make(type, { m: 1 });
      const ann = await make(type, { n: 1 });
      const hidden = await make(type, { n: 1, hidden: true });
      const gone = await make(type, { n: 1 });
      const one = (title: string, link: Link | null) =>
        secured.make(`notes-${type}`, { title }, { post: { data: link } });
      const several = (title: string, ...links: readonly (Link | undefined)[]) =>
        secured.make(`notes-${type}`, { title }, { post: { data: named(links) } });
      await one('to nothing', null);
      await one('to nameless', nameless);
      await one('to ann', ann);
      await one('to hidden', hidden);
      await one('to gone', gone);
      await several('to none');
      await several('to hidden and gone', hidden, gone);
      await several('to ann and gone', ann, gone);
      await several('to nameless and hidden', nameless, hidden);
      await secured.make(`notes-${type}`, { title: 'without' });
      await secured.make(`notes-${type}`, { title: 'of itself', post: { n: 1 } });
      await secured.delete(`/resources/${type}/${gone.id}`);
    }
    // Links of two types.
    const [post, firm] = [await make('posts', { n: 5 }), await make('firms', { n: 5 })];
    await secured.make('notes-posts', { title: 'to five' }, { post: { data: post } });
    await secured.make('notes-posts', { title: 'to a firm' }, { post: { data: firm } });
    await secured.delete(`/resources/firms/${firm.id}`);
  });

  const absent = ['to nothing', 'to nameless', 'to hidden', 'to gone', 'to nameless and hidden', 'without'];
  const present = ['to ann', 'to none', 'to hidden and gone', 'to ann and gone', 'of itself'];

  test.each<[string, unknown, readonly string[], readonly string[]]>([
    ['null', { 'post.n': null }, absent, ['to a firm']],
    ['not null', { 'post.n': { $ne: null } }, present, ['to five']],
    ['there', { 'post.n': { $exists: true } }, ['to ann', 'to ann and gone', 'of itself'], ['to five']],
  ])('%s', async (_, filter, expected, ofTwoTypes) => {
    const query = `filter[*]=${encodeURIComponent(JSON.stringify(filter))}&page[limit]=1000`;
    const found = async (type: string) =>
      titles(await by.get(`/resources/notes-${type}?${query}`)).toSorted();
    expect(await found('firms')).toEqual(expected.toSorted());
    expect(await found('posts')).toEqual([...expected, ...ofTwoTypes].toSorted());
  });

  test('and the tag changes as it goes', async () => {
    const { id } = await secured.make('posts', { n: 1 });
    await secured.make('notes', { title: 'a' }, { post: { data: { type: 'posts', id } } });
    const path = '/resources/notes?filter[post.n]=null';
    const before = await by.get(path);
    expect(titles(before)).toEqual([]);
    await secured.delete(`/resources/posts/${id}`);
    expect(titles(await by.get(path, { 'if-none-match': before.etag }))).toEqual(['a']);
  });

  test('a change of all that are found changes the same', async () => {
    const change = { data: { type: 'notes-firms', attributes: { seen: true } } };
    const path = '/resources/notes-firms?filter[post.n]=null';
    const changed = await by.patch(path, { ...change, meta: { limit: 10 } });
    expect([changed.status, changed.body.meta.count]).toEqual([200, absent.length]);
    expect(titles(await by.get('/resources/notes-firms?filter[seen]=true'))).toEqual(absent);
  });
});

describe('Only documents that the request could read at their own address are asked', () => {
  let user: Person;
  let hidden: Link, shown: Link;
  let secured: Client;

  beforeAll(async () => {
    secured = await Client.create();
    user = await makeUser(secured, 'user');
    hidden = link(await secured.make('people', { name: 'hidden', pin: 1234 }));
    shown = link(await secured.make('people', { name: 'shown', pin: 99 }));
    await grant(secured, `/resources/people/${shown.id}`, { read: [user.link] });
    for (const [title, author] of [
      ['h', hidden],
      ['s', shown],
      ['u', user.link],
    ] as const) {
      await secured.make('books', { title }, { author: { data: author } });
    }
  });

  const open = may('get', '/resources/books');
  const acl = { active: true };

  test.each<[string, readonly object[], unknown, readonly string[]]>([
    [
      'a right of the user',
      [open, may(EVERY_METHOD, '/.*', { acl })],
      { 'author.name': { $exists: true } },
      ['s'],
    ],
    ['no permission', [open], { 'author.name': { $exists: true } }, []],
    [
      'a permission for another method',
      [open, may('patch', '/resources/people/.*')],
      { 'author.pin': 1234 },
      [],
    ],
    ['the list alone', [open, may('get', '/resources/people')], { 'author.pin': 1234 }, []],
    [
      'a rule of the permission',
      [open, may('get', '/resources/people/.*', { where: { name: 'shown' } })],
      { 'author.pin': { $gt: 0 } },
      ['s'],
    ],
    [
      'the fields that a rule shows',
      [open, may('get', '/resources/people/.*', { fields: { read: ['name'] } })],
      { $or: [{ 'author.pin': { $gt: 0 } }, { 'author.name': 'hidden' }] },
      ['h'],
    ],
    [
      'relationships that a rule shows',
      [{ ...open, fields: { read: ['title'] } }, may('get', '/resources/people/.*')],
      { 'author.pin': { $gt: 0 } },
      [],
    ],
    [
      'documents that a rule shows, found through others',
      [{ ...open, where: { title: { $ne: 'h' } } }, may('get', '/resources/people/.*')],
      { 'author.pin': { $gt: 0 } },
      ['s'],
    ],
    ['no secret', [open, may(EVERY_METHOD, '/.*', { acl })], { 'author.password': { $exists: true } }, []],
    [
      "what is no secret of one's own",
      [open, may(EVERY_METHOD, '/.*', { acl })],
      { 'author.username': 'user' },
      ['u'],
    ],
  ])('%s', async (_, permissions, filter, expected) => {
    const by = await secured.withPermissions(permissions);
    expect(await find(filter, by, user.headers)).toEqual(expected);
  });

  test('one address alone', async () => {
    const by = await secured.withPermissions([open, may('get', `/resources/people/(?!${hidden.id}).*`)]);
    expect(await find({ 'author.pin': { $gt: 0 } }, by)).toEqual(['s']);
  });

  test('what is under ACL for some addresses, and not for others', async () => {
    const by = await secured.withPermissions([
      open,
      may('get', `/resources/people/${hidden.id}`, { acl }),
      may('get', '/resources/people/.*'),
    ]);
    expect(await find({ 'author.pin': { $gt: 0 } }, by, user.headers)).toEqual(['s']);
  });

  test('many that may not be read are not told from none', async () => {
    const own = await Client.create();
    await crowd(own, 'people', 11_000, () => ({ name: 'x' }));
    const one = await own.make('people', { name: 'x' });
    await own.make('books', { title: 'b' }, { author: { data: { type: 'people', id: one.id } } });
    const reader = await makeUser(own, 'reader');
    await grant(own, `/resources/people/${one.id}`, { read: [reader.link] });
    const by = await own.withPermissions([open, may('get', '/.*', { acl })]);
    expect(await find({ 'author.name': 'x' }, by, reader.headers)).toEqual(['b']);
    expect(faultsOf(await own.get('/resources/books?filter[author.name]=x'))).toEqual([
      '400 invalid-filter ?filter',
    ]);
  });
});
