/** The package, as `npm publish` would send it: installed beside another dependency into a folder with nothing else, and used there. */
import { execFile, spawn } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT, Started, TERMINAL } from '../support/started.ts';

const MB = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), 'foredge-packed-'));
const [shop, modules] = [join(folder, 'shop'), join(folder, 'shop/node_modules')];
let tarball: string;
let server: Started | undefined;

/** What a command prints, run by somebody at a terminal; rejects where it fails. */
async function run(command: string, cwd = shop): Promise<string> {
  const [program = '', ...args] = command.split(' ');
  const options = { cwd, env: { ...TERMINAL, PORT: '0' }, maxBuffer: 1 << 26 };
  return (await promisify(execFile)(program, args, options)).stdout;
}

beforeAll(async () => {
  await run(`npm pack --silent --pack-destination ${folder}`, ROOT);
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
  mkdirSync(shop);
  // The runtime needs another version of it.
  writeFileSync(
    join(shop, 'package.json'),
    '{"name": "shop", "type": "module", "dependencies": {"ws": "7.5.10"}}',
  );
  // A registry that stalls is asked again, rather than after npm's five minutes.
  const patience = '--fetch-timeout 30000 --fetch-retries 5';
  await run(`npm install --prefer-offline --no-audit --no-fund --silent ${patience} ${tarball}`);
}, 600_000);
afterAll(async () => {
  await server?.killAll();
  rmSync(folder, { recursive: true });
});

const versionOf = (name: string) =>
  (JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')) as { version: string }).version;

/** What a file of the project names as its schema. */
const schemaOf = (path: string) =>
  /"\$schema": "([^"]*)"/.exec(readFileSync(join(shop, path), 'utf8'))?.[1] ?? '';

test('has at most 3 MB, and brings at most 250 MB', () => {
  expect(statSync(tarball).size).toBeLessThan(3 * MB);
  const files = readdirSync(modules, { recursive: true, encoding: 'utf8' });
  // A file with two names is there once.
  const sizes = new Map(
    files.map((name) => lstatSync(join(modules, name))).map(({ ino, size }) => [ino, size]),
  );
  expect([...sizes.values()].reduce((sum, size) => sum + size, 0)).toBeLessThan(250 * MB);
  expect(versionOf('ws')).toBe('7.5.10');
});

test('has what runs, and no sources', () => {
  const top = new Set(readdirSync(join(modules, 'foredge')));
  expect([...top].sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json', 'wrangler.toml']);
  expect(readFileSync(join(modules, 'foredge/dist/LICENSES.txt'), 'utf8')).toMatch(/^hono\n\nMIT License/m);
});

test('begins a project, serves it, and pushes it there', async () => {
  expect(await run('npx foredge --help')).toMatch(/^Usage: foredge <command>\n/);
  expect(await run('npx foredge init')).toContain('foredge/types/articles.json\n');
  writeFileSync(
    join(shop, 'foredge/seeds/core.user.jsonl'),
    '{"id": "ada", "attributes": {"username": "ada", "password": "difference engine"}}\n',
  );
  expect(await run('npx foredge check')).toBe('Nothing is wrong: 2 files.\n');
  expect(existsSync(join(shop, 'foredge/types', schemaOf('foredge/types/articles.json')))).toBe(true);
  expect(await run('npx foredge types')).toContain('    slug: string');

  const child = spawn('npx', ['foredge', 'start'], {
    cwd: shop,
    env: { ...TERMINAL, PORT: '0' },
    detached: true,
  });
  server = new Started(child, join(shop, '.foredge'));
  expect(await server.serves(), server.output).toBe(true);

  expect(await run('npx foredge push')).toMatch(/\+ key website\nPushed to local\.\n$/);
  expect(await run('npx foredge diff --exit-code')).toMatch(/ is as the files say\.\n$/);
  expect(await run('npx foredge pull')).toBe('');
  expect(await run('npx foredge seed')).toMatch(/^2 of 2 /);

  const { base_url: url } = server.credentials;
  for (const path of ['/dashboard', '/docs/index', '/docs', '/client.js', '/openapi.json']) {
    expect((await fetch(url + path)).status, path).toBe(200);
  }
  expect(await (await fetch(`${url}/docs/dashboard`)).text()).not.toContain('.png');
});

test('has the client, with which a seeded user logs in', async () => {
  writeFileSync(
    join(shop, 'read.js'),
    `import { connect } from 'foredge/client';
    import { readFileSync } from 'node:fs';
    const { base_url: url, application_id: application, api_key: key } = JSON.parse(readFileSync('.foredge/credentials.json', 'utf8'));
    const db = connect({ url, application, key });
    await db.login({ username: 'ada', password: 'difference engine' });
    console.log((await db.me()).username, (await db.list('articles').first()).title);`,
  );
  expect(await run('node read.js')).toBe('ada Hello\n');
});

test('has what tests of an application need, with types: the example of the page passes', async () => {
  const [, example = ''] =
    /^```js\n(.*?)^```/ms.exec(readFileSync(join(ROOT, 'docs/testing.md'), 'utf8')) ?? [];
  writeFileSync(join(shop, 'articles.test.js'), example);
  expect(await run('node --test articles.test.js')).toMatch(/pass 1\n[^]*fail 0\n/);
  writeFileSync(
    join(shop, 'types.ts'),
    `import { startForedge } from 'foredge/testing';
    const db = await startForedge<{ a: { attributes: { n: number }; relationships: object } }>({ seed: true });
    const first = await (await db.as({ username: 'ada' })).list('a').first();
    export const n: number | undefined = first?.n;
    // @ts-expect-error There is no such option.
    await startForedge({ sed: true });`,
  );
  const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc');
  const options = '--noEmit --strict --module nodenext --target es2024 --lib es2024,esnext,dom --types node';
  const typeRoots = join(ROOT, 'node_modules/@types');
  await run(`node ${compiler} ${options} --typeRoots ${typeRoots} types.ts`);
});
