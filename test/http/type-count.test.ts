/** `count` in the settings of a type: how many documents link to one, exact at the moment of its reading. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, type Reply } from '../support/client.ts';
import { makeUser, underAcl, type Person } from '../support/people.ts';
import { under } from '../support/rules.ts';
import { exported, imported } from '../support/transfer.ts';
import { resettle, settle } from '../support/type-settings.ts';

let trusted: Client;
let acl: Client;
let ada: Person;
beforeAll(async () => {
  trusted = await Client.create();
  acl = await underAcl(trusted);
  ada = await makeUser(trusted, 'ada');
});

let types = 0;
/** Articles, with what counts their comments. */
async function articles(where?: object, more: object = {}) {
  const n = (types += 1);
  const [article, comment] = [`articles-${n}`, `comments-${n}`];
  const count = { comments: { type: comment, by: 'article', ...(where && { where }) } };
  const made = await settle(trusted, { name: article, count, ...more });
  if (made.status !== 201) throw new Error(made.text);
  return { article, comment };
}

const added = async (type: string, content: object = {}): Promise<string> => {
  const made = await trusted.post(`/resources/${type}`, { data: { type, ...content } });
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data.id;
};
const to = (type: string, id: string | null) => ({
  relationships: { article: { data: id === null ? null : { type, id } } },
});
const read = (type: string, id: string, headers = {}) => trusted.get(`/resources/${type}/${id}`, headers);
const counted = async (type: string, id: string) => (await read(type, id)).body.data.attributes?.['comments'];
const faults = ({ status, body }: Reply) =>
  body.errors.map(({ code, source }) => [status, code, source?.pointer ?? source?.parameter].join(' '));

describe('an article shows how many comments link to it', () => {
  test('after each create, change of the link, deletion and restoration', async () => {
    const { article, comment } = await articles();
    const [one, other] = [await added(article), await added(article, { attributes: { title: 'B' } })];
    const both = async () => [await counted(article, one), await counted(article, other)];
    expect(await both()).toEqual([0, 0]);
    const first = await added(comment, to(article, one));
    await added(comment, to(article, one));
    expect(await both()).toEqual([2, 0]);
    await trusted.patch(`/resources/${comment}/${first}`, {
      data: { type: comment, id: first, ...to(article, other) },
    });
    expect(await both()).toEqual([1, 1]);
    await trusted.patch(`/resources/${comment}/${first}/relationships/article`, { data: null });
    expect(await both()).toEqual([1, 0]);
    await trusted.send('DELETE', `/resources/${comment}/${first}`);
    expect(await both()).toEqual([1, 0]);
  });

  test('as those alone that where says, and as often as a list of links names it once', async () => {
    const { article, comment } = await articles({ state: 'open', rank: { $gte: 2 } });
    const id = await added(article);
    const link = { type: article, id };
    const comments = [
      { state: 'open', rank: 2 },
      { state: 'open', rank: 1 },
      { state: 'closed', rank: 3 },
    ];
    for (const attributes of comments) await added(comment, { attributes, ...to(article, id) });
    expect(await counted(article, id)).toBe(1);
    const many = { relationships: { article: { data: [link, link] } } };
    await added(comment, { attributes: { state: 'open', rank: 5 }, ...many });
    expect(await counted(article, id)).toBe(2);
  });

  test('by a pattern, on a page as alone', async () => {
    const { article, comment } = await articles({ state: { $regex: '^o' } });
    const ids = [await added(article), await added(article), await added(article)];
    const [first = '', second = ''] = ids;
    for (const [id, state] of [
      [first, 'open'],
      [second, 'open'],
      [second, 'old'],
      [second, 'closed'],
    ] as const)
      await added(comment, { attributes: { state }, ...to(article, id) });
    const page = await trusted.get(`/resources/${article}`);
    expect(page.body.data.map(({ attributes }) => attributes?.['comments'])).toEqual([1, 2, 0]);
    expect(await Promise.all(ids.map((id) => counted(article, id)))).toEqual([1, 2, 0]);
  });

  test('of one type where the relationship leads to several', async () => {
    const { article, comment } = await articles();
    const other = `${article}-other`;
    await settle(trusted, { name: other, 'client-ids': true });
    const id = await added(article);
    await trusted.post(`/resources/${other}`, { data: { type: other, id } });
    await added(comment, to(other, id));
    await added(comment, to(article, id));
    expect(await counted(article, id)).toBe(1);
  });

  test('of the type itself, several counters, and what has ended by its date', async () => {
    const name = `nodes-${(types += 1)}`;
    const count = { children: { type: name, by: 'parent' }, friends: { type: name, by: 'friend' } };
    expect((await settle(trusted, { name, count, expires: 'until' })).status).toBe(201);
    const root = await added(name);
    const data = { type: name, id: root };
    await added(name, { relationships: { parent: { data }, friend: { data } } });
    await added(name, {
      attributes: { until: { $date: '2020-01-01T00:00:00Z' } },
      relationships: { parent: { data } },
    });
    expect((await read(name, root)).body.data.attributes).toEqual({ children: 1, friends: 1 });
  });

  test('on one page, in includes, in lists of linked documents, in CSV and in the extended profile', async () => {
    const { article, comment } = await articles();
    const ids = [await added(article), await added(article, { attributes: { title: 'B' } })];
    const [first = '', second = ''] = ids;
    const link = await added(comment, to(article, second));
    await added(comment, to(article, second));
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
    expect((await read(article, first, { accept })).body.data.attributes).toEqual({ comments: 0 });
  });

  test('and with fields only where they name it: else nothing is counted', async () => {
    const { article } = await articles();
    const id = await added(article, { attributes: { title: 'A' } });
    const of = async (fields: string) =>
      (await read(article, `${id}?fields[${article}]=${fields}`)).body.data.attributes;
    expect(await of('title')).toEqual({ title: 'A' });
    expect(await of('comments')).toEqual({ comments: 0 });
  });
});

