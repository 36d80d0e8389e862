/** Data folders that former versions have written (test/support/stores), and what they answered. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const FOLDER = join(import.meta.dirname, 'stores');

/** What a read answered. */
export interface FormerRead {
  readonly path: string;
  /** By the first key, or by the first login under the key with ACL. */
  readonly as: 'service' | 'user';
  readonly data: unknown;
  readonly included?: unknown;
  readonly count?: number;
}

export interface FormerStore {
  readonly base_url: string;
  /** A key with ACL. */
  readonly key: string;
  readonly logins: readonly (readonly [name: string, password: string])[];
  readonly reads: readonly FormerRead[];
  readonly files: Readonly<Record<string, string>>;
}

/** The names of the stores that there are. */
export function formerStores(): readonly string[] {
  return readdirSync(FOLDER).filter((name) => name.endsWith('.json.gz'));
}

export function readStore(name: string): FormerStore {
  return JSON.parse(gunzipSync(readFileSync(join(FOLDER, name))).toString()) as FormerStore;
}

/** Writes the files of a store into a folder. */
export function unpackStore({ files }: FormerStore, folder: string): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Uint8Array.fromBase64(content), { mode: 0o600 });
  }
}
