/** What a history keeps in the tables (storage/secondary/edits.ts): numbers of versions, and which of them go when. */
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { EditKind } from '../../src/collection/rpc/history.ts';
import { migrate } from '../../src/collection/storage/migrations.ts';
import { Edits } from '../../src/collection/storage/secondary/edits.ts';
import { FeedTables } from '../../src/collection/storage/secondary/feed-tables.ts';
import { NamedPeople } from '../../src/collection/storage/secondary/people.ts';
import { Versions } from '../../src/collection/storage/secondary/versions.ts';
import type { Ground } from '../../src/collection/write/ground.ts';
import { Transactor } from '../../src/collection/write/transactor.ts';
import { erasePerson } from '../../src/collection/write/upkeep/people.ts';
import { NO_SETTINGS, type History } from '../../src/domain/types/settings.ts';
import { makeTables, storageOf } from '../support/local-collection.ts';
import { idOf, typeOf } from '../support/names.ts';

const DAY = 86_400_000;
const ADA = 'core.user ada';

let database: DatabaseSync;
let edits: Edits;
let versions: Versions;
let feed: FeedTables;
let history: History | null;
beforeEach(() => {
  database = new DatabaseSync(':memory:');
  const sql = storageOf(database);
  makeTables(sql);
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

const note = (seq: number, version: number, change: EditKind) => {
  edits.note(idOf(`0${seq}`), version, change);
};
const insert = (seq: number, version: number) => {
  note(seq, version, 'create');
  database.exec(
    `INSERT INTO documents (seq, id, version, body) VALUES (${seq}, unhex('0${seq}'), ${version}, jsonb('{}'))`,
  );
};
const change = (seq: number, version: number) => {
  note(seq, version, 'unknown');
  database.exec(`UPDATE documents SET version = ${version} WHERE seq = ${seq}`);
};
const changeRights = (seq: number, version: number) => {
  database.exec(`UPDATE documents SET acl_version = ${version} WHERE seq = ${seq}`);
};
const remove = (seq: number, version: number) => {
  note(seq, version, 'delete');
  changeRights(seq, version);
  database.exec(`DELETE FROM documents WHERE seq = ${seq}`);
};
const numbered = () =>
  database
    .prepare('SELECT ended AS version, n, change FROM versions WHERE n IS NOT NULL ORDER BY id, ended')
    .all()
    .map(({ version, n, change: kind }) => `${String(version)}: ${String(n)} ${String(kind)}`);
const ended = () =>
  database
    .prepare('SELECT ended FROM versions WHERE body IS NOT NULL ORDER BY ended')
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

test('what a document was before its history began came about no later than what follows', () => {
  database.exec(`INSERT INTO documents (seq, id, version, body) VALUES (1, unhex('01'), 1, jsonb('{}'))`);
  edits = new Edits(storageOf(database), { current: { ...NO_SETTINGS, history } }, {}, () => 1_000);
  change(1, 2);
  expect(edits.before(idOf('01'), 3, 9).map(({ n, at }) => [n, at])).toEqual([
    [2, 1_000],
    [1, 1_000],
  ]);
});

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
  database.exec("UPDATE versions SET user = 'core.user a'");
  const erased = () =>
    database.prepare("SELECT count(*) AS count FROM versions WHERE user = 'erased'").get()?.['count'];
  const people = new NamedPeople(storageOf(database));
  const counts = [];
  for (const row of [0, 2]) {
    people.forgetEditor(row, row + 2, 'core.user a');
    counts.push(erased());
  }
  expect(counts).toEqual([2, 4]);
});