describe('in races', () => {
  test('every number was true at some moment of its reading', async () => {
    const { article, comment } = await articles();
    const id = await added(article);
    const come = { begun: 0, done: 0 };
    const gone = { begun: 0, done: 0 };
    const during = async (what: typeof come, work: Promise<unknown>) => {
      what.begun += 1;
      await work;
      what.done += 1;
    };
    const writer = async () => {
      for (let n = 0; n < 25; n += 1) {
        const made = added(comment, to(article, id));
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
        const number = await counted(article, id);
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
    expect(await counted(article, id)).toBe(4 * 9);
  });

  test('a comment that was answered is counted by the next reading, whoever wrote meanwhile', async () => {
    const { article, comment } = await articles();
    const id = await added(article);
    const noise = Array.from({ length: 40 }, () => added(comment, to(article, null)));
    for (let n = 1; n <= 40; n += 1) {
      await added(comment, to(article, id));
      expect(await counted(article, id)).toBe(n);
    }
    await Promise.all(noise);
  });
});

describe('tags', () => {
  test('an article is unchanged as long as its number is, alone, in a list and in an include', async () => {
    const { article, comment } = await articles();
    const id = await added(article);
    const included = `/resources/${comment}/${await added(comment, to(article, id))}?include=article`;
    for (const path of [`/resources/${article}/${id}`, `/resources/${article}`, included]) {
      const { etag } = await trusted.get(path);
      const again = () => trusted.get(path, { 'if-none-match': etag });
      expect((await again()).status).toBe(304);
      await added(comment, to(article, null));
      expect((await again()).status).toBe(304);
      await added(comment, to(article, id));
      const changed = await again();
      expect(changed.status).toBe(200);
      expect(changed.etag).not.toBe(etag);
    }
  });

  test('a write may follow a reading whose number has changed meanwhile', async () => {
    const { article, comment } = await articles();
    const id = await added(article);
    const { etag } = await read(article, id);
    await added(comment, to(article, id));
    const data = { type: article, id, attributes: { title: 'A' } };
    const changed = await trusted.patch(`/resources/${article}/${id}`, { data }, { 'if-match': etag });
    expect(changed.status).toBe(204);
    const later = await read(article, id, { 'if-none-match': changed.etag });
    expect([later.status, later.body.data.attributes]).toEqual([200, { title: 'A', comments: 1 }]);
  });
});

describe('rights', () => {
  test('a number counts documents that its reader may not read; a field that a key hides is not shown', async () => {
    const { article, comment } = await articles();
    const id = await added(article, { attributes: { title: 'A' } });
    await added(comment, to(article, id));
    await trusted.patch(`/resources/${article}.acl/${id}`, {
      data: { type: `${article}.acl`, id, attributes: { read: [ada.link] } },
    });
    const hers = await acl.get(`/resources/${article}/${id}`, ada.headers);
    expect(hers.body.data.attributes).toEqual({ title: 'A', comments: 1 });
    const narrow = await trusted.withPermissions([under('/.*', { fields: { read: ['title'] } })]);
    const seen = await narrow.get(`/resources/${article}/${id}`);
    expect(seen.body.data.attributes).toEqual({ title: 'A' });
    await added(comment, to(article, id));
    expect((await narrow.get(`/resources/${article}/${id}`, { 'if-none-match': seen.etag })).status).toBe(
      304,
    );
  });
});

test('no way to a number, and no filter by it, asks for secrets of what is counted', async () => {
  const name = `teams-${(types += 1)}`;
  const by = { type: 'core.user', by: 'team' };
  const count = { all: by, hashes: { ...by, where: { password: { $exists: true } } } };
  expect((await settle(trusted, { name, count })).status).toBe(201);
  const id = await added(name);
  for (const username of ['eve', 'dan']) {
    const made = await trusted.post('/users/core.user', {
      data: {
        ...{ type: 'core.user', attributes: { username, password: 'a good secret' } },
        relationships: { team: { data: { type: name, id } } },
      },
    });
    expect(made.status).toBe(201);
  }
  expect((await read(name, id)).body.data.attributes).toEqual({ all: 2, hashes: 0 });
  const list = await trusted.get(`/resources/${name}?filter[hashes]={"$gt":0}`);
  expect(list.body.meta.count).toBe(0);
});

describe('a client', () => {
  test('cannot write the number', async () => {
    const { article } = await articles();
    const id = await added(article);
    const attributes = { comments: 7 };
    const created = await trusted.post(`/resources/${article}`, { data: { type: article, attributes } });
    expect(faults(created)).toEqual(['422 read-only-member /data/attributes/comments']);
    const changed = await trusted.patch(`/resources/${article}/${id}`, {
      data: { type: article, id, attributes },
    });
    expect(faults(changed)).toEqual(['422 read-only-member /data/attributes/comments']);
    expect(await counted(article, id)).toBe(0);
  });

  test('finds no number in an export, and none that an import brings', async () => {
    const { article, comment } = await articles();
    const id = await added(article, { attributes: { title: 'A' } });
    await added(comment, to(article, id));
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

describe('a search', () => {
  let [article, comment] = ['', ''];
  /** Numbers by ids. */
  const numbers = new Map<string, number>();
  beforeAll(async () => {
    ({ article, comment } = await articles({ state: 'open' }));
    for (const [n, number] of [0, 3, 1, 0, 2, 3, 5].entries()) {
      const id = await added(article, { attributes: { n, rank: n % 2 } });
      numbers.set(id, number);
      for (let each = 0; each < number; each += 1)
        await added(comment, { attributes: { state: 'open' }, ...to(article, id) });
      await added(comment, { attributes: { state: 'closed' }, ...to(article, id) });
    }
    // Which have the form of a link, and are none.
    await added(comment, { attributes: { state: 'open', article: { id: 'x', type: article } } });
  });

  const idsOf = ({ body }: Reply) => body.data.map(({ id }) => id);
  const those = (holds: (number: number) => boolean) =>
    [...numbers].flatMap(([id, number]) => (holds(number) ? id : []));

  test.each<[string, (number: number) => boolean]>([
    ['filter[comments]=3', (n) => n === 3],
    ['filter[comments]=0', (n) => n === 0],
    ['filter[comments]={"$gt":1}', (n) => n > 1],
    ['filter[comments]={"$lt":2}', (n) => n < 2],
    ['filter[comments]={"$ne":3}', (n) => n !== 3],
    ['filter[comments]={"$in":[0,5]}', (n) => n === 0 || n === 5],
    ['filter[*]={"comments":{"$not":{"$gte":2}}}', (n) => n < 2],
    ['filter[*]={"$nor":[{"comments":0},{"comments":{"$gt":2}}]}', (n) => n > 0 && n <= 2],
    ['filter[*]={"$or":[{"comments":5},{"comments":{"$lt":1}}]}', (n) => n === 5 || n === 0],
    ['filter[*]={"comments":{"$exists":true}}', () => true],
    ['filter[*]={"comments":{"$type":"string"}}', () => false],
    ['filter[comments.deep]=1', () => false],
  ])('finds by %s', async (query, holds) => {
    const found = await trusted.get(`/resources/${article}?${query}`);
    expect(idsOf(found)).toEqual(those(holds));
    expect(found.body.meta.count).toBe(those(holds).length);
  });

  test('sorts by numbers, beside fields, in pages by cursor and by offset, for a user too', async () => {
    const sorted = [...numbers].map(([id, number], n) => ({ id, number, rank: n % 2, n }));
    const by = (compare: (one: (typeof sorted)[number], other: (typeof sorted)[number]) => number) =>
      [...sorted].sort((a, b) => compare(a, b) || a.n - b.n).map(({ id }) => id);
    const list = async (query: string, client = trusted, headers = {}) =>
      idsOf(await client.get(`/resources/${article}?${query}`, headers));
    expect(await list('sort=comments')).toEqual(by((a, b) => a.number - b.number));
    expect(await list('sort=-comments')).toEqual(by((a, b) => b.number - a.number));
    expect(await list('sort=rank,-comments')).toEqual(by((a, b) => a.rank - b.rank || b.number - a.number));
    expect(await list('sort=-comments&page[offset]=2&page[limit]=3')).toEqual(
      by((a, b) => b.number - a.number).slice(2, 5),
    );
    const paged: string[] = [];
    let next: string | null = `/resources/${article}?sort=-comments&page[after]=&page[size]=3`;
    while (next !== null) {
      const page: Reply = await trusted.get(next);
      paged.push(...idsOf(page));
      next = page.body.links.next?.replace(trusted.url, '') ?? null;
    }
    expect(paged).toEqual(by((a, b) => b.number - a.number));
    const [hers] = those((number) => number === 5);
    await trusted.patch(`/resources/${article}.acl/${hers}`, {
      data: { type: `${article}.acl`, id: hers, attributes: { read: [ada.link] } },
    });
    expect(await list('sort=-comments&filter[comments]={"$gt":0}', acl, ada.headers)).toEqual([hers]);
  });

  test('goes by a comment that was answered', async () => {
    const [id = ''] = those((number) => number === 0);
    const found = async () =>
      idsOf(await trusted.get(`/resources/${article}?filter[comments]=0`)).includes(id);
    for (let n = 0; n < 10; n += 1) {
      const made = await added(comment, { attributes: { state: 'open' }, ...to(article, id) });
      expect(await found()).toBe(false);
      await trusted.send('DELETE', `/resources/${comment}/${made}`);
      expect(await found()).toBe(true);
    }
  });

  test('finds comments by the number of their article', async () => {
    const found = await trusted.get(
      `/resources/${comment}?filter[article.comments]=3&filter[state]=open&page[limit]=50`,
    );
    expect(found.body.meta.count).toBe(6);
  });

  test.each([
    ['its own documents', () => `${article}?fields[${article}]=comments`],
    ['one of them', () => `${article}/${[...numbers.keys()][0] ?? ''}?fields[${article}]=comments`],
    ['linked ones', () => `${comment}?filter[article.comments]=99`],
    ['included ones', () => `${comment}?include=article&fields[${article}]=comments`],
  ])('handled strictly, knows the numbers of %s', async (_, pathOf) => {
    const answer = await trusted.get(`/resources/${pathOf()}`, { prefer: 'handling=strict' });
    expect(answer.status, answer.text).toBe(200);
  });

  test('takes a number that the key hides for missing', async () => {
    const narrow = await trusted.withPermissions([under('/.*', { fields: { read: ['n'] } })]);
    expect(idsOf(await narrow.get(`/resources/${article}?filter[comments]={"$gt":1}`))).toEqual([]);
    expect(idsOf(await narrow.get(`/resources/${article}?sort=-comments`))).toEqual(those(() => true));
  });

  test('takes 20 conditions on numbers: each is a pass over the comments', async () => {
    const by = (many: number) => {
      const conditions = Array.from({ length: many }, (_, n) => ({ comments: { $ne: -n } }));
      return trusted.get(`/resources/${article}?filter[*]=${JSON.stringify({ $and: conditions })}`);
    };
    expect((await by(20)).status).toBe(200);
    expect(faults(await by(21))).toEqual(['400 invalid-filter filter']);
  });

  test('of a feed, of a change of many, and the rule of a key, does not see numbers', async () => {
    const feed = await trusted.get(`/resources/${article}/changes?filter[comments]=3`);
    expect(faults(feed)).toEqual(['400 invalid-filter filter']);
    const many = `/resources/${article}?filter[comments]={"$ne":3}`;
    const deleted = await trusted.delete(many, { meta: { limit: 100 } });
    expect(faults(deleted)).toEqual(['400 invalid-filter filter']);
    expect(idsOf(await trusted.get(`/resources/${article}`))).toEqual(those(() => true));
    const ruled = await trusted.withPermissions([under('/.*', { where: { comments: { $gt: 0 } } })]);
    expect(idsOf(await ruled.get(`/resources/${article}`))).toEqual([]);
  });
});

describe('settings', () => {
  const COMMENTS = { type: 'comments', by: 'article' };
  test.each<[string, object, string]>([
    ['no object', { count: ['comments'] }, ''],
    [
      'more than eight',
      { count: Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`n${n}`, COMMENTS])) },
      '',
    ],
    ['a name that no field has', { count: { 'a.b': COMMENTS } }, '/a.b'],
    ['no type', { count: { comments: { by: 'article' } } }, '/comments/type'],
    [
      'a type that is not stored',
      { count: { comments: { type: 'agt.x', by: 'article' } } },
      '/comments/type',
    ],
    ['no relationship', { count: { comments: { type: 'comments' } } }, '/comments/by'],
    ['the id', { count: { comments: { type: 'comments', by: 'id' } } }, '/comments/by'],
    ['another member', { count: { comments: { ...COMMENTS, were: {} } } }, '/comments/were'],
    ['no filter', { count: { comments: { ...COMMENTS, where: 'open' } } }, '/comments/where'],
    [
      'a wrong filter',
      { count: { comments: { ...COMMENTS, where: { a: { $gtt: 1 } } } } },
      '/comments/where/a',
    ],
    ['a variable', { count: { comments: { ...COMMENTS, where: { by: '$$viewer.id' } } } }, '/comments/where'],
    [
      'the time',
      { count: { comments: { ...COMMENTS, where: { by: { $lt: '$$now' } } } } },
      '/comments/where',
    ],
    ['a computed field', { set: { comments: 1 }, count: { comments: COMMENTS } }, '/comments'],
    [
      'an inverse',
      { inverses: { comments: { type: 'comments', through: 'article' } }, count: { comments: COMMENTS } },
      '/comments',
    ],
  ])('refuse %s', async (_, attributes, pointer) => {
    const made = await settle(trusted, { name: 'refused', ...attributes });
    const [first = ''] = faults(made);
    expect(first).toMatch(
      new RegExp(`^422 invalid-attribute /data/attributes/count${pointer.replace('.', '\\.')}`),
    );
  });

  test('of a type of the service are refused', async () => {
    const made = await settle(trusted, { name: 'core.user', count: { comments: COMMENTS } });
    expect(faults(made)).toEqual(['422 invalid-attribute /data/attributes/count']);
  });

  test('are shown as they were sent, and end with null', async () => {
    const { article, comment } = await articles({ state: { $in: ['open'] } });
    const id = await added(article);
    expect(await counted(article, id)).toBe(0);
    const changed = await resettle(trusted, article, { text: false });
    expect(changed.body.data.attributes?.['count']).toEqual({
      comments: { type: comment, by: 'article', where: { state: { $in: ['open'] } } },
    });
    await resettle(trusted, article, { count: null });
    expect(await counted(article, id)).toBeUndefined();
  });
});

describe('of many comments', () => {
  test('the numbers are exact, with and without an index, and null where they take too much work', async () => {
    const { article, comment } = await articles();
    const [hot, cold] = [await added(article), await added(article)];
    const note = `${'a'.repeat(200)}!`;
    await added(comment, { attributes: { note }, ...to(article, hot) });
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
    await added(comment, to(article, cold));
    expect((await numbers()).map((each) => each?.['comments'])).toEqual([4_001, 2_001]);
  });

  test('a costly pattern takes the work of one search on a page, and not on each of its articles', async () => {
    const slow = { note: { $regex: '^(?:(a+)+\\1)+$' } };
    const { article, comment } = await articles(slow);
    const attributes = { note: `${'a'.repeat(200)}!` };
    await Promise.all(
      Array.from({ length: 200 }, async () =>
        added(comment, { attributes, ...to(article, await added(article)) }),
      ),
    );
    const page = await trusted.get(`/resources/${article}?page[limit]=200`);
    expect(new Set(page.body.data.map((each) => each.attributes?.['comments']))).toEqual(new Set([null]));
  }, 30_000);
});
