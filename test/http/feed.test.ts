/** The feed of changes (docs/live.md): what it tells, to whom, and which marks it takes. */
import { describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { feedMeta, feedsOf, goneIn, Follower } from '../support/feed.ts';
import { grant, makeGroup, makeUser, may, underAcl } from '../support/people.ts';
import { settle } from '../support/type-settings.ts';
import { names } from '../support/rules.ts';

let types = 0;
const client = await Client.create();

const newType = () => `type${(types += 1)}`;

const { feed, markOf } = feedsOf(client);

const change = (type: string, id: string, attributes: object) =>
  client.update(`/resources/${type}/${id}`, { attributes });

describe('a feed tells', () => {
  test('first what the list shows, then documents in the order of their last changes, each once', async () => {
    const type = newType();
    const a = await client.make(type, { name: 'a' });
    const b = await client.make(type, { name: 'b' });
    const c = await client.make(type, { name: 'c' });
    await change(type, a.id, { name: 'A' });
    const all = await feed(type, '');
    expect(names(all)).toEqual(['A', 'b', 'c']);
    expect(goneIn(all)).toEqual([]);
    const { mark } = feedMeta(all);
    expect(names(await feed(type, mark))).toEqual([]);
    await change(type, b.id, { name: 'B' });
    await change(type, b.id, { name: 'BB' });
    expect(names(await feed(type, mark))).toEqual(['BB']);
    await change(type, c.id, { name: 'C' });
    await change(type, a.id, { name: 'a' });
    expect(names(await feed(type, mark))).toEqual(['BB', 'C', 'a']);
  });

  test('with the mark `now`, nothing of what there is, and all that comes', async () => {
    const type = newType();
    const mark = await markOf(type, '&filter[n]=1');
    expect(mark).not.toBe('');
    const a = await client.make(type, { name: 'a', n: 1 });
    const now = await feed(type, 'now', '&filter[n]=1');
    expect([names(now), goneIn(now), now.body.links.next]).toEqual([[], [], null]);
    await client.make(type, { name: 'b', n: 1 });
    await client.delete(`/resources/${type}/${a.id}`);
    const reply = await feed(type, feedMeta(now).mark, '&filter[n]=1');
    expect([names(reply), goneIn(reply)]).toEqual([['b'], [a.id]]);
  });

  test('what was deleted, once, and nothing of what came and went between two marks', async () => {
    const type = newType();
    const a = await client.make(type, { name: 'a' });
    const mark = await markOf(type);
    const b = await client.make(type, { name: 'b' });
    await client.delete(`/resources/${type}/${b.id}`);
    await client.delete(`/resources/${type}/${a.id}`);
    const reply = await feed(type, mark);
    expect([names(reply), goneIn(reply)]).toEqual([[], [a.id]]);
    expect(goneIn(await feed(type, feedMeta(reply).mark))).toEqual([]);
    expect(goneIn(await feed(type, ''))).toEqual([]);
  });

  test.each(['rights', 'a rule'])(
    'removals where they were hidden by %s, whatever is written since',
    async (by) => {
      const type = newType();
      const ada = await makeUser(client, `ada-${type}`);
      const [a, own, b] = [
        await client.make(type, { n: 1, open: true }),
        await client.make(type, { n: 2, open: true }),
        await client.make(type, { n: 3, open: true }),
      ];
      const isRule = by === 'a rule';
      const where = { where: { open: true } };
      const reader = isRule
        ? await client.withPermissions([may('get', '/.*', { ...where })])
        : await underAcl(client);
      const headers = isRule ? {} : ada.headers;
      const show = (id: string, is: boolean) =>
        isRule
          ? change(type, id, { open: is })
          : grant(client, `/resources/${type}/${id}`, { read: is ? [ada.link] : [] });
      if (!isRule) for (const { id } of [a, own, b]) await show(id, true);
      const mark = await markOf(type, '', reader, headers);
      /** What each page tells, from the mark on, by pages of one. */
      const pages = async () => {
        const told: unknown[] = [];
        for (let since = mark, more = true; more;) {
          const page = await feed(type, since, '&page[size]=1', reader, headers);
          told.push([page.body.data.map(({ id }) => id), goneIn(page)]);
          since = feedMeta(page).mark;
          more = page.body.links.next !== null;
        }
        return told.filter((each) => JSON.stringify(each) !== '[[],[]]');
      };
      // Hidden, shown and hidden again.
      await show(a.id, false);
      await show(a.id, true);
      await show(a.id, false);
      await change(type, own.id, { n: 4 });
      await show(b.id, false);
      const before = await pages();
      // By both changes that hid it: a reader between them was shown it again.
      expect(before).toEqual([
        [[], [a.id]],
        [[], [a.id]],
        [[own.id], []],
        [[], [b.id]],
      ]);
      const whole = await feed(type, mark, '', reader, headers);
      expect(goneIn(whole)).toEqual([a.id, b.id]);
      for (let n = 0; n < 3; n += 1) await change(type, a.id, { n });
      expect(await pages()).toEqual(before);
      await client.delete(`/resources/${type}/${a.id}`);
      expect(await pages()).toEqual(before);
      const path = `/resources/${type}/changes?changes[since]=${mark}`;
      expect((await reader.get(path, { ...headers, 'if-none-match': whole.etag })).status).toBe(304);
      // What is told is told once, whatever comes.
      const { mark: last } = feedMeta(await feed(type, mark, '', reader, headers));
      await change(type, b.id, { n: 9 });
      expect(goneIn(await feed(type, last, '', reader, headers))).toEqual([]);
      await show(b.id, true);
      expect((await feed(type, last, '', reader, headers)).body.data.map(({ id }) => id)).toEqual([b.id]);
    },
  );

  test('what does not match any more, and what matches now', async () => {
    const type = newType();
    const a = await client.make(type, { name: 'a', n: 1 });
    const b = await client.make(type, { name: 'b', n: 5 });
    const filter = '&filter[n]={"$lt":3}';
    const mark = await markOf(type, filter);
    await change(type, a.id, { n: 4 });
    await change(type, b.id, { n: 0 });
    const reply = await feed(type, mark, filter);
    expect([names(reply), goneIn(reply)]).toEqual([['b'], [a.id]]);
  });

  test('what has ended', async () => {
    const type = newType();
    await settle(client, { name: type, expires: 'until' });
    const a = await client.make(type, { name: 'a' });
    const reply = await feed(type, '');
    expect(names(reply)).toEqual(['a']);
    await change(type, a.id, { until: { $date: new Date(Date.now() + 1_000).toISOString() } });
    await expect.poll(async () => goneIn(await feed(type, feedMeta(reply).mark))).toEqual([a.id]);
  });

  test('what it shows as a list does: fields, include, the extended-json profile, HEAD', async () => {
    const type = newType();
    const author = await client.make(`${type}-authors`, { name: 'Mary' });
    const link = { data: { type: author.type, id: author.id } };
    await client.make(
      type,
      { name: 'a', other: 1, when: { $date: '2026-01-01T00:00:00Z' } },
      { author: link },
    );
    const path = `/resources/${type}`;
    const query = `fields[${type}]=name,when,author,$created&include=author`;
    const accept = `application/vnd.api+json;profile="${client.url}/profiles/extended-json"`;
    for (const headers of [{}, { accept }]) {
      const list = await client.get(`${path}?${query}`, headers);
      const reply = await client.get(`${path}/changes?${query}`, headers);
      expect(reply.body.data).toEqual(list.body.data);
      expect(reply.body.included).toEqual(list.body.included);
      expect(reply.body.included).toHaveLength(1);
    }
    const head = await client.send('HEAD', `${path}/changes`);
    expect([head.status, head.text]).toEqual([200, '']);
  });

  test('users, groups and external users', async () => {
    const path = (type: string) => `/users/core.${type}`;
    const user = await makeUser(client, 'somebody');
    await makeGroup(client, [user]);
    for (const type of ['user', 'user-group', 'external-user']) {
      const follower = new Follower(client, {}, path(type));
      await follower.catchUp();
      const { body } = await client.get(`${path(type)}?page[limit]=1000`);
      expect([...follower.known.keys()].sort()).toEqual(body.data.map(({ id }) => id));
    }
  });

  test('an unused type, and what is made there later', async () => {
    const type = newType();
    const empty = await feed(type, '');
    expect([names(empty), empty.body.links.next]).toEqual([[], null]);
    expect(empty.body.meta['warnings']).toMatchObject([{ code: 'no-documents' }]);
    await client.make(type, { name: 'a' });
    expect(names(await feed(type, feedMeta(empty).mark))).toEqual(['a']);
  });

  test('304 while nothing is told', async () => {
    const type = newType();
    const a = await client.make(type, { name: 'a' });
    const mark = await markOf(type);
    const nothing = await feed(type, mark);
    const again = () => client.get(`/resources/${type}/changes?changes[since]=${mark}`, tag);
    const tag = { 'if-none-match': nothing.etag };
    expect((await again()).status).toBe(304);
    await client.delete(`/resources/${type}/${a.id}`);
    expect(goneIn(await again())).toEqual([a.id]);
  });

  test('a page that goes on is 304 for those alone who may see all: others would learn of writes', async () => {
    const type = newType();
    for (const name of ['a', 'b']) await client.make(type, { name });
    const path = `/resources/${type}/changes?page[size]=1`;
    const ruled = await client.withPermissions([may('get', '/.*', { where: { name: 'a' } })]);
    await client.make(type, { name: 'a' });
    const whole = may('get', `/resources/${type}/changes`);
    const apart = may('get', `/resources/${type}/[0-9a-f]{24}`, { where: { name: 'a' } });
    const mixed = await client.withPermissions([whole, apart]);
    for (const [reader, status] of [
      [client, 304],
      [ruled, 200],
      [mixed, 200],
    ] as const) {
      const { etag, body } = await reader.get(path);
      expect(body.links.next).not.toBe(null);
      expect((await reader.get(path, { 'if-none-match': etag })).status).toBe(status);
    }
  });
});
