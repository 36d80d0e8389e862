/** Rules are checked when a key is written, and come back as they were sent. */
import { describe, expect, test } from 'vitest';
import { Client } from '../../support/client.ts';
import { under } from '../../support/rules.ts';

const trusted = await Client.create();

describe('rules are checked when a key is written', () => {
  test.each<[string, object, string]>([
    ['no filter', { where: 5 }, '/where'],
    ['an unknown operator', { where: { a: { $gtt: 1 } } }, '/where/a/$gtt'],
    ['an unknown variable', { check: { a: '$$viewer.name' } }, '/check'],
    ['a list where there is one value', { where: { a: '$$viewer.groups' } }, '/where'],
    ['full text', { where: { $text: { $search: 'x' } } }, '/where'],
    [
      'nearest first',
      { where: { a: { $near: { $geometry: { type: 'Point', coordinates: [0, 0] } } } } },
      '/where',
    ],
    ['fields that are no object', { fields: ['a'] }, '/fields'],
    ['fields of an unknown kind', { fields: { delete: ['a'] } }, '/fields/delete'],
    ['fields that are no names', { fields: { read: [1] } }, '/fields/read'],
    ['an unknown member', { were: {} }, '/were'],
  ])('%s is 422', async (_, rule, place) => {
    const permissions = [under('/.*', rule)];
    const reply = await trusted.create('/api-keys/core.api-key', { attributes: { name: 'k', permissions } });
    expect(reply.status).toBe(422);
    expect(reply.body.errors[0]?.source?.pointer).toBe(`/data/attributes/permissions/0${place}`);
  });

  test('they come back as they were sent, and can be changed', async () => {
    const rule = {
      where: { at: { $lt: { $date: '2020-01-01T00:00:00.000Z' } }, n: { $in: [1, 'a'] } },
      check: { a: '$$viewer.id' },
      fields: { read: ['at'], write: [] },
    };
    const permissions = [under('/resources/x.*', rule)];
    const made = await trusted.create('/api-keys/core.api-key', { attributes: { name: 'k', permissions } });
    expect(made.body.data.attributes?.['permissions']).toEqual(permissions);
    const { id } = made.body.data;
    const same = await trusted.update(`/api-keys/core.api-key/${id}`, { attributes: { permissions } });
    expect(same.body.data.attributes?.['permissions']).toEqual(permissions);
    const changed = [under('/resources/x.*', { where: {} })];
    await trusted.update(`/api-keys/core.api-key/${id}`, { attributes: { permissions: changed } });
    expect((await trusted.get(`/api-keys/core.api-key/${id}`)).body.data.attributes?.['permissions']).toEqual(
      changed,
    );
  });
});
