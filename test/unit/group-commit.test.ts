/** Writes that arrive together share a transaction, and yet succeed or fail each by itself. */
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import { GroupCommit } from '../../src/collection/write/group-commit.ts';

let database: DatabaseSync;
let commits: GroupCommit;
/** For each transaction that was begun, how it ended. */
let transactions: ('committed' | 'undone')[];
/** How often writes waited for others to arrive. */
let pauses: number;
/** Whether the writes of a transaction have touched much. */
let touchesMuch: boolean;

beforeEach(() => {
  touchesMuch = false;
  database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE numbers (number INTEGER PRIMARY KEY)');
  transactions = [];
  pauses = 0;
  commits = new GroupCommit(
    (writes) => {
      database.exec('BEGIN');
      try {
        writes();
        database.exec('COMMIT');
        transactions.push('committed');
      } catch (error) {
        database.exec('ROLLBACK');
        transactions.push('undone');
        throw error;
      }
    },
    async () => {
      pauses += 1;
      await Promise.resolve();
    },
    () => touchesMuch,
  );
});

const insert = (number: number) => () => {
  database.prepare('INSERT INTO numbers VALUES (?)').run(number);
  return number;
};
const stored = () =>
  database
    .prepare('SELECT number FROM numbers ORDER BY number')
    .all()
    .map(({ number }) => number);

describe('writes that arrive together', () => {
  test('are one transaction, in their order', async () => {
    const order: number[] = [];
    const noted = (number: number) => () => {
      order.push(number);
      return insert(number)();
    };
    const results = await Promise.all([3, 1, 2].map((number) => commits.write(1, noted(number))));
    expect({ results, order, transactions }).toEqual({
      results: [3, 1, 2],
      order: [3, 1, 2],
      transactions: ['committed'],
    });
  });

  test('are not answered when the commit fails', async () => {
    const failing = new GroupCommit((writes) => {
      writes();
      throw new Error('The disk is full.');
    }, Promise.resolve.bind(Promise));
    const writes = [1, 2].map((number) => failing.write(1, () => number));
    expect((await Promise.allSettled(writes)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('see those before them', async () => {
    const count = () => stored().length;
    const [, second] = await Promise.all([commits.write(1, insert(1)), commits.write(1, count)]);
    expect(second).toBe(1);
  });

  test('are undone alone when they throw', async () => {
    const results = await Promise.allSettled([1, 1, 2].map((number) => commits.write(1, insert(number))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(stored()).toEqual([1, 2]);
    expect(transactions).toEqual(['undone', 'committed', 'undone', 'committed']);
  });

  test('are more transactions when they are many', async () => {
    const numbers = Array.from({ length: 150 }, (_, number) => number);
    await Promise.all(numbers.map((number) => commits.write(1, insert(number))));
    expect(stored()).toEqual(numbers);
    expect(transactions).toHaveLength(3);
  });

  test('are more transactions when they touch much, and each is done once', async () => {
    touchesMuch = true;
    const order: number[] = [];
    const writes = [1, 2, 3].map((number) => commits.write(1, () => order.push(number)));
    expect(await Promise.all(writes)).toEqual([1, 2, 3]);
    expect({ order, transactions }).toEqual({ order: [1, 2, 3], transactions: Array(3).fill('committed') });
  });

  test('are more transactions when they are large', async () => {
    await Promise.all([1, 2, 3].map((number) => commits.write(200_000, insert(number))));
    expect(transactions).toHaveLength(2);
  });
});

describe('a write that arrives later', () => {
  test('is a transaction of its own', async () => {
    await commits.write(1, insert(1));
    await commits.write(1, insert(2));
    expect(transactions).toEqual(['committed', 'committed']);
  });

  test('is done although one before it has thrown', async () => {
    await commits.write(1, insert(1));
    await expect(commits.write(1, insert(1))).rejects.toThrow('UNIQUE');
    await expect(commits.write(1, insert(2))).resolves.toBe(2);
  });
});

describe('a client that writes one thing after the other', () => {
  const writeAlone = async (from: number, to: number) => {
    for (let number = from; number < to; number += 1) await commits.write(1, insert(number));
  };

  test('soon waits for no company', async () => {
    await writeAlone(0, 80);
    expect(stored()).toHaveLength(80);
    // The first eight, and one in eight after them.
    expect(pauses).toBe(8 + 9);
  });

  test('shares transactions again when others come', async () => {
    await writeAlone(0, 20);
    transactions = [];
    // Sixteen clients, each with one write after the other.
    const clients = Array.from({ length: 16 }, (_, client) =>
      writeAlone(100 * client + 100, 100 * client + 120),
    );
    await Promise.all(clients);
    expect(stored()).toHaveLength(20 + 16 * 20);
    // At most eight by themselves, then those of all clients together.
    expect(transactions.length).toBeLessThan(8 + 20 + 1);
  });
});
