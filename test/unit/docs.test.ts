/** The pages made by `npm run docs` say what the service's own tables say, and the pages lead to one another. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import format from '../../.oxfmtrc.json' with { type: 'json' };
import linted from '../../scripts/oxlint.config.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { loadEndpoints, stalePages } from '../../scripts/endpoint-table.ts';
import { SCENES } from '../pictures/scenes.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
];

test('the generated parts are what npm run docs makes', async () => {
  expect(await stalePages()).toEqual([]);
});

test('the README begins with the clone that everything else is run in', () => {
  const [, first = ''] = /```\n(.*?)```/s.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? [];
  expect(first).toMatch(/^git clone .* && cd foredge\nnpm start\n$/);
});

test('the file that docs/client.md lets the command write in a clone is none that the check looks at', () => {
  expect(readFileSync(join(ROOT, 'docs/client.md'), 'utf8')).toContain('> types.ts');
  expect(format.ignorePatterns).toContain('/types.ts');
  expect(linted.ignorePatterns).toContain('/types.ts');
});

describe.each(PAGES.filter((path) => path.endsWith('.md')))('%s', (path) => {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];

  test('links lead to pages, and to headings that are there', () => {
    const broken = links.filter(([, target = '', heading]) => {
      const file = target === '' ? join(ROOT, path) : join(ROOT, path, '..', target);
      if (!existsSync(file)) return true;
      return heading !== undefined && !headingsOf(readFileSync(file, 'utf8')).has(heading);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });
});

// The changelog tells of files as they were.
test.each(PAGES.filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md'))(
  '%s names files that are there',
  (path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const named = [...text.matchAll(/`((?:src|scripts|test|docs)\/[\w./-]*)`/g)].map(([, file = '']) => file);
    expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  },
);

test('comments name files that are there', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).map(
    (name) => `/${name}`,
  );
  // What is released is never edited.
  const read = files.filter((name) => /(?<!released)\.tsx?$/.test(name));
  const named = read.flatMap((name) => [
    ...readFileSync(join(ROOT, 'src', name), 'utf8').matchAll(/\(((?:[\w-]+\/)*[\w-]+\.tsx?)\)/g),
  ]);
  const ends = named.map(([, end = '']) => end);
  expect(ends.length).toBeGreaterThan(30);
  const lost = ends.filter(
    (end) => !existsSync(join(ROOT, end)) && !files.some((file) => file.endsWith(`/${end}`)),
  );
  expect(lost).toEqual([]);
});

test('every test that docs/security.md names is there', () => {
  const rows = readFileSync(join(ROOT, 'docs/security.md'), 'utf8').matchAll(/^- \*\*.*\((`[^()]*`)\)$/gm);
  const names = Array.from(rows, ([, tests = '']) => tests)
    .flatMap((tests) => [...tests.matchAll(/`(\w[\w/-]*)`/g)])
    .map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(30);
  expect(
    names.filter((name) => !['', '.test.ts'].some((end) => existsSync(join(ROOT, `test/${name}${end}`)))),
  ).toEqual([]);
});

test('the glossary has at most forty words, in order, each with its file', () => {
  const rows = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('- '));
  const words = rows.map((row) => /^- \*\*([a-z ]+)\*\* \(`src\/[\w./-]+\.ts`\): /.exec(row)?.[1] ?? row);
  expect(words.length).toBeLessThanOrEqual(40);
  expect(words).toEqual(words.toSorted());
  expect(words.filter((word) => word.startsWith('-'))).toEqual([]);
});

test.each([
  ['docs/search.md', '`sort` takes paths, separated by commas,', LIMITS.sortFields],
  ['docs/search.md', 'or as many as the request says,', LIMITS.pageSize],
  ['docs/search.md', 'An answer holds', LIMITS.defaultPageSize],
])('%s says after "%s" what the service does', (page, words, limit) => {
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/\s+/g, ' ');
  const rest = text.slice(text.indexOf(words) + words.length);
  expect(text).toContain(words);
  expect(/[0-9]+(,[0-9]{3})*/.exec(rest)?.[0]).toBe(limit.toLocaleString('en'));
});

test('the table of endpoints has everything that the API is to have', async () => {
  const known = new Set((await loadEndpoints()).map(({ method, path }) => `${method} ${path}`));
  expect(WANTED.filter((endpoint) => !known.has(endpoint))).toEqual([]);
});

/** Headings as the anchors that web pages make of them. */
function headingsOf(markdown: string): ReadonlySet<string> {
  const headings = markdown.matchAll(/^#+ (.*)$/gm);
  return new Set(
    Array.from(headings, ([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

const WANTED: readonly string[] = [
  ...collection('/resources/{type}'),
  'GET /resources/{type}/{id}/relationships/{name}',
  'PATCH /resources/{type}/{id}/relationships/{name}',
  'POST /resources/{type}/{id}/relationships/{name}',
  'DELETE /resources/{type}/{id}/relationships/{name}',
  'GET /resources/{type}/{id}/{name}',
  'GET /resources/{type}.acl/{id}',
  'PATCH /resources/{type}.acl/{id}',
  ...collection('/users/core.user'),
  ...collection('/users/core.user-group'),
  ...collection('/users/core.external-user'),
  'POST /users/core.user.token',
  'DELETE /users/core.user.token/{id}',
  'POST /users/core.external-user.token',
  'GET /users/core.external-user.token',
  'GET /users/core.external-user.token/{id}',
  'DELETE /users/core.external-user.token/{id}',
  ...collection('/api-keys/core.api-key'),
  ...collection('/schemas/core.schema'),
  'POST /aggregates/core.aggregate',
  'GET /aggregates/{type}',
  'GET /aggregates/{type}/{id}',
  'GET /aggregates/{type}/{id}/relationships/{name}',
  'GET /aggregates/{type}/{id}/{name}',
];

function collection(path: string): readonly string[] {
  const document = `${path}/{id}`;
  return [`POST ${path}`, `GET ${path}`, `GET ${document}`, `PATCH ${document}`, `DELETE ${document}`];
}

test('docs/dashboard.md shows each page of the dashboard in both themes', () => {
  const expected = SCENES.flatMap(({ name }) => [`${name}-dark.png`, `${name}-light.png`]).sort();
  const shown = readFileSync(join(ROOT, 'docs/dashboard.md'), 'utf8').matchAll(
    /\(pictures\/([\w-]+\.png)\)/g,
  );
  expect(Array.from(shown, ([, file]) => file).sort()).toEqual(expected);
  expect(readdirSync(join(ROOT, 'docs/pictures')).sort()).toEqual(expected);
});
