/** What is pulled from the service into files, seeds, and the commands (docs/guides/project.md). */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { changesBetween } from '../../scripts/project/changes.ts';
import { readProject } from '../../scripts/project/project.ts';
import { pull } from '../../scripts/project/pull.ts';
import { readSeeds, seed } from '../../scripts/project/seeds.ts';
import { app } from '../support/app.ts';
import { Client } from '../support/client.ts';
import { ROOT, Started, TERMINAL, until } from '../support/started.ts';
import { newProject, READ, TestProject, TITLED, WHOLE } from '../support/project.ts';

let project: TestProject;
beforeEach(async () => {
  project = await newProject();
});

describe('a pull', () => {
  test('writes files that say the same, in a clone too', async () => {
    project.writeAll(WHOLE);
    await project.push();
    const clone = new TestProject(project.client);
    const written: string[] = [];
    pull(readProject(clone.root), await project.remote.stored(), (line) => written.push(line));
    expect(written.map((path) => path.slice(clone.root.length))).toEqual([
      '/foredge/accounts.json',
      '/foredge/aggregates/agt.years.json',
      '/foredge/keys/page.json',
      '/foredge/mails/log-in.de.json',
      '/foredge/types/books.json',
      '/foredge/types/notes.json',
      '/foredge/webhooks/sold.json',
    ]);
    expect(await clone.diff(true)).toEqual([]);
    expect(clone.read('keys/page.json') + clone.read('webhooks/sold.json')).not.toMatch(/secure-id|secret/);
    clone.remove();
  });

  test('begins a project where there is none, with nothing that the application has not', async () => {
    project.writeAll(WHOLE);
    await project.push();
    const [folder, data] = [join(project.root, 'clone'), join(project.root, '.foredge')];
    mkdirSync(data);
    const { url, application, key } = project.client;
    const credentials = { base_url: url, application_id: application, api_key: key };
    writeFileSync(join(data, 'credentials.json'), JSON.stringify(credentials));
    await app(['pull', '--project', folder], '', { DATA_DIR: data });
    const { declared } = readProject(folder);
    expect(changesBetween(declared, await project.remote.stored(), true)).toEqual([]);
    const files = [...new Set(declared.map(({ file }) => file))];
    expect(files.map(({ content }) => String(content['$schema']))).toEqual(
      files.map(() => expect.stringMatching(/^\.\.\/.*\/schemas\/[a-z]+\.json$/) as string),
    );
  });

  test('changes in a file what is different there, and keeps its comments', async () => {
    project.write(
      'keys/anything.json',
      `{\n  // For pages.\n  "name": "page",\n  "permissions": [],\n  "quotas": {"requests": 5}\n}`,
    );
    await project.push();
    await project.patch(`/api-keys/core.api-key/${await project.idOf('page')}`, {
      quotas: null,
      owner: 'Ada',
    });
    pull(readProject(project.root), await project.remote.stored(), () => undefined);
    expect(project.read('keys/anything.json')).toMatch(
      /^\{\n {2}\/\/ For pages\.\n {2}"name": "page",\n {2}"permissions": \[\],\n {2}"owner": "Ada"\n\}$/,
    );
    expect(await project.diff(true)).toEqual([]);
  });

  test('writes into its folder alone, whatever names there are, and tells of those that are not one', async () => {
    for (const name of ['../../evil', '/etc/passwd', '..', 'two', 'two']) {
      await project.make('/api-keys/core.api-key', { name, permissions: [] });
    }
    const told: string[] = [];
    pull(readProject(project.root), await project.remote.stored(), (line) => told.push(line));
    expect(told.map((line) => line.replace(project.root, ''))).toEqual([
      '/foredge/keys/unnamed.json',
      '/foredge/keys/evil.json',
      '/foredge/keys/etc-passwd.json',
      'There are 2 of the key two: none is written.',
    ]);
    expect(await project.diff()).toEqual([]);
  });

  test('takes a webhook that was made by hand, which then has a name', async () => {
    await project.make('/webhooks/core.webhook', { target: 'books', url: 'https://shop.example/hand' });
    pull(readProject(project.root), await project.remote.stored(), () => undefined);
    expect(await project.diff()).toEqual(['~ webhook books: name']);
    await project.push();
    expect(await project.diff(true)).toEqual([]);
  });
});

