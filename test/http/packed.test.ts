/** The package, as `npm publish` sends it: installed beside another into a folder with nothing else, and used. */
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { isLong } from '../support/long.ts';
import { compiling, Packed } from '../support/packed.ts';
import { ROOT, until, type Started } from '../support/started.ts';
import { ACL, may } from '../support/people.ts';

const MB = 1_000_000;
let dev: Started;
let staging: Client;
const packed = await Packed.pack();
const modules = join(packed.shop, 'node_modules');
/** The first hours of somebody with it, in an empty folder. */
const project = await packed.another('notes');
afterAll(() => packed.remove());

const run = (command: string) => packed.run(command);
const versionOf = (name: string) =>
  (JSON.parse(packed.read(`node_modules/${name}/package.json`)) as { version: string }).version;

/** What a file of the project names as its schema. */
const schemaOf = (path: string) => /"\$schema": "([^"]*)"/.exec(packed.read(path))?.[1] ?? '';

test('has at most 3 MB, and brings at most 250 MB', () => {
  expect(statSync(packed.tarball).size).toBeLessThan(3 * MB);
  const files = readdirSync(modules, { recursive: true, encoding: 'utf8' });
  // A file with two names is there once.
  const sizes = new Map(
    files.map((name) => lstatSync(join(modules, name))).map(({ ino, size }) => [ino, size]),
  );
  const whole = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  expect(whole).toBeLessThan(250 * MB);
  const runtime = readdirSync(join(modules, '@cloudflare'), { recursive: true, encoding: 'utf8' });
  const ofRuntime = runtime.map((name) => lstatSync(join(modules, '@cloudflare', name)).size);
  expect(Math.max(...ofRuntime)).toBeGreaterThan(whole / 2);
  expect(versionOf('ws')).toBe('7.5.10');
});

test('has what runs, and no sources', () => {
  const top = new Set(readdirSync(join(modules, 'foredge')));
  const names = ['LICENSE', 'README.md', 'dist', 'package.json', 'scripts', 'wrangler.toml'];
  expect([...top].sort()).toEqual(names);
  expect(readdirSync(join(modules, 'foredge/scripts'))).toEqual(['bin.mjs']);
  expect(packed.read('node_modules/foredge/dist/LICENSES.txt')).toMatch(/^hono\n\nMIT License/m);
});

test('could be published: a dry run warns of nothing', () => {
  expect(packed.publication).toMatch(/\n\+ foredge@\d[^]*\n$/);
  expect(packed.publication).not.toMatch(/warn|error/i);
});

test('begins a project, serves it, and pushes it there', async () => {
  const help = await run('npx foredge --help');
  expect(help).toMatch(/^Usage: foredge <command>\n/);
  const commands = 'init start dev check diff push pull seed migrate deploy types export import backup'.split(
    ' ',
  );
  expect(commands.filter((name) => !help.includes(`\n  ${name} `))).toEqual([]);
  expect(await run('foredge init')).toContain('foredge/types/articles.json\n');
  packed.write(
    'foredge/seeds/core.user.jsonl',
    '{"id": "ada", "attributes": {"username": "ada", "password": "difference engine"}}\n',
  );
  expect(await run('foredge check')).toBe('Nothing is wrong: 2 files.\n');
  expect(existsSync(join(packed.shop, 'foredge/types', schemaOf('foredge/types/articles.json')))).toBe(true);
  expect(await run('foredge types')).toContain('    slug: string');

  const server = await packed.serve('start');
  expect(await run('foredge push')).toMatch(/\+ key website\nPushed to local\.\n$/);
  expect(await run('foredge diff --exit-code')).toMatch(/ is as the files say\.\n$/);
  expect(await run('foredge pull')).toBe('');
  expect(await run('foredge pull --project pulled')).toContain('pulled/foredge/keys/website.json\n');
  expect(await run('foredge diff --project pulled --prune --exit-code')).toMatch(/ is as the files say\.\n$/);
  expect(await run('foredge seed')).toMatch(/^2 of 2 /);
  const { application_id: id } = JSON.parse(packed.read('.foredge/credentials.json')) as Record<
    string,
    string
  >;
  expect(await run('foredge list')).toContain(id);
  expect(await run(`foredge export ${id} --type articles`)).toContain('"slug":"hello"');

  const { base_url: url } = server.credentials;
  for (const path of ['/dashboard', '/docs/index', '/docs', '/client.js', '/openapi.json']) {
    expect((await fetch(url + path)).status, path).toBe(200);
  }
  // Types tell what schemas say, and nobody who serves for others is asked for a key here.
  expect((await fetch(`${url}/client.tgz`)).status).toBe(404);
  expect(await (await fetch(`${url}/docs/dashboard`)).text()).not.toContain('.png');
});

