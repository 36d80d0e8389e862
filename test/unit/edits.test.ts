/** What a history keeps in the tables (storage/secondary/edits.ts): numbers of versions, and which of them go when. */
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { migrate } from '../../src/collection/storage/migrations.ts';
import { Edits, FIRST_EDIT, type EditPlace } from '../../src/collection/storage/secondary/edits.ts';
import { FeedTables } from '../../src/collection/storage/secondary/feed-tables.ts';
import { NamedPeople } from '../../src/collection/storage/secondary/people.ts';
import { Versions } from '../../src/collection/storage/secondary/versions.ts';
import { NO_SETTINGS, type History } from '../../src/domain/types/settings.ts';
import { storageOf } from '../support/local-collection.ts';

const DAY = 86_400_000;

let database: DatabaseSync;
let edits: Edits;
let versions: Versions;
let feed: FeedTables;
let history: History | null;
beforeEach(() => {
  database = new DatabaseSync(':memory:');
  const sql = storageOf(database);
  migrate(sql);
  history = { days: null, versions: null };
  const settings = {
    get current() {
      return { ...NO_SETTINGS, history };
    },
  };
  edits = new Edits(sql, settings);
  versions = new Versions(sql, edits);
  feed = new FeedTables(sql, versions);
  versions.follow();
});
afterEach(() => {
  database.close();
});

const insert = (seq: number, version: number) => {
  database.exec(
    `INSERT INTO documents (seq, id, version, body) VALUES (${seq}, unhex('0${seq}'), ${version}, jsonb('{}'))`,
  );
};
const change = (seq: number, version: number) => {
  database.exec(`UPDATE documents SET version = ${version} WHERE seq = ${seq}`);
};
const changeRights = (seq: number, version: number) => {
  database.exec(`UPDATE documents SET acl_version = ${version} WHERE seq = ${seq}`);
};
const remove = (seq: number, version: number) => {
  changeRights(seq, version);
  database.exec(`DELETE FROM documents WHERE seq = ${seq}`);
};
const numbered = () =>
  database
    .prepare('SELECT version, n, change FROM edits ORDER BY id, version')
    .all()
    .map(({ version, n, change: kind }) => `${String(version)}: ${String(n)} ${String(kind)}`);
const ended = () =>
  database
    .prepare('SELECT ended FROM versions ORDER BY ended')
    .all()
    .map((row) => row['ended']);

/** Looks through the log as an object does that has just woken up. */
function prune(now: number): void {
  const sql = storageOf(database);
  const log = new Versions(sql, edits);
  const tables = new FeedTables(sql, log);
  tables.load();
  while (tables.forget(now));
}

test('changes of content are numbered for each document, those of rights are not', () => {
  insert(1, 1);
  insert(2, 2);
  change(1, 3);
  changeRights(1, 4);
  change(1, 5);
  remove(2, 6);
  expect(numbered()).toEqual(['1: 1 create', '3: 2 unknown', '5: 3 unknown', '2: 1 create', '6: 2 delete']);
  expect(ended()).toEqual([3, 4, 5, 6]);
});

test('the name of who made them goes in steps', () => {
  insert(1, 1);
  insert(2, 2);
  for (const version of [3, 4]) change(1, version);
  database.exec("UPDATE edits SET user = 'core.user a'");
  const erased = () =>
    database.prepare("SELECT count(*) AS count FROM edits WHERE user = 'erased'").get()?.['count'];
  const people = new NamedPeople(storageOf(database));
  const counts = [];
  for (let place: EditPlace | null = FIRST_EDIT; place !== null;) {
    place = people.forgetEditor(place, 2, 'core.user a');
    counts.push(erased());
  }
  expect(counts).toEqual([2, 4, 4]);
});

test('deletions are found by their index', () => {
  const sql = storageOf(database);
  const exec = vi.spyOn(sql, 'exec');
  new Edits(sql, { current: null }).deletions(null, 10);
  const [[query] = ['']] = exec.mock.calls;
  const plan = storageOf(database).exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${query}`, 1, '', 1);
  expect(plan.toArray().map(({ detail }) => detail)).toEqual([
    'SEARCH edits USING INDEX deletions ((at,id)<(?,?))',
    expect.stringMatching(/^SEARCH tombstones USING /),
  ]);
});

test('what changed while there was no history is a version of its own', () => {
  insert(1, 1);
  edits.end();
  change(1, 2);
  versions.follow();
  change(1, 3);
  expect(numbered()).toEqual(['1: 1 create', '2: 2 unknown', '3: 3 unknown']);
});

describe('of what is not kept any more', () => {
  beforeEach(() => {
    insert(1, 1);
    insert(2, 2);
    for (const version of [3, 4, 5]) change(1, version);
    changeRights(1, 6);
    remove(2, 7);
  });

  test('nothing goes where all is kept, but for states that only rights ended', () => {
    prune(Date.now() + 1000 * DAY);
    expect(ended()).toEqual([3, 4, 5, 7]);
    expect(numbered()).toHaveLength(6);
  });

  test('only the last versions of each document stay', () => {
    history = { days: null, versions: 1 };
    prune(Date.now());
    expect(ended()).toEqual([5, 7]);
    expect(numbered()).toEqual(['4: 3 unknown', '5: 4 unknown', '2: 1 create', '7: 2 delete']);
    change(1, 8);
    expect(numbered().at(2)).toBe('8: 5 unknown');
  });

  test('nothing goes while it is held, and all that has gone out of bounds once that has ended', () => {
    history = { days: null, versions: 1, hold: Date.now() + DAY };
    prune(Date.now());
    expect(ended()).toEqual([3, 4, 5, 7]);
    history = { ...history, hold: Date.now() - 1 };
    prune(Date.now());
    expect(ended()).toEqual([5, 7]);
  });

  test('nothing stays after its days, but who made what is there', () => {
    history = { days: 30, versions: null };
    prune(Date.now() + 29 * DAY);
    expect(ended()).toEqual([3, 4, 5, 7]);
    prune(Date.now() + 31 * DAY);
    expect([ended(), numbered()]).toEqual([[], ['5: 4 unknown']]);
  });

  test('a feed has all of its time, and its marks of that time hold', () => {
    history = { days: null, versions: 1 };
    feed.begin('epoch', 7, Date.now());
    while (!feed.complete) feed.build();
    for (const version of [8, 9, 10]) change(1, version);
    prune(Date.now());
    expect(ended()).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
    expect(feed.state?.horizon).toBe(7);
  });

  test('an export has all since its moment', () => {
    history = { days: null, versions: 1 };
    database.exec(`INSERT INTO moments VALUES ('a', 3, ${Date.now() + DAY})`);
    prune(Date.now());
    expect(ended()).toEqual([4, 5, 6, 7]);
  });

  test('all goes where the history has ended', () => {
    history = null;
    versions.follow();
    prune(Date.now());
    expect([ended(), numbered()]).toEqual([[], []]);
    change(1, 8);
    expect([ended(), numbered()]).toEqual([[], []]);
  });
});

test('after all documents have got other numbers, the newest version of each is what it is', () => {
  insert(1, 1);
  change(1, 2);
  insert(2, 3);
  remove(2, 4);
  versions.end();
  database.exec('UPDATE documents SET version = 100, acl_version = 100');
  edits.restamp();
  versions.follow();
  change(1, 101);
  expect(numbered()).toEqual([
    '1: 1 create',
    '100: 2 unknown',
    '101: 3 unknown',
    '3: 1 create',
    '4: 2 delete',
  ]);
});
