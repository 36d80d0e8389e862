/** Every link in an answer leads to an endpoint; where there is none, there is no link (decisions, section 4). */
import { describe, expect, test } from 'vitest';
import { defined, outputsPath } from '../support/aggregates.ts';
import { asOperator, Client, type Link, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { operateWith } from '../support/operations.ts';
import { logIn, logInExternally, makeUser, may, tokenOf } from '../support/people.ts';

const answers: [string, Reply, headers?: Record<string, string>][] = [];

async function made(path: string, attributes?: object, relationships?: object): Promise<Link> {
  const type = path.split('/')[2] ?? '';
  const data = { type, ...(attributes && { attributes }), ...(relationships && { relationships }) };
  const reply = await client.post(path, { data });
  if (reply.status !== 201) throw new Error(reply.text);
  answers.push([`POST ${path}`, reply]);
  const { id } = reply.body.data;
  for (const each of [`${path}/${id}`, path, `${path}.acl/${id}`, `${path}.acl.acl/${id}`]) {
    answers.push([`GET ${each}`, await client.get(each)]);
  }
  return { type, id };
}

const client = await Client.create();
const user = await made('/users/core.user', { username: 'ada', password: 'secret1' });
const external = await made('/users/core.external-user');
const to = { data: [user, external] };
const group = await made('/users/core.user-group', { name: 'all' }, { users: to, owner: { data: user } });
await made('/users/core.user', { username: 'bob', password: 'secret1' }, { friends: to });
await made('/users/core.external-user', {}, { 'ünï "~': to });
await made('/api-keys/core.api-key', { name: 'k', permissions: [] }, { owner: { data: user } });
await made('/schemas/core.schema', { target: 'x', content: {} }, { owner: { data: user } });
const thing = await made('/resources/things', { a: 1 }, { owner: { data: user }, none: { data: null } });
await client.patch(`/resources/things/${thing.id}`, { data: { ...thing, attributes: { a: 2 } } });
await defined(client, 'sums', 'things', [
  { project: { id: '$a', thing: { type: '$type', id: '$id' }, all: { type: 'agt.sums', id: '2' } } },
  { output: { attributes: [], relationships: ['thing', 'all'] } },
]);
const definitions = '/aggregates/core.aggregate';
const [definition] = (await client.get(definitions)).body.data;
const relationships = { owner: { data: user } };
const data = { type: 'core.aggregate', id: definition?.id, relationships };
answers.push(['PATCH a definition', await client.patch(`${definitions}/${definition?.id ?? ''}`, { data })]);
answers.push(['GET outputs', await client.get(outputsPath('sums', { include: 'thing.owner,all' }))]);
const login = await logIn(client, 'ada', 'secret1');
answers.push(['login', login]);
answers.push(['GET me', await client.get('/users/core.user/me', tokenOf(login))]);
answers.push(['external login', await logInExternally(client, external.id)]);
answers.push(['GET tokens', await client.get('/users/core.external-user.token?include=user')]);
const [listed] = (await client.get('/users/core.external-user.token')).body.data;
answers.push(['GET a token', await client.get(`/users/core.external-user.token/${listed?.id ?? ''}`)]);
answers.push(['a page', await client.get('/users/core.user?page[number]=1&page[size]=1&sort=username')]);
const body = {
  'atomic:operations': [
    { op: 'add', data: { ...thing, id: undefined, attributes: { a: 3 }, relationships } },
  ],
};
answers.push(['operations', await operateWith(client, body)]);
const secret = asOperator();
const app = `/applications/core.application/${client.application}`;
answers.push(['GET an application', await client.get(app, secret), secret]);
const related = { data: null };
answers.push(['a relationship', await client.patch(`${app}/relationships/x`, related, secret), secret]);
answers.push(['with it', await client.get(app, secret), secret]);

/** The addresses under `links`, wherever they stand, and those of `Location`. */
function linksIn({ body, headers }: Reply): readonly string[] {
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, child] of Object.entries(value)) {
      if (name === 'links')
        found.push(...Object.values(child as Record<string, string | null>).filter((each) => each !== null));
      else if (name !== 'attributes') walk(child);
    }
  };
  walk(body);
  const location = headers.get('location');
  return [...found, ...(location === null ? [] : [location])];
}

test('each link of each answer is answered', async () => {
  const wrong: string[] = [];
  const asked = new Set<string>();
  const queue = [...answers];
  for (const [name, reply, headers] of queue) {
    if (reply.status > 201) wrong.push(`${name}: ${reply.text}`);
    for (const link of linksIn(reply)) {
      if (asked.has(link)) continue;
      asked.add(link);
      const answer = await client.get(link, headers);
      if (answer.status !== 200) wrong.push(`${name}: ${link} is ${answer.status}`);
      else queue.push(headers === undefined ? [link, answer] : [link, answer, headers]);
    }
  }
  expect(wrong).toEqual([]);
  expect(asked.size).toBeGreaterThan(60);
});

test('the document of a user token has no address, and shows none; its user has', () => {
  const [, login] = answers.find(([name]) => name === 'login') ?? expect.fail('no login');
  expect(login.body.data.links).toBeUndefined();
  expect(login.headers.get('location')).toBeNull();
  expect(login.body.data.relationships?.['user']?.data).toEqual(user);
});

describe('the members of a group', () => {
  const path = () => `/users/core.user-group/${group.id}/relationships/users`;

  test('are appended and removed one by one, replaced, and read', async () => {
    const one = await made('/users/core.user', { username: 'eve', password: 'secret1' });
    const linked = async (reply: Promise<Reply>) => (await reply).body.data;
    expect(await linked(client.post(path(), { data: [one] }))).toEqual([user, external, one]);
    expect(await linked(client.delete(path(), { data: [external] }))).toEqual([user, one]);
    const members = await client.get(`/users/core.user-group/${group.id}/users`);
    expect(members.body.data.map(({ type, id }) => ({ type, id }))).toEqual([user, one]);
    expect(await linked(client.patch(path(), { data: [user, external] }))).toEqual([user, external]);
    expect(await linked(client.get(path()))).toEqual([user, external]);
  });

  test('are users: others are refused as on create', async () => {
    const stranger = await client.make('things');
    const link = { type: stranger.type, id: stranger.id };
    expect(faultsOf(await client.post(path(), { data: [user, link] }))).toEqual([
      '422 invalid-relationship /data/1',
    ]);
    expect(faultsOf(await client.patch(path(), { data: link }))).toEqual(['422 invalid-relationship /data']);
    const { body } = await client.get(path());
    expect(body.data).toEqual([user, external]);
  });

  test('count for rights at once, when appended and when removed', async () => {
    const acl = { active: true };
    const web = await client.withPermissions([may('get', '/resources/.*', { acl })]);
    const note = await client.make('notes');
    await client.update(`/resources/notes.acl/${note.id}`, { attributes: { read: [group] } });
    const { link: cid, headers } = await makeUser(client, 'cid');
    const status = async () => (await web.get(`/resources/notes/${note.id}`, headers)).status;
    expect(await status()).toBe(403);
    await client.post(path(), { data: [cid] });
    expect(await status()).toBe(200);
    await client.delete(path(), { data: [cid] });
    expect(await status()).toBe(403);
  });
});

test('a change of a relationship of a user ends its tokens, as any change does', async () => {
  const { link, headers } = await makeUser(client, 'ian');
  expect((await client.get('/users/core.user/me', headers)).status).toBe(200);
  await client.post(`/users/core.user/${link.id}/relationships/friends`, { data: [user] });
  expect((await client.get('/users/core.user/me', headers)).status).toBe(401);
});
