/**
 * The documents that a relationship leads to, filtered, sorted and paged, are those of the plain list that are linked:
 * for random links, rights, filters, sorts and pages, to every viewer.
 */
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { Client, type Reply } from '../support/client.ts';
import { few } from '../support/long.ts';
import { ACL, EVERY_METHOD, grant, makeUser, may } from '../support/people.ts';

const thing = fc.record({
  fields: fc.record(
    {
      n: fc.integer({ min: 0, max: 3 }),
      tags: fc.subarray(['a', 'b', 'c']),
      name: fc.constantFrom('x', 'y'),
    },
    { requiredKeys: ['n'] },
  ),
  readers: fc.subarray([0, 1]),
});

const world = fc.record({
  things: fc.array(thing, { minLength: 8, maxLength: 8 }),
  links: fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7]),
});

const filter = fc.constantFrom<unknown>(
  {},
  { n: { $gte: 1 } },
  { n: { $ne: 2 } },
  { tags: 'a' },
  { tags: { $size: 2 } },
  { name: { $exists: false } },
  { $or: [{ n: 0 }, { name: 'x' }] },
  { $nor: [{ tags: 'b' }] },
  { id: { $exists: true } },
);

const query = fc.record({
  filter,
  sort: fc.constantFrom(null, 'n', '-n,name', '-tags', 'name,-id', 'nothing'),
  page: fc.option(fc.record({ offset: fc.nat(4), limit: fc.integer({ min: 1, max: 4 }) })),
});

const MOST = 'page[limit]=1000';

function ids({ status, text, body }: Reply): readonly string[] {
  expect(status, text).toBe(200);
  return body.data.map(({ id }) => id);
}

test('A related list is the plain list, of the linked documents', async () => {
  await fc.assert(
    fc.asyncProperty(world, fc.array(query, { minLength: 15, maxLength: 15 }), async (made, queries) => {
      const trusted = await Client.create();
      const users = [await makeUser(trusted, 'one'), await makeUser(trusted, 'two')];
      const web = await trusted.withPermissions([
        may('get', '/resources/owners/.*'),
        may(EVERY_METHOD, '/resources/things.*', ACL),
      ]);
      const ruled = await trusted.withPermissions([
        may('get', '/resources/owners/.*'),
        may('get', '/resources/things.*', { where: { n: { $lt: 2 } }, fields: { read: ['n', 'tags'] } }),
      ]);
      const all: string[] = [];
      for (const { fields, readers } of made.things) {
        const { id } = await trusted.make('things', fields);
        all.push(id);
        await grant(trusted, `/resources/things/${id}`, { read: readers.map((at) => users[at]?.link) });
      }
      const linked = made.links.map((at) => all[at] ?? '');
      const data = linked.map((id) => ({ type: 'things', id }));
      const owner = await trusted.make('owners', {}, { things: { data } });
      const related = `/resources/owners/${owner.id}/things`;
      const viewers = [
        { client: trusted, headers: {} },
        ...users.map(({ headers }) => ({ client: web, headers })),
        { client: ruled, headers: {} },
      ];
      for (const { client, headers } of viewers) {
        for (const asked of queries) {
          const text = `filter[*]=${encodeURIComponent(JSON.stringify(asked.filter))}`;
          const order = asked.sort === null ? '' : `&sort=${asked.sort}`;
          const plain = ids(await client.get(`/resources/things?${text}${order}&${MOST}`, headers));
          // Without a sort they come in the order of the links.
          const expected =
            asked.sort === null
              ? linked.filter((id) => plain.includes(id))
              : plain.filter((id) => linked.includes(id));
          const whole = await client.get(`${related}?${text}${order}`, headers);
          expect([text, order, ...ids(whole)]).toEqual([text, order, ...expected]);
          if (asked.page === null) continue;
          const { offset, limit } = asked.page;
          const page = await client.get(
            `${related}?${text}${order}&page[offset]=${offset}&page[limit]=${limit}`,
            headers,
          );
          expect([text, order, ...ids(page)]).toEqual([
            text,
            order,
            ...expected.slice(offset, offset + limit),
          ]);
          expect(page.body.meta.count).toBe(expected.length);
        }
      }
    }),
    { numRuns: few(10) },
  );
});
