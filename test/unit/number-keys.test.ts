/** Sorts by decimals and by longs beyond 2^53 walk an index as those by doubles; an index of former keys is rebuilt. */
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { migrate } from '../../src/collection/storage/migrations.ts';
import { Transactor } from '../../src/collection/write/transactor.ts';
import { Decimal, Long, type Value } from '../../src/domain/values/values.ts';
import { compareValues } from '../../src/query/order/compare.ts';
import type { Direction } from '../../src/query/order/sort.ts';
import { conditionOf } from '../support/conditions.ts';
import { LocalCollection, storageOf } from '../support/local-collection.ts';

const SIZE = 1_000;
const decimals = Array.from({ length: SIZE }, (_, at) => new Decimal(`${(at * 7) % SIZE}.${at % 10}1`));
const longs = Array.from({ length: SIZE }, (_, at) => new Long(2n ** 53n + BigInt((at * 7) % SIZE)));
const mixed = Array.from(
  { length: SIZE },
  (_, at): Value =>
    [0.1, new Decimal('0.1'), new Long(2n ** 60n + BigInt(at)), new Decimal(`-0.${at}`)].at(at % 4) ?? null,
);
const fields = { decimal: decimals, long: longs, mixed } as const;
type Name = keyof typeof fields;

const collection = new LocalCollection();
for (let at = 0; at < SIZE; at += 1) {
  collection.create({ at, decimal: decimals[at] ?? 0, long: longs[at] ?? 0, mixed: mixed[at] ?? 0 });
}
for (const name of Object.keys(fields)) collection.learn(name);
collection.build();

afterAll(() => {
  collection.close();
});

function inOrder(name: Name, direction: Direction): readonly number[] {
  const sign = direction === 'ascending' ? 1 : -1;
  const values: readonly Value[] = fields[name];
  return values
    .map((value, at) => ({ value, at }))
    .sort((one, other) => sign * compareValues(one.value, other.value) || one.at - other.at)
    .map(({ at }) => at);
}

async function pageOf(filter: string, name: Name, direction: Direction, offset = 0) {
  const sort = [{ path: [name], direction }];
  const { documents, total, plan } = await collection.list(
    conditionOf(filter),
    { offset, limit: 20 },
    { sort },
  );
  const places = documents.map(({ body }) => (JSON.parse(body) as { readonly at: number }).at);
  return { places, total, ...plan };
}

const names = ['decimal', 'long', 'mixed'] as const;
const directions = ['ascending', 'descending'] as const;

describe.each(names)('sorted by %s', (name) => {
  test.each(directions)('%s: keys of the page are read, and nothing is decoded', async (direction) => {
    for (const offset of [0, 480, 990]) {
      const { places, ...plan } = await pageOf('{}', name, direction, offset);
      expect(places).toEqual(inOrder(name, direction).slice(offset, offset + 20));
      expect(plan).toMatchObject({ way: 'order-of-an-index', scan: false, decoded: 0 });
    }
  });
});

describe('a range', () => {
  const bound = longs[500] ?? new Long(0n);
  test.each(['$gt', '$gte', '$lt', '$lte', '$eq'])(
    '%s a long beyond 2^53 is decided by its keys',
    async (op) => {
      const filter = { long: { [op]: { $numberLong: String(bound.value) } } };
      const { places, total, decoded } = await pageOf(JSON.stringify(filter), 'long', 'ascending');
      const accepts: Record<string, (difference: number) => boolean> = {
        $gt: (difference) => difference > 0,
        $gte: (difference) => difference >= 0,
        $lt: (difference) => difference < 0,
        $lte: (difference) => difference <= 0,
        $eq: (difference) => difference === 0,
      };
      const matching = inOrder('long', 'ascending').filter((at) =>
        accepts[op]?.(compareValues(longs[at] ?? null, bound)),
      );
      expect(places).toEqual(matching.slice(0, 20));
      expect(total).toBe(matching.length);
      // A single one is sorted by its value.
      expect(decoded).toBe(op === '$eq' ? 1 : 0);
    },
  );
});

test('an index that a former release built is built anew, if it may hold such numbers', () => {
  const database = new DatabaseSync(':memory:');
  const sql = storageOf(database);
  migrate(sql, 18);
  // Keys of the double next to each value, as they were.
  database.exec(
    `INSERT INTO documents (id, version, body) VALUES
       (unhex('6a0f3c21d1f4a5b6c7d8e9f0'), 1, jsonb('{"d":{"$decimal":"0.1"},"n":1}')),
       (unhex('6a0f3c21d1f4a5b6c7d8e9f1'), 2, jsonb('{"d":{"$decimal":"0.2"},"n":2}'));
     UPDATE meta SET counter = 2, documents = 2;
     INSERT INTO path_indexes (id, path, built, complete, exact, single, used, score, scored) VALUES
       (1, 'd', 2, 1, 0, 1, 5, 7, 9), (2, 'n', 2, 1, 1, 1, 5, 7, 9), (3, '$cells.d', 2, 1, 0, 0, 5, 7, 9);
     INSERT INTO entries VALUES (1, unhex('10bfb999999999999a'), 1), (1, unhex('10bfc999999999999a'), 2),
       (2, unhex('10bff0000000000000'), 1), (2, unhex('10c000000000000000'), 2);`,
  );
  migrate(sql);
  const tables = new Transactor(sql);
  tables.load();
  const found = (name: string) => tables.indexes.find(name);
  expect([found('d'), found('n')?.id, found('$cells.d')?.id]).toEqual([undefined, 2, 3]);
  expect(tables.indexes.pending).toBe(true);
  while (tables.indexes.step(tables.records, 0));
  expect(found('d')).toMatchObject({ exact: true, single: true, used: 5, score: { value: 7, at: 9 } });
  expect(tables.indexes.pending).toBe(false);
  const rows = database.prepare('SELECT count(*) AS total FROM entries').get();
  expect(rows).toEqual({ total: 4 });
  database.close();
});
