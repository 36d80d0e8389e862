/** The files of another service's export: one for each of its collections, named after it. */
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Failure } from '../../failure.ts';
import { read } from '../lines.ts';
import { fieldsIn, type Fields } from '../records.ts';

export interface Named {
  /** Of the collection. */
  readonly name: string;
  readonly file: string;
}

const FORM = /\.(?:json|ndjson|jsonl|csv)(?:\.gz)?$/i;

/** The files in a folder, in the order of their names, or the one file. */
export function filesAt(path: string): readonly Named[] {
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .map((each) => join(path, each))
    : [path];
  const found = files.filter((file) => FORM.test(file));
  if (found.length === 0) throw new Failure(`${path} has no files of JSON or CSV.`);
  return found.map((file) => ({ name: basename(file).replace(FORM, ''), file }));
}

export async function* recordsAt(file: string): AsyncGenerator<Fields> {
  for await (const { number, fields, reason } of fieldsIn(await read(file), file)) {
    if (fields === null) throw new Failure(`${file}, record ${number}: ${reason}`);
    yield fields;
  }
}
