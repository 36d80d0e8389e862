/** A folder that holds an application: `foredge.json` with its targets, and `foredge/` with what it declares. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, extname, join, relative } from 'node:path';
import { hintOf, unknownName } from '../../src/domain/names.ts';
import { SCOPE } from '../../src/domain/accounts/settings.ts';
import { CORE } from '../../src/domain/types.ts';
import { preparedFor } from '../../src/modules/users/providers/kinds.ts';
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

const ACCOUNTS_FILE = /^accounts\.jsonc?$/;

/** All folders of which something is read. */
const PARTS_OF_FOLDER = [...Object.keys(FOLDERS), 'seeds', 'migrations'];

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

/** Reads a project; its files are named as from here. */
export function readProject(root: string): Project {
  const configuration = join(root, CONFIGURATION);
  if (!existsSync(configuration)) {
    throw new Failure(
      `There is no ${configuration}: foredge init makes one, and --project names its folder.`,
    );
  }
  const file = new JsonFile(relative('.', configuration));
  const { targets, faults } = targetsIn(file);
  const folder = join(root, FOLDER);
  const declared = [
    ...Object.entries(FOLDERS).flatMap(([name, type]) =>
      filesIn(join(folder, name), /\.jsonc?$/).flatMap((path) =>
        partsIn(new JsonFile(relative('.', path)), type),
      ),
    ),
    ...filesIn(folder, ACCOUNTS_FILE).flatMap((path) => accountsIn(new JsonFile(relative('.', path)))),
  ];
  const texts = [...new Set(declared.map((each) => each.file))].flatMap((each) => each.faults);
  return {
    root,
    targets,
    declared,
    faults: [...faults, ...strangersIn(folder), ...texts, ...twice(declared)],
  };
}

export function filesIn(folder: string, names: RegExp): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => names.test(name))
    .sort()
    .map((name) => join(folder, name));
}

function targetsIn(file: JsonFile): Pick<Project, 'targets' | 'faults'> {
  const { targets = {} } = file.content;
  const entries = isObject(targets) ? Object.entries(targets) : [];
  const faults = entries.flatMap(([name, target]) => {
    const { url, application, ...others } = isObject(target) ? target : { target };
    const [strange] = Object.keys(others);
    if (strange !== undefined) {
      return [file.fault(['targets', name, strange], unknownName(strange, MEMBERS))];
    }
    if (url === undefined && application === undefined) return [];
    const isFine = typeof url === 'string' && /^https?:\/\//.test(url) && typeof application === 'string';
    return isFine
      ? []
      : [file.fault(['targets', name], 'A target has a url and an application, or neither.')];
  });
  return { targets: Object.fromEntries(entries) as Project['targets'], faults: [...file.faults, ...faults] };
}

const MEMBERS = { what: 'member of a target', names: ['url', 'application'] };

/** Folders and JSON files that mean nothing. */
function strangersIn(folder: string): readonly Fault[] {
  if (!existsSync(folder)) return [];
  const names = [...PARTS_OF_FOLDER, `${ACCOUNTS}.json`];
  return readdirSync(folder, { withFileTypes: true })
    .filter((each) =>
      each.isDirectory()
        ? !PARTS_OF_FOLDER.includes(each.name)
        : /\.jsonc?$/.test(each.name) && !ACCOUNTS_FILE.test(each.name),
    )
    .map(({ name }) => ({
      file: relative('.', join(folder, name)),
      line: 1,
      column: 1,
      detail: `Nothing is read from here.${hintOf(name, names)}`,
    }));
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
        `There is another ${what} ${each.name}: in ${declared[first]?.file.path ?? ''}.`,
      ),
    ];
  });
}