test.runIf(isLong('whole'))(
  'begins, checks and serves where pnpm has installed it',
  { timeout: 600_000 },
  async () => {
    const other = await packed.another('with-pnpm', 'npx --yes pnpm@12.21.0 add --allow-build=workerd');
    await other.run('foredge init');
    expect(await other.run('foredge check')).toBe('Nothing is wrong: 2 files.\n');
    const { base_url: url } = (await other.serve('start')).credentials;
    expect((await fetch(`${url}/dashboard`)).status).toBe(200);
  },
);

test('has the client, with which a seeded user logs in', async () => {
  packed.write(
    'read.js',
    `import { connect } from 'foredge/client';
    import { live } from 'foredge/client/live';
    import { offline } from 'foredge/client/offline';
    import { accountOf } from 'foredge/client/account';
    import { readFileSync } from 'node:fs';
    const credentials = JSON.parse(readFileSync('.foredge/credentials.json', 'utf8'));
    const { base_url: url, application_id: application, api_key: key } = credentials;
    const db = connect({ url, application, key });
    await db.login({ username: 'ada', password: 'difference engine' });
    console.log((await db.me()).username, (await db.list('articles').first()).title);
    console.log(...[live, offline, accountOf].map((each) => typeof each));`,
  );
  expect(await run('node read.js')).toBe('ada Hello\nfunction function function\n');
});

test('is deployed by wrangler, as a file of the project says', async () => {
  await symlink(join(ROOT, 'node_modules/.bin/wrangler'), join(modules, '.bin/wrangler'));
  expect(await run('foredge deploy --dry-run')).toMatch(/^wrangler\.toml\n[^]*--dry-run: exiting now\./);
  packed.write('own.js', "export * from 'foredge/worker';\nexport { default } from 'foredge/worker';\n");
  const own = packed.read('wrangler.toml').replace('"foredge"', '"shop"');
  packed.write('wrangler.toml', own.replace(/^main = .*/m, 'main = "own.js"'));
  const deployed = await run('foredge deploy --dry-run');
  expect(deployed).toMatch(/env\.COLLECTIONS[^]*--dry-run: exiting now\./);
  expect(deployed).not.toContain('wrangler.toml\n');
  expect(packed.read('wrangler.toml')).toContain('name = "shop"');
});

/** The examples of the page about tests, in its order: one for each runner. */
const EXAMPLES = Array.from(
  readFileSync(join(ROOT, 'docs/testing.md'), 'utf8').matchAll(/^```js\n(.*?)^```/gms),
  ([, example = '']) => example,
);

test.each<[runner: string, name: string, command: () => string | Promise<string>, passed: RegExp]>([
  ['node:test', 'articles.test.js', () => 'node --test articles.test.js', /pass 1\n[^]*fail 0\n/],
  [
    'Vitest',
    'vitest.spec.js',
    () => packed.uses('vitest', 'vitest.mjs run --testTimeout 60000 vitest.spec.js'),
    /1 passed/,
  ],
  ['Playwright', 'page.pw.js', () => packed.withChromium('page.pw.js'), /1 passed/],
])(
  'has what tests of an application need: the example for %s passes',
  async (runner, name, command, passed) => {
    const example = EXAMPLES.find((each) => each.includes(` from '${PACKAGES[runner] ?? ''}'`));
    packed.write(name, example ?? '');
    expect(await run(await command())).toMatch(passed);
  },
);

