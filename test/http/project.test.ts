/** An application in the files of a folder, pushed to the service and pulled from it (docs/guides/project.md). */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readProject } from '../../scripts/project/project.ts';
import { pull } from '../../scripts/project/pull.ts';
import { push } from '../../scripts/project/push.ts';
import { readSeeds, seed } from '../../scripts/project/seeds.ts';
import { Client } from '../support/client.ts';
import { TestProject } from '../support/project.ts';

const READ = { path: '/resources/books', methods: ['get'] };
const WRITE = { path: '/resources/books', methods: ['post'] };
const TITLED = {
  properties: {
    attributes: { properties: { title: { type: 'string', minLength: 3 } }, required: ['title'] },
  },
};
const WHOLE: Readonly<Record<string, unknown>> = {
  'types/books.json': { unique: [['slug']], schema: TITLED },
  'types/notes.json': '{ // Two schemas.\n  "schema": [true, { "type": "object" }]\n}',
  'aggregates/years.json': {
    'input-type': 'books',
    'output-type': 'agt.years',
    pipeline: [{ group: { id: '$year', born: { $min: { $date: '2020-01-01T00:00:00.000Z' } } } }],
  },
  'keys/page.json': { name: 'page', permissions: [{ ...READ, where: { year: { $gt: 1900 } } }] },
  'webhooks/sold.json': {
    name: 'sold',
    target: 'books',
    url: 'https://shop.example/sold',
    events: ['delete'],
  },
};
const ALL = [
  '+ settings of books',
  '+ schema of books',
  '+ schema of notes',
  '+ schema of notes (2)',
  '+ aggregate agt.years',
  '+ key page',
  '+ webhook sold',
];

let project: TestProject;
beforeEach(async () => {
  project = await TestProject.create();
});
afterEach(() => {
  project.remove();
});

function write(files: Readonly<Record<string, unknown>>): void {
  for (const [name, content] of Object.entries(files)) project.write(name, content);
}

async function make(path: string, attributes: object): Promise<string> {
  const type = path.split('/').at(-1);
  const made = await project.client.post(path, { data: { type, attributes } });
  expect(made.status, made.text).toBe(201);
  return made.body.data.id;
}

async function patch(path: string, attributes: object): Promise<void> {
  const [type, id] = path.split('/').slice(-2);
  expect((await project.client.patch(path, { data: { type, id, attributes } })).status).toBe(200);
}

const idOf = async (name: string) =>
  (await project.remote.stored()).find((each) => each.name === name)?.id ?? '';

