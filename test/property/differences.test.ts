/**
 * Former states that are stored as differences (storage/secondary/differences.ts) are read as they were written,
 * whichever rows of the log go; against a list kept outside.
 */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { Edits } from '../../src/collection/storage/secondary/edits.ts';
import { NamedPeople } from '../../src/collection/storage/secondary/people.ts';
import { Versions } from '../../src/collection/storage/secondary/versions.ts';
import { NO_SETTINGS } from '../../src/domain/types/settings.ts';
import fc from '../support/fast-check.ts';
import { makeTables, storageOf } from '../support/local-collection.ts';
import { scaled } from '../support/long.ts';
import { idOf } from '../support/names.ts';

const ID = idOf('01');
const HISTORY = { current: { ...NO_SETTINGS, history: { days: null, versions: null } } };
const LONG = 'It was a dark and stormy night. '.repeat(200);

/** A log of one document. */
class Log {
  readonly database = new DatabaseSync(':memory:');
  readonly #sql = storageOf(this.database);
  readonly #edits = new Edits(this.#sql, HISTORY);
  readonly people = new NamedPeople(this.#sql);
  /** States by the number of the change that has ended them. */
  readonly states = new Map<number, string>();
  #last: string | null = null;
  #version = 0;

  constructor() {
    makeTables(this.#sql);
    new Versions(this.#sql, this.#edits).follow();
  }

  write(body: unknown): void {
    const text = JSON.stringify(body);
    this.#version += 1;
    this.#edits.note(ID, this.#version, this.#last === null ? 'create' : 'update');
    if (this.#last !== null) this.states.set(this.#version, this.#last);
    this.#last = text;
    const stored = `INSERT INTO documents (seq, id, version, body) VALUES (1, unhex('01'), ?2, jsonb(?1))
      ON CONFLICT DO UPDATE SET version = ?2, body = jsonb(?1)`;
    this.database.prepare(stored).run(text, this.#version);
  }

  forget(number: number): void {
    const { row } =
      this.database.prepare('SELECT rowid AS row FROM versions WHERE ended = ?').get(number) ?? {};
    this.people.forgetVersion(Number(row));
    this.states.delete(number);
  }

  /** As the object does when it looks through its log. Gives the bytes of all states after each step. */
  prune(): readonly number[] {
    const versions = new Versions(this.#sql, this.#edits);
    const bytes: number[] = [];
    for (let isMore = true; isMore; bytes.push(Number(this.stored?.['bytes'])))
      isMore = versions.prune(Date.now(), null);
    return bytes;
  }

  /** What is read of all states. */
  read(): ReadonlyMap<number, string> {
    const versions = new Versions(this.#sql, this.#edits);
    return new Map(
      Array.from(this.states.keys(), (number) => [number, versions.endedBy(ID, number)?.body ?? 'gone']),
    );
  }

  /** How many states are stored as differences, and bytes of all. */
  get stored() {
    return this.database
      .prepare(
        'SELECT count(*) FILTER (WHERE base > 0) AS differences, sum(length(body)) AS bytes FROM versions',
      )
      .get();
  }
}

const FIELD = fc.constantFrom('a', 'b', 'c', '__proto__', 'a.b', '"', '');
const BODY = fc.letrec<{ value: unknown; fields: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<unknown>(null, LONG, true, 0, -0.5, 1e21, ''),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('fields'),
  ),
  fields: fc
    .array(fc.tuple(FIELD, tie('value')), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries)),
})).fields;
const STEP = fc.oneof(
  { weight: 8, arbitrary: fc.record({ write: fc.record({ long: fc.constant(LONG), rest: BODY }) }) },
  { weight: 2, arbitrary: fc.record({ write: BODY }) },
  { weight: 1, arbitrary: fc.constant('prune' as const) },
  { weight: 1, arbitrary: fc.nat().map((forget) => ({ forget })) },
);

test('states are read as they were, whichever are differences, and whichever go', () => {
  let differences = 0;
  fc.assert(
    fc.property(fc.array(STEP, { minLength: 10, maxLength: 40, size: 'max' }), (steps) => {
      const log = new Log();
      for (const step of steps) {
        if (step === 'prune') log.prune();
        else if ('forget' in step) {
          const numbers = [...log.states.keys()];
          const number = numbers[step.forget % numbers.length];
          if (number !== undefined) log.forget(number);
        } else log.write(step.write);
        expect(log.read()).toEqual(log.states);
      }
      log.prune();
      expect(log.read()).toEqual(log.states);
      differences += Number(log.stored?.['differences']);
    }),
    { numRuns: scaled(200) },
  );
  expect(differences).toBeGreaterThan(100);
});

test('of eight states that differ in a number, seven take little', () => {
  const log = new Log();
  for (let n = 0; n <= 24; n += 1) log.write({ n, text: LONG });
  log.prune();
  expect(log.stored?.['differences']).toBe(20);
  expect(log.stored?.['bytes']).toBeLessThan(4 * 7_000 + 20 * 10);
});

test('what names a member is forgotten where only the whole state names it, and what goes by it is whole', () => {
  const log = new Log();
  for (let n = 0; n <= 8; n += 1) log.write({ n, text: LONG, members: n < 4 ? ['ada'] : ['eve'] });
  log.prune();
  log.people.forgetMember(0, 100, 'core.user eve');
  const left = [...log.states].filter(([, body]) => !body.includes('eve'));
  expect([...log.read()].filter(([, body]) => body !== 'gone')).toEqual(left);
});

test('others have their turn after each large state', () => {
  const log = new Log();
  for (let n = 0; n <= 16; n += 1) log.write({ n, text: LONG.repeat(20) });
  const taken = log.prune().map((bytes, step, all) => (all[step - 1] ?? bytes) - bytes);
  expect(log.stored?.['differences']).toBe(13);
  expect(Math.max(...taken)).toBeLessThan(2 * 20 * LONG.length);
});
