/**
 * ETags and conditional reads (spec, Conditional requests; decisions, section 3): what tags say. That they end with
 * each change of what they were given for, and no sooner, is a law (property/etag.test.ts).
 */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Client, link, NO_ID, pathOf, to, type Made, type Resource } from '../support/client.ts';
import { stepsOf } from '../support/etags.ts';
import { crowd } from '../support/crowd.ts';
import { faultsOf } from '../support/faults.ts';
import { operate, update } from '../support/operations.ts';
import { may } from '../support/people.ts';

const client = await Client.create();
const { since, change, remove } = stepsOf(client);

describe('a read of one document', () => {
  let one: Made, other: Made;
  beforeEach(async () => {
    one = await client.make('notes', { a: 1 });
    other = await client.make('notes', { a: 1 });
  });

  test('with the ETag of a read is 304, without a body, with the ETag and no media type', async () => {
    const { etag } = await client.get(pathOf(one));
    const read = await client.get(pathOf(one), { 'if-none-match': etag });
    expect([read.status, read.text, read.headers.get('content-type')]).toEqual([304, '', null]);
    expect(read.etag).toMatch(/^"[^"]+"$/);
    expect(await since(read.etag, pathOf(one))).toBe(304);
  });

  test.each([
    ['its creation', async () => Promise.resolve(one.etag)],
    [
      'a PATCH without If-Match',
      async () => (await client.update(pathOf(one), { attributes: { a: 2 } })).etag,
    ],
    [
      'a change of a relationship',
      async () => (await client.patch(`${pathOf(one)}/relationships/r`, { data: null })).etag,
    ],
    [
      'a read of the relationship',
      async () => {
        await client.patch(`${pathOf(one)}/relationships/r`, { data: null });
        return (await client.get(`${pathOf(one)}/relationships/r`)).etag;
      },
    ],
    ['a sparse read', async () => (await client.get(`${pathOf(one)}?fields[notes]=`)).etag],
    ['HEAD', async () => (await client.send('HEAD', pathOf(one))).etag],
  ])('is 304 with the ETag of %s', async (_, etag) => {
    expect(await since(await etag(), pathOf(one))).toBe(304);
  });

  describe.each([
    ['of another document', async () => (await client.get(pathOf(other))).etag],
    ['of another, with a warning', async () => (await client.get(`${pathOf(other)}?fields[notes]=no`)).etag],
    ['of another that includes none', async () => (await client.get(`${pathOf(other)}?include=r`)).etag],
    [
      'of an operation on another',
      async () => (await operate(client, [update(other, { a: 2 })])).results[0]?.meta?.etag,
    ],
    [
      'of a list of operations on another',
      async () => (await operate(client, [update(other, { a: 2 }), update(other, { a: 3 })])).etag,
    ],
  ])('with the ETag %s', (_, tagOf) => {
    test.each([
      ['GET', 200],
      ['PATCH', 412],
      ['DELETE', 412],
    ])('%s is %i', async (method, status) => {
      const etag = await tagOf();
      const headers = { [method === 'GET' ? 'if-none-match' : 'if-match']: String(etag) };
      const body = method === 'PATCH' ? { data: { type: 'notes', id: one.id, attributes: {} } } : undefined;
      expect((await client.send(method, pathOf(one), { body, headers })).status).toBe(status);
      expect(await since(String(etag), pathOf(other))).toBe(304);
    });
  });

  test('changed and changed back has changed', async () => {
    const { etag } = await client.get(pathOf(one));
    await change(one, { a: 2 });
    await change(one, { a: 1 });
    expect(await since(etag, pathOf(one))).toBe(200);
  });

  test('a PATCH that changes nothing is a change too: nobody can have seen its ETag before', async () => {
    await change(one, { a: 1 });
    expect(await since(one.etag, pathOf(one))).toBe(200);
  });

  test('is 200 with an ETag from before the document was there', async () => {
    const { etag } = await client.get('/resources/notes');
    const later = await client.make('notes');
    expect(await since(etag, pathOf(later))).toBe(200);
  });
});

describe('If-None-Match', () => {
  let one: Made;
  beforeAll(async () => {
    one = await client.make('headers');
  });

  test.each([
    ['*', '*', 304],
    ['a list with the ETag last', '"a", W/"b", {etag}', 304],
    ['the ETag as a weak one: If-None-Match compares weakly', 'W/{etag}', 304],
    ['a foreign ETag', '"deadbeef"', 200],
    ['no ETag at all', 'nonsense', 400],
  ])('%s', async (_, header, status) => {
    const value = header.replace('{etag}', one.etag);
    const read = await client.get(pathOf(one), { 'if-none-match': value });
    expect(read.status).toBe(status);
    if (status === 400) expect(faultsOf(read)).toEqual(['400 invalid-header If-None-Match:']);
  });

  test('of another type or another application says nothing', async () => {
    const other = await client.make('other-headers');
    for (let count = 0; count < 3; count += 1) await change(other);
    const { etag } = await client.get(pathOf(other));
    expect(await since(etag, pathOf(one))).toBe(200);
    const elsewhere = await Client.create();
    const twin = await elsewhere.make('headers');
    for (let count = 0; count < 3; count += 1) {
      await elsewhere.update(pathOf(twin), { attributes: { count } });
    }
    const foreign = await elsewhere.get(pathOf(twin));
    expect(await since(foreign.etag, pathOf(one))).toBe(200);
  });
});

describe('a read with include', () => {
  let primary: Made;
  let path: string;
  beforeAll(async () => {
    const target = await client.make('people', {}, { city: to(await client.make('cities')) });
    primary = await client.make('articles', {}, { author: to(target) });
    path = `${pathOf(primary)}?include=author.city`;
  });

  test('has one ETag that is good for each of its documents', async () => {
    const { etag, body } = await client.get(path);
    for (const each of [body.data as Resource, ...body.included]) {
      expect(await since(etag, pathOf(each))).toBe(304);
    }
  });

  test('is 200 with the ETag of a read that included less', async () => {
    const { etag } = await client.get(pathOf(primary));
    expect(await since(etag, path)).toBe(200);
    const { etag: half } = await client.get(`${pathOf(primary)}?include=author`);
    expect(await since(half, path)).toBe(200);
  });

  test('is 200 for a key that may see less, or more', async () => {
    const narrow = await client.withPermissions([may('get', '/resources/articles/.*')]);
    const { etag: wide } = await client.get(path);
    const less = await narrow.get(path, { 'if-none-match': wide });
    expect([less.status, less.body.included]).toEqual([200, []]);
    const more = await client.get(path, { 'if-none-match': less.etag });
    expect([more.status, more.body.included.length]).toEqual([200, 2]);
  });
});

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
    ['a new member came behind the page', '?page[limit]=3&page[count]=false', () => client.make(type), 200],
    ['a new member came far behind', '?page[limit]=2&page[count]=false', () => client.make(type), 304],
    ['a member before the page was deleted', '?page[offset]=1', () => remove(at(0)), 200],
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
      to: { data: targets.map((target) => link(target)) },
    });
    await crowd(client, 'big', 999);
    const list = await client.get('/resources/big?page[limit]=1000&include=to');
    expect([list.body.data.length, list.body.included.length]).toEqual([1000, 20]);
    expect(list.etag.length).toBeLessThan(8192);
    expect(await since(list.etag, '/resources/big?page[limit]=1000&include=to')).toBe(304);
  });
});

test('an id that never existed is 404, whatever the header says', async () => {
  const read = await client.get(`/resources/notes/${NO_ID}`, { 'if-none-match': '*' });
  expect(read.status).toBe(404);
});
