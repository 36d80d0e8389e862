/** Exports of other services become one of ours: a file of lines, which an import stores as any other. */
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { endOf, HEAD } from '../../../src/domain/applications/export-frame.ts';
import { Failure } from '../../failure.ts';
import { fromFirestore } from './firestore.ts';
import { fromFiles } from './mongodb.ts';
import { fromParse } from './parse.ts';
import { fromPocketbase } from './pocketbase.ts';
import { lineOfRecord, type ForeignRecord, type Mapping } from './record.ts';

type Records = AsyncIterable<ForeignRecord> | Iterable<ForeignRecord>;

const READERS = new Map<string, (path: string) => Records>([
  ['firestore', fromFirestore],
  ['jsonl', fromFiles('id')],
  ['mongodb', fromFiles('_id')],
  ['parse', fromParse],
  ['pocketbase', fromPocketbase],
]);

/** Writes what a file or folder of another service holds into a new file, and returns its path. */
export async function convert(path: string, service: string, mapping: Mapping): Promise<string> {
  const reader = READERS.get(service);
  if (reader === undefined) throw new Failure(`--from takes ${[...READERS.keys()].join(', ')}.`);
  const file = join(mkdtempSync(join(tmpdir(), 'foredge-import-')), 'lines.ndjson');
  // It holds hashes of passwords. It is there before anything fails: what came later would stay.
  const opened = await open(file, 'wx', 0o600);
  try {
    await pipeline(linesOf(reader(path), mapping), opened.createWriteStream());
  } catch (error) {
    discard(file);
    throw error;
  }
  return file;
}

/** Removes a file that `convert` has written, and its folder. */
export function discard(file: string): void {
  rmSync(dirname(file), { recursive: true });
}

async function* linesOf(records: Records, mapping: Mapping): AsyncGenerator<string> {
  yield `${HEAD}\n`;
  let lines = 0;
  for await (const record of records) {
    yield `${lineOfRecord(record, mapping)}\n`;
    lines += 1;
  }
  yield `${endOf(lines)}\n`;
}
