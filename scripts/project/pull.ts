/** Writes what an application has into a project's files. Files keep their names, and their comments if they can. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CORE } from '../../src/domain/types.ts';
import { explain } from '../failure.ts';
import type { Json } from '../json-objects.ts';
import { refuse } from './files.ts';
import { accountsFileOf, differing, factsOf, fileKeyOf, labelOf, typeFileOf, type Part } from './parts.ts';
import { ACCOUNTS, FOLDER, FOLDERS, readProject, schemaAddress, type Project } from './project.ts';
import type { Remote, Stored } from './target.ts';

/** Milliseconds between two looks at what has changed. */
const LOOK = 1_000;

/** Pulls, and then whatever changes there, until the process ends. */
export async function keepPulling(
  root: string,
  remote: Pick<Remote, 'stored'>,
  print: (line: string) => void,
): Promise<never> {
  let before: readonly Stored[] | null = null;
  const last = { fault: '' };
  for (;;) {
    try {
      const stored = await remote.stored();
      const project = readProject(root);
      refuse(project.faults);
      pull(project, stored, print, before);
      before = stored;
      last.fault = '';
    } catch (error) {
      if (before === null) throw error;
      const fault = explain(error);
      if (fault !== last.fault) console.error(fault);
      last.fault = fault;
    }
    await wait(LOOK);
  }
}

/** Tells what was written, and what could not be. `before`: what there was; only what changed since is written. */
export function pull(
  { root, declared }: Project,
  stored: readonly Stored[],
  print: (line: string) => void,
  before: readonly Stored[] | null = null,
): void {
  const folder = join(root, FOLDER);
  for (const { name, parts, key } of filesOf(stored)) {
    const [first] = parts;
    if (first === undefined) continue;
    const known = before?.filter((each) => fileKeyOf(each) === key);
    if (known?.length === parts.length && isSame(known, parts)) continue;
    if (!hasSeveral(first) && parts.length > 1) {
      print(`There are ${parts.length} of the ${labelOf(first)}: none is written.`);
      continue;
    }
    const own = declared.filter((each) => fileKeyOf(each) === key);
    const [{ file } = { file: null }] = own;
    const content = contentOf(parts);
    if (file === null) {
      if (Object.keys(content).length > 0 || first.type === CORE.accountSettings)
        print(
          written(
            fresh(folder, name),
            `${JSON.stringify({ $schema: schemaAddress(folderOf(first)), ...content }, null, 2)}\n`,
          ),
        );
      continue;
    }
    const members = differing(contentOf(own), content);
    if (members.length === 0) continue;
    if (known !== undefined && !isSame(own, known)) {
      print(`${file.path} stays: it has changed, and so has the ${labelOf(first)}.`);
      continue;
    }
    print(written(file.path, file.with(Object.fromEntries(members.map((each) => [each, content[each]])))));
  }
}

interface File {
  /** Below the folder, without its ending. */
  readonly name: string;
  readonly key: string;
  readonly parts: readonly Stored[];
}

function filesOf(stored: readonly Stored[]): readonly File[] {
  const keys = [...new Set(stored.map(fileKeyOf))].sort();
  return keys.map((key) => {
    const parts = stored.filter((each) => fileKeyOf(each) === key);
    return { key, parts, name: nameOf(parts[0]) };
  });
}

/** Of the file of accounts, its name. */
function folderOf({ type }: Part): keyof typeof FOLDERS | typeof ACCOUNTS {
  const { within: own = type } = factsOf(type);
  if (own === CORE.accountSettings) return ACCOUNTS;
  const names = Object.keys(FOLDERS) as readonly (keyof typeof FOLDERS)[];
  return names.find((name) => FOLDERS[name] === own) ?? 'types';
}

/** Names come from elsewhere: they lead nowhere but into their folder. */
function nameOf(part: Part | undefined): string {
  if (part === undefined) return '';
  const folder = folderOf(part);
  if (folder === ACCOUNTS) return folder;
  const name = part.name === '' ? String(part.attributes['target']) : part.name;
  const stem = folder === 'types' ? name : name.toLowerCase();
  return join(folder, stem.replaceAll(/[^\w.-]+/g, '-').replace(/^[.-]+/, '') || 'unnamed');
}

/** Files of types have schemas, that of accounts has identity providers. */
function hasSeveral(part: Part): boolean {
  return ['types', ACCOUNTS].includes(folderOf(part));
}

function isSame(one: readonly Part[], other: readonly Part[]): boolean {
  return differing(contentOf(one), contentOf(other)).length === 0;
}

function contentOf(parts: readonly Part[]): Json {
  const [first] = parts;
  if (first === undefined) return {};
  if (hasSeveral(first)) {
    return folderOf(first) === ACCOUNTS ? accountsFileOf(parts) : typeFileOf(parts);
  }
  // A webhook without a name gets that of its file when it is pushed.
  const { attributes, name } = first;
  return name === '' ? { name: String(attributes['target']), ...attributes } : attributes;
}

function fresh(folder: string, name: string): string {
  for (let number = 1; ; number += 1) {
    const path = join(folder, `${name}${number === 1 ? '' : `-${number}`}.json`);
    if (!existsSync(path)) return path;
  }
}

function written(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}
