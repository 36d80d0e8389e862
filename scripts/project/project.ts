/** A folder that holds an application: `foredge.json` with its targets, and `foredge/` with what it declares. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, extname, join, relative, resolve } from 'node:path';
import { hintOf, unknownName } from '../../src/domain/names.ts';
import { preparedFor } from '../../src/domain/accounts/providers.ts';
import { SCOPE } from '../../src/domain/accounts/settings.ts';
import { CORE } from '../../src/domain/types.ts';
import { Failure } from '../failure.ts';
import { isObject, type Json } from '../json-objects.ts';
import { JsonFile, type Fault, type Path } from './files.ts';
import { factsOf, normal, type Part } from './parts.ts';

export const CONFIGURATION = 'foredge.json';
export const FOLDER = 'foredge';

/** The folders of declarations, with the type of a file's document; a file of a type has several. */
export const FOLDERS = {
  types: CORE.typeSettings,
  aggregates: CORE.aggregate,
  keys: CORE.apiKey,
  webhooks: CORE.webhook,
  mails: CORE.mailTemplate,
} as const;

/** The file of accounts: their settings, side by side with the list of identity providers. */
export const ACCOUNTS = 'accounts';

/** Where the schema of a file is, which editors look for: in the package that is installed beside the project. */
export function schemaAddress(
  name: keyof typeof FOLDERS | typeof ACCOUNTS | 'migrations' | 'foredge',
): string {
  const up = { foredge: '.', [ACCOUNTS]: '..' }[name as string] ?? '../..';
  return `${up}/node_modules/foredge/dist/schemas/${name}.json`;
}

/** Every folder of which something is read, with the names of its files. */
const FILES: Readonly<Record<string, RegExp>> = {
  '': /^accounts\.jsonc?$/,
  ...Object.fromEntries(Object.keys(FOLDERS).map((name) => [name, /\.jsonc?$/])),
  seeds: /\.jsonl$/,
  migrations: /\.(jsonc?|m?js)$/,
};

/** A part as a file has it. */
export interface Declared extends Part {
  readonly file: JsonFile;
  /** As they are in the file. */
  readonly sent: Json;
  /** Where a place inside the attributes is in the file. */
  readonly placed: (path: Path) => Path;
}

/** A service and an application of it; without an address, those that run here. */
interface Target {
  readonly url?: string;
  readonly application?: string;
}

export interface Project {
  readonly root: string;
  readonly targets: Readonly<Record<string, Target>>;
  readonly declared: readonly Declared[];
  /** What makes its files no declarations. */
  readonly faults: readonly Fault[];
}

/** The folder with `foredge.json`, of which somebody may have named the one inside. */
export function homeOf(folder: string): string {
  const isInside = basename(resolve(folder)) === FOLDER && !existsSync(join(folder, CONFIGURATION));
  return isInside ? join(folder, '..') : folder;
}

/** Reads a project; its files are named as from here. */
export function readProject(folder: string): Project {
  const root = homeOf(folder);
  const configuration = join(root, CONFIGURATION);
  if (!existsSync(configuration)) {
    throw new Failure(
      `There is no ${configuration}: foredge init makes one, and --project names its folder.`,
    );
  }
  const file = new JsonFile(relative('.', configuration));
  const { targets, faults } = targetsIn(file);
  const declared = [
    ...Object.entries(FOLDERS).flatMap(([name, type]) =>
      filesIn(root, name).flatMap((path) => partsIn(new JsonFile(path), type)),
    ),
    ...filesIn(root, '').flatMap((path) => accountsIn(new JsonFile(path))),
  ];
  const texts = [...new Set(declared.map((each) => each.file))].flatMap((each) => each.faults);
  return {
    root,
    targets,
    declared,
    faults: [...faults, ...strangersIn(root), ...texts, ...twice(declared)],
  };
}

/** The files of a folder, named as from here. */
export function filesIn(root: string, folder: string): readonly string[] {
  return namesIn(root, folder)
    .filter((each) => !each.isDirectory() && FILES[folder]?.test(each.name) === true)
    .map(({ name }) => relative('.', join(homeOf(root), FOLDER, folder, name)))
    .sort();
}

function namesIn(root: string, folder: string) {
  const path = join(homeOf(root), FOLDER, folder);
  return existsSync(path) ? readdirSync(path, { withFileTypes: true }) : [];
}

