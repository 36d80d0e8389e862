/** ETags of lists: when a collection has changed, and what its tag says of its members (decisions, section 3). */
import { beforeEach, describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { linkTo, pathOf, stepsOf, type Made } from '../support/etags.ts';
import { crowd } from '../support/crowd.ts';

const client = await Client.create();
const { since, change, remove } = stepsOf(client);

describe('a list', () => {
  let type: string;
  let members: readonly Made[];
  let count = 0;
  beforeEach(async () => {
    type = `list-${(count += 1)}`;
    members = [await client.make(type), await client.make(type), await client.make(type)];
  });
  const at = (index: number): Made => members[index] ?? members[0] ?? expect.fail('no members');

  test.each([
    ['nothing changed', '', async () => {}, 304],
    ['a document of another type was made', '', () => client.make('elsewhere'), 304],
    ['a new member came', '', () => client.make(type), 200],
    ['a new member came behind the page', '?page[limit]=2', () => client.make(type), 200],
    ['a new member came behind the page', '?page[limit]=3&page[count]=false', () => client.make(type), 200],
    ['a new member came far behind', '?page[limit]=2&page[count]=false', () => client.make(type), 304],
    ['a member changed', '', () => change(at(1)), 200],
    ['a member beyond the page changed', '?page[limit]=2', () => change(at(2)), 304],
    ['a member was deleted', '', () => remove(at(2)), 200],
    ['a member before the page was deleted', '?page[offset]=1', () => remove(at(0)), 200],
    [
      'one member was deleted and another made',
      '',
      async () => {
        await remove(at(0));
        await client.make(type);
      },
      200,
    ],
  ])('%s %s: %s', async (_, query, act, status) => {
    const { etag } = await client.get(`/resources/${type}${query}`);
    await act();
    expect(await since(etag, `/resources/${type}${query}`)).toBe(status);
  });

  test('has an ETag that answers 304 on each of its members', async () => {
    const { etag } = await client.get(`/resources/${type}`);
    for (const member of members) expect(await since(etag, pathOf(member))).toBe(304);
    await change(at(0));
    expect(await since(etag, pathOf(at(0)))).toBe(200);
    expect(await since(etag, pathOf(at(1)))).toBe(304);
  });

  test('is 200 with the ETag of another page, or of one of its members', async () => {
    const { etag } = await client.get(`/resources/${type}?page[limit]=2`);
    expect(await since(etag, `/resources/${type}?page[limit]=3`)).toBe(200);
    expect(await since(at(2).etag, `/resources/${type}`)).toBe(200);
  });

  test('that is empty is 304 until a member comes', async () => {
    const { etag } = await client.get(`/resources/empty-${type}`);
    expect(await since(etag, `/resources/empty-${type}`)).toBe(304);
    await client.make(`empty-${type}`);
    expect(await since(etag, `/resources/empty-${type}`)).toBe(200);
  });

  test('of 1,000 documents that link to 20 types has an ETag below 8 KB', async () => {
    const targets = await Promise.all(Array.from({ length: 20 }, (_, n) => client.make(`target-${n}`)));
    await client.make('big', undefined, {
      to: { data: targets.map((target) => linkTo(target).data) },
    });
    await crowd(client, 'big', 999);
    const list = await client.get('/resources/big?page[limit]=1000&include=to');
    expect([list.body.data.length, list.body.included.length]).toEqual([1000, 20]);
    expect(list.etag.length).toBeLessThan(8192);
    expect(await since(list.etag, '/resources/big?page[limit]=1000&include=to')).toBe(304);
  });
});
