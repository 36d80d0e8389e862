/** `fields` in a permission: other fields are hidden in every way to read, and guarded in every way to write. */
import { beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../support/aggregates.ts';
import { Client, type Resource } from '../../support/client.ts';
import { operate } from '../../support/operations.ts';
import { codes, under } from '../../support/rules.ts';
import { makeSchema } from '../../support/type-settings.ts';

const trusted = await Client.create();

describe('fields', () => {
  let web: Client;
  let doc: Resource;
  const at = () => `/resources/people/${doc.id}`;

  beforeAll(async () => {
    const boss = await trusted.make('people', { name: 'boss', salary: 9 });
    doc = await trusted.make(
      'people',
      { name: 'eva', nick: 'e', salary: 5, notes: 'secretive words' },
      { boss: { data: { type: 'people', id: boss.id } }, friend: { data: { type: 'people', id: boss.id } } },
    );
    web = await trusted.withPermissions([
      under('/resources/people.*', {
        fields: { read: ['name', 'nick', 'friend'], write: ['nick', 'friend'] },
      }),
      under('/aggregates/agt.pay.*', { fields: { read: ['name'] } }, ['get']),
    ]);
    await makeSchema(trusted, 'people', {
      attributes: {
        properties: { salary: { maximum: 100 }, nick: { type: 'string', maxLength: 5 } },
      },
    });
    await defined(trusted, 'pay', 'people', [
      { filter: { name: 'eva' } },
      { project: { id: { $toString: '$id' }, salary: '$salary', name: '$name', all: '$$ROOT' } },
    ]);
  });

  test.each([
    ['moved to where it is seen', { $rename: { salary: 'nick' } }, ['get', 'patch']],
    ['told by what cannot go below it', { $rename: { nick: 'salary.x' } }, ['get', 'patch']],
    ['told by the kind of a number', { $inc: { salary: 1 } }, ['get', 'patch']],
    ['moved under a permission that says nothing of reading', { $rename: { salary: 'nick' } }, ['patch']],
  ])('a hidden value is not %s', async (_, update, methods) => {
    const person = await trusted.make('staff', { name: 'max', salary: 7 });
    const fields = { read: ['name', 'nick'], write: ['nick', 'salary'] };
    const path = '/resources/staff/.*';
    const blind = await trusted.withPermissions([
      under(path, { fields: methods.includes('get') ? fields : { write: fields.write } }, methods),
      under(path, { fields }, ['get']),
      under('/operations', {}, ['post']),
    ]);
    const data = { type: 'staff', id: person.id, meta: { update } };
    const refusals = [
      await blind.patch(`/resources/staff/${person.id}`, { data }),
      await operate(blind, [{ op: 'update', data }]),
    ];
    for (const refused of refusals) {
      expect([refused.status, codes(refused)]).toEqual([403, ['field-not-permitted']]);
    }
    const attributes = async () => (await trusted.get(`/resources/staff/${person.id}`)).body.data.attributes;
    expect(await attributes()).toEqual({ name: 'max', salary: 7 });
    const dropped = { ...data, meta: { update: { $unset: { salary: '' } } } };
    expect((await blind.patch(`/resources/staff/${person.id}`, { data: dropped })).status).toBe(200);
    expect(await attributes()).toEqual({ name: 'max' });
  });

  test('others are absent from every answer', async () => {
    const one = await web.get(at());
    expect(one.body.data.attributes).toEqual({ name: 'eva', nick: 'e' });
    expect(Object.keys(one.body.data.relationships ?? {})).toEqual(['friend']);
    for (const path of [
      '/resources/people',
      `${at()}?fields[people]=salary,name,boss`,
      `${at()}?include=boss,friend`,
      `${at()}/friend`,
      '/aggregates/agt.pay',
    ]) {
      const reply = await web.get(path);
      expect(reply.status).toBe(200);
      expect(reply.text).not.toMatch(/salary":|secretive|"boss":/);
    }
    const included = await web.get(`${at()}?include=boss`);
    expect(included.body.included).toEqual([]);
    expect([
      (await web.get(`${at()}/boss`)).status,
      (await web.get(`${at()}/relationships/boss`)).status,
    ]).toEqual([404, 404]);
  });

  test.each([
    ['equality', { salary: 5 }, 0],
    ['a range', { salary: { $gt: 0 } }, 0],
    ['what is there', { salary: { $exists: true } }, 0],
    ['a hidden link', { 'boss.type': 'people' }, 0],
    ['what is not there', { salary: { $exists: false } }, 2],
    ['full text', { $text: { $search: 'secretive' } }, 0],
    ['an exclusion in full text', { $text: { $search: 'eva -secretive' } }, 1],
    ['full text of what is seen', { $text: { $search: 'eva' } }, 1],
  ])('no filter sees them: %s', async (_, filter, count) => {
    const reply = await web.get(`/resources/people?filter[*]=${encodeURIComponent(JSON.stringify(filter))}`);
    expect(reply.body.meta.count).toBe(count);
  });

  test('no order sees them', async () => {
    const [up, down] = [
      await web.get('/resources/people?sort=salary'),
      await web.get('/resources/people?sort=-salary'),
    ];
    expect(up.body.data.map(({ id }) => id)).toEqual(down.body.data.map(({ id }) => id));
  });

  test.each([
    [
      'PATCH of an attribute',
      'PATCH',
      () => at(),
      () => ({ data: { type: 'people', id: doc.id, attributes: { salary: 1 } } }),
      '/data/attributes/salary',
    ],
    [
      'an operator',
      'PATCH',
      () => at(),
      () => ({ data: { type: 'people', id: doc.id, meta: { update: { $inc: { salary: 1 } } } } }),
      '/data/meta/update',
    ],
    ['a relationship', 'PATCH', () => `${at()}/relationships/boss`, () => ({ data: null }), '/data'],
    [
      'a create',
      'POST',
      () => '/resources/people',
      () => ({ data: { type: 'people', attributes: { nick: 'x', salary: 1 } } }),
      '/data/attributes/salary',
    ],
  ])('%s of another is 403 that names it', async (_, method, path, body, pointer) => {
    const reply = await web.send(method, path(), { body: body() });
    expect([reply.status, codes(reply)]).toEqual([403, ['field-not-permitted']]);
    expect(reply.body.errors[0]?.source).toEqual({ pointer });
    expect((await trusted.get(at())).body.data.attributes).toMatchObject({ salary: 5 });
  });

  test('a write shows what a read would show', async () => {
    const changed = await web.patch(at(), {
      data: { type: 'people', id: doc.id, attributes: { nick: 'f' } },
    });
    expect([changed.status, changed.body.data.attributes]).toEqual([200, { name: 'eva', nick: 'f' }]);
  });

  test('problems of what is not seen are not told', async () => {
    await trusted.patch(at(), { data: { type: 'people', id: doc.id, attributes: { nick: 'g' } } });
    const seen = await web.patch(at(), {
      data: { type: 'people', id: doc.id, attributes: { nick: 'too long' } },
    });
    expect([seen.status, codes(seen)]).toEqual([422, ['schema-violation']]);
  });
});
