/**
 * The tables of a collection, as the migrations make them of former ones (migrations.ts). A new collection has those
 * that every collection reads and writes. The others are made when a statement first names them: each is a page of the
 * disk, a row written, and a statement to parse whenever the object wakes.
 */
import type { ReadSql } from './sql.ts';

/** Those that a new collection has, with the rows that they always have. */
export const AT_ONCE = `
   CREATE TABLE meta (
     only INTEGER PRIMARY KEY CHECK (only = 1),
     counter INTEGER NOT NULL,   -- the number of the last change
     documents INTEGER NOT NULL, -- how many rows documents has, so that counting all costs nothing
     last_id BLOB,               -- the last id given out, so that ids ascend whatever was deleted
     chosen_ids INTEGER NOT NULL DEFAULT 0,
     since INTEGER NOT NULL DEFAULT 0,
     epoch TEXT NOT NULL DEFAULT '',
     contents INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE TABLE documents (
     seq INTEGER PRIMARY KEY,    -- ascends with id: a short reference for other tables
     id BLOB NOT NULL UNIQUE,
     version INTEGER NOT NULL,
     body BLOB NOT NULL,         -- JSONB of the flat document (domain/values/codec.ts, domain/documents.ts)
     relationships TEXT,         -- JSON array of the names of those fields that are relationships, NULL if none
     acl TEXT,
     acl_version INTEGER NOT NULL DEFAULT 0,
     creator TEXT,
     created INTEGER,
     updated INTEGER
   ) STRICT;
   CREATE TABLE tombstones (
     id BLOB PRIMARY KEY,
     version INTEGER NOT NULL,   -- the number of the deletion
     readers TEXT
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE ranges (first INTEGER PRIMARY KEY, last INTEGER NOT NULL) STRICT;
   CREATE TABLE type_settings (
     id INTEGER PRIMARY KEY,
     number INTEGER NOT NULL,    -- ascends with the changes of the settings
     content TEXT NOT NULL,      -- JSON of TypeSettings (domain/types/settings.ts), or null
     state TEXT NOT NULL,        -- in-force; coming: being checked; leaving: what it made is being removed
     built INTEGER NOT NULL      -- the last seq that was checked, or freed
   ) STRICT;
   CREATE TABLE schemas (id TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE webhooks (id TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE indexes (
     name TEXT PRIMARY KEY,
     built INTEGER NOT NULL,     -- the last seq that is indexed
     complete INTEGER NOT NULL   -- 1 when every document is, and every write keeps it
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE path_indexes (
     id INTEGER PRIMARY KEY,
     path TEXT NOT NULL UNIQUE,
     built INTEGER NOT NULL,     -- the last seq that is indexed
     complete INTEGER NOT NULL,  -- 1 when every document is
     exact INTEGER NOT NULL,     -- 1 when each key stands for one value alone
     single INTEGER NOT NULL,    -- 1 when every document has one key that is its sort key
     used INTEGER NOT NULL,      -- milliseconds since 1970: the last use, about
     documents INTEGER NOT NULL DEFAULT 0,
     score REAL NOT NULL DEFAULT 0,
     scored INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE TABLE inherited_types (
     type TEXT PRIMARY KEY,
     mark TEXT,                  -- JSON: how far its collection has told; NULL before it has
     changed INTEGER NOT NULL DEFAULT 0 -- the number here with which what it has told last changed
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE inheritors (type TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
   CREATE TABLE feed (
     only INTEGER PRIMARY KEY CHECK (only = 1),
     epoch TEXT NOT NULL,        -- another one whenever the feed begins anew
     horizon INTEGER NOT NULL,   -- every state that ended after this change is kept
     asked INTEGER NOT NULL,     -- milliseconds since 1970: the last request, about
     bytes INTEGER NOT NULL,     -- of the former states, about
     built INTEGER NOT NULL,     -- the last seq whose change is in changes
     complete INTEGER NOT NULL,  -- 1 when those of all documents are
     list TEXT
   ) STRICT;
   CREATE TABLE stored_aggregates (
     id INTEGER PRIMARY KEY,
     key TEXT NOT NULL UNIQUE,   -- a digest of what the groups depend on beside the documents
     used INTEGER NOT NULL       -- milliseconds since 1970: the last use, about
   ) STRICT;
   CREATE TABLE stored_stretches (stretch INTEGER PRIMARY KEY) STRICT;
   INSERT INTO meta (only, counter, documents) VALUES (1, 0, 0);`;

