/** The law of paging: while nothing changes, following `next` from the first page visits each document exactly once. */
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { crowd } from '../support/crowd.ts';
import { few } from '../support/long.ts';

const types: { readonly name: string; readonly ids: readonly string[] }[] = [];

const client = await Client.create();
for (const size of [1, 20, 47]) {
  const name = `of-${size}`;
  types.push({ name, ids: await crowd(client, name, size) });
}

test('for any size of pages, in both styles, in both directions', async () => {
  const type = fc.nat({ max: 2 });
  const size = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constantFrom(1, 19, 20, 21, 46, 47, 48, 1000));
  const style = fc.constantFrom('page[limit]', 'page[size]');
  await fc.assert(
    fc.asyncProperty(type, size, style, async (index, limit, parameter) => {
      const { name, ids } = types[index] ?? expect.fail();
      const forward: string[] = [];
      let address: string | null = `/resources/${name}?${parameter}=${limit}`;
      let last: string | null = null;
      while (address !== null) {
        const { body } = await client.get(address);
        expect(body.meta.count).toBe(ids.length);
        expect(body.data.length).toBeLessThanOrEqual(limit);
        forward.push(...body.data.map(({ id }) => id));
        last = body.links.last;
        address = body.links.next;
      }
      expect(forward).toEqual(ids);

      const backward: string[] = [];
      while (last !== null) {
        const { body } = await client.get(last);
        backward.unshift(...body.data.map(({ id }) => id));
        last = body.links.prev;
      }
      expect(backward).toEqual(ids);
    }),
    { numRuns: few(25) },
  );
});

test('from any offset, the pages after it visit the rest', async () => {
  const { name, ids } = types[2] ?? expect.fail();
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 60 }), fc.integer({ min: 5, max: 60 }), async (offset, limit) => {
      const visited: string[] = [];
      let address: string | null = `/resources/${name}?page[offset]=${offset}&page[limit]=${limit}`;
      while (address !== null) {
        const { body } = await client.get(address);
        visited.push(...body.data.map(({ id }) => id));
        address = body.links.next;
      }
      expect(visited).toEqual(ids.slice(offset));
    }),
    { numRuns: few(15) },
  );
});
