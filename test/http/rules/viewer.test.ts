/** Rules that name the viewer, and rules where `me` stands for an id. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../../support/client.ts';
import { makeGroup, makeUser, type Person } from '../../support/people.ts';
import { names, under } from '../../support/rules.ts';

const trusted = await Client.create();
const [ada, bob] = [await makeUser(trusted, 'ada'), await makeUser(trusted, 'bob')];

describe('rules that name the viewer', () => {
  let web: Client;
  let team: Person;

  beforeAll(async () => {
    team = await makeUser(trusted, 'carol');
    const group = await makeGroup(trusted, [team]);
    for (const [name, owner] of [
      ['of ada', ada.link],
      ['of bob', bob.link],
      ['of the team', group],
    ] as const) {
      await trusted.make('notes', { name }, { owner: { data: owner } });
    }
    web = await trusted.withPermissions([
      under('/resources/notes.*', {
        where: { $or: [{ 'owner.id': '$$viewer.id' }, { 'owner.id': { $in: '$$viewer.groups' } }] },
      }),
      under('/resources/links.*', { where: { owner: { type: '$$viewer.type', id: '$$viewer.id' } } }),
      under('/resources/others.*', { where: { 'owner.id': { $ne: '$$viewer.id' } } }),
    ]);
  });

  test('show each viewer its own', async () => {
    expect(names(await web.get('/resources/notes', ada.headers))).toEqual(['of ada']);
    expect(names(await web.get('/resources/notes', bob.headers))).toEqual(['of bob']);
    expect(names(await web.get('/resources/notes', team.headers))).toEqual(['of the team']);
  });

  test.each([
    ['without a token', {}],
    ['with a token that is none', { authorization: 'Token x' }],
  ])('hold for nothing %s, under a negation too', async (_, headers) => {
    await trusted.make('others', { name: 'other' });
    for (const type of ['notes', 'others']) {
      const reply = await web.get(`/resources/${type}`, headers);
      expect([reply.status, reply.body.meta.count]).toEqual([200, 0]);
    }
    expect((await web.get('/resources/others', ada.headers)).body.meta.count).toBeGreaterThan(0);
  });

  test('an id is met in a whole link', async () => {
    await trusted.make('links', { name: 'mine' }, { owner: { data: ada.link } });
    expect(names(await web.get('/resources/links', ada.headers))).toEqual(['mine']);
    expect(names(await web.get('/resources/links', bob.headers))).toEqual([]);
  });
});

describe('where me stands for an id', () => {
  test('the rules of both permissions hold', async () => {
    await trusted.update(`/users/core.user/${ada.link.id}`, { attributes: { city: 'x', age: 5 } });
    const again = await makeUser(trusted, 'dora');
    const both = await trusted.withPermissions([
      under('/users/core\\.user/me', { fields: { read: ['username', 'city'] } }, ['get']),
      under('/users/core\\.user/[0-9a-f]{24}', { fields: { read: ['username', 'age'] } }, ['get']),
    ]);
    const me = await both.get('/users/core.user/me', again.headers);
    expect(me.body.data.attributes).toEqual({ username: 'dora' });
    const hidden = await trusted.withPermissions([
      under('/users/core\\.user/me', {}, ['get']),
      under('/users/core\\.user/[0-9a-f]{24}', { where: { city: 'x' } }, ['get']),
    ]);
    expect((await hidden.get('/users/core.user/me', again.headers)).status).toBe(403);
  });
});
