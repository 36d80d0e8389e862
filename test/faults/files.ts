/** What must hold of every file of a folder that no process has open, whatever moment the last one died in. */
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ON_DEMAND } from '../../src/collection/storage/tables.ts';

/** Questions about a collection, each of which nothing answers. */
const NOTHING: Readonly<Record<string, string>> = {
  'documents above the counter':
    'SELECT 1 FROM documents, meta WHERE documents.version > meta.counter OR documents.acl_version > meta.counter',
  'tombstones above the counter': 'SELECT 1 FROM tombstones, meta WHERE tombstones.version > meta.counter',
  'a wrong number of documents':
    'SELECT 1 FROM meta WHERE meta.documents <> (SELECT count(*) FROM documents)',
  'ids above the last one': 'SELECT 1 FROM documents, meta WHERE documents.id > meta.last_id',
  'positions that do not ascend with ids, though no id was chosen':
    'SELECT 1 FROM (SELECT id, lag(id) OVER (ORDER BY seq) AS former FROM documents), meta ' +
    'WHERE former >= id AND chosen_ids = 0',
  'documents that are deleted': 'SELECT 1 FROM documents JOIN tombstones USING (id)',
  'rights on nothing': 'SELECT 1 FROM rights WHERE seq NOT IN (SELECT seq FROM documents)',
  'members of nothing': 'SELECT 1 FROM members WHERE seq NOT IN (SELECT seq FROM documents)',
  'unique values of nothing': 'SELECT 1 FROM uniques WHERE id NOT IN (SELECT id FROM documents)',
  'entries of nothing': 'SELECT 1 FROM entries WHERE seq NOT IN (SELECT seq FROM documents)',
  'cells of nothing': 'SELECT 1 FROM cells WHERE seq NOT IN (SELECT seq FROM documents)',
  // A type of files has rows of contents, and others have none.
  'files without content':
    'SELECT 1 FROM documents WHERE EXISTS (SELECT 1 FROM contents) ' +
    'AND id NOT IN (SELECT id FROM contents WHERE due IS NULL)',
  'contents that are kept for no file':
    'SELECT 1 FROM contents WHERE due IS NULL AND id NOT IN (SELECT id FROM documents)',
  'a wrong number of bytes of contents':
    'SELECT 1 FROM meta WHERE meta.contents <> (SELECT coalesce(sum(bytes), 0) FROM contents)',
  'bodies that are none': 'SELECT 1 FROM documents WHERE NOT json_valid(body, 8)',
};

export interface FilesSeen {
  readonly files: number;
  /** The counter of each collection, by its file. */
  readonly counters: ReadonlyMap<string, number>;
  /** Contents that wait for their documents, or for their deletion. */
  readonly due: number;
  /** Uploads of which parts are in the bucket, and that are not whole. */
  readonly parts: number;
  /** Collections in which a transaction is prepared. */
  readonly prepared: number;
  /** Commits of which not all have heard. */
  readonly committed: number;
  readonly faults: readonly string[];
}

/** Looks into copies: opening a file would take up its journal. */
export function lookIntoFiles(folder: string): FilesSeen {
  const copy = mkdtempSync(join(tmpdir(), 'foredge-files-'));
  try {
    cpSync(folder, copy, { recursive: true });
    const files = readdirSync(copy, { recursive: true, encoding: 'utf8' }).filter((each) =>
      each.endsWith('.sqlite'),
    );
    const counters = new Map<string, number>();
    const faults: string[] = [];
    const contents = new Contents();
    let prepared = 0;
    let committed = 0;
    for (const file of files) {
      const database = new DatabaseSync(join(copy, file));
      try {
        contents.note(database);
        prepared += keysOf(database, 'prepared');
        committed += keysOf(database, 'committed %');
        faults.push(...faultsOf(database).map((fault) => `${basename(file)}: ${fault}`));
        const counter = isCollection(database)
          ? database.prepare('SELECT counter FROM meta').get()
          : undefined;
        if (counter !== undefined) counters.set(file, Number(counter['counter']));
      } finally {
        database.close();
      }
    }
    return {
      files: files.length,
      counters,
      due: contents.due,
      parts: contents.parts,
      prepared,
      committed,
      faults: [...faults, ...contents.faults()],
    };
  } finally {
    if (existsSync(copy)) rmSync(copy, { recursive: true });
  }
}

/** The contents of files in the bucket, and what the collections that answer for them say. */
class Contents {
  /** By the ids of their files, in hexadecimal: whether each waits for something. */
  readonly #rows = new Map<string, boolean>();
  readonly #stored = new Set<string>();
  parts = 0;

  get due(): number {
    return [...this.#rows.values()].filter((isDue) => isDue).length;
  }

  note(database: DatabaseSync): void {
    if (has(database, '_mf_objects')) {
      for (const { key } of database.prepare('SELECT key FROM _mf_objects').all()) {
        // Pictures in sizes and backups have longer keys.
        const [, id] = /^[^/]+\/([0-9a-f]{24})$/.exec(String(key)) ?? [];
        if (id !== undefined) this.#stored.add(id);
      }
      const begun =
        'SELECT DISTINCT upload_id FROM _mf_multipart_parts ' +
        'JOIN _mf_multipart_uploads USING (upload_id) WHERE state = 0';
      this.parts += database.prepare(begun).all().length;
    } else if (isCollection(database)) {
      const rows = database.prepare('SELECT hex(id) AS id, due FROM contents').all();
      for (const { id, due } of rows) this.#rows.set(String(id).toLowerCase(), due !== null);
    }
  }

  faults(): readonly string[] {
    const unknown = [...this.#stored].filter((id) => !this.#rows.has(id));
    const lost = [...this.#rows].filter(([id, isDue]) => !isDue && !this.#stored.has(id));
    return [
      ...unknown.map((id) => `the content ${id} is in the bucket, and no collection knows it`),
      ...lost.map(([id]) => `the content ${id} is not in the bucket`),
    ];
  }
}

/** Lets the time pass for which contents wait. */
export function lapse(folder: string): void {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.sqlite')) continue;
    const database = new DatabaseSync(join(folder, file));
    if (isCollection(database)) database.exec('UPDATE contents SET due = 0 WHERE due IS NOT NULL');
    database.close();
  }
}

function faultsOf(database: DatabaseSync): readonly string[] {
  const checked = database.prepare('PRAGMA integrity_check').all();
  const broken = checked.map((row) => String(row['integrity_check'])).filter((text) => text !== 'ok');
  if (broken.length > 0 || !isCollection(database)) return broken;
  return Object.entries(NOTHING).flatMap(([fault, question]) =>
    database.prepare(`${question} LIMIT 1`).all().length > 0 ? [fault] : [],
  );
}

/** Whether it is that of a collection. It gets the tables that nothing has named yet, for those who look into all. */
function isCollection(database: DatabaseSync): boolean {
  if (!has(database, 'documents', 'meta', 'tombstones')) return false;
  for (const [name, statements] of Object.entries(ON_DEMAND))
    if (!has(database, name)) database.exec(statements);
  return true;
}

/** The number of keys in the storage of an object. */
function keysOf(database: DatabaseSync, like: string): number {
  const keys = 'SELECT 1 FROM _cf_KV WHERE key LIKE ?';
  return has(database, '_cf_KV') ? database.prepare(keys).all(like).length : 0;
}

function has(database: DatabaseSync, ...tables: readonly string[]): boolean {
  const found = database.prepare('SELECT name FROM sqlite_master WHERE type = ?').all('table');
  return tables.every((table) => found.some(({ name }) => name === table));
}
