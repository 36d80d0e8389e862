/** `GET /resources`: which types a key and its user are told of, with which counts, page by page. */
import { describe, expect, test } from 'vitest';
import { Client, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { makeUser, may } from '../support/people.ts';

/** The longest name that a type may have. */
const LONG = `l${'u'.repeat(126)}ng`.slice(0, 128);

const client = await Client.create();
for (const type of ['pears', 'apples', 'apples', LONG, 'quinces']) await client.make(type, { n: 1 });
const { id } = await client.make('eaten');
await client.delete(`/resources/eaten/${id}`);

const get = (path: string) => may('get', path);

/** The types as `name count`; the count is absent where the answer has none. */
function told({ body, text }: Reply): readonly string[] {
  if (!text.includes('"types"')) throw new Error(text);
  const types = body.meta['types'] as { readonly name: string; readonly documents?: number }[];
  return types.map(({ name, documents }) => (documents === undefined ? name : `${name} ${documents}`));
}

const ALL = ['apples 2', 'eaten 0', `${LONG} 1`, 'pears 1', 'quinces 1'];

test('types stand by name with their counts, and none of the service or of another application', async () => {
  const other = await Client.create();
  await other.make('medlars');
  const answer = await client.get('/resources');
  expect(answer.status).toBe(200);
  expect(told(answer)).toEqual(ALL);
  expect(answer.body.meta.count).toBe(5);
  expect(told(await other.get('/resources'))).toEqual(['medlars 1']);
});

test('an application without documents has no types, and all links are null', async () => {
  const { body } = await (await Client.create()).get('/resources');
  expect(body.meta).toEqual({ count: 0, types: [] });
  expect(body.links).toMatchObject({ first: null, last: null, prev: null, next: null });
});

describe('who is told', () => {
  test('a key is told of the types that it may list, and of no other', async () => {
    const key = await client.withPermissions([get('/resources'), get('/resources/(apples|pears/.*)')]);
    expect(told(await key.get('/resources'))).toEqual(['apples 2']);
  });

  test('a key that may not GET /resources is refused, whatever types it may list', async () => {
    const key = await client.withPermissions([get('/resources/.*')]);
    expect(faultsOf(await key.get('/resources'))).toEqual(['403 forbidden api-key:']);
  });

  test('under ACL no count is told, because rights decide what is seen', async () => {
    const acl = { active: true };
    const key = await client.withPermissions([
      get('/resources'),
      get('/resources/apples'),
      { ...get('/resources/.*'), acl },
    ]);
    const user = await makeUser(client, 'eve');
    const answer = await key.get('/resources', user.headers);
    expect(told(answer)).toEqual(['apples 2', 'eaten', LONG, 'pears', 'quinces']);
    expect(told(await key.get('/resources'))).toEqual(['apples 2']);
  });

  test('a user whom the endpoint list of a type keeps out is not told of it', async () => {
    const [ann, bob] = [await makeUser(client, 'ann'), await makeUser(client, 'bob')];
    const key = await client.withPermissions([
      get('/resources'),
      {
        ...get('/resources/pears'),
        acl: { active: true, 'endpoint-access-list': [bob.link] },
      },
    ]);
    expect(told(await key.get('/resources', ann.headers))).toEqual(['pears']);
    expect(told(await key.get('/resources', bob.headers))).toEqual([]);
  });

  test('a rule that hides documents hides their count; one that hides fields does not', async () => {
    const key = await client.withPermissions([
      get('/resources'),
      { ...get('/resources/apples'), where: { n: 2 } },
      { ...get('/resources/pears'), fields: { read: ['n'] } },
    ]);
    expect(told(await key.get('/resources'))).toEqual(['apples', 'pears 1']);
  });
});

describe('pages', () => {
  test.each([
    ['by offset', '?page[limit]=2', 3],
    ['by number', '?page[size]=2', 3],
    ['by cursor', '?page[after]=&page[size]=2', 3],
    ['by cursor, uncounted', '?page[after]=&page[size]=3&page[count]=false', 2],
    ['of the size of all', '?page[after]=&page[size]=5', 1],
  ])('%s hold every type once', async (_, query, pages) => {
    const seen: string[] = [];
    let next: string | null = `/resources${query}`;
    let asked = 0;
    for (; next !== null; asked += 1) {
      const answer: Reply = await client.get(next);
      seen.push(...told(answer));
      next = answer.body.links.next;
    }
    expect(seen.map((each) => each.split(' ')[0])).toEqual(ALL.map((each) => each.split(' ')[0]));
    expect(asked).toBe(pages);
  });

  test('without a count nothing is counted', async () => {
    const { body } = await client.get('/resources?page[count]=false');
    expect(body.meta).toEqual({ types: ALL.map((each) => ({ name: each.split(' ')[0] })) });
  });

  test('a page after the last is empty', async () => {
    expect(told(await client.get('/resources?page[offset]=5'))).toEqual([]);
  });

  test('of more than a hundred types tell names alone', async () => {
    const many = await Client.create();
    for (let n = 0; n < 101; n += 1) await many.make(`t-${String(n).padStart(3, '0')}`);
    expect(told(await many.get('/resources?page[limit]=100')).at(-1)).toBe('t-099 1');
    const whole = await many.get('/resources?page[limit]=101');
    expect([told(whole).at(-1), whole.body.meta.count]).toEqual(['t-100', 101]);
  });

  test.each([
    ['?page[after]=made-up', 'invalid-parameter', 'page[after]'],
    ['?page[limit]=1001', 'invalid-parameter', 'page[limit]'],
    ['?filter[name]=pears', 'unknown-parameter', 'filter[name]'],
  ])('%s is refused', async (query, code, parameter) => {
    expect(faultsOf(await client.get(`/resources${query}`))).toEqual([`400 ${code} ?${parameter}`]);
  });
});

test('the tag holds until a type of the page changes, and for one key alone', async () => {
  const own = await Client.create();
  await own.make('pears');
  const first = await own.get('/resources');
  expect((await own.get('/resources', { 'if-none-match': first.etag })).status).toBe(304);
  const other = await own.withPermissions([get('/.*')]);
  expect((await other.get('/resources', { 'if-none-match': first.etag })).status).toBe(200);
  await own.make('pears');
  expect((await own.get('/resources', { 'if-none-match': first.etag })).status).toBe(200);
});

test('HEAD has no body; other methods are 405', async () => {
  const head = await client.send('HEAD', '/resources');
  expect([head.status, head.text]).toEqual([200, '']);
  for (const method of ['POST', 'PATCH', 'DELETE']) {
    const answer = await client.send(method, '/resources', { body: { data: { type: 'pears' } } });
    expect(faultsOf(answer)).toEqual(['405 method-not-allowed']);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  }
});

test('the method is looked at after the permission', async () => {
  const key = await client.withPermissions([may('get', '/resources')]);
  expect(faultsOf(await key.post('/resources', {}))).toEqual(['403 forbidden api-key:']);
});

test('patterns that take too much work on the paths of all types are refused', async () => {
  const own = await Client.create();
  for (let n = 0; n < 60; n += 1) await own.make(letters(n));
  const heavy = Array.from({ length: 190 }, (_, n) => get(`/resources/[ab]*a[ab]{${60 + (n >> 2)}}`));
  const key = await own.withPermissions([get('/resources'), ...heavy]);
  expect(faultsOf(await key.get('/resources'))).toEqual(['403 forbidden api-key:']);
});

/** A name of 120 letters `a` and `b`, another one for each number, that no pattern learns from the others. */
function letters(seed: number): string {
  let state = seed + 1;
  const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 16;
  return `${Array.from({ length: 120 }, () => (next() % 2 === 0 ? 'a' : 'b')).join('')}c`;
}
