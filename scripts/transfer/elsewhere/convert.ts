/** Exports of other services become one of ours: a file of lines, which an import stores as any other. */
import { once } from 'node:events';
import { createWriteStream, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { endOf, HEAD } from '../../../src/domain/applications/export-frame.ts';
import { Failure } from '../../failure.ts';
import { fromFirestore } from './firestore.ts';
import { fromMongodb } from './mongodb.ts';
import { fromParse } from './parse.ts';
import { fromPocketbase } from './pocketbase.ts';
import { lineOfRecord, type ForeignRecord, type Mapping } from './record.ts';

const READERS: Readonly<
  Record<string, (path: string) => AsyncIterable<ForeignRecord> | Iterable<ForeignRecord>>
> = {
  firestore: fromFirestore,
  mongodb: fromMongodb,
  parse: fromParse,
  pocketbase: fromPocketbase,
};

/** Writes what a file or folder of another service holds into a new file, and returns its path. */
export async function convert(path: string, service: string, mapping: Mapping): Promise<string> {
  const reader = READERS[service];
  if (reader === undefined) throw new Failure(`--from takes ${Object.keys(READERS).join(', ')}.`);
  const file = join(mkdtempSync(join(tmpdir(), 'foredge-import-')), 'lines.ndjson');
  // It holds hashes of passwords.
  const stream = createWriteStream(file, { mode: 0o600 });
  let lines = 0;
  const write = async (line: string) => {
    if (!stream.write(`${line}\n`)) await once(stream, 'drain');
  };
  await write(HEAD);
  for await (const record of reader(path)) {
    await write(lineOfRecord(record, mapping));
    lines += 1;
  }
  stream.end(`${endOf(lines)}\n`);
  await finished(stream);
  return file;
}
