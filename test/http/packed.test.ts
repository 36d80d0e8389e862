/** The package, as `npm publish` would send it: installed beside another dependency into a folder with nothing else, and used there. */
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { Packed } from '../support/packed.ts';
import { ROOT, until, type Started } from '../support/started.ts';

const MB = 1_000_000;
let packed: Packed;
let modules: string;
/** The first hours of somebody with it, in an empty folder. */
let project: Packed;
let dev: Started;
let staging: Client;
beforeAll(async () => {
  packed = await Packed.pack();
  modules = join(packed.shop, 'node_modules');
  project = await packed.another('notes');
}, 600_000);
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
  expect([...sizes.values()].reduce((sum, size) => sum + size, 0)).toBeLessThan(250 * MB);
  expect(versionOf('ws')).toBe('7.5.10');
});

test('has what runs, and no sources', () => {
  const top = new Set(readdirSync(join(modules, 'foredge')));
  expect([...top].sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json', 'wrangler.toml']);
  expect(packed.read('node_modules/foredge/dist/LICENSES.txt')).toMatch(/^hono\n\nMIT License/m);
});

test('begins a project, serves it, and pushes it there', async () => {
  expect(await run('npx foredge --help')).toMatch(/^Usage: foredge <command>\n/);
  expect(await run('npx foredge init')).toContain('foredge/types/articles.json\n');
  packed.write(
    'foredge/seeds/core.user.jsonl',
    '{"id": "ada", "attributes": {"username": "ada", "password": "difference engine"}}\n',
  );
  expect(await run('npx foredge check')).toBe('Nothing is wrong: 2 files.\n');
  expect(existsSync(join(packed.shop, 'foredge/types', schemaOf('foredge/types/articles.json')))).toBe(true);
  expect(await run('npx foredge types')).toContain('    slug: string');

  const server = await packed.serve('start');
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
  packed.write(
    'read.js',
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
  packed.write('articles.test.js', example);
  expect(await run('node --test articles.test.js')).toMatch(/pass 1\n[^]*fail 0\n/);
  packed.write(
    'types.ts',
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

// Each step needs those before it.
test(
  'leads from nothing to a field that is renamed where a client writes',
  { timeout: 300_000 },
  async () => {
    await project.run('npx foredge init');
    dev = await project.serve('dev');
    await until('the example is pushed', () => dev.output.includes('+ key website'));

    await writesATypeWithARule();
    await testsTheRule();
    await pushesToASecondServer();
    await renamesWhileAClientWrites();
  },
);

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
    permissions: [
      { path: '/resources/notes(/.*)?', methods: ['get', 'post', 'patch'], acl: { active: true } },
    ],
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
      const db = await startForedge({ project: '.' });
      t.after(db.stop);
      const ada = await db.as({ username: 'ada', key: 'app' });
      const bob = await db.as({ username: 'bob', key: 'app' });
      const note = await ada.create('notes', { title: 'Mine' });
      await refused(bob.update(note, { title: 'Bob’s' }), { code: 'forbidden', by: 'rights' });
      await refused(ada.create('notes', { title: 'x' }), { code: 'schema-violation', by: 'schema' });
      await refused(ada.delete(note), { code: 'forbidden', by: 'key' });
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
  const words = ['npx', 'foredge', command, '--to', 'staging', ...more];
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
