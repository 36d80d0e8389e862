/**
 * Documents that a project brings along: lines of `foredge/seeds/<type>.jsonl`, each a resource object whose id may be
 * any text, which becomes the same id in every application. What is there already stays as it is.
 */
import '../older-node.ts';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { hashPassword } from '../../src/auth/passwords.ts';
import { pathOf } from '../../src/client/paths.ts';
import { shownName, unknownName } from '../../src/domain/names.ts';
import { CORE } from '../../src/domain/types.ts';
import { isExported } from '../../src/domain/types/facts.ts';
import { Failure } from '../failure.ts';
import { isObject, type Json } from '../json-objects.ts';
import { importFile } from '../transfer/import.ts';
import { Progress } from '../transfer/progress.ts';
import { idIn, rightsOf } from '../transfer/records.ts';
import { JsonFile, type Fault } from './files.ts';
import { filesIn, FOLDER } from './project.ts';
import type { Remote } from './target.ts';

interface Seed {
  readonly file: string;
  readonly line: number;
  readonly type: string;
  readonly id: string;
  readonly resource: Json;
}

/** Ids that one request asks about. */
const ASKED = 200;

export function readSeeds(root: string): {
  readonly seeds: readonly Seed[];
  readonly faults: readonly Fault[];
} {
  const seeds: Seed[] = [];
  const faults: Fault[] = [];
  for (const path of filesIn(root, 'seeds')) {
    const lines = readFileSync(path, 'utf8')
      .replace(/^\ufeff/, '')
      .split('\n');
    for (const [index, text] of lines.entries()) {
      if (text.trim() === '') continue;
      const read = seedIn(new JsonFile(path, text, index + 1), basename(path, '.jsonl'));
      if (Array.isArray(read)) faults.push(...read);
      else seeds.push({ file: path, line: index + 1, ...read });
    }
  }
  return { seeds, faults };
}

const MEMBERS = ['type', 'id', 'attributes', 'relationships', 'meta'];

/** A line as a seed, or what is wrong with it. */
function seedIn(line: JsonFile, stem: string): Omit<Seed, 'file' | 'line'> | Fault[] {
  if (line.faults.length > 0) return [...line.faults];
  const { type = stem, id } = line.content;
  const strange = Object.keys(line.content).find((name) => !MEMBERS.includes(name));
  if (strange !== undefined)
    return [line.fault([strange], unknownName(strange, { what: 'member', names: MEMBERS }))];
  if (typeof type !== 'string' || !isExported(type))
    return [line.fault(['type'], `${shownName(String(type))} is no type of documents.`)];
  const own = typeof id === 'string' ? idIn(type, id) : undefined;
  if (own === undefined) return [line.fault(['id'], 'A seed needs an id, any text.')];
  return { type, id: own, resource: line.content };
}

/** Stores the seeds that are not there yet; tells how many, of how many. */
export async function seed(
  remote: Remote,
  seeds: readonly Seed[],
): Promise<{ readonly stored: number; readonly of: number }> {
  const missing = await missingIn(remote, seeds);
  if (missing.length > 0) await plant(remote, missing);
  return { stored: missing.length, of: seeds.length };
}

/** Stores seeds of which none is there. */
export async function plant(remote: Remote, missing: readonly Seed[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'foredge-seeds-'));
  const file = join(folder, 'seeds.ndjson');
  const lines = await Promise.all(missing.map(lineOf));
  const refused: string[] = [];
  try {
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
    const options = {
      file,
      into: remote.application,
      type: null,
      checked: true,
      names: new Map<string, string>(),
    };
    await importFile(remote.service(), options, new Progress(process.stderr), (number, reason) => {
      const { file: from, line } = missing[number - 1] ?? { file: FOLDER, line: number };
      refused.push(`${from}:${line}  ${reason}`);
    });
  } finally {
    await rm(folder, { recursive: true });
  }
  if (refused.length > 0) throw new Failure(refused.join('\n'));
}

async function missingIn(remote: Remote, seeds: readonly Seed[]): Promise<readonly Seed[]> {
  const there = new Set<string>();
  for (const type of new Set(seeds.map((each) => each.type))) {
    const ids = seeds.filter((each) => each.type === type).map(({ id }) => id);
    for (let at = 0; at < ids.length; at += ASKED) {
      const among = ids.slice(at, at + ASKED).map((id) => ({ $oid: id }));
      const query = new URLSearchParams({
        'filter[id]': JSON.stringify({ $in: among }),
        'page[size]': '1000',
        'page[after]': '',
      });
      for await (const { resource } of remote.documents(pathOf(type), query.toString())) {
        there.add(`${type} ${resource.id}`);
      }
    }
  }
  return seeds.filter(({ type, id }) => !there.has(`${type} ${id}`));
}

/** A seed as a line of an import: with ids of ours in its links and rights, and a hash in the place of a password. */
async function lineOf({ type, id, resource }: Seed): Promise<Json> {
  const { attributes, relationships, meta } = resource;
  const password = type === CORE.user && isObject(attributes) ? attributes['password'] : undefined;
  const hashed = typeof password === 'string' && { password: await hashPassword(password) };
  return {
    type,
    id,
    ...(attributes !== undefined && {
      attributes: isObject(attributes) ? { ...attributes, ...hashed } : attributes,
    }),
    ...(relationships !== undefined && { relationships: withIds(relationships) }),
    ...rightsOf(type, id),
    ...(meta !== undefined && { meta: withIds(meta) }),
  };
}

function withIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withIds);
  if (!isObject(value)) return value;
  const { type, id } = value;
  if (typeof type === 'string' && typeof id === 'string') return { type, id: idIn(type, id) };
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withIds(each)]));
}
