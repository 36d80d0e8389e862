/** What a command does first: it installs what is missing, and nothing else. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { ROOT } from '../support/started.ts';
import { newFolder } from '../support/scope.ts';

let folder: string;
beforeEach(() => {
  folder = newFolder();
});

const LOCKED = {
  '': { name: 'project', dependencies: { miniflare: '1.0.0' }, devDependencies: { hono: '1.0.0' } },
  test: { name: 'tests', devDependencies: { vitest: '1.0.0' } },
  'node_modules/tests': { resolved: 'test', link: true },
  'node_modules/miniflare': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/for-darwin': { version: '1.0.0', integrity: 'sha512-b', optional: true },
  'node_modules/hono': { version: '1.0.0', integrity: 'sha512-c', dev: true },
  'node_modules/vitest': { version: '1.0.0', integrity: 'sha512-d', dev: true },
};
const { '': _project, 'node_modules/for-darwin': _darwin, ...WHOLE } = LOCKED;
const MINIFLARE = LOCKED['node_modules/miniflare'];
const SERVING = { 'node_modules/miniflare': MINIFLARE, 'node_modules/hono': LOCKED['node_modules/hono'] };

/** What needs a Node that there is none of, and what any Node can run. */
const NEWER = '>=999.0';
const THIS = `>=${process.versions.node}`;

interface Project {
  /** What npm has installed; null where nothing is. */
  readonly installed: object | null;
  readonly needs?: string;
  /** Whether the Node for machines whose own is too old is there. */
  readonly spare?: object | null;
}

/** Runs a command of a project with an npm that only says what it is asked, and where. */
function run(command: string, { installed, needs = THIS, spare = null }: Project) {
  const write = (path: string, content: unknown, mode = 0o644) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content), { mode });
  };
  for (const script of ['run.mjs', 'install.mjs'])
    cpSync(join(ROOT, 'scripts', script), join(folder, 'scripts', script));
  for (const script of ['serve.ts', 'check.ts']) write(`scripts/${script}`, '');
  write('package.json', { engines: { node: needs } });
  write('package-lock.json', { packages: LOCKED });
  if (installed !== null) write('node_modules/.package-lock.json', { packages: installed });
  write('scripts/node/package.json', { optionalDependencies: { 'node-x': '0.0.1' } });
  write('scripts/node/package-lock.json', { packages: { '': {}, 'node_modules/node': SPARE } });
  if (spare !== null) {
    write('scripts/node/node_modules/.package-lock.json', { packages: spare });
    write('scripts/node/node_modules/.bin/node', '#!/bin/sh\necho spare >&2\n', 0o755);
  }
  write('npm', '#!/bin/sh\necho "npm $*, in $(basename "$PWD")" >&2\n', 0o755);
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` };
  const { stderr, status } = spawnSync(process.execPath, [join(folder, 'scripts/run.mjs'), command], {
    env,
    encoding: 'utf8',
  });
  return { asked: stderr.match(/^npm .*?(?= --no-audit)/gm) ?? [], stderr, status };
}

const SPARE = { version: '26.0.0', integrity: 'sha512-e', optional: true };
const EVERYTHING = ['npm ci --include=dev'];
const WHAT_SERVES = ['npm ci --include=dev --workspaces=false'];

test.each<[what: string, command: string, installed: object | null, expected: readonly string[]]>([
  ['npm start after a plain npm ci installs nothing', 'serve.ts', WHOLE, []],
  ['npm start beside a package of somebody installs nothing', 'serve.ts', { ...WHOLE, x: {} }, []],
  ['a check after a plain npm ci installs nothing', 'check.ts', WHOLE, []],
  ['npm start where there is what serves installs nothing', 'serve.ts', SERVING, []],
  ['a check there installs all', 'check.ts', SERVING, EVERYTHING],
  ['npm start where nothing is known installs what serves', 'serve.ts', null, WHAT_SERVES],
  [
    'npm start where there is only what was published installs what it is built from',
    'serve.ts',
    { 'node_modules/miniflare': MINIFLARE },
    WHAT_SERVES,
  ],
  [
    'npm start with a package of another version installs',
    'serve.ts',
    { ...SERVING, 'node_modules/miniflare': { ...MINIFLARE, version: '0.9.0' } },
    WHAT_SERVES,
  ],
  [
    'npm start with other content of the same version installs',
    'serve.ts',
    { ...SERVING, 'node_modules/miniflare': { ...MINIFLARE, integrity: 'sha512-z' } },
    WHAT_SERVES,
  ],
  [
    'npm start with a package that is no longer there installs',
    'serve.ts',
    { ...SERVING, 'node_modules/node': { version: '1.0.0' } },
    WHAT_SERVES,
  ],
])('%s', (_, command, installed, expected) => {
  expect(run(command, { installed })).toMatchObject({ asked: expected, status: 0 });
});

test('a Node that is too old is told, and another one is installed for it', () => {
  const { asked, stderr, status } = run('serve.ts', { installed: SERVING, needs: NEWER });
  expect(asked).toEqual(['npm ci']);
  expect(stderr).toMatch(/^npm .*, in node$/m);
  expect(stderr).toContain(`This command needs Node 999.0 or later, and this is ${process.versions.node}`);
  // This npm has installed none.
  expect(status).toBe(1);
});

test('what is installed for it runs the command, until it is another one', () => {
  const spare = { 'node_modules/node': SPARE };
  expect(run('serve.ts', { installed: SERVING, needs: NEWER, spare })).toMatchObject({
    asked: [],
    stderr: 'spare\n',
    status: 0,
  });
  const old = { 'node_modules/node': { ...SPARE, version: '25.0.0' } };
  expect(run('serve.ts', { installed: SERVING, needs: NEWER, spare: old }).asked).toEqual(['npm ci']);
});
