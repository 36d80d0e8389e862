/** Filters through links of links: each document on the way counts only where the key could GET it. */
import { expect, test } from 'vitest';
import { Client, type Resource } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { under } from '../support/rules.ts';

const client = await Client.create();
let last: Resource | null = null;
for (const type of ['lands', 'cities', 'people', 'books', 'shelves']) {
  const relationships: object = last === null ? {} : { of: { data: { type: last.type, id: last.id } } };
  last = await client.make(type, { name: type, open: type !== 'cities' }, relationships);
}

async function found(by: Client, path: string, value: unknown) {
  const filter = encodeURIComponent(JSON.stringify({ [path]: value }));
  return (await by.get(`/resources/books?filter[*]=${filter}`)).body.meta.count;
}

test('three links are followed', async () => {
  expect(await found(client, 'of.of.of.name', 'lands')).toBe(1);
  expect(await found(client, 'of.of.of.name', { $ne: 'lands' })).toBe(0);
  expect(await found(client, 'of.of.name', 'lands')).toBe(0);
});

test('four are refused', async () => {
  const reply = await client.get('/resources/shelves?filter[of.of.of.of.name]=lands');
  expect(faultsOf(reply)).toEqual(['400 invalid-filter ?filter']);
});

test.each([
  ['has no permission', []],
  ['has a rule that hides it', [under('/resources/cities.*', { where: { open: true } }, ['get'])]],
  ['is not shown the link', [under('/resources/cities.*', { fields: { read: ['name'] } }, ['get'])]],
])('what is on the way counts as not linked where the key %s', async (_, permissions) => {
  const others = ['lands', 'people', 'books'].map((type) => under(`/resources/${type}.*`, {}, ['get']));
  const web = await client.withPermissions([...others, ...permissions]);
  expect(await found(web, 'of.of.of.name', 'lands')).toBe(0);
  expect(await found(web, 'of.of.of.name', { $ne: 'lands' })).toBe(1);
  expect(await found(web, 'of.name', 'people')).toBe(1);
});
