/** What must hold of every file of a folder that no process has open, whatever moment the last one died in. */
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Questions about a collection, each of which nothing answers. */
const NOTHING: Readonly<Record<string, string>> = {
  'documents above the counter':
    'SELECT 1 FROM documents, meta WHERE documents.version > meta.counter OR documents.acl_version > meta.counter',
  'tombstones above the counter': 'SELECT 1 FROM tombstones, meta WHERE tombstones.version > meta.counter',
  'a wrong number of documents':
    'SELECT 1 FROM meta WHERE meta.documents <> (SELECT count(*) FROM documents)',
  'ids above the last one': 'SELECT 1 FROM documents, meta WHERE documents.id > meta.last_id',
  'positions that do not ascend with ids':
    'SELECT 1 FROM (SELECT id, lag(id) OVER (ORDER BY seq) AS former FROM documents) WHERE former >= id',
  'documents that are deleted': 'SELECT 1 FROM documents JOIN tombstones USING (id)',
  'rights on nothing': 'SELECT 1 FROM rights WHERE seq NOT IN (SELECT seq FROM documents)',
  'members of nothing': 'SELECT 1 FROM members WHERE seq NOT IN (SELECT seq FROM documents)',
  'unique values of nothing': 'SELECT 1 FROM uniques WHERE id NOT IN (SELECT id FROM documents)',
  'entries of nothing': 'SELECT 1 FROM entries WHERE seq NOT IN (SELECT seq FROM documents)',
  'cells of nothing': 'SELECT 1 FROM cells WHERE seq NOT IN (SELECT seq FROM documents)',
  'bodies that are none': 'SELECT 1 FROM documents WHERE NOT json_valid(body, 8)',
};

export interface FilesSeen {
  readonly files: number;
  /** The counter of each collection, by its file. */
  readonly counters: ReadonlyMap<string, number>;
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
    for (const file of files) {
      const database = new DatabaseSync(join(copy, file));
      try {
        faults.push(...faultsOf(database).map((fault) => `${basename(file)}: ${fault}`));
        const counter = isCollection(database)
          ? database.prepare('SELECT counter FROM meta').get()
          : undefined;
        if (counter !== undefined) counters.set(file, Number(counter['counter']));
      } finally {
        database.close();
      }
    }
    return { files: files.length, counters, faults };
  } finally {
    if (existsSync(copy)) rmSync(copy, { recursive: true });
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

function isCollection(database: DatabaseSync): boolean {
  const tables = database
    .prepare(`SELECT name FROM sqlite_master WHERE name IN ('documents', 'meta', 'tombstones')`)
    .all();
  return tables.length === 3;
}
