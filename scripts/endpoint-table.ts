/**
 * `npm run docs`: writes what docs/ says of endpoints, attributes, limits and settings, and the client's types of the
 * service's own documents, from the tables of the service. With `--check` it writes nothing and fails when a page says
 * something else.
 */
import { build, type Plugin } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '../src/domain/limits.ts';
import type { ProblemCode } from '../src/domain/problems.ts';
import { SETTINGS } from '../src/domain/environment/settings.ts';
import { CORE } from '../src/domain/types.ts';
import { attributesOf, OWN_TYPES } from '../src/modules/contents/own-types.ts';
import { MODULE_TITLES } from '../src/modules/contents/subjects.ts';
import type { Endpoint } from '../src/modules/endpoint.ts';
import { coreTypes } from './core-types.ts';
import { LIMIT_TEXTS, type LimitText } from './limit-texts.ts';
import { formatted, pageWith } from './generated-part.ts';

const ROOT = join(import.meta.dirname, '..');

/** The pages with a generated part, and how it is made. The rest of each page is written by hand. */
const PAGES: Readonly<Record<string, (endpoints: readonly Endpoint[]) => string>> = {
  'docs/endpoints.md': endpointsPart,
  'docs/limits.md': limitsPart,
  'docs/operating.md': settingsPart,
  'docs/files.md': () => attributesPart(CORE.file),
  'docs/users.md': () => attributesPart(CORE.user),
  'docs/api-keys.md': () => attributesPart(CORE.apiKey),
  'docs/schemas.md': () => attributesPart(CORE.schema),
  'docs/types.md': () => attributesPart(CORE.typeSettings),
  'docs/aggregates.md': () => attributesPart(CORE.aggregate),
  'docs/webhooks.md': () => attributesPart(CORE.webhook),
  'docs/audit.md': () => attributesPart(CORE.auditEntry),
  'docs/accounts.md': () => attributesPart(CORE.accountSettings),
};

/** What is made as a whole. */
const CORE_TYPES = 'src/client/core.ts';

/** What the pages should be, by path. */
export async function makePages(): Promise<ReadonlyMap<string, string>> {
  const endpoints = await loadEndpoints();
  const pages = Object.entries(PAGES).map(
    async ([path, part]) => [path, await pageWith(path, 'npm run docs', part(endpoints))] as const,
  );
  const types = await formatted(CORE_TYPES, await coreTypes());
  return new Map([...(await Promise.all(pages)), [CORE_TYPES, types]]);
}

/** The paths of the pages that are not what they should be. */
export async function stalePages(): Promise<readonly string[]> {
  return Array.from(await makePages()).flatMap(([path, text]) =>
    readFileSync(join(ROOT, path), 'utf8') === text ? [] : path,
  );
}

/**
 * The service's table of endpoints. It leads to the Durable Object's module, which only workerd can load: bundled,
 * with an empty base class in that place, Node can.
 */
export async function loadEndpoints(): Promise<readonly Endpoint[]> {
  const platform: Plugin = {
    name: 'platform',
    setup: (bundler) => {
      // What looks at the terminal is nothing in a bundle.
      const filter = /^(cloudflare:workers|debug)$/;
      bundler.onResolve({ filter }, ({ path }) => ({ path, namespace: 'platform' }));
      bundler.onLoad({ filter: /./, namespace: 'platform' }, () => ({
        contents:
          'export class DurableObject {} export function waitUntil() {} export default () => () => undefined;',
      }));
    },
  };
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'src/modules/endpoints.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    plugins: [platform],
    logLevel: 'error',
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error('The table of endpoints could not be bundled.');
  const url = `data:text/javascript,${encodeURIComponent(output.text)}`;
  const loaded = (await import(/* @vite-ignore */ url)) as { readonly ENDPOINTS: readonly Endpoint[] };
  return loaded.ENDPOINTS;
}

/** Addresses that every stored type of the service has as documents have them; `docs/endpoints.md` says so once. */
const OF_ALL_TYPES = /\/\{id\}\/(relationships\/)?\{name\}$|^\/(?!resources)\w[\w-]*\/\{type\}\.acl\//;

/**
 * Each path with its methods. What a method does is said where one like it stands first: elsewhere it takes and answers
 * the same, for another kind of document. Paths of the same methods are one line. OpenAPI has the rest of each summary.
 */
