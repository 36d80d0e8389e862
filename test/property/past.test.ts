/** Numbers in random histories: a tag or a mark is good iff the past of the collection has what it was given for. */
import { DatabaseSync } from 'node:sqlite';
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { holds } from '../../src/collection/rpc/writes/operations.ts';
import { migrate } from '../../src/collection/storage/migrations.ts';
import { Transactor } from '../../src/collection/write/transactor.ts';
import { packContent } from '../../src/domain/values/stored.ts';
import type { DocumentId } from '../../src/domain/ids.ts';
import { storageOf } from '../support/local-collection.ts';
import { typeOf } from '../support/names.ts';
import { few } from '../support/long.ts';

const TYPE = typeOf('place');
const TRUSTED = { viewer: null, rule: null, ifMatch: null };
const TABLES = ['meta', 'ranges', 'documents', 'tombstones'] as const;

type Row = Record<string, null | number | string | Uint8Array>;

/** What a folder holds, and the writes that led there: each one has a number of its own. */
interface Folder {
  readonly tables: readonly (readonly Row[])[];
  readonly past: readonly number[];
}

/** What was given out: a number, after which writes, and which document had which last write then. */
interface Given {
  readonly counter: number;
  readonly past: readonly number[];
  readonly last: ReadonlyMap<DocumentId, number>;
}

class World {
  readonly #database = new DatabaseSync(':memory:');
  readonly #ids: DocumentId[] = [];
  readonly #given: Given[] = [];
  readonly #copies: (Folder & { readonly last: ReadonlyMap<DocumentId, number> })[] = [];
  #tables: Transactor;
  #last = new Map<DocumentId, number>();
  #past: number[] = [];
  #writes = 0;
  #starts = 0;

  constructor() {
    migrate(storageOf(this.#database));
    this.#tables = this.#start();
  }

  #start(): Transactor {
    this.#starts += 1;
    const tables = new Transactor(storageOf(this.#database), {}, `process ${this.#starts}`);
    tables.load();
    return tables;
  }

  readonly steps = {
    write: (at: number, together: number) => {
      // As in a group of writes, or alone.
      const work = () => {
        for (let n = 0; n < together; n += 1) this.#write(at + n);
      };
      if (together > 1) this.#tables.together(work);
      else this.#write(at);
    },
    /** Somebody reads, and keeps a tag and a mark. */
    read: () => {
      const counter = this.#tables.records.counter();
      this.#given.push({ counter, past: [...this.#past], last: new Map(this.#last) });
    },
    start: () => {
      this.#tables = this.#start();
    },
    copy: () => {
      const tables = TABLES.map((name) => this.#database.prepare(`SELECT * FROM ${name}`).all() as Row[]);
      this.#copies.push({ tables, past: [...this.#past], last: new Map(this.#last) });
    },
    putBack: (at: number) => {
      const copy = this.#copies[at % this.#copies.length];
      if (copy === undefined) return;
      for (const [n, name] of TABLES.entries()) {
        this.#database.exec(`DELETE FROM ${name}`);
        for (const row of copy.tables[n] ?? []) {
          const names = Object.keys(row);
          const marks = names.map(() => '?').join(', ');
          this.#database
            .prepare(`INSERT INTO ${name} (${names.join(', ')}) VALUES (${marks})`)
            .run(...Object.values(row));
        }
      }
      this.#past = [...copy.past];
      this.#last = new Map(copy.last);
      this.#tables = this.#start();
    },
  };

  #write(at: number): void {
    this.#writes += 1;
    const content = packContent({ attributes: { n: this.#writes }, relationships: {} });
    const known = this.#ids.filter((each) => this.#last.has(each));
    const found = at % 3 === 0 ? undefined : known[at % known.length];
    const done =
      found === undefined
        ? this.#tables.create(TYPE, { content, owners: [], ownsItself: false, rule: null }, Date.now())
        : this.#tables.update(TYPE, found, { kind: 'merge', content }, TRUSTED, null);
    if (!done.ok) throw new Error(JSON.stringify(done));
    const { id } = done.value.document;
    if (found === undefined) this.#ids.push(id);
    this.#last.set(id, this.#writes);
    this.#past.push(this.#writes);
  }

  check(): void {
    const { records } = this.#tables;
    for (const { counter, past, last } of this.#given) {
      const isPast = past.every((each, at) => this.#past[at] === each);
      expect(records.knows(counter)).toBe(isPast);
      for (const [id, write] of this.#last) {
        const version = records.find(id)?.version;
        const good = records.knows(counter) && holds([counter], version);
        expect(good).toBe(isPast && last.get(id) === write);
      }
    }
  }
}

const at = fc.nat({ max: 30 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant('write' as const), at, fc.integer({ min: 1, max: 3 })) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('read' as const)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('start' as const)) },
  // Also of a server that runs.
  { weight: 2, arbitrary: fc.tuple(fc.constant('copy' as const)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('putBack' as const), at) },
);

test('no number of a state that the folder has lost is good again, and those of its past stay good', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 60 }), (steps) => {
      const world = new World();
      for (const [name, ...of] of steps) {
        const [one = 0, other = 1] = of;
        world.steps[name](one, other);
        world.check();
      }
    }),
    { numRuns: few(60) },
  );
});

test('numbers never end and stay known, however often there is a start', () => {
  const database = new DatabaseSync(':memory:');
  const sql = storageOf(database);
  migrate(sql);
  const given: number[] = [0];
  let last = 0;
  for (let n = 0; n < 2_000; n += 1) {
    const version = new Transactor(sql, {}, `process ${n}`).records.nextVersion();
    expect(version).toBeGreaterThan(last);
    last = version;
    given.push(version);
  }
  // What has not changed since has a tag of its own number still.
  const { records } = new Transactor(sql, {}, 'the last');
  expect(given.filter((each) => !records.knows(each))).toEqual([]);
  expect(given.filter((each) => records.knows(each + 1))).toEqual([]);
  // Former releases kept the last hundred ranges.
  database.exec(
    'DELETE FROM ranges WHERE first < (SELECT first FROM ranges ORDER BY first DESC LIMIT 1 OFFSET 99)',
  );
  expect(given.filter((each) => !records.knows(each))).toEqual([]);
  expect(given.slice(-100).filter((each) => records.knows(each + 1))).toEqual([]);
  // The clock of our time has a fiftieth of them.
  expect(last).toBeLessThan(Number.MAX_SAFE_INTEGER / 25);
});

test('where processes have no epoch, imports and rewinds alone begin a range, above all of the clock so far', () => {
  const database = new DatabaseSync(':memory:');
  const sql = storageOf(database);
  migrate(sql);
  const numbers = () => new Transactor(sql).records;
  expect([numbers().nextVersion(), numbers().nextVersion()]).toEqual([1, 2]);
  const now = Date.now();
  numbers().begin();
  const first = numbers().nextVersion();
  expect(first).toBeGreaterThan(now * 100);
  numbers().begin();
  expect(numbers().nextVersion()).toBe(first + 1);
  numbers().jump();
  const again = numbers().nextVersion();
  const known = [2, 3, first, first + 1, again, again + 1].map((each) => numbers().knows(each));
  expect(known).toEqual([true, false, true, true, true, false]);
});
