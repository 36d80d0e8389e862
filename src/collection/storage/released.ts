/** The migrations of releases: nobody edits them, because objects in the field have run them. */
export const RELEASED: readonly string[] = [
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

  // 3: rights, values that must be unique, members of groups, ended tokens.
  `ALTER TABLE documents ADD COLUMN acl TEXT;                      -- JSON of an Acl (domain/rights.ts), NULL for nobody
   ALTER TABLE documents ADD COLUMN acl_version INTEGER NOT NULL DEFAULT 0; -- the number of the last change of the ACL
   ALTER TABLE tombstones ADD COLUMN readers TEXT;                      -- JSON array of identities that could read
   CREATE TABLE rights (
     right TEXT NOT NULL,
     identity TEXT NOT NULL,     -- '*', or type and id
     seq INTEGER NOT NULL,
     PRIMARY KEY (right, identity, seq)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE uniques (
     name TEXT NOT NULL,
     value TEXT NOT NULL,
     id BLOB NOT NULL,           -- the document that has it
     PRIMARY KEY (name, value)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX uniques_by_id ON uniques (id);
   CREATE TABLE members (
     identity TEXT NOT NULL,
     seq INTEGER NOT NULL,       -- the group
     PRIMARY KEY (identity, seq)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX members_by_seq ON members (seq);
   CREATE TABLE ended_tokens (
     id BLOB PRIMARY KEY,
     until INTEGER NOT NULL      -- seconds since 1970: when the token would have ended by itself
   ) STRICT, WITHOUT ROWID;`,

  // 4: the schemas in force here, and those still to be pushed elsewhere.
  `CREATE TABLE schemas (id TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE schema_pushes (only INTEGER PRIMARY KEY CHECK (only = 1), number INTEGER NOT NULL) STRICT;
   CREATE TABLE pushes (
     application TEXT NOT NULL,
     target TEXT PRIMARY KEY,
     number INTEGER NOT NULL     -- the change of this collection that is to be pushed
   ) STRICT, WITHOUT ROWID;`,

  // 5: indexes on paths, learned from searches.
  `CREATE TABLE path_indexes (
     id INTEGER PRIMARY KEY,
     path TEXT NOT NULL UNIQUE,
     built INTEGER NOT NULL,     -- the last seq that is indexed
     complete INTEGER NOT NULL,  -- 1 when every document is
     exact INTEGER NOT NULL,     -- 1 when each key stands for one value alone
     single INTEGER NOT NULL,    -- 1 when every document has one key that is its sort key
     used INTEGER NOT NULL       -- milliseconds since 1970: the last use, about
   ) STRICT;
   CREATE TABLE entries (
     path INTEGER NOT NULL,      -- of path_indexes
     key BLOB NOT NULL,          -- query/index/keys.ts
     seq INTEGER NOT NULL,
     PRIMARY KEY (path, key, seq)
   ) STRICT, WITHOUT ROWID;`,

  // 6: indexes of cells, for geometry.
  `ALTER TABLE path_indexes ADD COLUMN documents INTEGER NOT NULL DEFAULT 0; -- of cells: documents with entries
   CREATE TABLE cells (
     path INTEGER NOT NULL,      -- of path_indexes
     cell INTEGER NOT NULL,      -- query/geo/cells.ts
     seq INTEGER NOT NULL,
     alone INTEGER NOT NULL,     -- 1 when one Point is all that the document has at the path
     PRIMARY KEY (path, cell, seq)
   ) STRICT, WITHOUT ROWID;`,

  // 7: the work that learned indexes save: documents that searches did not look at, and when it was worth that, in
  // milliseconds since 1970.
  `ALTER TABLE path_indexes ADD COLUMN score REAL NOT NULL DEFAULT 0;
   ALTER TABLE path_indexes ADD COLUMN scored INTEGER NOT NULL DEFAULT 0;`,

  // 8: what writes with an Idempotency-Key came to.
  `CREATE TABLE outcomes (
     seq INTEGER PRIMARY KEY,    -- ascends with the parts of an outcome
     key TEXT NOT NULL,          -- rpc/once.ts
     digest TEXT NOT NULL,       -- of the body of the request
     until INTEGER NOT NULL,     -- milliseconds since 1970: when the outcome is forgotten
     bytes BLOB NOT NULL         -- of its JSON text
   ) STRICT;
   CREATE INDEX outcomes_by_key ON outcomes (key, seq);
   CREATE INDEX outcomes_by_until ON outcomes (until);`,

  // 9: what the service knows of a document (domain/audit-fields.ts), NULL where a former release stored it.
  `ALTER TABLE documents ADD COLUMN creator TEXT;    -- type and id
   ALTER TABLE documents ADD COLUMN created INTEGER; -- milliseconds since 1970
   ALTER TABLE documents ADD COLUMN updated INTEGER;`,

  // 10: the settings of the type, and those still to be handed to the collections of other types.
  `CREATE TABLE type_settings (
     id INTEGER PRIMARY KEY,
     number INTEGER NOT NULL,    -- ascends with the changes of the settings
     content TEXT NOT NULL,      -- JSON of TypeSettings (domain/type-settings.ts), or null
     state TEXT NOT NULL,        -- in-force; coming: being checked; leaving: what it made is being removed
     built INTEGER NOT NULL      -- the last seq that was checked, or freed
   ) STRICT;
   CREATE TABLE adoptions (
     application TEXT NOT NULL,
     target TEXT PRIMARY KEY,
     number INTEGER NOT NULL     -- the change of this collection that is to be handed on
   ) STRICT, WITHOUT ROWID;`,

  // 11: the types that the links of each relationship lead to, once they were asked for (link-types.ts).
  `CREATE TABLE link_types (name TEXT NOT NULL, type TEXT NOT NULL, PRIMARY KEY (name, type)) STRICT, WITHOUT ROWID;`,

  // 12: whether a document ever had an id that a client chose: such ids do not ascend.
  `ALTER TABLE meta ADD COLUMN chosen_ids INTEGER NOT NULL DEFAULT 0;`,

  // 13: who sent the requests whose outcomes are kept, and the bytes kept for each.
  `ALTER TABLE outcomes ADD COLUMN sender TEXT NOT NULL DEFAULT ''; -- rpc/once.ts
   CREATE INDEX outcomes_by_sender ON outcomes (sender, seq);
   CREATE TABLE outcome_sums (sender TEXT PRIMARY KEY, bytes INTEGER NOT NULL) STRICT, WITHOUT ROWID;`,

  // 14: when documents end, by the field that the settings name.
  `CREATE TABLE expiries (
     name TEXT NOT NULL,         -- of the field
     at INTEGER NOT NULL,        -- milliseconds since 1970
     seq INTEGER NOT NULL,
     PRIMARY KEY (name, at, seq)
   ) STRICT, WITHOUT ROWID;`,

  // 15: exports that are being read (moments.ts), and documents as they were at their moments.
  `CREATE TABLE moments (
     id TEXT PRIMARY KEY,
     counter INTEGER NOT NULL,   -- the number of the last change at the moment
     last INTEGER NOT NULL,      -- the last position then
     position INTEGER NOT NULL,  -- the last position that its reader has
     until INTEGER NOT NULL      -- milliseconds since 1970: when it is given up if nobody reads on
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE kept (
     moment TEXT NOT NULL,
     seq INTEGER NOT NULL,
     id BLOB NOT NULL,
     body BLOB NOT NULL,
     relationships TEXT,
     acl TEXT,
     creator TEXT,
     created INTEGER,
     updated INTEGER,
     PRIMARY KEY (moment, seq)
   ) STRICT;`,
  // 16: the outbox: letters that wait, and those that were given up (outbox.ts).
  `CREATE TABLE outbox (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL,
     kind TEXT NOT NULL,
     addressee TEXT NOT NULL,
     key TEXT NOT NULL,
     payload TEXT NOT NULL,
     created INTEGER NOT NULL,   -- milliseconds since 1970, as are the others
     due INTEGER,                -- when it is tried next; NULL while one before it of its key waits
     tries INTEGER NOT NULL DEFAULT 0,
     failure TEXT                -- what the last try came to
   ) STRICT;
   CREATE INDEX outbox_by_due ON outbox (kind, addressee, due) WHERE due IS NOT NULL;
   CREATE INDEX outbox_by_key ON outbox (kind, addressee, key, seq);
   CREATE TABLE lanes (
     kind TEXT NOT NULL,
     addressee TEXT NOT NULL,
     waiting INTEGER NOT NULL,   -- how many letters, and the UTF-16 units of their payloads
     units INTEGER NOT NULL,
     failures INTEGER NOT NULL DEFAULT 0,
     rests INTEGER NOT NULL DEFAULT 0, -- nothing is tried before
     PRIMARY KEY (kind, addressee)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE dead_letters (
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
     units INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX dead_letters_by_lane ON dead_letters (kind, addressee, seq);`,

  // 17: the feed of changes (feed-tables.ts): empty, but for types whose feed is asked for.
  `CREATE TABLE feed (
     only INTEGER PRIMARY KEY CHECK (only = 1),
     epoch TEXT NOT NULL,        -- another one whenever the feed begins anew
     horizon INTEGER NOT NULL,   -- every state that ended after this change is kept
     asked INTEGER NOT NULL,     -- milliseconds since 1970: the last request, about
     bytes INTEGER NOT NULL,     -- of the former states, about
     built INTEGER NOT NULL,     -- the last seq whose change is in changes
     complete INTEGER NOT NULL   -- 1 when those of all documents are
   ) STRICT;
   CREATE TABLE changes (
     number INTEGER NOT NULL,    -- of the last change of a document, or of its deletion
     id BLOB NOT NULL,
     PRIMARY KEY (number, id)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE former_states (
     ended INTEGER NOT NULL,     -- the number of the change that ended the state
     id BLOB NOT NULL,
     began INTEGER NOT NULL,     -- the number of the change that began it
     at INTEGER NOT NULL,        -- milliseconds since 1970: when it ended
     body BLOB NOT NULL,
     relationships TEXT,
     acl TEXT,
     creator TEXT,
     created INTEGER,
     updated INTEGER,
     PRIMARY KEY (ended, id)
   ) STRICT;
   CREATE INDEX former_states_by_id ON former_states (id, ended);`,

  // 18: the webhooks of the type, and those still to be pushed elsewhere; what letters are about.
  `CREATE TABLE webhooks (id TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE webhook_numbers (only INTEGER PRIMARY KEY CHECK (only = 1), number INTEGER NOT NULL) STRICT;
   CREATE TABLE webhook_pushes (
     application TEXT NOT NULL,
     target TEXT PRIMARY KEY,
     number INTEGER NOT NULL     -- the change of this collection that is to be pushed
   ) STRICT, WITHOUT ROWID;
   ALTER TABLE outbox ADD COLUMN about TEXT NOT NULL DEFAULT '';
   ALTER TABLE dead_letters ADD COLUMN about TEXT NOT NULL DEFAULT '';`,
];
