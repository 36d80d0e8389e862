/**
 * A change of all that a filter finds does what a list of the filter and then single changes do: it fails where one of
 * them fails, and has done nothing then.
 */
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { EVERY_METHOD } from '../support/people.ts';

const RUNS = Array.from({ length: 20 }, (_, run) => run);

const trusted = await Client.create();
const client = await trusted.withPermissions([{ path: '.*', methods: [...EVERY_METHOD, 'bulk'] }]);
const content = { properties: { attributes: { properties: { n: { maximum: 8 } } } } };
for (const target of RUNS.flatMap((run) => [`one${run}`, `all${run}`])) {
  if ((await client.create('/schemas/core.schema', { attributes: { target, content } })).status !== 201)
    throw new Error('no schema');
}

const small = fc.integer({ min: 5, max: 8 });
const document = fc.record({ n: small, tags: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }) });
const filter = fc.oneof(
  fc.record({ n: fc.oneof(small, fc.record({ $gt: small }), fc.record({ $lte: small })) }),
  fc.record({ tags: fc.oneof(fc.constantFrom('a', 'b'), fc.record({ $size: fc.nat({ max: 2 }) })) }),
  fc.constant({}),
  fc.record({ $nor: fc.tuple(fc.record({ n: small }), fc.record({ tags: fc.constant('c') })) }),
);
const change = fc.oneof(
  fc.record({ attributes: fc.record({ n: fc.integer({ min: 7, max: 9 }) }) }),
  fc.record({
    meta: fc.record({ update: fc.record({ $inc: fc.record({ n: fc.integer({ min: -2, max: 3 }) }) }) }),
  }),
  fc.record({ meta: fc.constant({ update: { $push: { tags: 'c' } } }) }),
  fc.constant(null),
);

test('for random documents, filters and changes', async () => {
  const runs = [...RUNS];
  const done = { all: 0, failed: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(document, { minLength: 1, maxLength: 12 }),
      filter,
      change,
      async (all, sought, content) => {
        const run = runs.shift() ?? expect.fail();
        const [one, many] = [`one${run}`, `all${run}`];
        for (const attributes of all) {
          await client.make(one, attributes);
          await client.make(many, attributes);
        }
        const query = `?filter[*]=${encodeURIComponent(JSON.stringify(sought))}`;
        const shown = async (type: string) =>
          (await client.get(`/resources/${type}?page[limit]=100`)).body.data.map(
            ({ attributes }) => attributes,
          );
        const before = await shown(many);
        const found = (await client.get(`/resources/${one}${query}&page[limit]=100`)).body.data;
        const statuses: number[] = [];
        for (const { id } of found) {
          const path = `/resources/${one}/${id}`;
          const single = content === null ? await client.delete(path) : await client.update(path, content);
          statuses.push(single.status);
        }
        const body = { meta: { limit: 12 }, ...(content !== null && { data: { type: many, ...content } }) };
        const bulk = await client.send(content === null ? 'DELETE' : 'PATCH', `/resources/${many}${query}`, {
          body,
        });
        const wrong = statuses.filter((status) => status >= 400);
        if (wrong.length > 0) {
          done.failed += 1;
          expect(wrong).toContain(bulk.status);
          expect(await shown(many)).toEqual(before);
        } else {
          done.all += 1;
          expect([bulk.status, bulk.body.meta.count], bulk.text).toEqual([200, found.length]);
          expect(await shown(many)).toEqual(await shown(one));
        }
      },
    ),
    // Two seeds of one run would meet the same types.
    { numRuns: RUNS.length, seed: 7, endOnFailure: true },
  );
  expect(Math.min(done.all, done.failed)).toBeGreaterThan(0);
});