describe('a push', () => {
  test('makes all that the files say, and a second one nothing', async () => {
    write(WHOLE);
    expect(await project.diff()).toEqual(ALL);
    await project.push();
    expect(await project.diff()).toEqual([]);
    const { client } = project;
    const dull = await client.post('/resources/books', {
      data: { type: 'books', attributes: { title: 'x' } },
    });
    expect(dull.body.errors[0]?.code).toBe('schema-violation');
  });

  test.each<[what: string, file: string, content: unknown, change: string]>([
    [
      'a setting that is new',
      'types/books.json',
      { unique: [['slug']], text: true, schema: TITLED },
      '~ settings of books: text',
    ],
    ['a setting that is gone', 'types/books.json', { schema: TITLED }, '~ settings of books: unique'],
    ['another schema', 'types/books.json', { unique: [['slug']], schema: {} }, '~ schema of books: content'],
    ['a schema that is gone from its file', 'types/notes.json', { schema: true }, '- schema of notes (2)'],
    [
      'an event that is not named',
      'webhooks/sold.json',
      { ...(WHOLE['webhooks/sold.json'] as object), events: undefined },
      '~ webhook sold: events',
    ],
    [
      'a pause',
      'webhooks/sold.json',
      { ...(WHOLE['webhooks/sold.json'] as object), active: false },
      '~ webhook sold: active',
    ],
  ])('makes %s so', async (_, file, content, change) => {
    write(WHOLE);
    await project.push();
    project.write(file, content);
    expect(await project.diff()).toEqual([change]);
    await project.push();
    expect(await project.diff()).toEqual([]);
  });

  test('leaves alone what has no file, unless it is to be pruned, and always the key that it uses', async () => {
    write(WHOLE);
    await project.push();
    project.remove('keys/page.json');
    project.remove('types/books.json');
    expect(await project.diff()).toEqual([]);
    expect(await project.diff(true)).toEqual(['- key page', '- schema of books', '- settings of books']);
    await project.push(true);
    expect(await project.diff(true)).toEqual([]);
    expect((await project.client.get('/api-keys/core.api-key')).body.meta.count).toBe(1);
  });

  test('changes nothing where somebody has changed something since it was read', async () => {
    write(WHOLE);
    await project.push();
    write({ 'types/books.json': { schema: {} }, 'keys/page.json': { name: 'page', permissions: [READ] } });
    const changes = await project.changes();
    await patch(`/api-keys/core.api-key/${await idOf('page')}`, { permissions: [READ, WRITE] });
    const before = await project.remote.stored();
    await expect(push(project.remote, changes)).rejects.toThrow(
      /The key page has changed since it was read\.\nNothing was pushed\./,
    );
    const contents = (all: typeof before) => all.map(({ id, attributes }) => ({ id, attributes }));
    expect(contents(await project.remote.stored())).toEqual(contents(before));
  });

  test('takes all back where the service refuses one, and says where in which file', async () => {
    await make('/resources/books', { slug: 'a' });
    await make('/resources/books', { slug: 'a' });
    write({
      ...WHOLE,
      'types/another.json': { text: true },
      'types/books.json': '{\n  "unique": [["slug"]]\n}',
    });
    await expect(project.push()).rejects.toThrow(
      /types\/books\.json:2:14 {2}The documents .* have the same slug\.\nNothing was pushed\./,
    );
    expect(await project.remote.stored()).toEqual([]);
  });
});

describe('a change is told to', () => {
  test.each<[what: string, before: object, after: object, told: readonly string[]]>([
    [
      'narrow and open, where a permission is another',
      { 'keys/a.json': { name: 'a', permissions: [READ] } },
      { 'keys/a.json': { name: 'a', permissions: [WRITE] } },
      [
        `narrow: takes away the permission ${JSON.stringify(READ)}`,
        `open: adds the permission ${JSON.stringify(WRITE)}`,
      ],
    ],
    [
      'open, where another permission comes first',
      { 'keys/a.json': { name: 'a', permissions: [READ, WRITE] } },
      { 'keys/a.json': { name: 'a', permissions: [WRITE, READ] } },
      ['open: changes the order, in which the first of the permissions decides'],
    ],
    [
      'open and narrow, by rights of a type',
      { 'types/books.json': { rights: { read: ['$creator'], delete: ['*'] } } },
      { 'types/books.json': { rights: { read: ['$creator', '*'] } } },
      ['open: adds for read, the entry "*"', 'narrow: takes away for delete, the entry "*"'],
    ],
    [
      'open, where a check is gone',
      { 'types/books.json': { checks: [{ name: 'n', filter: { year: { $gt: 1 } } }] } },
      { 'types/books.json': {} },
      ['open: takes away the check {"name":"n","filter":{"year":{"$gt":1}}}'],
    ],
    [
      'delete, by expiry',
      { 'types/books.json': {} },
      { 'types/books.json': { expires: 'until' } },
      ['delete: deletes documents whose date in until has come'],
    ],
    [
      'mean nothing, where a type has no documents',
      { 'types/a.json': {} },
      { 'types/a.json': { rights: { read: ['*'] } } },
      [],
    ],
  ])('%s', async (_, before, after, told) => {
    await make('/resources/books', { year: 1897 });
    write(before as Readonly<Record<string, unknown>>);
    await project.push();
    write(after as Readonly<Record<string, unknown>>);
    expect(await project.dangers()).toEqual(told);
  });

  test('break documents: how many of how many, and the first five', async () => {
    const dated = { title: 'Dracula', at: { $date: '1897-05-26' }, price: { $numberDecimal: '0.10' } };
    await make('/resources/books', dated);
    const broken: string[] = [];
    for (let number = 0; number < 6; number += 1)
      broken.push(await make('/resources/books', { title: 'x', number }));
    project.write('types/books.json', {
      schema: {
        properties: {
          attributes: {
            properties: {
              title: { minLength: 3 },
              at: { format: 'date-time', type: 'string' },
              price: { type: 'number' },
            },
          },
        },
      },
    });
    const printed = await project.run('diff', '--to', 'test', '--json');
    const { changes } = JSON.parse(printed) as { changes: { dangers: { documents: unknown }[] }[] };
    expect(changes[0]?.dangers[0]?.documents).toEqual({
      count: 6,
      of: 7,
      first: broken.slice(0, 5).map((id) => ({
        id,
        pointer: '/data/attributes/title',
        detail: 'The string must have at least 3 characters.',
      })),
    });
    await expect(project.run('push', '--to', 'test')).rejects.toThrow('To do it all the same: --allow break');
    expect(await project.remote.stored()).toEqual([]);
    expect(await project.run('push', '--to', 'test', '--allow', 'break')).toContain('Pushed to test.');
  });
});

