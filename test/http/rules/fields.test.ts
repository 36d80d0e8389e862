/**
 * `fields` in a permission: what may not be read is not moved to where it is seen, and a refusal names its field. That
 * other fields are in no answer and decide no search: property/rules, attacks-reads.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, type Resource } from '../../support/client.ts';
import { operate } from '../../support/operations.ts';
import { codes, under } from '../../support/rules.ts';

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

  test.each([
    ['full text', { $text: { $search: 'secretive' } }, 0],
    ['an exclusion in full text', { $text: { $search: 'eva -secretive' } }, 1],
  ])('no filter sees them: %s', async (_, filter, count) => {
    const reply = await web.get(`/resources/people?filter[*]=${encodeURIComponent(JSON.stringify(filter))}`);
    expect(reply.body.meta.count).toBe(count);
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
});
