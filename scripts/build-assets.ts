/**
 * Makes the static assets that the Worker serves, in `.assets`: `npm start`, the tests and wrangler (`[build]` in
 * wrangler.toml) run this first. What was made stays until its inputs or these scripts change, so that a start costs
 * a few milliseconds. Beside the assets, a manifest says which there are, with the entity tag of each: the Worker reads
 * it (src/http/pages/assets.ts).
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { AssetGroup } from './assets/group.ts';
import { ACCOUNT } from './assets/account.ts';
import { CLIENT } from './assets/client.ts';
import { DASHBOARD } from './assets/dashboard.ts';
import { DOCS } from './assets/docs.ts';
import { REFERENCE } from './assets/reference.ts';
import { orEnd } from './failure.ts';

/** All that is served. To add an asset, add a group. */
export const GROUPS: readonly AssetGroup[] = [REFERENCE, DOCS, CLIENT, ACCOUNT, DASHBOARD];

const ROOT = join(import.meta.dirname, '..');

/** Where assets are. */
export const ASSETS = join(ROOT, '.assets');

const MANIFEST = 'manifest.json';
const SCRIPTS = ['scripts/build-assets.ts', 'scripts/assets'];

interface Manifest {
  /** Digests of what each group was made from. */
  readonly groups: Readonly<Record<string, string>>;
  /** The assets of all groups by their names. */
  readonly assets: Readonly<Record<string, { readonly group: string; readonly etag: string }>>;
}

/** Makes what is missing or outdated, and tells the names of the groups that it has made. */
export async function buildAssets(
  groups: readonly AssetGroup[] = GROUPS,
  folder = ASSETS,
): Promise<readonly string[]> {
  const before = readManifest(folder);
  const digests = Object.fromEntries(groups.map(({ name, inputs }) => [name, digestOf(inputs)]));
  const outdated = groups.filter(({ name }) => before.groups[name] !== digests[name]);
  const same = (group: string) =>
    before.groups[group] !== undefined && before.groups[group] === digests[group];
  const assets = new Map(Object.entries(before.assets).filter(([, { group }]) => same(group)));
  const gone = Object.keys(before.assets).filter((name) => !assets.has(name));
  if (outdated.length === 0 && gone.length === 0) return [];
  mkdirSync(folder, { recursive: true });
  for (const { name: group, make } of outdated) {
    for (const [name, content] of await make()) {
      write(folder, name, content);
      assets.set(name, { group, etag: hash(content).slice(0, 27) });
    }
  }
  write(folder, MANIFEST, JSON.stringify({ groups: digests, assets: Object.fromEntries(assets) }, null, 2));
  for (const name of gone) if (!assets.has(name)) rmSync(join(folder, name), { force: true });
  return outdated.map(({ name }) => name);
}

/** A digest of files and of all files in folders, and of these scripts. */
function digestOf(inputs: readonly string[]): string {
  const files = [...SCRIPTS, ...inputs].flatMap(filesOf);
  const digests = files.map((file) => [relative(ROOT, file), hash(readFileSync(file))]);
  return hash(JSON.stringify(digests));
}

function filesOf(input: string): readonly string[] {
  const path = join(ROOT, input);
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

function hash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url');
}

/** Nothing, where there is none yet or another release has left another form. */
function readManifest(folder: string): Manifest {
  try {
    const { groups, assets } = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Partial<Manifest>;
    if (groups !== undefined && assets !== undefined) return { groups, assets };
  } catch {
    // Nothing was made yet.
  }
  return { groups: {}, assets: {} };
}

/** Whole or not at all: others may start at the same time. */
function write(folder: string, name: string, content: string | Uint8Array): void {
  const draft = join(folder, `${name}.${process.pid}`);
  writeFileSync(draft, content);
  renameSync(draft, join(folder, name));
}

if (process.argv[1] === import.meta.filename) {
  await orEnd(async () => {
    for (const group of await buildAssets()) console.log(`Made the assets of ${group}.`);
  });
}
