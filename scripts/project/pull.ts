/** Writes what an application has into the files of a project. Files keep their names, and their comments where they can. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CORE } from '../../src/domain/types.ts';
import type { Json } from '../json-objects.ts';
import { differing, labelOf, typeFileOf, type Part } from './parts.ts';
import { FOLDER, FOLDERS, schemaAddress, type Project } from './project.ts';
import type { Stored } from './target.ts';

/** Tells what was written, and what could not be. */
export function pull(
  { root, declared }: Project,
  stored: readonly Stored[],
  tell: (line: string) => void,
): void {
  const folder = join(root, FOLDER);
  for (const { name, parts, key } of filesOf(stored)) {
    const [first] = parts;
    if (first === undefined) continue;
    const others = stored.filter((each) => keyOf(each) === key);
    if (first.type !== CORE.schema && first.type !== CORE.typeSettings && others.length > 1) {
      tell(`There are ${others.length} of the ${labelOf(first)}: none is written.`);
      continue;
    }
    const own = declared.filter((each) => keyOf(each) === key);
    const [{ file } = { file: null }] = own;
    const content = contentOf(parts);
    if (file === null) {
      if (Object.keys(content).length > 0)
        tell(
          written(
            fresh(folder, name),
            `${JSON.stringify({ $schema: schemaAddress(folderOf(first)), ...content }, null, 2)}\n`,
          ),
        );
      continue;
    }
    const members = differing(contentOf(own), content);
    if (members.length === 0) continue;
    tell(written(file.path, file.with(Object.fromEntries(members.map((each) => [each, content[each]])))));
  }
}

interface File {
  /** Below the folder, without its ending. */
  readonly name: string;
  readonly key: string;
  readonly parts: readonly Stored[];
}

function filesOf(stored: readonly Stored[]): readonly File[] {
  const keys = [...new Set(stored.map(keyOf))].sort();
  return keys.map((key) => {
    const parts = stored.filter((each) => keyOf(each) === key);
    return { key, parts, name: nameOf(parts[0]) };
  });
}

/** What parts of one file have in common. */
function keyOf({ type, name, attributes }: Part): string {
  if (type === CORE.schema) return `${CORE.typeSettings} ${name}`;
  return `${type} ${name === '' ? `${String(attributes['target'])} ${String(attributes['url'])}` : name}`;
}

function folderOf({ type }: Part): keyof typeof FOLDERS {
  const own = type === CORE.schema ? CORE.typeSettings : type;
  const names = Object.keys(FOLDERS) as readonly (keyof typeof FOLDERS)[];
  return names.find((name) => FOLDERS[name] === own) ?? 'types';
}

/** Names come from elsewhere: they lead nowhere but into their folder. */
function nameOf(part: Part | undefined): string {
  if (part === undefined) return '';
  const folder = folderOf(part);
  const name = part.name === '' ? String(part.attributes['target']) : part.name;
  const stem = folder === 'types' ? name : name.toLowerCase();
  return join(folder, stem.replaceAll(/[^\w.-]+/g, '-').replace(/^[.-]+/, '') || 'unnamed');
}

function contentOf(parts: readonly Part[]): Json {
  const [first] = parts;
  const isType = first?.type === CORE.typeSettings || first?.type === CORE.schema;
  if (isType) return typeFileOf(parts);
  // A webhook without a name gets that of its file when it is pushed.
  const { attributes = {}, name = '' } = first ?? {};
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
