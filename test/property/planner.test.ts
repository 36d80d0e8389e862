/**
 * What SQL says of a filter over indexes, against the matcher alone: on random documents, with random indexes there
 * and absent, it holds for every document that matches, and where it calls itself exact, for no other.
 */
import { DatabaseSync } from 'node:sqlite';
import fc from '../support/fast-check.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeText } from '../../src/domain/values/codec.ts';
import { Decimal, Double, Long, type Fields } from '../../src/domain/values/values.ts';
import { compileMatcher } from '../../src/operators/filter/matcher.ts';
import { parseFilter } from '../../src/operators/filter/parse.ts';
import { indexKeyOf } from '../../src/query/index/keys.ts';
import { testBody } from '../../src/plan/bodies.ts';
import { compileEntries } from '../../src/query/index/paths.ts';
import type { PathIndex } from '../../src/query/index/path-index.ts';
import { inverse, on, type SqlCondition } from '../../src/query/sql/condition.ts';
import { afterKey } from '../../src/query/sql/positions.ts';
import { translate } from '../../src/plan/sources.ts';
import { compareValues } from '../../src/query/order/compare.ts';
import type { NumberValue } from '../../src/query/order/numbers.ts';
import { bySortFields } from '../../src/query/order/ordering.ts';
import { anyDocument, anyFilter, anyValue, isValid, textOf } from '../support/filter-arbitraries.ts';
import { scaled } from '../support/long.ts';

const PATHS = ['a', 'b', 'a.b', 'a.0', 'b.a', 'a.a.b', 'b.1', '0', '0.a'];

const MOST_DIGITS = 34;

const decimal = fc
  .tuple(fc.bigInt(-(10n ** 34n) + 1n, 10n ** 34n - 1n), fc.integer({ min: -6_143, max: 6_111 }))
  .map(([digits, exponent]) => new Decimal(`${digits}E${exponent}`));
const double = fc.double({ noNaN: true, noDefaultInfinity: true });

/** A number, and another one that may have the same double. */
const closeNumbers: fc.Arbitrary<readonly [NumberValue, NumberValue]> = fc
  .oneof<fc.Arbitrary<NumberValue>[]>(
    double,
    decimal,
    fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map((value) => new Long(value)),
    fc.constantFrom(0, Infinity, -Infinity, Number.MAX_VALUE, Number.MIN_VALUE),
  )
  .chain((one) =>
    fc
      .oneof<fc.Arbitrary<NumberValue>[]>(
        double,
        decimal,
        fc.integer({ min: -20, max: 20 }).map((steps) => stepsFrom(one, steps)),
        fc.integer({ min: 1, max: MOST_DIGITS }).map((digits) => {
          const near = Number(textOfNumber(one));
          return Number.isFinite(near) ? new Decimal(near.toPrecision(digits)) : near;
        }),
      )
      .map((other) => [one, other] as const),
  );

function textOfNumber(value: NumberValue): string {
  if (value instanceof Decimal) return value.text;
  return String(value instanceof Long || value instanceof Double ? value.value : value);
}

/** Steps of the last digit that a long or a decimal has. */
function stepsFrom(one: NumberValue, steps: number): NumberValue {
  if (one instanceof Long) return new Long(BigInt.asIntN(64, one.value + BigInt(steps)));
  const text = textOfNumber(one);
  const [, digits = '', exponent = '0'] = /^(-?[0-9]+)E(-?[0-9]+)$/.exec(text) ?? [];
  return digits === '' ? one : new Decimal(`${BigInt(digits) + BigInt(steps)}E${exponent}`);
}

let database: DatabaseSync;
beforeAll(() => {
  database = new DatabaseSync(':memory:');
  database.exec(`CREATE TABLE documents (seq INTEGER PRIMARY KEY, id BLOB, body BLOB);
    CREATE TABLE entries (path INTEGER, key BLOB, seq INTEGER, PRIMARY KEY (path, key, seq)) WITHOUT ROWID;`);
});
afterAll(() => {
  database.close();
});

/** Indexes on some of the paths over all documents, as a collection would have built them. */
function index(documents: readonly Fields[], paths: readonly string[]): ReadonlyMap<string, PathIndex> {
  database.exec('DELETE FROM documents; DELETE FROM entries');
  const insert = database.prepare('INSERT OR IGNORE INTO entries VALUES (?, unhex(?), ?)');
  documents.forEach((document, seq) => {
    const body = encodeText(document);
    database.prepare('INSERT INTO documents VALUES (?, NULL, jsonb(?))').run(seq + 1, body);
  });
  return new Map(
    paths.map((path, id) => {
      const entriesOf = compileEntries(path.split('.'));
      const all = documents.map(entriesOf);
      all.forEach(({ keys }, seq) => {
        for (const key of keys) insert.run(id, key, seq + 1);
      });
      const built = { id, exact: all.every(({ exact }) => exact), single: all.every(({ single }) => single) };
      return [path, built];
    }),
  );
}

function positions(condition: SqlCondition): readonly number[] {
  const { text, parameters } = on('documents', condition);
  const rows = database.prepare(`SELECT seq FROM documents WHERE ${text} ORDER BY seq`).all(...parameters);
  return rows.map((row) => Number(row['seq']) - 1);
}