/** Of the log, for its differences (secondary/differences.ts). */
export const INDEXES_OF_DIFFERENCES = `CREATE INDEX differences ON versions (base) WHERE base IS NOT NULL;
   CREATE INDEX large_versions ON versions (n) WHERE n % 8 = 0 AND base IS NULL AND length(body) > 4096`;

/** The others, by their names. */
export const ON_DEMAND = {
  // Settings that are still to be handed to the collections of other types.
  adoptions: `CREATE TABLE adoptions (
     application TEXT NOT NULL,
     target TEXT PRIMARY KEY,
     number INTEGER NOT NULL     -- the change of this collection that is to be handed on
   ) STRICT, WITHOUT ROWID`,
  // Versions that documents had elsewhere, from where they were moved with their tokens (secondary/tokens.ts).
  carried_versions: `CREATE TABLE carried_versions (
     id BLOB NOT NULL,
     version INTEGER NOT NULL,
     here INTEGER NOT NULL,      -- the version that the document had here when it came
     PRIMARY KEY (id, version)
   ) STRICT, WITHOUT ROWID`,
  // Indexes of geometry; entries: of the values at paths; columns: of a few fields of every document.
  cells: `CREATE TABLE cells (
     path INTEGER NOT NULL,      -- of path_indexes
     cell INTEGER NOT NULL,      -- query/geo/cells.ts
     seq INTEGER NOT NULL,
     alone INTEGER NOT NULL,     -- 1 when one Point is all that the document has at the path
     PRIMARY KEY (path, cell, seq)
   ) STRICT, WITHOUT ROWID`,
  // The feed: the number of the last change of each document.
  changes: `CREATE TABLE changes (
     number INTEGER NOT NULL,    -- of the last change of a document, or of its deletion
     id BLOB NOT NULL,
     list TEXT,
     PRIMARY KEY (number, id)
   ) STRICT, WITHOUT ROWID`,
  columns: `CREATE TABLE columns (
     path INTEGER NOT NULL,      -- of path_indexes
     seq INTEGER NOT NULL,
     fields TEXT,                -- query/index/columns.ts, NULL where they are too long
     PRIMARY KEY (path, seq)
   ) STRICT, WITHOUT ROWID`,
  // Contents of files (secondary/contents.ts).
  contents: `CREATE TABLE contents (
     id BLOB PRIMARY KEY,
     bytes INTEGER NOT NULL,
     due INTEGER,
     upload TEXT,
     kept INTEGER NOT NULL DEFAULT 0,
     owner TEXT
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX contents_by_due ON contents (due) WHERE due IS NOT NULL;
   CREATE INDEX contents_by_owner ON contents (owner, bytes) WHERE owner IS NOT NULL`,
  dead_letters: `CREATE TABLE dead_letters (
     seq INTEGER PRIMARY KEY,
     id TEXT NOT NULL,
     kind TEXT NOT NULL,
     addressee TEXT NOT NULL,
     key TEXT NOT NULL,
     payload TEXT NOT NULL,
     created INTEGER NOT NULL,
     tries INTEGER NOT NULL,
     failure TEXT,
     died INTEGER NOT NULL,
     units INTEGER NOT NULL,
     about TEXT NOT NULL DEFAULT '',
     owner TEXT
   ) STRICT;
   CREATE INDEX dead_letters_by_lane ON dead_letters (kind, addressee, seq);
   CREATE INDEX dead_letters_by_key ON dead_letters (key)`,
  ended_tokens: `CREATE TABLE ended_tokens (
     id BLOB PRIMARY KEY,
     until INTEGER NOT NULL      -- seconds since 1970: when the token would have ended by itself
   ) STRICT, WITHOUT ROWID`,
  entries: `CREATE TABLE entries (
     path INTEGER NOT NULL,      -- of path_indexes
     key BLOB NOT NULL,          -- query/index/keys.ts
     seq INTEGER NOT NULL,
     PRIMARY KEY (path, key, seq)
   ) STRICT, WITHOUT ROWID`,
  // When documents end, by the field that the settings name.
  expiries: `CREATE TABLE expiries (
     name TEXT NOT NULL,         -- of the field
     at INTEGER NOT NULL,        -- milliseconds since 1970
     seq INTEGER NOT NULL,
     PRIMARY KEY (name, at, seq)
   ) STRICT, WITHOUT ROWID`,
  // Rights through links: what others have told of their documents (secondary/inherited.ts).
  inherited: `CREATE TABLE inherited (
     type TEXT NOT NULL,
     id TEXT NOT NULL,
     identity TEXT NOT NULL,
     rights TEXT NOT NULL,       -- what the identity may do with that document, with blanks between
     PRIMARY KEY (type, id, identity)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX inherited_by_identity ON inherited (identity, id, type, rights)`,
  lanes: `CREATE TABLE lanes (
     kind TEXT NOT NULL,
     addressee TEXT NOT NULL,
     waiting INTEGER NOT NULL,   -- how many letters, and the UTF-16 units of their payloads
     units INTEGER NOT NULL,
     failures INTEGER NOT NULL DEFAULT 0,
     rests INTEGER NOT NULL DEFAULT 0, -- nothing is tried before
     PRIMARY KEY (kind, addressee)
   ) STRICT, WITHOUT ROWID`,
  // The types that the links of each relationship lead to, once they were asked for.
  link_types: `CREATE TABLE link_types (
     name TEXT NOT NULL,
     type TEXT NOT NULL,
     PRIMARY KEY (name, type)
   ) STRICT, WITHOUT ROWID`,
  members: `CREATE TABLE members (
     identity TEXT NOT NULL,
     seq INTEGER NOT NULL,       -- the group
     PRIMARY KEY (identity, seq)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX members_by_seq ON members (seq)`,
  // Exports that are being read.
  moments: `CREATE TABLE moments (
     id TEXT PRIMARY KEY,
     counter INTEGER NOT NULL,   -- the number of the last change at the moment
     until INTEGER NOT NULL      -- milliseconds since 1970: when it is given up if nobody reads on
   ) STRICT, WITHOUT ROWID`,
  // Messages that wait (outbox.ts), and those that were given up.
  outbox: `CREATE TABLE outbox (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL,
     kind TEXT NOT NULL,
     addressee TEXT NOT NULL,
     key TEXT NOT NULL,
     payload TEXT NOT NULL,
     created INTEGER NOT NULL,   -- milliseconds since 1970, as are the others
     due INTEGER,                -- when it is tried next; NULL while one before it of its key waits
     tries INTEGER NOT NULL DEFAULT 0,
     failure TEXT,               -- what the last try came to
     about TEXT NOT NULL DEFAULT '',
     owner TEXT
   ) STRICT;
   CREATE INDEX outbox_by_due ON outbox (kind, addressee, due) WHERE due IS NOT NULL;
   CREATE INDEX outbox_by_key ON outbox (kind, addressee, key, seq)`,
  outcome_sums: `CREATE TABLE outcome_sums (sender TEXT PRIMARY KEY, bytes INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
  // What writes with an Idempotency-Key came to, and the bytes of each sender.
  outcomes: `CREATE TABLE outcomes (
     seq INTEGER PRIMARY KEY,    -- ascends with the parts of an outcome
     key TEXT NOT NULL,          -- of Once (collection/rpc/writes/operations.ts)
     digest TEXT NOT NULL,       -- of the body of the request
     until INTEGER NOT NULL,     -- milliseconds since 1970: when the outcome is forgotten
     bytes BLOB NOT NULL,        -- of its JSON text
     sender TEXT NOT NULL DEFAULT ''
   ) STRICT;
   CREATE INDEX outcomes_by_key ON outcomes (key, seq);
   CREATE INDEX outcomes_by_until ON outcomes (until);
   CREATE INDEX outcomes_by_sender ON outcomes (sender, seq)`,
  // Schemas that are still to be pushed to the collections of other types; webhook_pushes: webhooks.
  pushes: `CREATE TABLE pushes (
     application TEXT NOT NULL,
     target TEXT PRIMARY KEY,
     number INTEGER NOT NULL     -- the change of this collection that is to be pushed
   ) STRICT, WITHOUT ROWID`,
  rights: `CREATE TABLE rights (
     right TEXT NOT NULL,
     identity TEXT NOT NULL,     -- '*', or type and id
     seq INTEGER NOT NULL,
     PRIMARY KEY (right, identity, seq)
   ) STRICT, WITHOUT ROWID`,
  rights_changes: `CREATE TABLE rights_changes (
     id BLOB PRIMARY KEY,
     number INTEGER NOT NULL     -- the last change of the rights on the document, which may be gone
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX rights_changes_by_number ON rights_changes (number)`,
  schema_pushes: `CREATE TABLE schema_pushes (
     only INTEGER PRIMARY KEY CHECK (only = 1),
     number INTEGER NOT NULL
   ) STRICT`,
  stored_groups: `CREATE TABLE stored_groups (
     stretch INTEGER NOT NULL,
     aggregate INTEGER NOT NULL,
     content TEXT NOT NULL,      -- as a pipeline packs its parts (pipeline/parts.ts)
     PRIMARY KEY (stretch, aggregate)
   ) STRICT`,
  uniques: `CREATE TABLE uniques (
     name TEXT NOT NULL,
     value TEXT NOT NULL,
     id BLOB NOT NULL,           -- the document that has it
     PRIMARY KEY (name, value)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX uniques_by_id ON uniques (id)`,
  // Their bytes that fill no part yet.
  upload_tails: `CREATE TABLE upload_tails (
     id BLOB,
     at INTEGER,
     bytes BLOB NOT NULL,
     PRIMARY KEY (id, at)
   ) STRICT, WITHOUT ROWID`,
  // Uploads that may be continued (secondary/uploads.ts).
  uploads: `CREATE TABLE uploads (id BLOB PRIMARY KEY, state TEXT NOT NULL) STRICT, WITHOUT ROWID`,
  // Former versions of documents, and who has ended them, for feeds, exports and the history (secondary/versions.ts).
  versions: `CREATE TABLE versions (
     id BLOB NOT NULL,
     ended INTEGER NOT NULL,     -- the number of the change that has ended the version
     began INTEGER NOT NULL,     -- the number of the change that has begun it; \`ended\` where feeds know nothing of it
     at INTEGER NOT NULL,        -- milliseconds since 1970: when it ended
     n INTEGER,                  -- of the version that begins then, 1 for the first; NULL without a history
     change TEXT,                -- rpc/history.ts
     user TEXT,                  -- type and id, or erased
     key TEXT,
     seq INTEGER,                -- the position of the document
     export_seq INTEGER,         -- the same of those that ended while an export was being read
     body BLOB,                  -- NULL where nothing was there before, or what was is kept no more
     base INTEGER,               -- the row that \`body\` is a difference from; 0 where it stays whole (differences.ts)
     relationships TEXT,
     acl TEXT,
     creator TEXT,
     created INTEGER,
     updated INTEGER
   ) STRICT;
   CREATE INDEX versions_by_id ON versions (id, ended, n, at);
   CREATE INDEX versions_by_number ON versions (ended, id) WHERE body IS NOT NULL;
   CREATE INDEX versions_of_exports ON versions (export_seq, ended) WHERE export_seq IS NOT NULL;
   ${INDEXES_OF_DIFFERENCES};
   CREATE INDEX deletions ON versions (at, id) WHERE change = 'delete'`,
  webhook_numbers: `CREATE TABLE webhook_numbers (
     only INTEGER PRIMARY KEY CHECK (only = 1),
     number INTEGER NOT NULL
   ) STRICT`,
  webhook_pushes: `CREATE TABLE webhook_pushes (
     application TEXT NOT NULL,
     target TEXT PRIMARY KEY,
     number INTEGER NOT NULL     -- the change of this collection that is to be pushed
   ) STRICT, WITHOUT ROWID`,
};

export function hasTables(sql: ReadSql): boolean {
  return sql.exec(`SELECT 1 FROM sqlite_master WHERE name = 'migrations'`).toArray().length > 0;
}