const PACKAGES: Readonly<Record<string, string>> = {
  'node:test': 'node:test',
  Vitest: 'vitest',
  Playwright: '@playwright/test',
};

test('has types for tests', async () => {
  packed.write(
    'types.ts',
    `import { accountOf } from 'foredge/client/account';
    import { live } from 'foredge/client/live';
    import { offline } from 'foredge/client/offline';
    import { startForedge } from 'foredge/testing';
    const db = await startForedge<{ a: { attributes: { n: number }; relationships: object } }>({ seed: true });
    const first = await (await db.as({ username: 'ada' })).list('a').first();
    export const n: number | undefined = first?.n;
    export const list: number | undefined = live(db.client, 'a').array[0]?.n;
    await (await offline(db.client, { user: null })).list('a', {});
    await accountOf(db.client).confirm('action', 'code');
    // @ts-expect-error There is no such option.
    await startForedge({ sed: true });
    // @ts-expect-error Nobody knows how long these are.
    await db.clock.advance('2 fortnights');`,
  );
  await run(compiling('types.ts'));
});

// Each step needs those before it.
test(
  'leads from nothing to a field that is renamed where a client writes',
  { timeout: 300_000 },
  async () => {
    await project.run('foredge init');
    dev = await project.serve('dev');
    await until('the example is pushed', () => dev.output.includes('+ key website'));

    project.write('../page/package.json', '{"name": "page", "type": "module"}');
    await installsItsClient('articles', 'slug');
    await writesATypeWithARule();
    await installsItsClient('notes', 'title');
    await testsTheRule();
    await pushesToASecondServer();
    await renamesWhileAClientWrites();
  },
);