test('a pull that watches writes what changes there, and leaves what has changed here', async () => {
  const folder = `${project.root}/foredge/`;
  const args = ['pull', '--watch', '--from', 'test', '--project', project.root];
  const env = { ...TERMINAL, FOREDGE_KEY_TEST: project.client.key };
  const watching = new Started(
    spawn(process.execPath, [join(ROOT, 'scripts/app.ts'), ...args], {
      cwd: project.root,
      env,
      detached: true,
    }),
    project.root,
  );
  const told = (text: string) => until(text, () => watching.output.includes(text));
  try {
    const id = await project.make('/schemas/core.type', { name: 'books', text: true });
    await told('foredge/types/books.json');
    project.write('types/books.json', `{ // Ours.\n  "text": true\n}`);
    await project.patch(`/schemas/core.type/${id}`, { 'client-ids': true });
    await until('the change', () => project.read('types/books.json').includes('client-ids'));
    expect(project.read('types/books.json')).toContain('// Ours.');

    project.write('types/books.json', '{');
    await told('books.json:1:');
    project.write('types/books.json', { text: false });
    await project.patch(`/schemas/core.type/${id}`, { unique: [['slug']] });
    await told('books.json stays: it has changed, and so has the settings of books.');
    await project.make('/api-keys/core.api-key', { name: 'page', permissions: [] });
    await until('the key', () => existsSync(`${folder}keys/page.json`));
    expect(project.read('types/books.json')).toBe('{"text":false}');
    expect(watching.output.match(/ stays: /g)).toHaveLength(1);
  } finally {
    await watching.killAll();
  }
});

describe('seeds', () => {
  test('are stored once, with links by any text, and users with a hash', async () => {
    project.write(
      'seeds/core.user.jsonl',
      '{"id": "ada", "attributes": {"username": "ada", "password": "a good secret"}}\n',
    );
    project.write(
      'seeds/books.jsonl',
      '{"id":"two","attributes":{"title":"Two"},"relationships":{"after":{"data":{"type":"books","id":"one"}}}}\n' +
        '{"id":"one","attributes":{"title":"One"},"relationships":{"by":{"data":{"type":"core.user","id":"ada"}}}}\n',
    );
    const { seeds } = readSeeds(project.root);
    expect(await seed(project.remote, seeds)).toEqual({ stored: 3, of: 3 });
    const { client } = project;
    const [ada] = (await client.get('/users/core.user')).body.data;
    expect(ada?.attributes).toEqual({
      username: 'ada',
      password: expect.stringMatching(/^\$scrypt\$/) as unknown,
    });
    const [two] = (await client.get('/resources/books?filter[title]=Two&include=after.by')).body.included;
    expect(two?.attributes).toEqual({ title: 'One' });
    await project.patch(`/resources/books/${two?.id ?? ''}`, { title: 'Mine' });
    expect(await seed(project.remote, seeds)).toEqual({ stored: 0, of: 3 });
    expect((await client.get(`/resources/books/${two?.id ?? ''}`)).body.data.attributes).toEqual({
      title: 'Mine',
    });
  });

  test('that a schema refuses are told with file and line, and none is stored', async () => {
    project.write('types/books.json', { schema: TITLED });
    await project.push();
    project.write(
      'seeds/books.jsonl',
      '{"id": "a", "attributes": {"title": "Fine"}}\n{"id": "b", "attributes": {"title": "x"}}\n',
    );
    await expect(project.run('seed', '--to', 'test')).rejects.toThrow(
      /seeds\/books\.jsonl:2 {2}.*3 characters/,
    );
    expect((await project.client.get('/resources/books')).body.meta.count).toBe(0);
  });
});

describe('the commands', () => {
  test('begin a project, and end with 2 where a diff finds something', async () => {
    project.remove('../foredge.json');
    expect(await project.run('init')).toContain('foredge.json');
    expect(await project.run('check')).toBe('Nothing is wrong: 2 files.\n');
    expect(await project.run('types')).toContain('slug: string');
    project.write('foredge.json', {
      targets: { test: { url: project.client.url, application: project.client.application } },
    });
    await expect(project.run('diff', '--to', 'test', '--exit-code')).rejects.toMatchObject({
      code: 2,
      stdout: expect.stringContaining(
        '+ settings of articles\n+ schema of articles\n+ key website\n',
      ) as unknown,
    });
    await project.run('push', '--to', 'test');
    expect(await project.run('diff', '--to', 'test', '--exit-code')).toMatch(/ is as the files say\.\n$/);
    expect(await project.run('pull', '--from', 'test')).toBe('');
  });

  test.each<[what: string, args: readonly string[], told: RegExp]>([
    ['a target that is not there', ['push', '--to', 'tset'], /has no target tset\. Did you mean test\?/],
    [
      'a danger that is none',
      ['push', '--to', 'test', '--allow', 'brake'],
      /There is no danger brake\. There are break/,
    ],
    ['an option that is none', ['push', '--too', 'test'], /Unknown option '--too'/],
  ])('refuse %s', async (_, args, told) => {
    await expect(project.run(args[0] ?? '', ...args.slice(1))).rejects.toThrow(told);
  });

  test('say what a key lacks', async () => {
    const weak = await project.client.withPermissions([READ]);
    const other = new TestProject(new Client(weak.url, weak.application, weak.key));
    other.write('accounts.json', {});
    await expect(other.run('diff', '--to', 'test')).rejects.toThrow(/The API key does not permit/);
    other.remove();
  });
});
