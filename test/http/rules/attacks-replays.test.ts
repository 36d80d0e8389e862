/** Attacks on rules with answers of before, or to others: repeats, tags, cursors, answers that time has changed. */
import { describe, expect, test } from 'vitest';
import { defined } from '../../support/aggregates.ts';
import { Client, type Reply } from '../../support/client.ts';
import { faultsOf } from '../../support/faults.ts';
import { operate } from '../../support/operations.ts';
import { EVERY_METHOD, makeExternalUser, makeUser, may, type Person } from '../../support/people.ts';
import { makeSides, SEEN, WHERE } from '../../support/two-sides.ts';

const trusted = await Client.create();
const sides = await makeSides(trusted);
const [ada, bob] = [await makeUser(trusted, 'ada'), await makeUser(trusted, 'bob')];
const reader = await trusted.withPermissions([
  may('get', '/(resources|aggregates)/.*', { where: WHERE, fields: { read: SEEN } }),
]);

describe('answers of others', () => {
  test('a repeat is told to the same user alone, where the rule asks who it is', async () => {
    const web = await trusted.withPermissions([
      may(EVERY_METHOD, '/resources/letters.*', { check: { 'from.id': '$$viewer.id' } }),
      may('post', '/operations'),
    ]);
    const header = { 'idempotency-key': 'the-same' };
    const data = { type: 'letters', relationships: { from: { data: ada.link } } };
    const first = await web.post('/resources/letters', { data }, { ...ada.headers, ...header });
    expect(first.status).toBe(201);
    for (const [headers, place] of [
      [bob.headers, ' /data/relationships/from'],
      [{}, ''],
    ] as const) {
      const forged = await web.post('/resources/letters', { data }, { ...headers, ...header });
      expect(faultsOf(forged)).toEqual([`403 rule-violated${place}`]);
      const listed = await operate(web, [{ op: 'add', data }], { ...headers, ...header });
      expect(faultsOf(listed)).toEqual([`403 rule-violated /atomic:operations/0${place.trim()}`]);
    }
    const again = await web.post('/resources/letters', { data }, { ...ada.headers, ...header });
    expect(again.text).toBe(first.text);
  });

  test('a repeat shows what the rule shows now', async () => {
    const { client: web, path } = await trusted.newKey([may(EVERY_METHOD, '/resources/repeated.*')]);
    const send = () =>
      web.create('/resources/repeated', { attributes: { a: 1, b: 2 } }, { 'idempotency-key': 'again' });
    expect((await send()).body.data.attributes).toEqual({ a: 1, b: 2 });
    const change = (rule: object) =>
      trusted.update(path, {
        attributes: { permissions: [may(EVERY_METHOD, '/resources/repeated.*', { ...rule })] },
      });
    await change({ fields: { read: ['a'] } });
    expect((await send()).body.data.attributes).toEqual({ a: 1 });
    await change({ where: { a: 2 } });
    const hidden = await send();
    expect([hidden.status, Object.keys(hidden.body.data).sort()]).toEqual([201, ['id', 'links', 'type']]);
  });

  test('changed rules hold at once', async () => {
    const { client: web, path: key } = await trusted.newKey([may('get', '/resources/staff.*')]);
    const path = `/resources/${sides[0].type}`;
    const before = await web.get(path);
    const one = await web.get(`${path}/${sides[0].eva.id}`);
    expect(before.text).toContain('salary');
    const permissions = [may('get', '/resources/staff.*', { where: WHERE, fields: { read: SEEN } })];
    await trusted.update(key, { attributes: { permissions } });
    const after = await web.get(path, { 'if-none-match': before.etag });
    expect([after.status, after.body.meta.count]).toEqual([200, 3]);
    expect(after.text).not.toContain('salary');
    expect((await web.get(`${path}/${sides[0].eva.id}`, { 'if-none-match': one.etag })).status).toBe(200);
    expect((await web.get(`${path}/${sides[0].draft.id}`, { 'if-none-match': one.etag })).status).toBe(403);
  });

  test('a tag of another key, or another user, is none', async () => {
    const web = await trusted.withPermissions([
      may('get', '/resources/.*', { where: { $or: [{ name: 'eva' }, { by: '$$viewer.id' }] } }),
    ]);
    const path = `/resources/${sides[0].type}/${sides[0].eva.id}?include=friend`;
    for (const [client, headers] of [
      [trusted, {}],
      [reader, {}],
      [web, bob.headers],
      [web, {}],
    ] as const) {
      const { etag } = await client.get(path, headers);
      expect((await web.get(path, { ...ada.headers, 'if-none-match': etag })).status).toBe(200);
    }
    const { etag } = await web.get(path, ada.headers);
    expect((await web.get(path, { ...ada.headers, 'if-none-match': etag })).status).toBe(304);
  });

  test('a cursor of another key, or another user under a rule, is none', async () => {
    const rule = { where: { name: { $ne: '$$viewer.id' } } };
    const make = () => trusted.withPermissions([may('get', '/resources/.*', { ...rule })]);
    const [web, other] = [await make(), await make()];
    const path = `/resources/${sides[0].type}?sort=-salary&page[size]=1&page[after]=`;
    const next = async (client: Client, headers: Person['headers']) =>
      (await client.get(path, headers)).body.links.next ?? '';
    for (const [client, headers] of [
      [trusted, {}],
      [other, ada.headers],
      [web, bob.headers],
    ] as const) {
      const reply = await web.get(await next(client, headers), ada.headers);
      expect(faultsOf(reply)).toEqual(['400 invalid-parameter ?page[after]']);
    }
    expect((await web.get(await next(web, ada.headers), ada.headers)).status).toBe(200);
    expect((await trusted.get(await next(web, ada.headers))).status).toBe(400);
  });
});

