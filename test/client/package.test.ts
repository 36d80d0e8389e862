/** The client as a package: installed into an empty project without a network, where the page about it runs. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bundleClient } from '../../scripts/assets/client.ts';
import { buildClient } from '../../scripts/build-client.ts';
import { useBrowser } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { serveSite } from '../support/site.ts';
import { ROOT } from '../support/started.ts';
import { newFolder } from '../support/scope.ts';

const run = promisify(execFile);
const browser = useBrowser();
const PAGE = readFileSync(join(ROOT, 'docs/client.md'), 'utf8');
const folder = newFolder();
const [source, project] = [join(folder, 'source'), join(folder, 'project')];

await buildClient(source);
mkdirSync(project);
await run('npm', ['pack', '--silent', '--pack-destination', project], { cwd: source });
writeFileSync(join(project, 'package.json'), '{"name": "empty", "type": "module"}');
const [tarball = ''] = readdirSync(project).filter((name) => name.endsWith('.tgz'));
await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', `./${tarball}`], {
  cwd: project,
});

/** The blocks of a language, each with the text that it prints. */
function blocks(language: string): readonly { readonly code: string; readonly printed: string }[] {
  const pattern = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`(?:\\n+\`\`\`text\\n(.*?)^\`\`\`)?`, 'gms');
  return [...PAGE.matchAll(pattern)].map(([, code = '', printed = '']) => ({ code, printed }));
}

const filledIn = (code: string, { url, application, key }: Client) =>
  code
    .replaceAll('http://127.0.0.1:8787', url)
    .replaceAll('<application id>', application)
    .replaceAll('<api key>', key);

describe('an empty project', () => {
  test('gets nothing but the client', () => {
    expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'foredge',
    ]);
    const entries = readdirSync(join(project, 'node_modules/foredge'), {
      recursive: true,
      withFileTypes: true,
    });
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'index.d.ts', 'index.js', 'package.json']),
    );
    expect(files.filter((name) => !/\.(d\.ts|js|json|md)$|^LICENSE$/.test(name))).toEqual([]);
  });

  test('runs the examples of the page, and they print what it says', async () => {
    const END = '-- end --';
    const examples = blocks('js');
    expect(examples.length).toBeGreaterThan(8);
    const script = examples.map(({ code }) => `${code}\nconsole.log('${END}');\n`).join('');
    writeFileSync(join(project, 'examples.js'), filledIn(script, await Client.create()));
    const { stdout } = await run(process.execPath, ['examples.js'], { cwd: project });
    expect(stdout.split(`${END}\n`).slice(0, -1)).toEqual(examples.map(({ printed }) => printed));
  });

  test('gets live lists and offline stores, whose values are those of the client', async () => {
    const script = `import { connect, Decimal } from 'foredge/client';
      import { live } from 'foredge/client/live';
      import { offline } from 'foredge/client/offline';
      const db = connect({ url: 'http://127.0.0.1:8787', application: '<application id>', key: '<api key>' });
      await db.create('sales', { price: new Decimal('0.10') });
      const sales = live(db, 'sales', { filter: { price: new Decimal('0.1') } });
      await sales.refresh();
      sales.stop();
      const missing = await offline(db, { user: null }).catch(({ message }) => message);
      console.log(sales.array.map(({ price }) => price instanceof Decimal), missing);`;
    writeFileSync(join(project, 'beside.js'), filledIn(script, await Client.create()));
    const { stdout } = await run(process.execPath, ['beside.js'], { cwd: project });
    expect(stdout).toBe('[ true ] There is no IndexedDB here.\n');
  });

  test('has types: the example with them compiles, and under every strict option', async () => {
    const [{ code } = { code: '' }] = blocks('ts');
    writeFileSync(join(project, 'example.ts'), `${code}${BESIDE}`);
    writeFileSync(join(project, 'types.ts'), TYPES);
    const options =
      '--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --target es2022';
    const modules = '--module nodenext --allowImportingTsExtensions --lib es2022,dom';
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const args = [compiler, ...`${options} ${modules}`.split(' '), 'example.ts'];
    const { stdout } = await run(process.execPath, args, { cwd: project }).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(stdout).toBe('');
  });
});

/** Live lists, offline stores and files know the types, too. */
const BESIDE = `
import { live } from 'foredge/client/live';
import { offline } from 'foredge/client/offline';
const picture = await db.files.upload(new Blob(['x']), { onProgress: (sent, size) => sent / size });
const [named, width, href]: [string | undefined, number | undefined, string] =
  [picture.name, picture.width, await db.files.url(picture, { download: true })];
const titles: string[] = live(db, 'books', { sort: '-year' }).array.map(({ title }) => title);
const store = await offline(db, { user: null, clientIds: ['books'] });
const old =
  await store.list('books', { filter: { year: { $lt: 1900 } } }, { matches: ({ year }) => Number(year) < 1900 });
const year: number | undefined = old.array[0]?.year;
const author = await store.create('authors', { name: 'Bram' });
await store.create('books', { title: 'Dracula', author });
for (const conflict of store.conflicts) {
  const { theirs } = conflict;
  if (theirs?.type === 'books') await store.resolve(conflict, { title: theirs.title });
}
// @ts-expect-error There is no such attribute.
await store.create('books', { titel: 'Dracula' });
// @ts-expect-error There is no such type.
live(db, 'bookes');
`;

const TYPES = `export interface Types {
  authors: { attributes: { name: string }; relationships: object };
  books: { attributes: { title: string; year?: number }; relationships: { author?: 'authors' | null } };
}
`;

test('the client for pages has as many bytes as its page says', async () => {
  const [, kilobytes] = /It has (\d+) KB\n\(Brotli\)/.exec(PAGE) ?? [];
  expect(Math.round(brotliCompressSync(await bundleClient(true)).length / 1000)).toBe(Number(kilobytes));
});

test('the page without a build shows what it lists', async () => {
  const [{ code } = { code: '' }] = blocks('html');
  const site = await serveSite({ '/': filledIn(code, await Client.create()) });
  const page = await browser.open(site);
  await page.locator('ul:not(:empty)').waitFor();
  expect(await page.textContent('ul')).toBe('Dracula (1897)');
});
