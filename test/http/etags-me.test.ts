/**
 * One browser, several users: a cache asks with the tag that the last user left at the same address. So a tag of `me`
 * is good only for the one whom it stands for, and what holds credentials is not kept at all (decisions, section 1).
 */
import { describe, expect, test } from 'vitest';
import { asOperator, Client, type Reply } from '../support/client.ts';
import {
  linkOf,
  logIn,
  logInExternally,
  makeExternalUser,
  makeUser,
  PASSWORD,
  tokenOf,
  underAcl,
  type Person,
} from '../support/people.ts';

const service = await Client.create('one browser');
const acl = await underAcl(service);
const ben = await makeUser(service, 'ben');
const { link } = await makeUser(service, 'ada');
await service.update(`/users/core.user/${link.id}`, { relationships: { friends: { data: [ben.link] } } });
// The change has ended the login.
const ada: Person = { link, headers: tokenOf(await logIn(service, 'ada', PASSWORD)) };
const [eve, finn] = [await makeExternalUser(service), await makeExternalUser(service)];

const USER = '/users/core.user/me';
const EXTERNAL = '/users/core.external-user/me';
const TOKEN = '/users/core.external-user.token/me';

const CASES: readonly (readonly [address: string, one: Person, other: Person])[] = [
  [USER, ada, ben],
  [USER, ben, ada],
  [`${USER}?fields[core.user]=username`, ada, ben],
  [`${USER}?include=friends`, ada, ben],
  [EXTERNAL, eve, finn],
  [EXTERNAL, finn, eve],
  [TOKEN, eve, finn],
  [TOKEN, finn, eve],
];

describe.each(['without', 'with'] as const)('at an address of me, by a key %s ACL', (kind) => {
  const client = () => (kind === 'with' ? acl : service);
  const read = (address: string, who: Person, tag?: string): Promise<Reply> =>
    client().get(address, { ...who.headers, ...(tag !== undefined && { 'if-none-match': tag }) });

  test.each(CASES)('a tag is good for its own user alone: %s', async (address, one, other) => {
    const mine = await read(address, one);
    expect(mine.status).toBe(200);
    const theirs = await read(address, other, mine.etag);
    expect([theirs.status, theirs.body.data.id]).toEqual([200, (await read(address, other)).body.data.id]);
    expect(theirs.body.data.id).not.toBe(mine.body.data.id);
    expect((await read(address, one, mine.etag)).status).toBe(304);
  });

  test('a tag from another address of the same document is good here, one of another document is not', async () => {
    const { etag } = await read(`/users/core.user/${ada.link.id}`, ada);
    expect((await read(USER, ada, etag)).status).toBe(304);
    expect((await read(USER, ben, etag)).status).toBe(200);
    const { etag: list } = await read('/users/core.user', ada);
    expect((await read(USER, ada, list)).status).toBe(200);
  });

  test('a tag of me is good for each document of its answer at its own address', async () => {
    const { etag, body } = await read(`${USER}?include=friends`, ada);
    for (const { type, id } of [body.data, ...body.included]) {
      expect((await read(`/users/${type}/${id}`, ada, etag)).status).toBe(304);
    }
  });
});

test('another login of the same user finds its document unchanged, and its token another', async () => {
  const again = tokenOf(await logIn(service, 'ada', PASSWORD));
  const { etag } = await service.get(USER, ada.headers);
  expect((await service.get(USER, { ...again, 'if-none-match': etag })).status).toBe(304);
  const token = await service.get(TOKEN, eve.headers);
  const next = tokenOf(await logInExternally(service, eve.link.id));
  const answer = await service.get(TOKEN, { ...next, 'if-none-match': token.etag });
  expect([answer.status, answer.body.data.id === token.body.data.id]).toEqual([200, false]);
});

test('a change of the user ends the tag of me', async () => {
  const someone = await makeUser(service, 'changing');
  const { etag } = await service.get(USER, someone.headers);
  await change(someone, { n: 1 });
  const again = tokenOf(await logIn(service, 'changing', PASSWORD));
  expect((await service.get(USER, { ...again, 'if-none-match': etag })).status).toBe(200);
});

