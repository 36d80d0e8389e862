/**
 * The tables of a collection. Migrations are numbered and append-only: a released one is never edited, because
 * objects in the field have run it. Nothing is written before the first write of a document, so that asking
 * about a type nobody uses leaves nothing behind.
 */

const MIGRATIONS: readonly string[] = [
  // 1: documents, tombstones and the counter.
  `CREATE TABLE meta (
     only INTEGER PRIMARY KEY CHECK (only = 1),
     counter INTEGER NOT NULL,   -- the number of the last change
     documents INTEGER NOT NULL, -- how many rows documents has, so that counting all costs nothing
     last_id BLOB                -- the last id given out, so that ids ascend whatever was deleted
   ) STRICT;
   INSERT INTO meta VALUES (1, 0, 0, NULL);
   CREATE TABLE documents (
     seq INTEGER PRIMARY KEY,    -- ascends with id: a short reference for other tables
     id BLOB NOT NULL UNIQUE,
     version INTEGER NOT NULL,
     body BLOB NOT NULL,         -- JSONB of the flat document (domain/codec.ts, domain/documents.ts)
     relationships TEXT          -- JSON array of the names of those fields that are relationships, NULL if none
   ) STRICT;
   CREATE TABLE tombstones (
     id BLOB PRIMARY KEY,
     version INTEGER NOT NULL    -- the number of the deletion
   ) STRICT, WITHOUT ROWID;`,

  // 2: which indexes there are, and how far each has been built.
  `CREATE TABLE indexes (
     name TEXT PRIMARY KEY,
     built INTEGER NOT NULL,     -- the last seq that is indexed
     complete INTEGER NOT NULL   -- 1 when every document is, and every write keeps it
   ) STRICT, WITHOUT ROWID;`,
];

/** True when the collection has tables. */
export function hasTables(sql: SqlStorage): boolean {
  return sql.exec(`SELECT 1 FROM sqlite_master WHERE name = 'migrations'`).toArray().length > 0;
}

/** Brings the tables to the newest form. To be called inside a transaction, or before any other use. */
export function migrate(sql: SqlStorage): void {
  sql.exec(`CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY) STRICT`);
  const { done } = sql
    .exec<{ done: number }>(`SELECT coalesce(max(number), 0) AS done FROM migrations`)
    .one();
  MIGRATIONS.slice(done).forEach((statements, index) => {
    sql.exec(statements);
    sql.exec(`INSERT INTO migrations VALUES (?)`, done + index + 1);
  });
}
