/** A PATCH of `me` says `me`, the id that it stands for, or none (decisions, section 4). */
import { describe, expect, test } from 'vitest';
import { Client, NO_ID } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { makeExternalUser, makeUser, type Person } from '../support/people.ts';

const client = await Client.create();

const loggedIn = (type: string): Promise<Person> =>
  type === 'core.user' ? makeUser(client, `user-${crypto.randomUUID()}`) : makeExternalUser(client);

describe.each(['core.user', 'core.external-user'])('%s', (type) => {
  test.each<[string, (id: string) => object]>([
    ['me', () => ({ id: 'me' })],
    ['the id itself', (id) => ({ id })],
    ['the id in capitals', (id) => ({ id: id.toUpperCase() })],
    ['no id', () => ({})],
  ])('takes %s', async (_, member) => {
    const { link, headers } = await loggedIn(type);
    const { id } = link;
    const data = { type, ...member(id), attributes: { nickname: 'x' } };
    const changed = await client.patch(`/users/${type}/me`, { data }, headers);
    expect([changed.status, changed.body.data.id]).toEqual([200, id]);
    expect(changed.body.data.attributes?.['nickname']).toBe('x');
  });

  test('takes no other id, and nothing that is none', async () => {
    const { headers } = await loggedIn(type);
    const patch = (member: object) =>
      client.patch(`/users/${type}/me`, { data: { type, ...member } }, headers);
    expect(faultsOf(await patch({ id: NO_ID }))).toEqual(['409 id-conflict /data/id']);
    expect(faultsOf(await patch({ id: 'ME' }))).toEqual(['409 id-conflict /data/id']);
    expect(faultsOf(await patch({ id: 1 }))).toEqual(['400 invalid-body /data/id']);
    expect(faultsOf(await patch({ id: null }))).toEqual(['400 invalid-body /data/id']);
  });

  test('wants the id at every other address', async () => {
    const { id } = (await loggedIn(type)).link;
    const patch = (member: object) => client.patch(`/users/${type}/${id}`, { data: { type, ...member } });
    expect(faultsOf(await patch({}))).toEqual(['400 invalid-body /data/id']);
    expect(faultsOf(await patch({ id: 'me' }))).toEqual(['409 id-conflict /data/id']);
  });
});
