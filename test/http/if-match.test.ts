/** Writes and reads under `If-Match` (spec, Conditional requests, rule 3; decisions, section 1; RFC 9110, 13.1.1). */
import { beforeEach, describe, expect, test } from 'vitest';
import { Client, NO_ID, pathOf, type Made, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { add, operate, update } from '../support/operations.ts';

let one: Made, other: Made;

const client = await Client.create();
beforeEach(async () => {
  one = await client.make('notes', { n: 0 });
  other = await client.make('notes', { n: 0 }, { to: { data: { type: 'notes', id: one.id } } });
});

function patch({ type, id }: { type: string; id: string }, ifMatch?: string, n: unknown = 1): Promise<Reply> {
  const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch };
  return client.update(pathOf({ type, id }), { attributes: { n } }, headers);
}

const STALE = ['412 precondition-failed If-Match:'];

test('a create and a list of operations take no If-Match, and do nothing with one', async () => {
  const before = (await client.get('/resources/notes')).body.meta.count;
  for (const tag of ['*', one.etag]) {
    const headers = { 'if-match': tag };
    const created = await client.create('/resources/notes', {}, headers);
    const listed = await operate(client, [add('notes'), update(one, { n: 1 })], headers);
    for (const refused of [created, listed])
      expect(faultsOf(refused)).toEqual(['400 invalid-header If-Match:']);
  }
  expect((await client.get('/resources/notes')).body.meta.count).toBe(before);
});

describe('PATCH', () => {
  test('succeeds once with an ETag: the second use is 412', async () => {
    expect((await patch(one, one.etag)).status).toBe(204);
    expect(faultsOf(await patch(one, one.etag))).toEqual(STALE);
  });

  test('twenty parallel ones with one ETag: one 204, nineteen 412', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => patch(one, one.etag, n)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(statuses.filter((status) => status === 412)).toHaveLength(19);
    const winner = statuses.indexOf(204);
    expect((await client.get(pathOf(one))).body.data.attributes).toEqual({ n: winner });
  });

  test.each([
    ['*', '*', 204],
    ['a list that holds the ETag', '"a", {etag}, "b"', 204],
    ['the ETag as a weak one: If-Match compares strongly', 'W/{etag}', 412],
    ['no ETag at all', 'nonsense', 400],
  ])('%s', async (_, header, status) => {
    const value = header.replaceAll('{etag}', one.etag);
    const answer = await patch(one, value);
    expect(answer.status).toBe(status);
    if (status === 400) expect(faultsOf(answer)).toEqual(['400 invalid-header If-Match:']);
  });

  test('of what was deleted is 412, with its last ETag and with *', async () => {
    await client.delete(pathOf(one));
    expect(faultsOf(await patch(one, one.etag))).toEqual(STALE);
    expect(faultsOf(await patch(one, '*'))).toEqual(STALE);
    const { etag } = await client.get(pathOf(one));
    expect(faultsOf(await patch(one, etag))).toEqual(STALE);
  });

  test('of what never was there is 412', async () => {
    expect(faultsOf(await patch({ type: 'notes', id: NO_ID }, one.etag))).toEqual(STALE);
    expect(faultsOf(await patch({ type: 'nobody', id: NO_ID }, '*'))).toEqual(STALE);
  });

  test.each([
    ['409', { type: 'others', id: '' }],
    ['422', { attributes: { $x: 1 } }],
    ['422', { relationships: { r: { data: { type: 'notes', id: NO_ID } } } }],
    ['422', { relationships: { n: { data: null } } }],
  ])('412 comes before %s of %j', async (_, change) => {
    const { id } = one;
    const data = { type: 'notes', id, ...change };
    await patch(one);
    expect(faultsOf(await client.patch(pathOf(one), { data }, { 'if-match': one.etag }))).toEqual(STALE);
  });

  test('400 comes before 412', async () => {
    const refused = await client.patch(pathOf(one), '{', { 'if-match': '"stale"' });
    expect(refused.status).toBe(400);
  });
});

/** RFC 9110, section 13.1.1: a condition of any method. */
describe('GET and HEAD', () => {
  const note = () => pathOf(other);
  test.each([
    ['a document', note],
    ['a document with what it includes', () => `${note()}?include=to`],
    ['a list', () => '/resources/notes?page[limit]=1000'],
    ['a relationship', () => `${note()}/relationships/to`],
    ['related documents', () => `${note()}/to`],
    ['rights', () => `/resources/notes.acl/${other.id}`],
  ])('of %s are done while a tag is that of the answer, and 412 from then on', async (_, path) => {
    const { etag } = await client.get(path());
    const [wrong, former] = ['"deadbeef"', `"x", ${etag}`];
    const read = async (tags: string) => [
      (await client.get(path(), { 'if-match': tags })).status,
      (await client.send('HEAD', path(), { headers: { 'if-match': tags } })).status,
    ];
    expect(await read(former)).toEqual([200, 200]);
    expect(await read('*')).toEqual([200, 200]);
    expect(await read(wrong)).toEqual([412, 412]);
    expect(faultsOf(await client.get(path(), { 'if-match': `W/${etag}` }))).toEqual(STALE);
    await client.patch(`${note()}/relationships/to`, { data: { type: 'notes', id: other.id } });
    await client.update(`/resources/notes.acl/${other.id}`, { attributes: { read: '*' } });
    expect(await read(former)).toEqual([412, 412]);
  });

  test('come before If-None-Match', async () => {
    const { etag } = await client.get(note());
    expect((await client.get(note(), { 'if-match': etag, 'if-none-match': etag })).status).toBe(304);
    expect((await client.get(note(), { 'if-match': '"x"', 'if-none-match': etag })).status).toBe(412);
  });

  test('of what is not there are 412', async () => {
    await client.delete(note());
    const absent = `/resources/notes/${NO_ID}`;
    for (const path of [note(), absent, `${absent}/relationships/to`, `${absent}/to`]) {
      const read = await client.get(path, { 'if-match': '*' });
      expect(faultsOf(read), path).toEqual(STALE);
    }
    expect(faultsOf(await client.get(note(), { 'if-match': other.etag }))).toEqual(STALE);
  });
});

