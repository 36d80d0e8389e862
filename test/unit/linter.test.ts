/** The linter refuses what it must: code that breaks a rule of each group, and imports against the way of a request. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const ROOT = new URL('../..', import.meta.url).pathname;

/** What the snippets in TypeScript may name. */
const VALUES = `
export const n: number = Number(process.argv[2]);
export const s: string = String(process.argv[3]);
export const letter: 'a' | 'b' = n > 1 ? 'a' : 'b';
export const f = (): Promise<number> => Promise.resolve(n);
`;
const PRELUDE = "import { n, s, letter, f } from './values.ts';\n";

/** Code that the linter must refuse, by the rule: of what it counts as correctness, of our list, or with options. */
const BROKEN: Readonly<Record<string, string>> = {
  'no-debugger': 'debugger;',
  'no-var': 'var x = 1; console.log(x);',
  'no-floating-promises': 'f();',
  'no-explicit-any': 'export type A = any;',
  'no-non-null-assertion': 'export const l = [n][0]!;',
  'no-unnecessary-condition': "if (s === undefined) console.log('x');",
  'ban-ts-comment': '// @ts-ignore\nexport const a: number = s;',
  'restrict-plus-operands': 'export const x = n + s;',
  'return-await': 'export async function g() { try { return f(); } catch { return await f(); } }',
  'switch-exhaustiveness-check': "switch (letter) { case 'a': console.log(n); }",
  'type-names': "export const t = 'core.user';",
  'max-line': `// ${'x'.repeat(118)}`,
};

/** In a JavaScript file. */
const BROKEN_SCRIPTS: Readonly<Record<string, string>> = {
  'no-const-assign': 'const a = 1; a = 2; console.log(a);',
  'no-undef': 'console.log(nobody);',
};

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
  [
    'src/collection/searches.ts',
    './storage/documents/document-writer.ts',
    'What only reads sees nothing that writes.',
  ],
  ['src/query/order/a.ts', '../../operators/query/all.ts', 'src/query may import only'],
  ['src/query/order/c.ts', '../../http/serve.ts', 'src/query may import only'],
  ['src/operators/query/a.ts', '../../plan/plan.ts', 'src/operators may import only'],
  ['src/operators/query/b.ts', '../../query/order/compare.ts', null],
  ['src/client/a.ts', '../domain/ids.ts', 'src/client stands alone'],
  ['src/client/b.ts', 'hono', 'src/client stands alone'],
  ['src/client/c.ts', './paths.ts', null],
  ['src/http/b.ts', '../client/index.ts', 'src/client runs elsewhere: of the Worker the ready pages alone'],
  ['src/http/pages/account/b.ts', '../../../client/index.ts', null],
  ['src/http/c.ts', '../dashboard/route.ts', 'src/dashboard and src/account run elsewhere.'],
  [
    'src/dashboard/parts/a.tsx',
    '../../query/walk.ts',
    'of src it imports the client, the domain and the schemas alone.',
  ],
  ['src/dashboard/parts/c.tsx', '../../domain/ids.ts', null],
  ['src/dashboard/parts/d.tsx', '../../schema/check.ts', null],
  ['src/account/a.ts', '../domain/ids.ts', 'src/account runs elsewhere: it imports its own files only.'],
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
const folder = await mkdtemp(join(tmpdir(), 'linter-'));

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
await cp(join(ROOT, 'tsconfig.json'), join(folder, 'tsconfig.json'));
await cp(join(ROOT, 'scripts/lint'), join(folder, 'scripts/lint'), { recursive: true });
await cp(join(ROOT, 'scripts/oxlint.config.ts'), join(folder, 'scripts/oxlint.config.ts'));
await put('src/http/values.ts', VALUES);
for (const [rule, code] of Object.entries(BROKEN)) await put(`src/http/${rule}.ts`, `${code}\n${PRELUDE}`);
for (const [rule, code] of Object.entries(BROKEN_SCRIPTS)) await put(`scripts/${rule}.mjs`, `${code}\n`);
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
const { diagnostics: findings } = JSON.parse(said) as { diagnostics: Finding[] };
afterAll(() => rm(folder, { recursive: true }));

const found = (file: string): readonly string[] =>
  findings.filter(({ filename }) => filename === file).map(({ code }) => code);

const nameOf = (code: string): string => /\((.*)\)/.exec(code)?.[1] ?? code;

test.each(Object.keys(BROKEN))('%s', (rule) => {
  expect(found(`src/http/${rule}.ts`).map(nameOf)).toContain(rule);
});

test.each(Object.keys(BROKEN_SCRIPTS))('%s, in JavaScript', (rule) => {
  expect(found(`scripts/${rule}.mjs`).map(nameOf)).toContain(rule);
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
