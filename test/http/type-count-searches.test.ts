/** Filters and sorts by counters of a type (docs/types.md#counters). */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Reply } from '../support/client.ts';
import { countedWorld, faults, to } from '../support/counted-articles.ts';
import { under } from '../support/rules.ts';

const { trusted, acl, ada, world } = await countedWorld();

describe('a search', () => {
  let [article, comment] = ['', ''];
  /** Numbers by ids. */
  const numbers = new Map<string, number>();
  beforeAll(async () => {
    ({ article, comment } = await world.articles({ state: 'open' }));
    for (const [n, number] of [0, 3, 1, 0, 2, 3, 5].entries()) {
      const id = await world.added(article, { attributes: { n, rank: n % 2 } });
      numbers.set(id, number);
      for (let each = 0; each < number; each += 1)
        await world.added(comment, { attributes: { state: 'open' }, ...to(article, id) });
      await world.added(comment, { attributes: { state: 'closed' }, ...to(article, id) });
    }
    // Which have the form of a link, and are none.
    await world.added(comment, { attributes: { state: 'open', article: { id: 'x', type: article } } });
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
    await trusted.update(`/resources/${article}.acl/${hers}`, { attributes: { read: [ada.link] } });
    expect(await list('sort=-comments&filter[comments]={"$gt":0}', acl, ada.headers)).toEqual([hers]);
  });

  test('goes by a comment that was answered', async () => {
    const [id = ''] = those((number) => number === 0);
    const found = async () =>
      idsOf(await trusted.get(`/resources/${article}?filter[comments]=0`)).includes(id);
    for (let n = 0; n < 10; n += 1) {
      const made = await world.added(comment, { attributes: { state: 'open' }, ...to(article, id) });
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
