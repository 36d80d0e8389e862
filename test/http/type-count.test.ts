/** `count` in the settings of a type: how many documents link to one, exact at the moment of its reading. */
import { describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { countedWorld, faults, to } from '../support/counted-articles.ts';
import { restore } from '../support/history.ts';
import { under } from '../support/rules.ts';
import { exported, imported } from '../support/transfer.ts';
import { resettle, settle } from '../support/type-settings.ts';

const { trusted, acl, ada, world } = await countedWorld();

describe('an article shows how many comments link to it', () => {
  test('until its settings lose the counter: a tag of before is good for nothing then', async () => {
    const { article } = await world.articles();
    const path = `/resources/${article}/${await world.added(article)}`;
    const { etag } = await trusted.get(path);
    const again = async () => (await trusted.get(path, { 'if-none-match': etag })).status;
    expect(await again()).toBe(304);
    await resettle(trusted, article, { count: null });
    expect(await again()).toBe(200);
  });

  test('after each create, change of the link, deletion and restoration', async () => {
    const { article, comment } = await world.articles();
    await settle(trusted, { name: comment, history: { versions: 10 } });
    const [one, other] = [
      await world.added(article),
      await world.added(article, { attributes: { title: 'B' } }),
    ];
    const both = async () => [await world.counted(article, one), await world.counted(article, other)];
    expect(await both()).toEqual([0, 0]);
    const first = await world.added(comment, to(article, one));
    await world.added(comment, to(article, one));
    expect(await both()).toEqual([2, 0]);
    await trusted.update(`/resources/${comment}/${first}`, { ...to(article, other) });
    expect(await both()).toEqual([1, 1]);
    await trusted.patch(`/resources/${comment}/${first}/relationships/article`, { data: null });
    expect(await both()).toEqual([1, 0]);
    await trusted.patch(`/resources/${comment}/${first}/relationships/article`, {
      data: { type: article, id: other },
    });
    expect(await both()).toEqual([1, 1]);
    await trusted.send('DELETE', `/resources/${comment}/${first}`);
    expect(await both()).toEqual([1, 0]);
    await restore(trusted, { type: comment, id: first }, 1);
    expect(await both()).toEqual([2, 0]);
  });

  test('as those alone that where says, and as often as a list of links names it once', async () => {
    const { article, comment } = await world.articles({ state: 'open', rank: { $gte: 2 } });
    const id = await world.added(article);
    const link = { type: article, id };
    const comments = [
      { state: 'open', rank: 2 },
      { state: 'open', rank: 1 },
      { state: 'closed', rank: 3 },
    ];
    for (const attributes of comments) await world.added(comment, { attributes, ...to(article, id) });
    expect(await world.counted(article, id)).toBe(1);
    const many = { relationships: { article: { data: [link, link] } } };
    await world.added(comment, { attributes: { state: 'open', rank: 5 }, ...many });
    expect(await world.counted(article, id)).toBe(2);
  });

  test('by a pattern, on a page as alone', async () => {
    const { article, comment } = await world.articles({ state: { $regex: '^o' } });
    const ids = [await world.added(article), await world.added(article), await world.added(article)];
    const [first = '', second = ''] = ids;
    for (const [id, state] of [
      [first, 'open'],
      [second, 'open'],
      [second, 'old'],
      [second, 'closed'],
    ] as const)
      await world.added(comment, { attributes: { state }, ...to(article, id) });
    const page = await trusted.get(`/resources/${article}`);
    expect(page.body.data.map(({ attributes }) => attributes?.['comments'])).toEqual([1, 2, 0]);
    expect(await Promise.all(ids.map((id) => world.counted(article, id)))).toEqual([1, 2, 0]);
  });

  test('of one type where the relationship leads to several', async () => {
    const { article, comment } = await world.articles();
    const other = `${article}-other`;
    await settle(trusted, { name: other, 'client-ids': true });
    const id = await world.added(article);
    await trusted.create(`/resources/${other}`, { id });
    await world.added(comment, to(other, id));
    await world.added(comment, to(article, id));
    expect(await world.counted(article, id)).toBe(1);
  });

  test('of the type itself, several counters, and what has ended by its date', async () => {
    const name = 'nodes';
    const count = { children: { type: name, by: 'parent' }, friends: { type: name, by: 'friend' } };
    expect((await settle(trusted, { name, count, expires: 'until' })).status).toBe(201);
    const root = await world.added(name);
    const data = { type: name, id: root };
    await world.added(name, { relationships: { parent: { data }, friend: { data } } });
    await world.added(name, {
      attributes: { until: { $date: '2020-01-01T00:00:00Z' } },
      relationships: { parent: { data } },
    });
    expect((await world.read(name, root)).body.data.attributes).toEqual({ children: 1, friends: 1 });
  });

  test('on one page, in includes, in lists of linked documents, in CSV and in the extended profile', async () => {
    const { article, comment } = await world.articles();
    const ids = [await world.added(article), await world.added(article, { attributes: { title: 'B' } })];
    const [first = '', second = ''] = ids;
    const link = await world.added(comment, to(article, second));
    await world.added(comment, to(article, second));
    const list = await trusted.get(`/resources/${article}`);
    expect(list.body.data.map(({ attributes }) => attributes?.['comments'])).toEqual([0, 2]);
    const included = await trusted.get(`/resources/${comment}/${link}?include=article`);
    expect(included.body.included.map(({ attributes }) => attributes)).toEqual([{ title: 'B', comments: 2 }]);
    const related = await trusted.get(`/resources/${comment}/${link}/article`);
    expect(related.body.data[0]?.attributes).toEqual({ title: 'B', comments: 2 });
    const query = `${article}?fields[${article}]=title,comments`;
    const csv = await trusted.get(`/resources/${query}`, { accept: 'text/csv' });
    expect(csv.text).toContain(`${second},B,2`);
    const accept = `application/vnd.api+json;profile="${trusted.url}/profiles/extended-json"`;
    expect((await world.read(article, first, { accept })).body.data.attributes).toEqual({ comments: 0 });
  });

  test('and with fields only where they name it: else nothing is counted', async () => {
    const { article } = await world.articles();
    const id = await world.added(article, { attributes: { title: 'A' } });
    const of = async (fields: string) =>
      (await world.read(article, `${id}?fields[${article}]=${fields}`)).body.data.attributes;
    expect(await of('title')).toEqual({ title: 'A' });
    expect(await of('comments')).toEqual({ comments: 0 });
  });
});

describe('in races', () => {
  test('every number was true at some moment of its reading', async () => {
    const { article, comment } = await world.articles();
    const id = await world.added(article);
    const come = { begun: 0, done: 0 };
    const gone = { begun: 0, done: 0 };
    const during = async (what: typeof come, work: Promise<unknown>) => {
      what.begun += 1;
      await work;
      what.done += 1;
    };
    const writer = async () => {
      for (let n = 0; n < 25; n += 1) {
        const made = world.added(comment, to(article, id));
        await during(come, made);
        const path = `/resources/${comment}/${await made}`;
        if (n % 3 === 1) await during(gone, trusted.send('DELETE', path));
        else if (n % 3 === 2)
          await during(gone, trusted.patch(`${path}/relationships/article`, { data: null }));
      }
    };
    let isOver = false;
    let reads = 0;
    const reader = async () => {
      while (!isOver) {
        const [came, went] = [come.done, gone.done];
        const number = await world.counted(article, id);
        expect(number).toBeGreaterThanOrEqual(came - gone.begun);
        expect(number).toBeLessThanOrEqual(come.begun - went);
        reads += 1;
      }
    };
    const readers = [reader(), reader()];
    await Promise.all([writer(), writer(), writer(), writer()]);
    isOver = true;
    await Promise.all(readers);
    expect(reads).toBeGreaterThan(10);
    expect(await world.counted(article, id)).toBe(4 * 9);
  });

  test('a comment that was answered is counted by the next reading, whoever wrote meanwhile', async () => {
    const { article, comment } = await world.articles();
    const id = await world.added(article);
    const noise = Array.from({ length: 40 }, () => world.added(comment, to(article, null)));
    for (let n = 1; n <= 40; n += 1) {
      await world.added(comment, to(article, id));
      expect(await world.counted(article, id)).toBe(n);
    }
    await Promise.all(noise);
  });
});

describe('tags', () => {
  test('an article is unchanged as long as its number is, alone, in a list and in an include', async () => {
    const { article, comment } = await world.articles();
    const id = await world.added(article);
    const included = `/resources/${comment}/${await world.added(comment, to(article, id))}?include=article`;
    for (const path of [`/resources/${article}/${id}`, `/resources/${article}`, included]) {
      const { etag } = await trusted.get(path);
      const again = () => trusted.get(path, { 'if-none-match': etag });
      expect((await again()).status).toBe(304);
      await world.added(comment, to(article, null));
      expect((await again()).status).toBe(304);
      await world.added(comment, to(article, id));
      const changed = await again();
      expect(changed.status).toBe(200);
      expect(changed.etag).not.toBe(etag);
    }
  });

  test('a write may follow a reading whose number has changed meanwhile', async () => {
    const { article, comment } = await world.articles();
    const id = await world.added(article);
    const { etag } = await world.read(article, id);
    await world.added(comment, to(article, id));
    const data = { type: article, id, attributes: { title: 'A' } };
    const changed = await trusted.patch(`/resources/${article}/${id}`, { data }, { 'if-match': etag });
    expect(changed.status).toBe(204);
    const later = await world.read(article, id, { 'if-none-match': changed.etag });
    expect([later.status, later.body.data.attributes]).toEqual([200, { title: 'A', comments: 1 }]);
  });
});

describe('rights', () => {
  test('a number counts documents that its reader may not read; a field that a key hides is not shown', async () => {
    const { article, comment } = await world.articles();
    const id = await world.added(article, { attributes: { title: 'A' } });
    await world.added(comment, to(article, id));
    await trusted.update(`/resources/${article}.acl/${id}`, { attributes: { read: [ada.link] } });
    const hers = await acl.get(`/resources/${article}/${id}`, ada.headers);
    expect(hers.body.data.attributes).toEqual({ title: 'A', comments: 1 });
    const narrow = await trusted.withPermissions([under('/.*', { fields: { read: ['title'] } })]);
    const seen = await narrow.get(`/resources/${article}/${id}`);
    expect(seen.body.data.attributes).toEqual({ title: 'A' });
    await world.added(comment, to(article, id));
    expect((await narrow.get(`/resources/${article}/${id}`, { 'if-none-match': seen.etag })).status).toBe(
      304,
    );
  });
});

test('no way to a number, and no filter by it, asks for secrets of what is counted', async () => {
  const name = 'teams';
  const by = { type: 'core.user', by: 'team' };
  const count = { all: by, hashes: { ...by, where: { password: { $exists: true } } } };
  expect((await settle(trusted, { name, count })).status).toBe(201);
  const id = await world.added(name);
  for (const username of ['eve', 'dan']) {
    const made = await trusted.post('/users/core.user', {
      data: {
        ...{ type: 'core.user', attributes: { username, password: 'a good secret' } },
        relationships: { team: { data: { type: name, id } } },
      },
    });
    expect(made.status).toBe(201);
  }
  expect((await world.read(name, id)).body.data.attributes).toEqual({ all: 2, hashes: 0 });
  const list = await trusted.get(`/resources/${name}?filter[hashes]={"$gt":0}`);
  expect(list.body.meta.count).toBe(0);
});

describe('a client', () => {
  test('cannot write the number', async () => {
    const { article } = await world.articles();
    const id = await world.added(article);
    const attributes = { comments: 7 };
    const created = await trusted.create(`/resources/${article}`, { attributes });
    expect(faults(created)).toEqual(['422 read-only-member /data/attributes/comments']);
    const changed = await trusted.update(`/resources/${article}/${id}`, { attributes });
    expect(faults(changed)).toEqual(['422 read-only-member /data/attributes/comments']);
    expect(await world.counted(article, id)).toBe(0);
  });

  test('finds no number in an export, and none that an import brings', async () => {
    const { article, comment } = await world.articles();
    const id = await world.added(article, { attributes: { title: 'A' } });
    await world.added(comment, to(article, id));
    const lines = await exported(trusted.application, article);
    expect(lines).not.toContain('comments');
    const other = await Client.create();
    await settle(other, { name: article, count: { comments: { type: comment, by: 'article' } } });
    const forged = lines.replace('"title":"A"', '"title":"A","comments":7');
    expect((await imported(other.application, article, forged)).status).toBe(200);
    const { attributes } = (await other.get(`/resources/${article}/${id}`)).body.data;
    expect(attributes).toEqual({ title: 'A', comments: 0 });
    expect((await other.get(`/resources/${article}`)).body.data[0]?.attributes).toEqual(attributes);
  });
});

describe('of many comments', () => {
  test('the numbers are exact, with and without an index, and null where they take too much work', async () => {
    const { article, comment } = await world.articles();
    const [hot, cold] = [await world.added(article), await world.added(article)];
    const note = `${'a'.repeat(200)}!`;
    await world.added(comment, { attributes: { note }, ...to(article, hot) });
    const [line = ''] = (await exported(trusted.application, comment)).split('\n');
    const at = line.indexOf('"id":"') + 6;
    const idOf = (n: number) => (0x6a000000_00000000n + BigInt(n)).toString(16).padStart(24, '0');
    const lines = Array.from({ length: 6_000 }, (_, n) => {
      const own = line.slice(0, at) + idOf(n) + line.slice(at + 24);
      return n % 3 === 0 ? own.replace(hot, cold) : own;
    });
    for (let from = 0; from < lines.length; from += 1_000) {
      const part = lines.slice(from, from + 1_000);
      expect((await imported(trusted.application, comment, part)).status).toBe(200);
    }
    const slow = { note: { $regex: '^(?:(a+)+\\1)+$' } };
    await resettle(trusted, article, {
      count: {
        comments: { type: comment, by: 'article' },
        long: { type: comment, by: 'article', where: { note: { $size: 3 } } },
        slow: { type: comment, by: 'article', where: slow },
      },
    });
    const numbers = async () =>
      (await trusted.get(`/resources/${article}`)).body.data.map((each) => each.attributes);
    const all = [
      { comments: 4_001, long: 0, slow: null },
      { comments: 2_000, long: 0, slow: null },
    ];
    expect(await numbers()).toEqual(all);
    expect(await numbers()).toEqual(all);
    await world.added(comment, to(article, cold));
    expect((await numbers()).map((each) => each?.['comments'])).toEqual([4_001, 2_001]);
  });

  test('a costly pattern takes the work of one search on a page, and not on each of its articles', async () => {
    const slow = { note: { $regex: '^(?:(a+)+\\1)+$' } };
    const { article, comment } = await world.articles(slow);
    const attributes = { note: `${'a'.repeat(200)}!` };
    await Promise.all(
      Array.from({ length: 200 }, async () =>
        world.added(comment, { attributes, ...to(article, await world.added(article)) }),
      ),
    );
    const page = await trusted.get(`/resources/${article}?page[limit]=200`);
    expect(new Set(page.body.data.map((each) => each.attributes?.['comments']))).toEqual(new Set([null]));
  });
});