/** RFC 9110, section 13.1.2: a write whose `If-None-Match` is false is 412. */
describe('If-None-Match', () => {
  const DENIED = ['412 precondition-failed If-None-Match:'];
  const link = () => ({ type: 'notes', id: one.id });
  const note = () => pathOf(one);
  const links = () => `${pathOf(one)}/relationships/to`;
  const rights = () => `/resources/notes.acl/${one.id}`;
  const granted = () => ({ type: 'notes.acl', id: one.id, attributes: { read: '*' } });

  test.each([
    ['PATCH', note, 'patch', () => ({ ...link(), attributes: { n: 1 } })],
    ['DELETE', note, 'delete', undefined],
    ['PATCH of a relationship', links, 'patch', link],
    ['POST to a relationship', links, 'post', () => [link()]],
    ['PATCH of rights', rights, 'patch', granted],
  ] as const)('%s is 412 with * and with the current ETag, and done with a former one', async (...row) => {
    const [, path, method, data] = row;
    const send = (tags: string) =>
      client[method](path(), data && { data: data() }, { 'if-none-match': tags });
    await client.patch(links(), { data: link() });
    const { etag } = await client.get(path());
    for (const tags of ['*', etag, `"other", W/${etag}`]) expect(faultsOf(await send(tags))).toEqual(DENIED);
    const after = await client.get(path());
    expect(after.etag).toBe(etag);
    const sent = await send(one.etag);
    expect([200, 204], sent.text).toContain(sent.status);
  });

  test('a create is done with *: no document has its address', async () => {
    const created = await client.create('/resources/notes', {}, { 'if-none-match': '*' });
    expect(created.status).toBe(201);
  });

  test('a read of what was deleted is answered with *, and 412 with If-Match: *', async () => {
    await client.delete(note());
    for (const path of [note(), rights()]) {
      const read = await client.get(path, { 'if-none-match': '*' });
      expect([read.status, read.body.data], path).toEqual([200, null]);
      expect(faultsOf(await client.get(path, { 'if-match': '*' })), path).toEqual(STALE);
    }
  });

  test('of what is not there is 404', async () => {
    const sent = await client.delete(`/resources/notes/${NO_ID}`, undefined, { 'if-none-match': '*' });
    expect(faultsOf(sent)).toEqual(['404 document-not-found']);
  });
});

describe('DELETE', () => {
  test('with a current ETag is 204, with a stale one 412', async () => {
    await patch(one);
    expect(faultsOf(await client.delete(pathOf(one), undefined, { 'if-match': one.etag }))).toEqual(STALE);
    const { etag, status } = await client.get(pathOf(one));
    expect(status).toBe(200);
    expect((await client.delete(pathOf(one), undefined, { 'if-match': etag })).status).toBe(204);
  });

  test('of what is gone, or never was, is 412 with If-Match', async () => {
    await client.delete(pathOf(one));
    for (const id of [one.id, NO_ID]) {
      const answer = await client.delete(`/resources/notes/${id}`, undefined, { 'if-match': '*' });
      expect(faultsOf(answer)).toEqual(STALE);
    }
  });
});

describe.each(['patch', 'post', 'delete'] as const)('%s of a relationship', (method) => {
  const body = () => {
    const link = { type: 'notes', id: one.id };
    return { data: method === 'patch' ? link : [link] };
  };
  const relink = (path: string, ifMatch: string) =>
    client[method](`${path}/relationships/to`, body(), { 'if-match': ifMatch });

  test('with a current ETag is 200 with a new ETag, its second use 412', async () => {
    const first = await relink(pathOf(other), other.etag);
    expect(first.status).toBe(200);
    expect(faultsOf(await relink(pathOf(other), other.etag))).toEqual(STALE);
    expect((await relink(pathOf(other), first.etag)).status).toBe(200);
  });

  test('of a document that is not there is 412', async () => {
    await client.delete(pathOf(other));
    expect(faultsOf(await relink(pathOf(other), '*'))).toEqual(STALE);
    expect(faultsOf(await relink(`/resources/notes/${NO_ID}`, '*'))).toEqual(STALE);
  });

  test('412 comes before 404, 409 and 422', async () => {
    const links = [{ type: 'notes', id: NO_ID }];
    const missing = { data: method === 'patch' ? links[0] : links };
    for (const name of ['to', 'nothing', 'n']) {
      const path = `${pathOf(other)}/relationships/${name}`;
      const refused = await client[method](path, missing, { 'if-match': '"stale"' });
      expect(faultsOf(refused)).toEqual(STALE);
    }
  });
});
