/** Secrets are changed without a 401 for anybody: docs/operating.md, Secrets. */
import { expect, test } from 'vitest';
import { Client, pathOf } from '../support/client.ts';
import { clientOf } from '../support/starts.ts';
import { ACL, EVERY_METHOD, may } from '../support/people.ts';
import { newStarts } from '../support/scope.ts';

const OLD = `1:${'a'.repeat(40)}`;
const NEW = `2:${'b'.repeat(40)}`;
const PATH = '/resources/notes';

const starts = await newStarts();

/** The secure-id of a key as it is shown now. */
const shownBy = async (client: Client, id: string) =>
  String((await client.get(`/api-keys/core.api-key/${id}`)).body.data.attributes?.['secure-id']);

test('a new secret in front, then the old one away: whoever follows is never refused', async () => {
  const first = await starts.run({ CREDENTIAL_SECRETS: OLD });
  const client = clientOf(first);
  const permissions = [may(EVERY_METHOD, '.*', ACL)];
  const made = await client.create('/api-keys/core.api-key', { attributes: { name: 'app', permissions } });
  const { id } = made.body.data;
  const former = String(made.body.data.attributes?.['secure-id']);
  const user = { username: 'ada', password: 'a long password' };
  await client.create('/users/core.user', { attributes: user });
  const login = { authorization: `Basic ${btoa(`${user.username}:${user.password}`)}` };
  const logIn = async (by: Client) =>
    String((await by.post('/users/core.user.token', undefined, login)).body.data.attributes?.['token']);
  const statusOf = async (key: string, token: string) => {
    const app = new Client(client.url, client.application, key);
    return (await app.get(PATH, { authorization: `Token ${token}` })).status;
  };
  const formerToken = await logIn(client);
  expect(await statusOf(former, formerToken)).toBe(200);
  const note = await client.make('notes');
  const read = async (by: Client) => (await by.get(pathOf(note), { 'if-none-match': note.etag })).status;
  await first.stop('SIGTERM');

  const both = await starts.run({ CREDENTIAL_SECRETS: `${NEW},${OLD}` });
  const between = clientOf(both);
  const present = await shownBy(between, id);
  const presentToken = await logIn(between);
  expect(present).not.toBe(former);
  for (const key of [former, present]) {
    for (const token of [formerToken, presentToken]) expect(await statusOf(key, token)).toBe(200);
  }
  expect(await read(between)).toBe(304);
  const data = { type: note.type, id: note.id, attributes: {} };
  const change = async (ifMatch: string) => between.patch(pathOf(note), { data }, { 'if-match': ifMatch });
  const { status, etag } = await change(note.etag);
  expect([status, (await change(etag)).status, (await change(note.etag)).status]).toEqual([204, 204, 412]);
  await both.stop('SIGTERM');

  const last = await starts.run({ CREDENTIAL_SECRETS: NEW });
  expect(await statusOf(present, presentToken)).toBe(200);
  expect(await statusOf(former, presentToken)).toBe(401);
  expect(await statusOf(present, formerToken)).toBe(401);
  expect(await shownBy(clientOf(last), id)).toBe(present);
});
