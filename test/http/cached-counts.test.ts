/** The count of a broad range, on an object: it reads only the ends of the range, also after writes, and is right. */
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { EVERY_METHOD } from '../support/people.ts';
import { add, operateWith, remove, update, type Operation } from '../support/operations.ts';
import { searchPath } from '../support/search.ts';
import { imported } from '../support/transfer.ts';
import { explain, planOf } from '../support/plan.ts';

const SIZE = 6000;
const TYPE = 'counted';

const ids: string[] = [];

const client = await Client.create();
/** May change all that a filter finds. */
const bulk = await client.withPermissions([
  { path: `/resources/${TYPE}`, methods: [...EVERY_METHOD, 'bulk'] },
]);
for (let from = 0; from < SIZE; from += 1000) await load(from);
// Another value each time: what was counted already costs too little to be worth an index.
for (let value = -1; ; value -= 1) if (!(await ask({ n: value })).plan.scan) break;

async function load(from: number): Promise<void> {
  const { results } = await operate(
    Array.from({ length: 1000 }, (_, at) => add(TYPE, { n: ((from + at) * 7) % SIZE, even: at % 2 === 0 })),
  );
  for (const { data } of results) ids.push(data?.id ?? '');
}

function operate(operations: readonly Operation[], meta: object = {}) {
  return operateWith(client, { meta, 'atomic:operations': operations });
}

async function ask(filter: object) {
  const reply = await explain(client, searchPath(TYPE, filter, { 'page[limit]': '1' }));
  return { count: reply.body.meta.count, plan: planOf(reply) };
}

/** The same count where no index serves: every document is looked at. */
async function computed(filter: object): Promise<number> {
  const { count } = await ask({ $and: [filter, { unknown: { $not: { $size: 1 } } }] });
  return count;
}

const broad = (from: number) => ({ n: { $gte: from, $lt: from + 5000 } });
const link = (at: number) => ({ type: TYPE, id: ids[at] ?? '' });

test('reads the ends of a range', async () => {
  const first = await ask(broad(0));
  expect(first.count).toBe(5000);
  expect(first.plan['rows-read']).toBeGreaterThan(5000);
  // Where the range ends with segments, only the page is read, after a write, too.
  await client.make(TYPE, { n: -5 });
  const again = await ask(broad(0));
  expect(again.count).toBe(5000);
  expect(again.plan['rows-read']).toBeLessThan(100);
  // The parts of two segments, and the page.
  const later = await ask(broad(100));
  expect(later.count).toBe(5000);
  await ask(broad(900));
  for (const from of [1, 450, 777]) {
    const { count, plan } = await ask(broad(from));
    expect(count).toBe(5000);
    expect(plan['rows-read']).toBeLessThan(2300);
  }
});

test('of one value that thousands have, or of a few such, reads none of them again', async () => {
  while ((await ask({ even: 'neither' })).plan.scan) await client.make(TYPE, { n: -5 });
  const filters = [{ even: true }, { even: { $in: [false, true, 'x'] } }];
  const counts: number[] = [];
  for (const filter of filters) counts.push((await ask(filter)).count);
  expect(counts).toEqual([SIZE / 2, SIZE]);
  await client.make(TYPE, { n: -5, even: true });
  for (const [at, filter] of filters.entries()) {
    const { count, plan } = await ask(filter);
    expect(count).toBe((counts[at] ?? 0) + 1);
    expect(plan['rows-read']).toBeLessThan(100);
  }
});

const LINES = [
  { type: TYPE, id: 'f'.repeat(24), attributes: { n: 3000 } },
  { type: TYPE, id: 'e'.repeat(24), attributes: { n: 5999 } },
].map((line) => JSON.stringify(line));

/** Changes all that have a number in a range, or deletes them. */
function all(method: string, from: number, to: number, data?: object) {
  const body = { ...(data !== undefined && { data: { type: TYPE, ...data } }), meta: { limit: 1000 } };
  return bulk.send(method, searchPath(TYPE, { n: { $gte: from, $lt: to } }), { body });
}

test.each<readonly [string, number, () => Promise<{ readonly status: number }>]>([
  ['a list', 200, () => operate([update(link(1), { n: 2 }), add(TYPE, { n: 2500 }), remove(link(2))])],
  ['a change of all that a filter finds', 200, () => all('PATCH', 4000, 4500, { attributes: { n: 5 } })],
  ['a deletion of all that a filter finds', 200, () => all('DELETE', 0, 300)],
  ['an import', 200, () => imported(client.application, TYPE, LINES)],
  // Entries are no documents any more: from here on, documents are counted.
  ['a document with several values', 200, () => operate([update(link(200), { n: [2000, 2100, 5700] })])],
])('is right after %s', async (_, status, work) => {
  await ask(broad(600));
  expect((await work()).status).toBe(status);
  for (const filter of [broad(0), broad(400), broad(950), { n: { $gte: 700 } }, { n: { $lt: 5500 } }]) {
    expect((await ask(filter)).count).toBe(await computed(filter));
  }
});