describe('what changes without a write, or out of sight', () => {
  test('a tag does not tell that a hidden document was changed', async () => {
    const [{ type, draft }] = sides;
    const { id } = await trusted.make('pins', {}, { to: { data: draft } });
    const path = `/resources/pins/${id}?include=to`;
    const web = await trusted.withPermissions([
      may('get', '/resources/.*', { where: { status: { $ne: 'draft' } } }),
    ]);
    const { etag, body } = await web.get(path);
    expect(body.included).toEqual([]);
    const change = (status: string) =>
      trusted.patch(`/resources/${type}/${draft.id}`, { data: { ...draft, attributes: { status } } });
    await change('draft');
    expect((await web.get(path, { 'if-none-match': etag })).status).toBe(304);
    await change('open');
    expect((await web.get(path, { 'if-none-match': etag })).body.included).toHaveLength(1);
    // What it shows again is what the tag was given for.
    await change('draft');
    expect((await web.get(path, { 'if-none-match': etag })).status).toBe(304);
  });

  test('an aggregate shows included documents as time goes by', async () => {
    const until = await trusted.make('offers', {});
    await trusted.make('shelves', { name: 'a' }, { offer: { data: { type: 'offers', id: until.id } } });
    await defined(trusted, 'shelves', 'shelves', [
      { project: { id: '$name', offer: '$offer' } },
      { output: { attributes: [], relationships: ['offer'] } },
    ]);
    const web = await trusted.withPermissions([
      may('get', '/aggregates/.*'),
      may('get', '/resources/offers.*', { where: { until: { $gt: '$$now' } } }),
    ]);
    const paths = [
      '/aggregates/agt.shelves?include=offer',
      '/aggregates/agt.shelves/a?include=offer',
      '/aggregates/agt.shelves/a/offer',
    ];
    let before: readonly Reply[] = [];
    let soon = 0;
    // Until the answers come before that time, however slow the machine.
    for (let wait = 1_500; Date.now() >= soon; wait *= 2) {
      soon = Date.now() + wait;
      await trusted.update(`/resources/offers/${until.id}`, { attributes: { until: { $date: soon } } });
      before = await Promise.all(paths.map((path) => web.get(path)));
    }
    for (const { text } of before) expect(text).toContain(until.id);
    await expect.poll(() => Date.now()).toBeGreaterThan(soon);
    for (const [at, path] of paths.entries()) {
      const after = await web.get(path, { 'if-none-match': before[at]?.etag ?? '' });
      expect([after.status, path]).toEqual([200, path]);
      expect(after.text).not.toContain('until');
    }
  });

  test('an ended token names nobody', async () => {
    const eve = await makeUser(trusted, 'eve');
    const out = await makeExternalUser(trusted);
    const web = await trusted.withPermissions([
      may(EVERY_METHOD, '/resources/own.*', {
        where: { 'by.type': '$$viewer.type', 'by.id': '$$viewer.id' },
      }),
      may('delete', '/users/core\\.user\\.token/.*'),
    ]);
    for (const person of [eve, out]) {
      const { id } = await trusted.make('own', {}, { by: { data: person.link } });
      expect((await web.get('/resources/own', person.headers)).body.data.map((each) => each.id)).toEqual([
        id,
      ]);
    }
    expect((await web.delete('/users/core.user.token/me', undefined, eve.headers)).status).toBe(204);
    expect((await web.get('/resources/own', eve.headers)).body.meta.count).toBe(0);
    expect((await web.get('/resources/own')).body.meta.count).toBe(0);
  });
});
