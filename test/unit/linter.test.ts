/** The linter refuses what it must: for each of its rules, code that breaks it, and imports against the way of a request. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVERY, SCRIPT, TYPED } from '../../scripts/lint/rules.ts';
import { BROKEN, BROKEN_SCRIPTS, NO_SYNTAX, VALUES } from '../support/broken-snippets.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const PRELUDE = "import { o, n, s, u, f, letter, maybe, old, type Shape } from './values.ts';\n";

/** A file, what it imports, and what the linter says of that; null for nothing. */
const IMPORTS: readonly (readonly [string, string, string | null])[] = [
  ['src/domain/a.ts', '../query/walk.ts', 'src/domain may import only: domain.'],
  ['src/plan/a.ts', '../collection/rpc/client.ts', 'src/plan may import only: plan, operators'],
  ['src/collection/a.ts', '../index.ts', 'src/collection may import only: collection, schema'],
  [
    'src/auth/a.ts',
    '../modules/endpoint.ts',
    'src/auth may import only: auth, collection, operators, query, domain.',
  ],
  ['src/auth/b.ts', '../collection/rpc/client.ts', null],
  ['src/modules/documents/a.ts', '../../http/serve.ts', 'src/modules may import only'],
  ['src/modules/documents/b.ts', '../../collection/write/batch.ts', 'only collection/rpc is seen'],
  ['src/modules/documents/c.ts', '../../collection/rpc/objects.ts', 'only collection/rpc is seen'],
  ['src/modules/documents/d.ts', '../../collection/rpc/packing/documents.ts', null],
  ['src/http/a.ts', '../collection/rpc/packing/rows.ts', 'only collection/rpc is seen'],
  ['src/collection/rpc/a.ts', '../storage/sql.ts', 'of src/collection, only: rpc.'],
  ['src/collection/search/a.ts', '../write/batch.ts', 'of src/collection, only: search, storage, rpc.'],
  ['src/collection/search/b.ts', '../collection.ts', 'of src/collection, only: search, storage, rpc.'],
  ['src/collection/search/c.ts', '../storage/sql.ts', null],
  ['src/collection/search/d.ts', '../../auth/keys.ts', 'src/collection may import only'],
  ['src/collection/reads.ts', './write/writes.ts', 'What only reads sees nothing that writes.'],
  ['src/query/order/a.ts', '../../operators/query/all.ts', 'src/query may import only'],
  ['src/query/order/c.ts', '../../http/serve.ts', 'src/query may import only'],
  ['src/operators/query/a.ts', '../../plan/plan.ts', 'src/operators may import only'],
  ['src/operators/query/b.ts', '../../query/order/compare.ts', null],
  ['src/client/a.ts', '../domain/ids.ts', 'src/client stands alone'],
  ['src/client/b.ts', 'hono', 'src/client stands alone'],
  ['src/client/c.ts', './paths.ts', null],
  ['src/http/b.ts', '../client/index.ts', 'src/client, src/dashboard and src/account run elsewhere.'],
  ['src/http/c.ts', '../dashboard/route.ts', 'src/client, src/dashboard and src/account run elsewhere.'],
  ['src/dashboard/parts/a.tsx', '../../query/walk.ts', 'of src they import the client and the domain alone.'],
  ['src/dashboard/parts/c.tsx', '../../domain/ids.ts', null],
  ['src/dashboard/parts/b.tsx', '../../client/index.ts', null],
  ['test/unit/a.test.ts', '../../src/collection/write/batch.ts', null],
  ['test/unit/b.test.ts', 'fast-check', 'Properties have one seed'],
  ['test/unit/c.test.ts', '../support/fast-check.ts', null],
];

interface Finding {
  readonly code: string;
  readonly message: string;
  readonly filename: string;
}
let folder = '';
let findings: readonly Finding[] = [];

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linter-'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await cp(join(ROOT, 'tsconfig.json'), join(folder, 'tsconfig.json'));
  await cp(join(ROOT, 'scripts/lint'), join(folder, 'scripts/lint'), { recursive: true });
  await cp(join(ROOT, 'scripts/oxlint.config.ts'), join(folder, 'scripts/oxlint.config.ts'));
  await put('src/http/values.ts', VALUES);
  for (const [rule, code] of Object.entries(BROKEN)) await put(`src/http/${rule}.ts`, `${code}\n${PRELUDE}`);
  for (const [rule, code] of Object.entries(BROKEN_SCRIPTS)) await put(`scripts/${rule}.mjs`, `${code}\n`);
  for (const [rule, code] of Object.entries(NO_SYNTAX)) await put(`scripts/syntax/${rule}.mjs`, `${code}\n`);
  await put(
    'src/domain/one.ts',
    "import type { Two } from './two.ts';\nexport interface One { readonly two: Two }\n",
  );
  await put('src/domain/two.ts', "import type { One } from './one.ts';\nexport type Two = One | null;\n");
  for (const [file, imported] of IMPORTS) await put(file, `export * from '${imported}';\n`);
  const program = [
    join(ROOT, 'node_modules/.bin/oxlint'),
    '-c',
    'scripts/oxlint.config.ts',
    '-f',
    'json',
    'src',
    'scripts',
    'test',
  ];
  const said = await new Promise<string>((resolve) => {
    const options = { cwd: folder, maxBuffer: 1e8 };
    execFile(process.execPath, program, options, (_error, out, err) => {
      resolve(out || err);
    });
  });
  ({ diagnostics: findings } = JSON.parse(said) as { diagnostics: Finding[] });
});
afterAll(() => rm(folder, { recursive: true }));

const found = (file: string): readonly string[] =>
  findings.filter(({ filename }) => filename === file).map(({ code }) => code);

const nameOf = (code: string): string => /\((.*)\)/.exec(code)?.[1] ?? code;

test('each rule has code that breaks it', () => {
  const own = ['type-names', 'imports'];
  expect([
    ...Object.keys(BROKEN),
    ...Object.keys(BROKEN_SCRIPTS),
    ...Object.keys(NO_SYNTAX),
    'imports',
  ]).toEqual(expect.arrayContaining([...EVERY, ...TYPED, ...SCRIPT, ...own]));
});

test.each(Object.keys(BROKEN))('%s', (rule) => {
  expect(found(`src/http/${rule}.ts`).map(nameOf)).toContain(rule);
});

test.each(Object.keys(BROKEN_SCRIPTS))('%s, in JavaScript', (rule) => {
  expect(found(`scripts/${rule}.mjs`).map(nameOf)).toContain(rule);
});

test.each(Object.keys(NO_SYNTAX))('%s is no syntax', (rule) => {
  expect(found(`scripts/syntax/${rule}.mjs`)).not.toEqual([]);
});

test.each(['one', 'two'])('no-cycle, of types too: %s', (name) => {
  expect(found(`src/domain/${name}.ts`).map(nameOf)).toContain('no-cycle');
});

test.each(IMPORTS)('%s imports %s: %s', (file, _imported, says) => {
  const messages = findings
    .filter(({ filename, code }) => filename === file && nameOf(code) === 'imports')
    .map(({ message }) => message);
  expect(messages).toEqual(says === null ? [] : [expect.stringContaining(says)]);
});