describe('a filter in SQL', () => {
  const narrowed = { exact: 0, wider: 0 };

  test('holds for what matches, and where it is exact for nothing else', () => {
    fc.assert(
      fc.property(
        fc.array(anyDocument, { minLength: 1, maxLength: 12 }),
        anyFilter(2).filter(isValid),
        fc.subarray(PATHS),
        (documents, filter, paths) => {
          const parsed = parseFilter([{ field: null, text: textOf(filter) }]);
          fc.pre(parsed.ok);
          const indexes = index(documents, paths);
          const sql = translate(parsed.value, (path) => indexes.get(path));
          if (sql === null) return;
          const matches = compileMatcher(parsed.value);
          const matching = documents.flatMap((document, at) => (matches(document) ? [at] : []));
          const found = positions(sql.condition);
          if (sql.exact) expect(found).toEqual(matching);
          else expect(found).toEqual(expect.arrayContaining([...matching]));
          narrowed[sql.exact ? 'exact' : 'wider'] += 1;
        },
      ),
      { numRuns: scaled(8000) },
    );
    // The property says nothing unless SQL had something to say.
    expect(narrowed.exact).toBeGreaterThan(scaled(50));
    expect(narrowed.wider).toBeGreaterThan(scaled(20));
  });
});

describe('what SQL tells of a body', () => {
  const told = { certain: 0, unsure: 0 };

  test('may be more than matches, and must be no more', () => {
    fc.assert(
      fc.property(
        fc.array(anyDocument, { minLength: 1, maxLength: 12 }),
        anyFilter(2).filter(isValid),
        (documents, filter) => {
          const parsed = parseFilter([{ field: null, text: textOf(filter) }]);
          fc.pre(parsed.ok);
          index(documents, []);
          const { may, must } = testBody(parsed.value);
          const matches = compileMatcher(parsed.value);
          const matching = documents.flatMap((document, at) => (matches(document) ? [at] : []));
          const possible = positions(may);
          const certain = positions(must);
          expect(possible).toEqual(expect.arrayContaining([...matching]));
          expect(matching).toEqual(expect.arrayContaining([...certain]));
          // Turned over they hold of the others: nothing is NULL.
          const turned = positions(inverse(may));
          expect([...possible, ...turned].sort((a, b) => a - b)).toEqual(documents.map((_, at) => at));
          told.certain += certain.length;
          told.unsure += possible.length - certain.length;
        },
      ),
      { numRuns: scaled(8000) },
    );
    expect(told.certain).toBeGreaterThan(scaled(1000));
    expect(told.unsure).toBeGreaterThan(scaled(100));
  });
});

describe('a key', () => {
  test('has the order of its value, kind by kind', () => {
    fc.assert(
      fc.property(anyValue(0), anyValue(0), (one, other) => {
        const [a, b] = [indexKeyOf(one), indexKeyOf(other)];
        const difference = Math.sign(compareValues(one, other));
        const keys = a.hex < b.hex ? -1 : Number(a.hex > b.hex);
        if (a.exact && b.exact) expect(keys).toBe(difference);
        else expect([0, difference]).toContain(keys);
      }),
      { numRuns: scaled(2000) },
    );
  });

  test('of a number says it exactly, and has its order, whatever the kind', () => {
    let apart = 0;
    fc.assert(
      fc.property(closeNumbers, ([one, other]) => {
        const [a, b] = [indexKeyOf(one), indexKeyOf(other)];
        expect([a.exact, b.exact]).toEqual([true, true]);
        const difference = Math.sign(compareValues(one, other));
        expect(a.hex < b.hex ? -1 : Number(a.hex > b.hex)).toBe(difference);
        // Not even the least key above one takes in the next.
        if (difference < 0) expect(afterKey(a.hex) <= b.hex).toBe(true);
        if (difference !== 0 && Number(textOfNumber(one)) === Number(textOfNumber(other))) apart += 1;
      }),
      { numRuns: scaled(5000) },
    );
    // Numbers that one double stands for.
    expect(apart).toBeGreaterThan(scaled(500));
  });

  test('of text has the order of code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        const [a, b] = [indexKeyOf(one), indexKeyOf(other)];
        fc.pre(a.exact && b.exact);
        expect(a.hex < b.hex ? -1 : Number(a.hex > b.hex)).toBe(Math.sign(compareValues(one, other)));
      }),
    );
  });
});

describe('an index whose documents each have one plain value', () => {
  test('has the order that sort asks for', () => {
    let ordered = 0;
    fc.assert(
      fc.property(
        fc.array(anyDocument, { minLength: 2, maxLength: 10 }),
        fc.constantFrom(...PATHS),
        (documents, path) => {
          const built = index(documents, [path]).get(path);
          fc.pre(built?.exact === true && built.single);
          const rows = database.prepare('SELECT seq FROM entries WHERE path = 0 ORDER BY key, seq').all();
          const ordering = bySortFields([{ path: path.split('.'), direction: 'ascending' }]);
          const expected = documents
            .map((document, at) => ({ key: ordering.keyOf(document), at }))
            .sort((a, b) => ordering.compare(a.key, b.key) || a.at - b.at);
          expect(rows.map((row) => Number(row['seq']) - 1)).toEqual(expected.map(({ at }) => at));
          ordered += 1;
        },
      ),
      { numRuns: scaled(500) },
    );
    expect(ordered).toBeGreaterThan(scaled(50));
  });
});
