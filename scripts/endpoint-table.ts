/**
 * `npm run docs`: writes what docs/ says of endpoints, attributes, limits and settings, and the client's types of
 * the service's own documents, from the tables that the service itself runs on. With `--check` it writes nothing and fails when a page says something else.
 */
import { build, type Plugin } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { LIMITS } from '../src/domain/limits.ts';
import { PROBLEMS, type ProblemCode } from '../src/domain/problems.ts';
import { SETTINGS } from '../src/domain/settings.ts';
import { CORE } from '../src/domain/types.ts';
import { ANSWERS, type AnswerName } from '../src/modules/contents/answers.ts';
import { BODIES } from '../src/modules/contents/bodies.ts';
import { attributesOf } from '../src/modules/contents/own-attributes.ts';
import { OWN_TYPES } from '../src/modules/contents/own-types.ts';
import { OF_CONTENT } from '../src/modules/contents/problems.ts';
import { PARAMETERS, PREFERENCES, REQUEST_HEADERS } from '../src/modules/contents/parameters.ts';
import { MODULE_TITLES } from '../src/modules/contents/titles.ts';
import type { Endpoint } from '../src/modules/endpoint.ts';
import { anchorOf } from './assets/docs/markdown.ts';
import { coreTypes } from './core-types.ts';
import { LIMIT_TEXTS, type LimitText } from './limit-texts.ts';

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

const BEGIN = '<!-- Made by npm run docs. Change the tables in src instead. -->';
const END = '<!-- End of what npm run docs made. -->';

/** What is made as a whole. */
const CORE_TYPES = 'src/client/core.ts';

/** What the pages should be, by path. */
export async function makePages(): Promise<ReadonlyMap<string, string>> {
  const endpoints = await loadEndpoints();
  const pages = Object.entries(PAGES).map(async ([path, part]) => {
    const [before, after] = aroundPart(path);
    const options = await resolveConfig(join(ROOT, path));
    const text = await format(`${before}${BEGIN}\n\n${part(endpoints)}\n\n${END}${after}`, {
      ...options,
      parser: 'markdown',
    });
    return [path, text] as const;
  });
  const options = await resolveConfig(join(ROOT, CORE_TYPES));
  const types = await format(await coreTypes(), { ...options, parser: 'typescript' });
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

function aroundPart(path: string): readonly [before: string, after: string] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`${path} has no generated part: it lost its marks.`);
  return [text.slice(0, begin), text.slice(end + END.length)];
}

/** Bodies that hold documents, or links of one. */
const CONTENTS: readonly unknown[] = [
  'create',
  'update',
  'update many',
  'operations',
  'linkage',
  'links',
  'acl',
  'content',
];

/** What nearly every list takes. */
const OF_LISTS = ['filter', 'sort', 'page', 'fields', 'include'] as const;

/** Answers of which the page says once, by hand, when they come. */
const SAID_ONCE: readonly AnswerName[] = [
  'unchanged',
  'created quietly',
  'changed',
  'changed relationship',
  'deleted',
  'ended',
  'ended upload',
];

/** Errors that come with what an endpoint takes: the page says them once, and not at each endpoint. */
const TAKEN: readonly (readonly [
  what: string,
  takes: (endpoint: Endpoint) => boolean,
  codes: readonly ProblemCode[],
])[] = [
  ['`{id}` in the path', ({ path }) => path.includes('{id}'), ['document-not-found']],
  [PARAMETERS.filter.docs, ({ parameters }) => parameters?.includes('filter') === true, ['invalid-filter']],
  [
    '`sort`, `page[…]`, `changes[since]`',
    ({ parameters = [] }) =>
      parameters.some((each) => ['sort', 'page', 'size', 'changes', 'now'].includes(each)),
    ['invalid-parameter'],
  ],
  [
    PARAMETERS.include.docs,
    ({ parameters }) => parameters?.includes('include') === true,
    ['include-too-large'],
  ],
  [
    PREFERENCES.handling.docs,
    ({ preferences }) => preferences?.includes('handling') === true,
    ['left-out', 'no-documents', 'no-such-field', 'other-kind'],
  ],
  [
    REQUEST_HEADERS['If-Match'].docs,
    ({ headers }) => headers?.includes('If-Match') === true,
    ['precondition-failed'],
  ],
  [
    REQUEST_HEADERS['Idempotency-Key'].docs,
    ({ headers }) => headers?.includes('Idempotency-Key') === true,
    ['request-in-progress', 'idempotency-key-reused'],
  ],
  [
    'a login, or a password',
    ({ path, problems }) => path.startsWith('/users/') && problems?.includes('too-many-requests') === true,
    ['too-many-requests'],
  ],
  [
    'a deletion of a document',
    ({ method, problems }) => method === 'DELETE' && problems?.includes('rule-violated') === true,
    ['rule-violated'],
  ],
  [
    'settings of a type, and an application, with a [held history](history.md#hold)',
    ({ problems }) => problems?.includes('history-held') === true,
    ['history-held'],
  ],
  ['contents of files', ({ problems }) => problems?.includes('not-configured') === true, ['not-configured']],
  [
    'a body with documents, attributes or links',
    ({ body }) => CONTENTS.includes(body),
    [...OF_CONTENT, 'client-id', 'update-failed', 'invalid-type'],
  ],
];