test('deletions are found by their index', () => {
  const sql = storageOf(database);
  const exec = vi.spyOn(sql, 'exec');
  new Edits(sql, { current: null }).deletions(null, 10);
  const [[query] = ['']] = exec.mock.calls;
  const plan = storageOf(database).exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${query}`, 1, '', 1);
  expect(plan.toArray().map(({ detail }) => detail)).toEqual([
    'SEARCH versions USING INDEX deletions ((at,id)<(?,?))',
    expect.stringMatching(/^SEARCH tombstones USING /),
  ]);
});

test('what changed while there was no history is a version of its own', () => {
  insert(1, 1);
  history = null;
  change(1, 2);
  history = { days: null, versions: null };
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

test('edits that had a table of their own are in the log, with the states before them or without', () => {
  const older = new DatabaseSync(':memory:');
  migrate(storageOf(older), 34);
  older.exec(`INSERT INTO documents (seq, id, version, body) VALUES (1, unhex('01'), 5, jsonb('{"n":3}'));
    INSERT INTO versions (ended, id, seq, began, at, body)
      VALUES (3, unhex('01'), 1, 2, 30, jsonb('{"n":1}')),
        (4, unhex('01'), 1, 3, 40, jsonb('{"n":2}')), (5, unhex('01'), 1, 4, 50, jsonb('{"n":2}'));
    INSERT INTO edits VALUES (unhex('01'), 2, 1, 'create', 'core.user a', 'k', 20),
      (unhex('01'), 3, 2, 'update', NULL, 'k', 30), (unhex('01'), 5, 3, 'update', NULL, NULL, 50);`);
  migrate(storageOf(older));
  const sql = storageOf(older);
  const log = new Versions(sql, edits);
  const id = idOf('01');
  expect(new Edits(sql, { current: null }).before(id, 9, 9)).toMatchObject([
    { version: 5, n: 3, change: 'update', user: null, key: null, at: 50 },
    { version: 3, n: 2, change: 'update', user: null, key: 'k', at: 30 },
    { version: 2, n: 1, change: 'create', user: 'core.user a', key: 'k', at: 20 },
  ]);
  const states = [2, 3, 4, 5].map((number) => log.endedBy(id, number)?.body);
  expect(states).toEqual([undefined, '{"n":1}', '{"n":2}', '{"n":2}']);
  older.close();
});

/** Erases Ada from all that the log says; `pause` is called after each step. */
async function eraseAda(pause: () => void = () => undefined): Promise<void> {
  // Without documents that are there: those are looked at in steps that only the runtime has.
  database.exec('DELETE FROM documents');
  const sql = storageOf(database);
  const tables = new Transactor(sql);
  tables.load();
  const writes = { exclusive: (work: () => unknown) => Promise.resolve(work()) };
  const rest = () => () => {
    pause();
    return Promise.resolve();
  };
  const ground = { sql, tables, writes, rest };
  const person = { identity: ADA, user: null, senders: [], owns: true };
  await erasePerson(ground as unknown as Ground, typeOf('notes'), person);
  const named =
    'SELECT count(*) AS count FROM versions WHERE user = ?1 OR creator = ?1 OR instr(acl, ?1) > 0';
  expect(database.prepare(named).get(ADA)?.['count']).toBe(0);
}

test('no name survives of who could read what was restored from the trash while an export was read', async () => {
  insert(1, 1);
  remove(1, 2);
  versions.keep(versions.now(), 'export', Date.now());
  insert(1, 3);
  versions.exhumed(idOf('01'), 3, [ADA]);
  await eraseAda();
  expect(numbered()).toHaveLength(3);
});

test('no name survives in edits of documents of hers that an erasure forgets', async () => {
  // The versions of others, then a document of hers: changed rights, changes by her, its end.
  for (let seq = 1; seq <= 4; seq += 1) insert(seq, seq);
  for (let version = 5; version < 485; version += 1) change((version % 4) + 1, version);
  insert(5, 485);
  database.exec(`UPDATE documents SET creator = '${ADA}' WHERE seq = 5`);
  for (let version = 486; version < 491; version += 1) changeRights(5, version);
  for (let version = 491; version < 526; version += 1) change(5, version);
  remove(5, 526);
  database.exec(`UPDATE versions SET user = '${ADA}' WHERE id = unhex('05')`);
  await eraseAda();
  expect(numbered().filter((each) => each.endsWith('delete'))).toEqual(['526: 37 delete']);
});

test.each([1, 2, 3, 4, 5, 6])('no name comes back where versions are pruned after step %d', async (step) => {
  // A document of others that she has changed has the last rows: those go, and the edit of the newest stays.
  for (let seq = 1; seq <= 2; seq += 1) insert(seq, seq);
  for (let version = 3; version < 403; version += 1) change(1, version);
  for (let version = 403; version < 1203; version += 1) change(2, version);
  database.exec(`UPDATE versions SET at = 0, user = '${ADA}' WHERE id = unhex('02')`);
  history = { days: 30, versions: null };
  let steps = 0;
  await eraseAda(() => {
    steps += 1;
    if (steps === step) prune(Date.now());
  });
  expect(steps).toBeGreaterThanOrEqual(step);
  expect(ended()).not.toContain(1202);
  expect(numbered().at(-1)).toBe('1202: 801 unknown');
});

test('the versions of an import end no mark of a feed when they go', () => {
  insert(1, 1);
  feed.begin('epoch', 1, Date.now());
  while (!feed.complete) feed.build();
  history = { days: 30, versions: null };
  const at = Date.now() - 40 * DAY;
  const content = { body: '{}', relationships: null };
  for (const n of [1, 2]) {
    const edit = { n, change: 'update', user: null, key: null, at } as const;
    edits.take(
      { id: idOf('02'), edit, former: n === 1 ? null : { id: idOf('02'), content, acl: {} } },
      100 + n,
    );
  }
  prune(Date.now());
  expect([ended(), feed.state?.horizon]).toEqual([[], 1]);
});

test('a page of an export sorts nothing', () => {
  const sql = storageOf(database);
  const exec = vi.spyOn(sql, 'exec');
  new Versions(sql, edits).hasAfter({ id: 'a', counter: 1 }, 0);
  const [[query] = ['']] = exec.mock.calls;
  const plan = storageOf(database).exec<{ detail: string }>(
    `EXPLAIN QUERY PLAN ${query}`,
    0,
    1,
    1,
    0,
    1,
    1,
    1,
  );
  expect(plan.toArray().filter(({ detail }) => detail.includes('TEMP B-TREE'))).toEqual([]);
});
