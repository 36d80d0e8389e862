/**
 * One document is tested as a whole, however long its arrays are: so the items of it that the tests of a filter see are
 * bounded, and what somebody may not see counts nothing.
 */
import { describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { EVERY_METHOD, makeUser, may, type Person } from '../support/people.ts';

const ITEMS = 100_000;

async function large(type: string, by: Client, headers: Person['headers'] = {}, more: object = {}) {
  const body = { data: { type, attributes: { list: Array<number>(ITEMS).fill(1), ...more } } };
  const made = await by.post(`/resources/${type}`, body, headers);
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data.id;
}

const client = await Client.create();
const web = await client.withPermissions([
  { path: '/.*', methods: [...EVERY_METHOD, 'bulk'], acl: { active: true } },
]);
const [ada, eva] = [await makeUser(client, 'ada'), await makeUser(client, 'eva')];
await large('long', client);

const query = (filter: unknown) => `filter[*]=${encodeURIComponent(JSON.stringify(filter))}`;
const times = (count: number, test: (n: number) => unknown) =>
  Array.from({ length: count }, (_, n) => test(n));

const filterOf = (count: number) => ({ $nor: times(count, (n) => ({ list: { $lt: -n } })) });
const TOO_MANY = ['400 invalid-filter ?filter'];
const listed = async (filter: unknown, by = client, headers = {}, type = 'long') => {
  const answer = await by.get(`/resources/${type}?${query(filter)}`, headers);
  return answer.status === 200 ? answer.body.meta.count : faultsOf(answer);
};

describe('a filter of many tests over a long array', () => {
  test.each<readonly [string, (count: number) => unknown]>([
    ['comparisons', (count) => ({ $and: times(count, (n) => ({ list: { $not: { $gt: n + 1 } } })) })],
    ['alternatives', (count) => ({ $nor: times(count, (n) => ({ list: { $lt: -n } })) })],
    ['kinds', (count) => ({ $nor: times(count, () => ({ list: { $type: 'string' } })) })],
    ['remainders', (count) => ({ $nor: times(count, (n) => ({ list: { $mod: [n + 2, 0] } })) })],
    [
      'what one item must meet',
      (count) => ({
        $nor: [{ list: { $elemMatch: [...times(count - 1, () => ({ $lt: 5 })), { $gt: 5 }] } }],
      }),
    ],
    [
      'groups of equalities',
      (count) => ({ $nor: times(count, (n) => ({ $and: times(3, (m) => ({ list: -3 * n - m })) })) }),
    ],
  ])('of %s finds it with 10, and is refused with 30', async (_, filter) => {
    expect(await listed(filter(10))).toBe(1);
    expect(await listed(filter(30))).toEqual(TOO_MANY);
  });

  test('says how many items are too many', async () => {
    const { body } = await client.get(`/resources/long?${query(filterOf(30))}`);
    expect(body.errors[0]?.detail).toContain('2000000 items');
  });

  test('stays allowed over many documents that are shorter', async () => {
    const list = Array<number>(1000).fill(1);
    for (let n = 0; n < 30; n += 1) await client.make('short', { list });
    expect(await listed(filterOf(300), client, {}, 'short')).toBe(30);
  });

  test('is refused where documents are changed by it, and over the feed', async () => {
    const key = await client.withPermissions([{ path: '/.*', methods: [...EVERY_METHOD, 'bulk'] }]);
    const changed = await key.send('DELETE', `/resources/long?${query(filterOf(30))}`, {
      body: { meta: { limit: 10 } },
    });
    expect(faultsOf(changed)).toEqual(TOO_MANY);
    expect(
      faultsOf(await client.get(`/resources/long/changes?${query(filterOf(30))}&changes[since]=`)),
    ).toEqual(TOO_MANY);
  });
});

describe('nobody learns of a long document that he may not see', () => {
  test('by rights', async () => {
    const own = await large('own', web, ada.headers);
    expect(await listed(filterOf(30), web, ada.headers, 'own')).toEqual(TOO_MANY);
    expect(await listed(filterOf(30), web, eva.headers, 'own')).toBe(0);
    await client.update(`/resources/own.acl/${own}`, { attributes: { read: [eva.link] } });
    expect(await listed(filterOf(30), web, eva.headers, 'own')).toEqual(TOO_MANY);
    expect(await listed(filterOf(30), web, ada.headers, 'own')).toBe(0);
  });

  test('by a rule, whose own tests are not counted', async () => {
    await large('ruled', client, {}, { open: false });
    await client.make('ruled', { open: true, list: [1] });
    const where = { open: true, ...filterOf(30) };
    const shown = await client.withPermissions([may('get delete bulk', '/.*', { where })]);
    expect(await listed(filterOf(30), shown, {}, 'ruled')).toBe(1);
    expect(await listed({ list: { $gt: 0 } }, shown, {}, 'ruled')).toBe(1);
    const feed = await shown.get(`/resources/ruled/changes?${query(filterOf(30))}&changes[since]=`);
    expect([feed.status, feed.body.data.length]).toEqual([200, 1]);
    const removed = await shown.send('DELETE', `/resources/ruled?${query(filterOf(30))}`, {
      body: { meta: { limit: 10 } },
    });
    expect([removed.status, removed.body.meta.count]).toEqual([200, 1]);
  });
});