function endpointsPart(endpoints: readonly Endpoint[]): string {
  const common = TAKEN.map(([what, , problems]) => `- ${what}: ${problemsByStatus(problems)}`);
  const sections = new Map<string, string>();
  const byModule = Map.groupBy(endpoints, ({ path }) => path.split('/')[1] ?? '');
  const modules = Object.entries(MODULE_TITLES).map(([module, title]) => {
    const own = byModule.get(module) ?? [];
    const added = own.flatMap((endpoint) => {
      const shape = shapeOf(endpoint);
      if (sections.has(shape)) return [];
      sections.set(shape, headingOf(endpoint));
      return [`### ${headingOf(endpoint)}`, `${endpoint.summary}.`, endpointDetail(endpoint)];
    });
    // A path needs a line where a section of another one says what its methods do.
    const elsewhere = own.filter((endpoint) => sections.get(shapeOf(endpoint)) !== headingOf(endpoint));
    const linked = Array.from(
      Map.groupBy(
        own.filter(({ path }) => elsewhere.some((each) => each.path === path)),
        ({ path }) => path,
      ),
      ([path, methods]) => ({ path, links: methods.map(linkOf).join(' ') }),
    );
    // Paths whose methods do the same are one line.
    const rows = Array.from(
      Map.groupBy(linked, ({ links }) => links),
      ([links, paths]) => `- ${paths.map(({ path }) => `\`${path}\``).join(', ')}: ${links}`,
    );
    return [`## ${title}`, ...(rows.length > 0 ? [rows.join('\n')] : []), ...added].join('\n\n');
  });
  return [common.join('\n'), ...modules].join('\n\n');

  function linkOf(endpoint: Endpoint): string {
    return `[${endpoint.method}](#${anchorOf(sections.get(shapeOf(endpoint)) ?? '')})`;
  }
}

function headingOf({ method, path }: Endpoint): string {
  return `${method} \`${path}\``;
}

/** Equal where endpoints do, take and answer the same, but for the kind of document. */
function shapeOf(endpoint: Endpoint): string {
  const { summary } = endpoint;
  const [verb = ''] = summary.split(' ');
  return `${summary.includes('`') ? summary : verb}\n${endpointDetail(endpoint)}`;
}

/** What an endpoint takes and answers. What holds for many endpoints is said once, by hand. */
function endpointDetail(endpoint: Endpoint): string {
  const { parameters = [], headers = [], preferences = [], body, answers, problems = [] } = endpoint;
  const isList = OF_LISTS.every((each) => parameters.includes(each)) && preferences.includes('handling');
  const taken = [
    ...(isList ? ['[all of a list](#endpoints)'] : []),
    ...parameters
      .filter((each) => !(isList && OF_LISTS.some((other) => other === each)))
      .map((each) => PARAMETERS[each].docs),
    ...headers.filter((each) => each !== 'If-None-Match').map((each) => REQUEST_HEADERS[each].docs),
    ...preferences.filter((each) => !(isList && each === 'handling')).map((each) => PREFERENCES[each].docs),
  ];
  const common = TAKEN.flatMap(([, takes, codes]) => (takes(endpoint) ? codes : []));
  const own = problems.filter((code) => !common.includes(code));
  const lines = [
    taken.length > 0 && `Takes: ${taken.join(', ')}`,
    body !== undefined && `Body: ${BODIES[body].says}`,
    ...Object.entries(answers)
      .filter(([, answer]) => !SAID_ONCE.includes(answer))
      .map(([status, answer]) => `${status}: ${ANSWERS[answer].says}`),
    own.length > 0 && `Errors: ${own.map(errorLink).join(', ')}`,
  ].filter((line) => line !== false);
  return lines.map((line) => `- ${line}`).join('\n');
}

function problemsByStatus(problems: readonly ProblemCode[]): string {
  const byStatus = Map.groupBy(problems, (code) => PROBLEMS[code][0]);
  return Array.from(byStatus)
    .toSorted(([one], [other]) => one - other)
    .map(([status, codes]) => `${status} ${codes.map(errorLink).join(', ')}`)
    .join('; ');
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
  const texts = Object.entries(LIMIT_TEXTS).flatMap(([name, text]) =>
    text === null ? [] : { ...text, value: LIMITS[name as keyof typeof LIMITS] },
  );
  const groups = Array.from(Map.groupBy(texts, ({ problem }) => problem));
  return groups
    .toSorted(([one], [other]) => Number(one === undefined) - Number(other === undefined))
    .map(([problem, own]) => {
      const lines = own.map(({ what, unit, value }) => `- ${what}: ${amount(value, unit)}`);
      const title = problem === undefined ? 'No error' : errorLink(problem);
      return `**${title}**\n\n${lines.join('\n')}`;
    })
    .join('\n\n');
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function amount(value: number, unit: LimitText['unit']): string {
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
