/** What is stored of a user, as that user gets it (docs/accounts.md#own-data): nothing that no other address shows. */
import { beforeAll, describe, expect, test } from 'vitest';
import { setAccounts } from '../support/accounts.ts';
import { Client, type Link, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import {
  ACL,
  grant,
  linkOf,
  makeExternalUser,
  makeUser,
  may,
  underAcl,
  type Person,
} from '../support/people.ts';
import { imported } from '../support/transfer.ts';
import { newService } from '../support/scope.ts';
import { workerNamed } from '../support/own-service.ts';

const OWN = '/users/core.own-data';
const NOT_ALLOWED = ['403 forbidden api-key:'];
const NO_CURSOR = ['400 invalid-parameter ?page[after]'];

const service = await newService({ entry: workerNamed('clock') });
const { client } = service;
const everything = await underAcl(client);
const web = await client.withPermissions([
  may('get', '/users/core\\.(own-data|user|user-group|passkey|second-factor)(/.*)?', ACL),
  may('get post', '/resources/notes(/.*)?', ACL),
  may('get', '/resources/drafts/.*', { ...ACL, where: { open: true }, fields: { read: ['title', 'open'] } }),
]);

let ada: Person;
let eve: Person;
const own = (headers = ada.headers, query = '', by = web): Promise<Reply> =>
  by.get(`${OWN}${query}`, headers);
const keysOf = ({ body }: Reply) => body.data.map(({ type, id }) => `${type} ${id}`).sort();
const keyOf = ({ type, id }: Link) => `${type} ${id}`;
const make = async (type: string, attributes: object, { headers }: Person, by = everything): Promise<Link> =>
  linkOf(await by.create(`/resources/${type}`, { attributes }, headers));

beforeAll(async () => {
  ada = await makeUser(client, 'ada');
  eve = await makeUser(client, 'eve');
});

describe('without a setting that allows it', () => {
  test.each([
    ['there are no account settings', null],
    ['they say nothing of it', { name: 'Shop' }],
    ['they say false', { name: 'Shop', 'own-data': false }],
    ['they let users erase themselves alone', { name: 'Shop', 'erase-by-mail': true }],
  ])('nobody lists anything: %s', async (_, settings) => {
    const shop = await Client.create();
    if (settings !== null) await setAccounts(shop, settings);
    const { headers } = await makeUser(shop, 'ada');
    const refused = await own(headers, '', await underAcl(shop));
    expect(faultsOf(refused)).toEqual(NOT_ALLOWED);
    expect(refused.body.errors[0]?.detail).toBe('The account settings of the application do not allow this.');
  });
});

describe('where the settings allow it', () => {
  let theirs: readonly Link[];
  let note: Link;
  let draft: Link;
  const SECRET = 'a secret key';
  beforeAll(async () => {
    await setAccounts(client, { name: 'Shop', 'own-data': true });
    note = await make('notes', { text: 'of ada' }, ada);
    const given = await make('notes', { text: 'of eve, for ada' }, eve);
    await grant(client, `/resources/notes/${given.id}`, { read: [eve.link, ada.link] });
    draft = await make('drafts', { title: 'shown', open: true, price: 'hidden price' }, ada);
    const group = { data: [ada.link, eve.link] };
    const readers = linkOf(
      await client.create('/users/core.user-group', { relationships: { users: group } }),
    );
    await grant(client, `/users/core.user-group/${readers.id}`, { read: '*' });
    const passkey = { type: 'core.passkey', id: 'a'.repeat(24) };
    theirs = [ada.link, note, given, draft, readers, passkey];
    const attributes = { user: ada.link.id, created: new Date() };
    for (const [type, more] of [
      ['core.passkey', { name: 'Phone', credential: 'x', 'public-key': SECRET, counter: 7 }],
      ['core.second-factor', { secret: SECRET }],
    ] as const) {
      const line = {
        type,
        id: passkey.id,
        attributes: { ...attributes, ...more },
        meta: { acl: { read: [ada.link] } },
      };
      const stored = await imported(client.application, type, [JSON.stringify(line)], client.url);
      expect(stored.body.meta['stored']).toBe(1);
    }
    // What names her, and she may not read: no right, a rule, a key; and what does not name her.
    const unread = await make('notes', { text: 'unread' }, eve);
    await grant(client, `/resources/notes/${unread.id}`, { read: [eve.link], update: [ada.link] });
    await make('drafts', { title: 'closed', open: false }, ada);
    await make('unpermitted', { text: 'unpermitted' }, ada);
    const all = await make('notes', { text: 'for all' }, eve);
    await grant(client, `/resources/notes/${all.id}`, { read: '*' });
    const gone = await make('notes', { text: 'gone' }, ada);
    await everything.delete(`/resources/notes/${gone.id}`, undefined, ada.headers);
  });

  test('users get what names them and they may read, and nothing else', async () => {
    const listed = await own();
    expect(listed.status).toBe(200);
    expect(keysOf(listed)).toEqual(theirs.map(keyOf).sort());
    expect(listed.headers.get('cache-control')).toContain('no-store');
    expect(listed.body.links['next']).toBeNull();
    expect(listed.body.meta).toBeUndefined();
  });

  test('each document is as its own address shows it', async () => {
    for (const each of (await own()).body.data.filter(({ type }) => type !== 'core.user')) {
      const path = new URL(each.links.self).pathname;
      expect(each).toEqual((await web.get(path, ada.headers)).body.data);
    }
    const shown = (await own()).body.data.find(({ id }) => id === draft.id);
    expect(shown?.attributes).toEqual({ title: 'shown', open: true });
  });

  test('no secret is in it: neither hashes of passwords nor what factors and passkeys are made of', async () => {
    const hash = (await web.get('/users/core.user/me', ada.headers)).body.data.attributes?.['password'];
    expect(hash).toMatch(/^\$scrypt\$/);
    const listed = await own(ada.headers, '', everything);
    expect(listed.body.data.find(({ id }) => id === ada.link.id)?.attributes).toEqual({ username: 'ada' });
    expect(listed.text).not.toMatch(/scrypt|a secret key|public-key|counter|second-factor|"token"/);
    expect(listed.text).toContain('"Phone"');
  });

  test('another user sees their own', async () => {
    const { text } = await own(eve.headers);
    expect(text).toContain('for all');
    for (const hidden of ['"of ada"', 'shown', '"Phone"', 'core.user/' + ada.link.id])
      expect(text).not.toContain(hidden);
  });

  test('pages by cursor have each document once, and no gaps where one is hidden', async () => {
    const found: string[] = [];
    for (let query: string | null = '?page[size]=1'; query !== null;) {
      const page = await own(ada.headers, query);
      const next: unknown = page.body.links['next'];
      if (next !== null) expect(page.body.data).toHaveLength(1);
      found.push(...keysOf(page));
      query = typeof next === 'string' ? new URL(next).search : null;
    }
    expect(found.sort()).toEqual(theirs.map(keyOf).sort());
  });

  test('a cursor is good for its user, and for this list alone', async () => {
    const query = new URL(String((await own(ada.headers, '?page[size]=1')).body.links['next'])).search;
    expect((await own(ada.headers, query)).status).toBe(200);
    expect(faultsOf(await own(eve.headers, query))).toEqual(NO_CURSOR);
    expect(faultsOf(await web.get(`/resources/notes${query}`, ada.headers))).toEqual(NO_CURSOR);
    const listed = await web.get('/resources/notes?page[size]=1&page[after]=', ada.headers);
    const other = new URL(String(listed.body.links['next'])).search;
    expect(faultsOf(await own(ada.headers, other))).toEqual(NO_CURSOR);
  });

  test('a page asks a hundred collections at most: the next one goes on, though it may be empty', async () => {
    const shop = await Client.create();
    await setAccounts(shop, { name: 'Shop', 'own-data': true });
    const { headers, link } = await makeUser(shop, 'ada');
    const by = await underAcl(shop);
    for (let n = 0; n < 110; n += 1) await shop.make(`a${n}`, {});
    const last = linkOf(await by.create('/resources/z', {}, headers));
    const first = await own(headers, '', by);
    expect(first.body.data).toEqual([]);
    const next = new URL(String(first.body.links['next'])).search;
    const second = await own(headers, next, by);
    expect(keysOf(second)).toEqual([link, last].map(keyOf).sort());
    expect(second.body.links['next']).toBeNull();
  });

  test.each([
    ['an offset', '?page[offset]=5', '400 invalid-parameter ?page[offset]'],
    ['a number', '?page[number]=2', '400 invalid-parameter ?page[number]'],
    ['a filter', '?filter[id]=1', '400 unknown-parameter ?filter[id]'],
    ['an include', '?include=author', '400 unknown-parameter ?include'],
  ])('%s is refused', async (_, query, fault) => {
    expect(faultsOf(await own(ada.headers, query))).toEqual([fault]);
  });

  test('nothing has changed until something has', async () => {
    const { etag } = await own();
    const again = () => own({ ...ada.headers, 'if-none-match': etag });
    expect((await again()).status).toBe(304);
    await client.update(`/resources/notes/${note.id}`, { attributes: { text: 'of ada, again' } });
    const changed = await again();
    expect([changed.status, changed.text.includes('of ada, again')]).toEqual([200, true]);
  });

  test('documents that are too large together are asked for in smaller pages', async () => {
    const writer = await makeUser(client, 'writer');
    const text = 'x'.repeat(1_000_000);
    for (let n = 0; n < 18; n += 1) await make('notes', { text }, writer);
    expect(faultsOf(await own(writer.headers))).toEqual(['400 answer-too-large ?page[size]']);
    expect((await own(writer.headers, '?page[size]=3')).body.data).toHaveLength(3);
  });

  test('an external user gets their own, too', async () => {
    const external = await makeExternalUser(client);
    const written = await make('notes', { text: 'of an external user' }, external);
    expect(keysOf(await own(external.headers, '', everything))).toEqual(
      [external.link, written].map(keyOf).sort(),
    );
  });

  test('nobody else gets anything: no token, a key without ACL, one that does not permit it', async () => {
    const other = await client.withPermissions([may('get', '/resources/.*', ACL)]);
    const trusted = await own(ada.headers, '', client);
    for (const refused of [await own({}), trusted])
      expect(faultsOf(refused)).toEqual(['401 token-required Authorization:']);
    expect((await own(ada.headers, '', other)).status).toBe(403);
  });

  test('a login of eleven minutes ago is asked for again', async () => {
    const setClock = (ahead: number) => fetch(`${service.url}/test/clock?ahead=${ahead}`, { method: 'POST' });
    try {
      await setClock(11 * 60_000);
      expect(faultsOf(await own())).toEqual(['401 token-required Authorization:']);
      expect((await web.get('/users/core.user/me', ada.headers)).status).toBe(200);
    } finally {
      await setClock(0);
    }
  });
});