describe('If-Match at an address of me', () => {
  const patchMe = (who: Person, tag: string) =>
    service.patch(USER, { data: { ...who.link, attributes: { n: 1 } } }, { ...who.headers, 'if-match': tag });

  test('takes the tag of its own user and refuses that of another, in two tabs of one browser', async () => {
    const [left, right] = [await makeUser(service, 'left'), await makeUser(service, 'right')];
    const { etag } = await service.get(USER, right.headers);
    expect((await patchMe(left, etag)).status).toBe(412);
    const own = await service.get(USER, left.headers);
    expect((await patchMe(left, own.etag)).status).toBe(204);
  });

  test('takes the tag of the creation', async () => {
    const attributes = { username: 'fresh', password: 'fresh password' };
    const made = await service.create('/users/core.user', { attributes });
    const fresh = { link: linkOf(made), headers: tokenOf(await logIn(service, 'fresh', 'fresh password')) };
    expect((await patchMe(fresh, made.etag)).status).toBe(204);
  });

  test('ends no session by the tag of another', async () => {
    const { etag } = await service.get(TOKEN, finn.headers);
    const refused = await service.delete(TOKEN, undefined, { ...eve.headers, 'if-match': etag });
    expect(refused.status).toBe(412);
    expect((await service.get(TOKEN, eve.headers)).status).toBe(200);
  });
});

describe('what holds credentials, or users, is kept by no cache', () => {
  const user = () => ({
    data: { type: 'core.user', attributes: { username: crypto.randomUUID(), password: 'long enough' } },
  });
  const key = { data: { type: 'core.api-key', attributes: { name: 'a', permissions: [] } } };

  test.each<[string, () => Promise<Reply>]>([
    ['a user', () => service.get(`/users/core.user/${ada.link.id}`)],
    ['me', () => service.get(USER, ada.headers)],
    ['me, unchanged', async () => sinceItself(USER, ada)],
    ['users', () => service.get('/users/core.user')],
    ['a new user', () => service.post('/users/core.user', user())],
    ['a changed user', async () => change(await makeUser(service, 'to-be-changed'), { n: 1 })],
    ['an external user', () => service.get(`/users/core.external-user/${eve.link.id}`)],
    ['a login', () => logIn(service, 'ben', PASSWORD)],
    ['a token', () => service.get(TOKEN, eve.headers)],
    ['tokens', () => service.get('/users/core.external-user.token')],
    ['an API key', async () => service.get(await newKey())],
    ['API keys', () => service.get('/api-keys/core.api-key')],
    ['a new API key', () => service.post('/api-keys/core.api-key', key)],
    ['a document that includes a user', async () => service.get(`${await note()}?include=author`)],
    ['documents that include users', () => service.get('/resources/notes?include=author')],
    ['related users', async () => service.get(`${await note()}/author`)],
    ['HEAD of a user', () => service.send('HEAD', `/users/core.user/${ada.link.id}`)],
  ])('%s', async (_, send) => {
    const { status, headers } = await send();
    expect(status).toBeLessThan(400);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('a new application, which shows its first key', async () => {
    const response = await fetch(`${service.url}/applications/core.application`, {
      method: 'POST',
      headers: {
        ...asOperator(),
        'content-type': 'application/vnd.api+json',
      },
      body: JSON.stringify({ data: { type: 'core.application', attributes: { name: 'kept by nobody' } } }),
    });
    expect([response.status, response.headers.get('cache-control')]).toEqual([201, 'no-store']);
  });

  test('other documents may be kept, to be asked about again', async () => {
    expect((await service.get(await note())).headers.get('cache-control')).toBe('private, no-cache');
  });

  async function sinceItself(path: string, who: Person): Promise<Reply> {
    const { etag } = await service.get(path, who.headers);
    const reply = await service.get(path, { ...who.headers, 'if-none-match': etag });
    expect(reply.status).toBe(304);
    return reply;
  }

  async function newKey(): Promise<string> {
    return `/api-keys/core.api-key/${(await service.post('/api-keys/core.api-key', key)).body.data.id}`;
  }

  async function note(): Promise<string> {
    const author = { data: ada.link };
    return `/resources/notes/${(await service.make('notes', {}, { author })).id}`;
  }
});

function change({ link: { type, id } }: Person, attributes: unknown): Promise<Reply> {
  return service.update(`/users/${type}/${id}`, { attributes });
}