describe('a pull', () => {
  test('writes files that say the same, in a clone too', async () => {
    write(WHOLE);
    await project.push();
    const clone = new TestProject(project.client);
    const written: string[] = [];
    pull(readProject(clone.root), await project.remote.stored(), (line) => written.push(line));
    expect(written.map((path) => path.slice(clone.root.length))).toEqual([
      '/foredge/aggregates/agt.years.json',
      '/foredge/keys/page.json',
      '/foredge/types/books.json',
      '/foredge/types/notes.json',
      '/foredge/webhooks/sold.json',
    ]);
    expect(await clone.diff(true)).toEqual([]);
    expect(clone.read('keys/page.json') + clone.read('webhooks/sold.json')).not.toMatch(/secure-id|secret/);
    clone.remove();
  });

  test('changes in a file what is different there, and keeps its comments', async () => {
    project.write(
      'keys/anything.json',
      `{\n  // For pages.\n  "name": "page",\n  "permissions": [],\n  "quotas": {"requests": 5}\n}`,
    );
    await project.push();
    await patch(`/api-keys/core.api-key/${await idOf('page')}`, { quotas: null, owner: 'Ada' });
    pull(readProject(project.root), await project.remote.stored(), () => undefined);
    expect(project.read('keys/anything.json')).toMatch(
      /^\{\n {2}\/\/ For pages\.\n {2}"name": "page",\n {2}"permissions": \[\],\n {2}"owner": "Ada"\n\}$/,
    );
    expect(await project.diff(true)).toEqual([]);
  });

  test('writes into its folder alone, whatever names there are, and tells of those that are not one', async () => {
    for (const name of ['../../evil', '/etc/passwd', '..', 'two', 'two']) {
      await make('/api-keys/core.api-key', { name, permissions: [] });
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
    await make('/webhooks/core.webhook', { target: 'books', url: 'https://shop.example/hand' });
    pull(readProject(project.root), await project.remote.stored(), () => undefined);
    expect(await project.diff()).toEqual(['~ webhook books: name']);
    await project.push();
    expect(await project.diff(true)).toEqual([]);
  });
});

describe('seeds', () => {
  test('are stored once, with links by any text, and users with a hash', async () => {
    project.write(
      'seeds/core.user.jsonl',
      '{"id": "ada", "attributes": {"username": "ada", "password": "a good secret"}}\n',
    );
    project.write(
      'seeds/books.jsonl',
      '{"id": "two", "attributes": {"title": "Two"}, "relationships": {"after": {"data": {"type": "books", "id": "one"}}}}\n' +
        '{"id": "one", "attributes": {"title": "One"}, "relationships": {"by": {"data": {"type": "core.user", "id": "ada"}}}}\n',
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
    await patch(`/resources/books/${two?.id ?? ''}`, { title: 'Mine' });
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
    await expect(other.run('diff', '--to', 'test')).rejects.toThrow(/The API key does not permit/);
    other.remove();
  });
});