/** In another folder, with nothing else; again, it has what the server has now. */
async function installsItsClient(type: string, attribute: string): Promise<void> {
  const { base_url: url, application_id: application, api_key: key } = dev.credentials;
  const server = new Client(url, application, key);
  const path = `/schemas/core.schema?filter[target]=${type}`;
  await until('its schema is there', async () => (await server.get(path)).body.meta.count === 1);
  const page = join(project.shop, '../page');
  const inPage = (command: string) => project.run(command, {}, page);
  await inPage(`npm install --no-audit --no-fund --silent ${url}/client.tgz`);
  expect(readdirSync(join(page, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    'foredge',
  ]);
  project.write(
    '../page/page.ts',
    `import { connect } from 'foredge/client';
    import { live } from 'foredge/client/live';
    import type { Types } from 'foredge/types';
    const db = connect<Types>(${JSON.stringify({ url, application, key })});
    const made = await db.create('${type}', { slug: 'a-page', title: 'A page' } as Types['${type}']['attributes']);
    const text: string = made.${attribute};
    // @ts-expect-error There is no such attribute.
    console.log(text, made.tilte, typeof live);`,
  );
  await inPage(compiling('page.ts'));
  expect(await inPage('node page.ts')).toMatch(/ undefined function\n$/);

  for (const headers of [{ origin: 'https://page.example' }, { host: 'page.example' }]) {
    const status = await new Promise((resolve, reject) => {
      get(`${url}/client.tgz`, { headers }, ({ statusCode }) => {
        resolve(statusCode);
      }).on('error', reject);
    });
    expect(status, JSON.stringify(headers)).toBe(404);
  }
}

async function writesATypeWithARule(): Promise<void> {
  project.write('foredge/types/notes.json', {
    rights: { read: ['*'], update: ['$creator'] },
    schema: {
      properties: {
        attributes: { required: ['title'], properties: { title: { type: 'string', minLength: 3 } } },
      },
    },
  });
  project.write('foredge/keys/app.json', {
    name: 'app',
    permissions: [may('get post patch', '/resources/notes(/.*)?', ACL)],
  });
  await until('the type is pushed', () => dev.output.includes('+ key app'));
  expect(dev.output).toContain('+ schema of notes');
  expect(project.read('foredge/types.d.ts')).toContain('notes: { attributes: Notes.Attributes;');
}

async function testsTheRule(): Promise<void> {
  project.write(
    'notes.test.js',
    `import test from 'node:test';
    import { refused, startForedge } from 'foredge/testing';
    test('a note is its creator’s', async (t) => {
      const db = await startForedge({ project: '.', clock: true });
      t.after(db.stop);
      const ada = await db.as({ username: 'ada', key: 'app' });
      const bob = await db.as({ username: 'bob', key: 'app' });
      const note = await ada.create('notes', { title: 'Mine' });
      await refused(bob.update(note, { title: 'Bob’s' }), { code: 'forbidden', by: 'rights' });
      await refused(ada.create('notes', { title: 'x' }), { code: 'schema-violation', by: 'schema' });
      await refused(ada.delete(note), { code: 'forbidden', by: 'key' });
      await db.clock.advance('5 weeks');
      await refused(ada.list('notes').all(), { code: 'token-required' });
    });`,
  );
  expect(await project.run('node --test notes.test.js')).toMatch(/pass 1\n[^]*fail 0\n/);
}

async function pushesToASecondServer(): Promise<void> {
  const {
    base_url: url,
    application_id: application,
    api_key: key,
  } = (await project.serve('start', 'second')).credentials;
  staging = new Client(url, application, key);
  project.write('foredge.json', { targets: { local: {}, staging: { url, application } } });
  expect(await at('push')).toMatch(/\+ schema of notes\n[^]*\+ key app\n[^]*Pushed to staging\.\n$/);
  expect(await at('diff', '--exit-code')).toContain('is as the files say.');
}

/** A command for the second server. */
function at(command: string, ...more: readonly string[]): Promise<string> {
  const words = ['foredge', command, '--to', 'staging', ...more];
  return project.run(words.join(' '), { FOREDGE_KEY_STAGING: staging.key });
}

async function renamesWhileAClientWrites(): Promise<void> {
  const titles = new Map<string, string>();
  const write = async (id: string | null, title: string) => {
    const data = { type: 'notes', ...(id !== null && { id }), attributes: { title } };
    const path = `/resources/notes${id === null ? '' : `/${id}`}`;
    const reply = await staging.send(id === null ? 'POST' : 'PATCH', path, { body: { data } });
    expect([200, 201], reply.text).toContain(reply.status);
    titles.set(reply.body.data.id, title);
  };
  for (let n = 0; n < 30; n += 1) await write(null, `note ${n}`);

  const of = (name: string) => ({ value: `$${name}`, unless: 'sent' });
  const type = JSON.parse(project.read('foredge/types/notes.json')) as object;
  project.write('foredge/types/notes.json', {
    ...type,
    set: { headline: of('title'), title: of('headline') },
  });
  project.write('foredge/migrations/1-headline.json', { type: 'notes' });

  const state = { isOver: false };
  const renamed = at('push')
    .then(() => at('migrate'))
    .finally(() => (state.isOver = true));
  // A client of the former version, which knows the former name alone.
  for (let n = 0; !state.isOver; n += 1) {
    await write([...titles.keys()][n % 40] ?? null, `changed ${n}`);
  }
  expect(await renamed).toMatch(/^1-headline\.json: \d+ documents changed\.\n$/);
  expect(await at('migrate')).toBe('staging: every migration has run.\n');

  const { body } = await staging.get('/resources/notes?page[size]=1000');
  expect(new Map(body.data.map(({ id, attributes }) => [id, attributes?.['title']]))).toEqual(titles);
  expect(new Map(body.data.map(({ id, attributes }) => [id, attributes?.['headline']]))).toEqual(titles);
}
