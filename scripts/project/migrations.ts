/**
 * Migrations of a project, in the order of their names: `foredge/migrations/*.json` say what becomes of documents of a
 * type, `*.js` are programs that use the client.
 */
import '../older-node.ts';
import { basename } from 'node:path';
import { faultOfNewFieldName } from '../../src/domain/field-names.ts';
import { unknownName } from '../../src/domain/names.ts';
import { pointerOf } from '../../src/domain/pointer.ts';
import { isResourceType } from '../../src/domain/types.ts';
import { readSet, type ComputedField } from '../../src/operators/settings/set.ts';
import { isObject } from '../json-objects.ts';
import { JsonFile, pathIn, type Fault } from './files.ts';
import { filesIn } from './project.ts';

/** What becomes of each document of a type: fields get other names, then values, and then some go. */
export interface DocumentChange {
  readonly type: string;
  /** The new name of each old one. */
  readonly rename: Readonly<Record<string, string>>;
  readonly set: readonly ComputedField[];
  readonly remove: readonly string[];
}

export interface Migration {
  readonly name: string;
  readonly path: string;
  /** Null for a program. */
  readonly change: DocumentChange | null;
}

const MEMBERS = ['type', 'rename', 'set', 'remove'];

export function readMigrations(root: string): {
  readonly migrations: readonly Migration[];
  readonly faults: readonly Fault[];
} {
  const read = filesIn(root, 'migrations').map((path) => {
    const named = { name: basename(path), path };
    return /\.m?js$/.test(path)
      ? { migration: { ...named, change: null }, faults: [] }
      : readChange(named, new JsonFile(path));
  });
  return {
    migrations: read.map(({ migration }) => migration),
    faults: read.flatMap(({ faults }) => faults),
  };
}

function readChange(named: Omit<Migration, 'change'>, file: JsonFile) {
  const { $schema: _, type, rename = {}, set = {}, remove = [] } = file.content;
  const faults = [...file.faults];
  const report = (pointer: string, detail: string) => faults.push(file.fault(pathIn(pointer), detail));
  const nameAt = (pointer: string, name: unknown): name is string => {
    const fault = typeof name === 'string' ? faultOfNewFieldName(name) : 'This must be the name of a field.';
    if (fault !== undefined) report(pointer, fault);
    return fault === undefined;
  };
  if (faults.length === 0) {
    const strange = Object.keys(file.content).find((name) => name !== '$schema' && !MEMBERS.includes(name));
    if (strange !== undefined)
      report(`/${strange}`, unknownName(strange, { what: 'member', names: MEMBERS }));
    if (typeof type !== 'string' || !isResourceType(type)) {
      report('/type', 'This must be a type of your own: for others, write a program (.js).');
    }
    if (!isObject(rename)) report('/rename', 'This must be an object of old names with new ones.');
    if (!Array.isArray(remove)) report('/remove', 'This must be an array of names.');
  }
  const renamed = Object.entries(isObject(rename) ? rename : {}).filter((each): each is [string, string] => {
    const [from, to] = each;
    return nameAt('/rename', from) && nameAt(`/rename/${from}`, to);
  });
  // One value would take the place of another, which nobody has any more.
  const names = renamed.flat();
  for (const [from, to] of renamed) {
    if (names.filter((each) => each === to).length > 1)
      report(`/rename/${from}`, `Another field is named or renamed ${to} here: use two migrations.`);
  }
  const change = {
    type: String(type),
    rename: Object.fromEntries(renamed),
    set: readSet(JSON.stringify(set), (place, detail) => report(`/set${pointerOf(place)}`, detail)),
    remove: (Array.isArray(remove) ? remove : []).filter((name, at) => nameAt(`/remove/${at}`, name)),
  };
  return { migration: { ...named, change }, faults };
}