function targetsIn(file: JsonFile): Pick<Project, 'targets' | 'faults'> {
  const { targets = {}, $schema: _, ...others } = file.content;
  const faults = [...file.faults];
  const report = (path: Path, detail: string) => faults.push(file.fault(path, detail));
  for (const name of Object.keys(others))
    report([name], unknownName(name, { what: 'member', names: ['targets'] }));
  if (!isObject(targets)) report(['targets'], 'This must be an object of targets by their names.');
  const entries = isObject(targets) ? Object.entries(targets) : [];
  for (const [name, target] of entries) {
    const { url, application, ...more } = isObject(target) ? target : { url: target };
    for (const strange of Object.keys(more))
      report(['targets', name, strange], unknownName(strange, MEMBERS));
    if (url === undefined && application === undefined) continue;
    if (!isAddress(url) || typeof application !== 'string') report(['targets', name], TARGET);
  }
  return { targets: Object.fromEntries(entries) as Project['targets'], faults };
}

const MEMBERS = { what: 'member of a target', names: ['url', 'application'] };
const TARGET = 'A target has a url without a name or password in it, and an application, or neither.';

function isAddress(text: unknown): boolean {
  if (typeof text !== 'string' || !/^https?:/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username + password === '';
}

/** What in a folder looks as if it were read: beside `foredge/accounts.json` may be programs of one's own. */
const SEEMS_READ = /\.(?:json[5cl]?|ndjson|csv|ya?ml|[cm]?[jt]s)$/i;

/** Folders and files that mean nothing, and seem to. */
function strangersIn(root: string): readonly Fault[] {
  return Object.entries(FILES).flatMap(([folder, files]) => {
    const isTop = folder === '';
    const seems = isTop ? /\.jsonc?$/i : SEEMS_READ;
    const known = isTop ? [...Object.keys(FILES), `${ACCOUNTS}.json`] : [];
    return namesIn(root, folder)
      .filter((each) =>
        each.isDirectory() ? !known.includes(each.name) : seems.test(each.name) && !files.test(each.name),
      )
      .map(({ name }) => ({
        file: relative('.', join(root, FOLDER, folder, name)),
        line: 1,
        column: 1,
        detail: `Nothing is read from here.${hintOf(name, known)}`,
      }));
  });
}

function partsIn(file: JsonFile, type: string): readonly Declared[] {
  const { $schema: _, ...content } = file.content;
  if (type !== CORE.typeSettings) {
    const name = content[factsOf(type).key];
    return [{ ...partOf(type, typeof name === 'string' ? name : '', content), file, placed: (path) => path }];
  }
  const name = basename(file.path, extname(file.path));
  const { schema, ...settings } = content;
  const schemas: readonly unknown[] = schema === undefined ? [] : Array.isArray(schema) ? schema : [schema];
  return [
    { ...partOf(type, name, { ...settings, name }), file, placed: (path) => path },
    ...schemas.map((one, index) => ({
      ...partOf(CORE.schema, name, { target: name, content: one }, index),
      file,
      placed: ([, ...path]: Path) => ['schema', ...(Array.isArray(schema) ? [index] : []), ...path],
    })),
  ];
}

function accountsIn(file: JsonFile): readonly Declared[] {
  const { $schema: _, providers = [], ...settings } = file.content;
  const isList = Array.isArray(providers);
  const list: readonly unknown[] = isList ? providers : [null];
  return [
    { ...partOf(CORE.accountSettings, SCOPE.value, settings), file, placed: (path) => path },
    ...list.map((one, index) => {
      const told = isObject(one) ? one : {};
      const sent = { ...preparedFor(told), ...told };
      const name = typeof sent['name'] === 'string' ? sent['name'] : '';
      return {
        ...partOf(CORE.identityProvider, name, sent),
        file,
        placed: (path: Path) => ['providers', index, ...path],
      };
    }),
  ];
}

function partOf(type: string, name: string, sent: Json, index = 0) {
  return { type, name, index, sent, attributes: normal(type, sent) };
}

/** The same key, say, in two files. */
function twice(declared: readonly Declared[]): readonly Fault[] {
  return declared.flatMap((each, at) => {
    const first = declared.findIndex(
      ({ type, name, index }) => type === each.type && name === each.name && index === each.index,
    );
    const { key, what } = factsOf(each.type);
    if (first === at || each.name === '') return [];
    return [
      each.file.fault(
        each.placed([key]),
        `The ${what} ${each.name} is in ${declared[first]?.file.path ?? ''} as well.`,
      ),
    ];
  });
}