function endpointsPart(endpoints: readonly Endpoint[]): string {
  const said = new Set<string>();
  const byModule = Map.groupBy(endpoints, ({ path }) => path.split('/')[1] ?? '');
  const modules = Object.entries(MODULE_TITLES).map(([module, title]) => {
    const byPath = Map.groupBy(byModule.get(module) ?? [], ({ path }) => path);
    const paths = Array.from(byPath, ([path, own]) => ({ path, does: own.map(doing).join('; ') }));
    const shown = paths.filter(({ path, does }) => /[a-z]/.test(does) || !OF_ALL_TYPES.test(path));
    const rows = Array.from(
      Map.groupBy(shown, ({ does }) => does),
      ([does, alike]) => `- ${alike.map(({ path }) => `\`${path}\``).join(', ')}: ${does}`,
    );
    return `## ${title}\n\n${rows.join('\n')}`;
  });
  return modules.join('\n\n');

  function doing({ method, summary, parameters, headers, preferences, body, answers }: Endpoint): string {
    const [verb = ''] = summary.split(' ');
    const shape = JSON.stringify([verb, parameters, headers, preferences, body, answers]);
    if (said.has(shape)) return method;
    said.add(shape);
    const [short = ''] = summary.slice(verb.length).split(/[;:] /);
    return `${method} ${verb.toLowerCase()}${short}`;
  }
}

function errorLink(code: ProblemCode): string {
  return `[${code}](errors.md#${code})`;
}

function settingsPart(): string {
  const rows = Object.entries(SETTINGS).map(
    ([name, { meaning, without }]) => `- \`${name}\` (${without}): ${meaning}`,
  );
  return rows.join('\n');
}

function attributesPart(type: string): string {
  const attributes = attributesOf(type);
  const isSent = attributes.some(({ isMade }) => !isMade);
  const rows = attributes.map(({ name, says, isMade, isRequired }) => {
    const rules = [isRequired && 'required', isMade && isSent && 'read only'].filter(
      (rule) => rule !== false,
    );
    return `- \`${name}\`${rules.length > 0 ? ` (${rules.join(', ')})` : ''}: ${says}`;
  });
  const others = OWN_TYPES[type]?.closed === true ? [] : ['- others: allowed, and kept'];
  return ['Attributes:', [...rows, ...others].join('\n')].join('\n\n');
}

/** Limits by the error that a request past them meets; those without one come last. */
function limitsPart(): string {
  const texts = Object.entries(LIMIT_TEXTS).map(([name, [what, problem, unit]]) => ({
    problem,
    line: `- ${what}: ${amount(LIMITS[name as keyof typeof LIMIT_TEXTS], unit)}`,
  }));
  const groups = Array.from(Map.groupBy(texts, ({ problem }) => problem));
  return groups
    .toSorted(([one], [other]) => Number(one === null) - Number(other === null))
    .map(([problem, own]) => {
      const title = problem === null ? 'No error' : errorLink(problem);
      return `**${title}**\n\n${own.map(({ line }) => line).join('\n')}`;
    })
    .join('\n\n');
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function amount(value: number, unit: LimitText[2]): string {
  if (unit === 'bytes') {
    if (value % 1_000_000 === 0) return `${value / 1_000_000} MB`;
    return value % 1_048_576 === 0 ? `${value / 1_048_576} MiB` : `${value / 1024} KiB`;
  }
  if (unit === 'milliseconds') {
    if (value < HOUR) return `${value / 1000} s`;
    if (value > DAY) return `${value / DAY} days`;
    return value === HOUR ? '1 hour' : `${value / HOUR} hours`;
  }
  return [value.toLocaleString('en'), unit].filter((part) => part !== undefined).join(' ');
}

if (process.argv[1] === import.meta.filename) {
  const stale = await stalePages();
  if (process.argv.includes('--check')) {
    for (const path of stale) console.error(`${path} is not what the tables in src say: run npm run docs.`);
    process.exitCode = stale.length === 0 ? 0 : 1;
  } else {
    const pages = await makePages();
    for (const path of stale) {
      writeFileSync(join(ROOT, path), pages.get(path) ?? '');
      console.log(`${path} written`);
    }
  }
}
