/** The migrations since release 0.2.0. Nobody edits them either: whoever follows the project has run some of them. */
export const SINCE_0_2: readonly string[] = [
  // 19: decimals and large longs have other keys (query/index/keys.ts): indexes that may hold them are built anew, the
  // former entries are deleted in steps (path-indexes.ts).
  `INSERT INTO path_indexes (path, built, complete, exact, single, used, score, scored)
     SELECT '$anew.' || path, 0, 0, 1, 1, used, score, scored FROM path_indexes
     WHERE exact = 0 AND path NOT LIKE '$cells.%' AND path NOT LIKE '$dropped.%';
   UPDATE path_indexes SET path = '$dropped.' || id, complete = 0
     WHERE exact = 0 AND path NOT LIKE '$cells.%' AND path NOT LIKE '$dropped.%';
   UPDATE path_indexes SET path = substr(path, 7) WHERE path LIKE '$anew.%';`,

  // 20: groups of aggregates, of stretches in which nothing was written since (secondary/stored-groups.ts).
  `CREATE TABLE stored_aggregates (
     id INTEGER PRIMARY KEY,
     key TEXT NOT NULL UNIQUE,   -- a digest of what the groups depend on beside the documents
     used INTEGER NOT NULL       -- milliseconds since 1970: the last use, about
   ) STRICT;
   CREATE TABLE stored_stretches (stretch INTEGER PRIMARY KEY) STRICT;
   CREATE TABLE stored_groups (
     stretch INTEGER NOT NULL,
     aggregate INTEGER NOT NULL,
     content TEXT NOT NULL,      -- as a pipeline packs its parts (pipeline/parts.ts)
     PRIMARY KEY (stretch, aggregate)
   ) STRICT;`,

  // 21: indexes of columns, for passes that need a few fields of every document.
  `CREATE TABLE columns (
     path INTEGER NOT NULL,      -- of path_indexes
     seq INTEGER NOT NULL,
     fields TEXT,                -- query/index/columns.ts, NULL where they are too long
     PRIMARY KEY (path, seq)
   ) STRICT, WITHOUT ROWID;`,

  // 22: aggregates whose groups are stored are known by digests; values of parameters were in their keys.
  `DELETE FROM stored_groups;
   DELETE FROM stored_stretches;
   DELETE FROM stored_aggregates;`,

  // 23: which numbers the counter has given out (document-writer.ts): ranges of them, of which the last one goes on.
  `ALTER TABLE meta ADD COLUMN since INTEGER NOT NULL DEFAULT 0; -- the first number of the present range
   ALTER TABLE meta ADD COLUMN epoch TEXT NOT NULL DEFAULT '';    -- of the process that began it
   CREATE TABLE ranges (first INTEGER PRIMARY KEY, last INTEGER NOT NULL) STRICT;`,

  // 24: one log of versions for feed and exports (secondary/versions.ts). Exports that are being read begin anew. A
  // version of a document that was deleted has a position that none has.
  `DROP TRIGGER IF EXISTS keep_before_update;
   DROP TRIGGER IF EXISTS keep_before_delete;
   DROP TRIGGER IF EXISTS feed_after_insert;
   DROP TRIGGER IF EXISTS feed_after_update;
   DROP TRIGGER IF EXISTS feed_after_forgetting;
   DROP TABLE kept;
   DROP TABLE moments;
   CREATE TABLE moments (
     id TEXT PRIMARY KEY,
     counter INTEGER NOT NULL,   -- the number of the last change at the moment
     until INTEGER NOT NULL      -- milliseconds since 1970: when it is given up if nobody reads on
   ) STRICT, WITHOUT ROWID;
   ALTER TABLE former_states RENAME TO versions;
   ALTER TABLE versions ADD COLUMN seq INTEGER NOT NULL DEFAULT 0; -- the position of the document
   UPDATE versions SET seq = coalesce((SELECT seq FROM documents WHERE documents.id = versions.id),
     -(SELECT max(others.ended) FROM versions AS others WHERE others.id = versions.id));
   DROP INDEX former_states_by_id;
   CREATE INDEX versions_by_seq ON versions (seq, ended);`,

  // 25: versions that documents had elsewhere, from where they were moved with their tokens (secondary/tokens.ts).
  `CREATE TABLE carried_versions (
     id BLOB NOT NULL,
     version INTEGER NOT NULL,
     here INTEGER NOT NULL,      -- the version that the document had here when it came
     PRIMARY KEY (id, version)
   ) STRICT, WITHOUT ROWID;`,

  // 26: rights through links: what others told of their documents, and what this one tells (secondary/inherited.ts).
  `CREATE TABLE inherited_types (
     type TEXT PRIMARY KEY,
     mark TEXT,                  -- JSON: how far its collection has told; NULL before it has
     changed INTEGER NOT NULL DEFAULT 0 -- the number here with which what it has told last changed
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE inherited (
     type TEXT NOT NULL,
     id TEXT NOT NULL,
     identity TEXT NOT NULL,
     rights TEXT NOT NULL,       -- what the identity may do with that document, with blanks between
     PRIMARY KEY (type, id, identity)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX inherited_by_identity ON inherited (identity, id, type, rights);
   CREATE TABLE inheritors (type TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
   CREATE TABLE rights_changes (
     id BLOB PRIMARY KEY,
     number INTEGER NOT NULL     -- the last change of the rights on the document, which may be gone
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX rights_changes_by_number ON rights_changes (number);`,

  // 27: who has made each version of the documents of a type with history (secondary/edits.ts).
  `CREATE TABLE edits (
     id BLOB NOT NULL,
     version INTEGER NOT NULL,   -- of the document, or the number of its deletion
     n INTEGER NOT NULL,         -- 1 for the first one of the document that is known
     change TEXT NOT NULL,       -- rpc/history.ts
     user TEXT,                  -- type and id, or erased
     key TEXT,
     at INTEGER NOT NULL,        -- milliseconds since 1970
     PRIMARY KEY (id, version)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX deletions ON edits (at, id) WHERE change = 'delete';`,

  // 28: contents of files (secondary/contents.ts): bytes, and when those without a document are deleted; bytes of all.
  `CREATE TABLE contents (id BLOB PRIMARY KEY, bytes INTEGER NOT NULL, due INTEGER) STRICT, WITHOUT ROWID;
   CREATE INDEX contents_by_due ON contents (due) WHERE due IS NOT NULL;
   ALTER TABLE meta ADD COLUMN contents INTEGER NOT NULL DEFAULT 0;`,

  // 29: the upload in parts of a content that is not whole.
  'ALTER TABLE contents ADD COLUMN upload TEXT;',

  // 30: whether a content has had a document: backups keep it for a while.
  `ALTER TABLE contents ADD COLUMN kept INTEGER NOT NULL DEFAULT 0;
   UPDATE contents SET kept = 1 WHERE due IS NULL;`,

  // 31: uploads of contents that may be continued (secondary/uploads.ts), and their bytes that fill no part yet.
  `CREATE TABLE uploads (id BLOB PRIMARY KEY, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE upload_tails (id BLOB, at INTEGER, bytes BLOB NOT NULL, PRIMARY KEY (id, at)) STRICT, WITHOUT ROWID;`,

  // 32: the user whose content it is, whose bytes count together.
  `ALTER TABLE contents ADD COLUMN owner TEXT;
   CREATE INDEX contents_by_owner ON contents (owner, bytes) WHERE owner IS NOT NULL;`,

  // 33: the id of the running list of operations, and of the one that has made a last change; for feeds alone.
  `DROP TRIGGER IF EXISTS feed_after_insert;
   DROP TRIGGER IF EXISTS feed_after_update;
   ALTER TABLE feed ADD COLUMN list TEXT;
   ALTER TABLE changes ADD COLUMN list TEXT;`,

  // 34: each write of a type with history notes its version itself.
  `DROP TRIGGER IF EXISTS edits_after_insert;
   DROP TRIGGER IF EXISTS edits_after_update;
   DROP TRIGGER IF EXISTS edits_after_delete;`,

  // 35: the log has the edits, too. Exports that are being read begin anew.
  `DROP TRIGGER IF EXISTS log_after_update;
   DELETE FROM moments;
   CREATE TABLE log (
     id BLOB NOT NULL,
     ended INTEGER NOT NULL,     -- the number of the change that has ended the version
     began INTEGER NOT NULL,     -- the number of the change that has begun it; \`ended\` where feeds and exports know nothing of it
     at INTEGER NOT NULL,        -- milliseconds since 1970: when it ended
     n INTEGER,                  -- of the version that begins then, 1 for the first; NULL where only rights change, and without a history
     change TEXT,                -- rpc/history.ts
     user TEXT,                  -- type and id, or erased
     key TEXT,
     seq INTEGER,                -- the position of the document
     export_seq INTEGER,         -- the same of those that ended while an export was being read
     body BLOB,                  -- NULL where nothing was there before, or what was is kept no more
     relationships TEXT,
     acl TEXT,
     creator TEXT,
     created INTEGER,
     updated INTEGER
   ) STRICT;
   INSERT INTO log SELECT versions.id, ended, began, coalesce(edits.at, versions.at), n, change, user, key, seq, NULL,
       body, relationships, acl, creator, created, updated
     FROM versions LEFT JOIN edits ON edits.id = versions.id AND edits.version = ended ORDER BY versions.rowid;
   INSERT INTO log (id, ended, began, at, n, change, user, key) SELECT id, version, version, at, n, change, user, key
     FROM edits WHERE NOT EXISTS (SELECT 1 FROM versions WHERE versions.id = edits.id AND ended = edits.version);
   DROP TABLE edits;
   DROP TABLE versions;
   ALTER TABLE log RENAME TO versions;
   CREATE INDEX versions_by_id ON versions (id, ended, n, at);
   CREATE INDEX versions_by_number ON versions (ended, id) WHERE body IS NOT NULL;
   CREATE INDEX versions_of_exports ON versions (export_seq, ended) WHERE export_seq IS NOT NULL;
   CREATE INDEX deletions ON versions (at, id) WHERE change = 'delete';`,

  // 36: whose a document was that is deleted, where messages tell of it still.
  `ALTER TABLE outbox ADD COLUMN owner TEXT;
   ALTER TABLE dead_letters ADD COLUMN owner TEXT;
   CREATE INDEX dead_letters_by_key ON dead_letters (key);`,
];
