/**
 * The data folder of a server: its files, and how they are read and written. What is wrong with one of them is a
 * `Failure`, which says in one line what to do.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure, isSystemError, systemFailure } from './failure.ts';

/** The first application of a folder, with a key that permits everything. */
export interface FirstApplication {
  readonly application_id: string;
  readonly api_key: string;
}

/** What a client needs: `credentials.json`. */
export interface Credentials extends FirstApplication {
  readonly base_url: string;
}

export const CREDENTIALS = ['base_url', 'application_id', 'api_key'] as const;
export const FIRST_APPLICATION = ['application_id', 'api_key'] as const;

export function filesOf(folder: string) {
  return {
    /** The databases of the runtime. */
    documents: join(folder, 'data'),
    secrets: join(folder, 'secrets.json'),
    /** What `credentials.json` is written from, kept while the server is down. */
    first: join(folder, 'first-application.json'),
    credentials: join(folder, 'credentials.json'),
  };
}

/** The members of a file, all of them strings; null where there is no such file. */
export function readStrings<Name extends string>(
  file: string,
  names: readonly Name[],
): Record<Name, string> | null {
  if (!existsSync(file)) return null;
  const content = readObject(file);
  const members = names.map((name) => {
    const value = Object.hasOwn(content, name) ? content[name] : undefined;
    if (typeof value !== 'string' || value === '') throw broken(file, `it lacks ${name}`);
    return [name, value] as const;
  });
  return Object.fromEntries(members) as Record<Name, string>;
}

/** Makes a folder with its parents. Node's own way does not end in `/proc`, where nothing can be made. */
export function makeFolder(folder: string): void {
  try {
    if (existsSync(folder) && statSync(folder).isDirectory()) return;
    if (!existsSync(dirname(folder))) makeFolder(dirname(folder));
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    throw isSystemError(error) ? systemFailure(error) : error;
  }
}

/** Whole or not at all, on disk when it returns, and readable by nobody else. */
export function writePrivate(file: string, content: unknown): void {
  const draft = `${file}.new`;
  try {
    const descriptor = openSync(draft, 'w', 0o600);
    try {
      writeFileSync(descriptor, `${JSON.stringify(content, null, 2)}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    chmodSync(draft, 0o600);
    renameSync(draft, file);
  } catch (error) {
    throw isSystemError(error) ? systemFailure(error) : error;
  }
}

function readObject(file: string): Readonly<Record<string, unknown>> {
  const text = readText(file);
  if (text.trim() === '') throw broken(file, 'it is empty');
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw broken(file, 'it is no JSON');
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw broken(file, 'it holds no JSON object');
  }
  return content as Record<string, unknown>;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw isSystemError(error) ? systemFailure(error) : error;
  }
}

function broken(file: string, fault: string): Failure {
  return new Failure(`${file} is broken: ${fault}. Put it back from a copy.`);
}
