/**
 * What makes the tables of a collection (tables.ts) of those of former releases. Migrations are numbered and
 * append-only: a released one is never edited, because objects in the field have run it. Nothing is written before the
 * first write of a document, so that asking about a type nobody uses leaves nothing behind.
 */
import { TablesOnDemand } from './missing-tables.ts';
import { RELEASED } from './released.ts';
import { AT_ONCE, hasTables, INDEXES_OF_DIFFERENCES } from './tables.ts';

/** What is done after a release, as one: none of the migrations that led there was released. Its number is the last. */
const SINCE_0_2: readonly string[] = [
  // Decimals and large longs have other keys (query/index/keys.ts): indexes that may hold them are built anew, the
  // former entries are deleted in steps (path-indexes.ts).
  `INSERT INTO path_indexes (path, built, complete, exact, single, used, score, scored)
     SELECT '$anew.' || path, 0, 0, 1, 1, used, score, scored FROM path_indexes
     WHERE exact = 0 AND path NOT LIKE '$cells.%' AND path NOT LIKE '$dropped.%';
   UPDATE path_indexes SET path = '$dropped.' || id, complete = 0
     WHERE exact = 0 AND path NOT LIKE '$cells.%' AND path NOT LIKE '$dropped.%';
   UPDATE path_indexes SET path = substr(path, 7) WHERE path LIKE '$anew.%';`,

  // The tables that every collection has. The others are made when a statement first names them.
  `CREATE TABLE ranges (first INTEGER PRIMARY KEY, last INTEGER NOT NULL) STRICT;
   CREATE TABLE inherited_types (
     type TEXT PRIMARY KEY,
     mark TEXT,                  -- JSON: how far its collection has told; NULL before it has
     changed INTEGER NOT NULL DEFAULT 0 -- the number here with which what it has told last changed
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE inheritors (type TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
   CREATE TABLE stored_aggregates (
     id INTEGER PRIMARY KEY,
     key TEXT NOT NULL UNIQUE,   -- a digest of what the groups depend on beside the documents
     used INTEGER NOT NULL       -- milliseconds since 1970: the last use, about
   ) STRICT;
   CREATE TABLE stored_stretches (stretch INTEGER PRIMARY KEY) STRICT;
   ALTER TABLE meta ADD COLUMN since INTEGER NOT NULL DEFAULT 0; -- the first number of the present range
   ALTER TABLE meta ADD COLUMN epoch TEXT NOT NULL DEFAULT '';    -- of the process that began it
   ALTER TABLE meta ADD COLUMN contents INTEGER NOT NULL DEFAULT 0; -- bytes of all contents of files
   ALTER TABLE feed ADD COLUMN list TEXT;       -- the id of the running list of operations
   ALTER TABLE changes ADD COLUMN list TEXT;    -- and of the one that has made a last change
   ALTER TABLE outbox ADD COLUMN owner TEXT;    -- whose a document was that is deleted
   ALTER TABLE dead_letters ADD COLUMN owner TEXT;
   CREATE INDEX dead_letters_by_key ON dead_letters (key);`,

  // One log of versions for feed, exports and history (secondary/versions.ts). Exports that are being read begin anew.
  // A version of a document that was deleted has a position that none has.
  `DROP TRIGGER IF EXISTS keep_before_update;
   DROP TRIGGER IF EXISTS keep_before_delete;
   DROP TRIGGER IF EXISTS feed_after_insert;
   DROP TRIGGER IF EXISTS feed_after_update;
   DROP TRIGGER IF EXISTS feed_after_forgetting;
   DROP TABLE kept;
   DROP TABLE moments;`,
  `INSERT INTO versions (id, ended, began, at, seq, body, relationships, acl, creator, created, updated)
     SELECT id, ended, began, at, coalesce((SELECT seq FROM documents WHERE documents.id = states.id),
         -(SELECT max(others.ended) FROM former_states AS others WHERE others.id = states.id)),
       body, relationships, acl, creator, created, updated
     FROM former_states AS states ORDER BY states.rowid`,
  'DROP TABLE former_states',
];

/** Lets states of a log be differences that was made before they could (secondary/differences.ts). */
function addDifferences(sql: SqlStorage): void {
  const whole = `SELECT 1 FROM sqlite_master WHERE name = 'versions' AND instr(sql, 'base INTEGER') = 0`;
  if (sql.exec(whole).toArray().length > 0)
    sql.exec(`ALTER TABLE versions ADD COLUMN base INTEGER; ${INDEXES_OF_DIFFERENCES}`);
}

/** Those of each number. */
const MIGRATIONS = new Map<number, readonly (string | typeof addDifferences)[]>([
  ...RELEASED.map((statements, index) => [index + 1, [statements]] as const),
  [36, SINCE_0_2],
  [37, [addDifferences]],
]);

/**
 * Updates the tables to the newest form. To be called inside a transaction, or before any other use. Tests of what an
 * earlier release stored stop at its last migration.
 */
export function migrate(sql: SqlStorage, last = Infinity): void {
  const isNew = last === Infinity && !hasTables(sql);
  sql.exec(`CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY) STRICT`);
  if (isNew) {
    const numbers = Array.from(MIGRATIONS.keys(), (number) => `(${number})`);
    sql.exec(`${AT_ONCE} INSERT INTO migrations VALUES ${numbers.join()}`);
    return;
  }
  const { done } = sql
    .exec<{ done: number }>(`SELECT coalesce(max(number), 0) AS done FROM migrations`)
    .one();
  const tables = new TablesOnDemand(sql);
  for (const [number, statements] of MIGRATIONS) {
    if (number <= done || number > last) continue;
    for (const each of statements) {
      if (typeof each === 'string') tables.exec(each, []);
      else each(sql);
    }
    sql.exec(`INSERT INTO migrations VALUES (?)`, number);
  }
}
