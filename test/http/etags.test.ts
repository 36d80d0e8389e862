/** ETags and conditional reads (spec, Conditional requests; decisions, section 3). */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Client, NO_ID, type Resource } from '../support/client.ts';
import { linkTo, pathOf, stepsOf, type Made } from '../support/etags.ts';
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
      'a PATCH with If-Match',
      async () => (await client.update(pathOf(one), { attributes: { a: 2 } }, { 'if-match': one.etag })).etag,
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
    ['a read of its collection', async () => (await client.get('/resources/notes')).etag],
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

  test('is 200 once the document changed, and 304 with the new ETag', async () => {
    await change(one);
    const read = await client.get(pathOf(one), { 'if-none-match': one.etag });
    expect([read.status, read.body.data.attributes]).toEqual([200, { a: 1, changed: true }]);
    expect(await since(read.etag, pathOf(one))).toBe(304);
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

  test('is 200 with {data: null} once it was deleted, and 304 from then on', async () => {
    const { etag } = await client.get(pathOf(one));
    await remove(one);
    const read = await client.get(pathOf(one), { 'if-none-match': etag });
    expect([read.status, read.body.data]).toEqual([200, null]);
    expect(await since(read.etag, pathOf(one))).toBe(304);
  });

  test('stays 304 when other documents of its type are made, changed and deleted', async () => {
    const { etag } = await client.get(pathOf(one));
    await change(other);
    await client.make('notes');
    await remove(other);
    expect(await since(etag, pathOf(one))).toBe(304);
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
  let primary: Made, target: Made, beyond: Made, stranger: Made;
  let path: string;
  beforeEach(async () => {
    beyond = await client.make('cities');
    target = await client.make('people', {}, { city: linkTo(beyond) });
    stranger = await client.make('people', {}, { city: linkTo(beyond) });
    primary = await client.make('articles', {}, { author: linkTo(target) });
    path = `${pathOf(primary)}?include=author.city`;
  });

  test.each([
    ['nothing changed', async () => {}, 304],
    ['an unrelated document of an included type changed', () => change(stranger), 304],
    ['an unrelated document of an included type was deleted', () => remove(stranger), 304],
    ['the primary document changed', () => change(primary), 200],
    ['an included document changed', () => change(target), 200],
    ['an included document of the second level changed', () => change(beyond), 200],
    ['an included document was deleted', () => remove(target), 200],
    ['an included document of the second level was deleted', () => remove(beyond), 200],
    [
      'the primary document links to another one',
      () => client.patch(`${pathOf(primary)}/relationships/author`, { data: linkTo(stranger).data }),
      200,
    ],
    [
      'a link was added',
      () => client.post(`${pathOf(primary)}/relationships/author`, { data: [linkTo(stranger).data] }),
      200,
    ],
  ])('%s: %s', async (_, act, status) => {
    const { etag } = await client.get(path);
    await act();
    expect(await since(etag, path)).toBe(status);
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

  test('after the deletion of an included document has an ETag that lasts', async () => {
    await remove(target);
    const { etag } = await client.get(path);
    expect(await since(etag, path)).toBe(304);
  });

  test('is 200 for a key that may see less, or more', async () => {
    const narrow = await client.withPermissions([may('get', '/resources/articles/.*')]);
    const { etag: wide } = await client.get(path);
    const less = await narrow.get(path, { 'if-none-match': wide });
    expect([less.status, less.body.included]).toEqual([200, []]);
    const more = await client.get(path, { 'if-none-match': less.etag });
    expect([more.status, more.body.included.length]).toEqual([200, 2]);
  });

  test('of related documents follows the same laws', async () => {
    const related = `${pathOf(primary)}/author`;
    const { etag } = await client.get(related);
    await change(stranger);
    expect(await since(etag, related)).toBe(304);
    expect(await since(etag, pathOf(target))).toBe(304);
    await change(target);
    expect(await since(etag, related)).toBe(200);
    const { etag: next } = await client.get(related);
    await remove(target);
    expect(await since(next, related)).toBe(200);
  });

  test('of a relationship follows its document alone', async () => {
    const relationship = `${pathOf(primary)}/relationships/author`;
    const { etag } = await client.get(relationship);
    await change(target);
    expect(await since(etag, relationship)).toBe(304);
    await client.post(relationship, { data: [] });
    expect(await since(etag, relationship)).toBe(200);
  });
});

test('an id that never existed is 404, whatever the header says', async () => {
  const read = await client.get(`/resources/notes/${NO_ID}`, { 'if-none-match': '*' });
  expect(read.status).toBe(404);
});
