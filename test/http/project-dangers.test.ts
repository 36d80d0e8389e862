/** What a push would open, narrow, break or delete, told before it is done (docs/guides/project.md). */
import { beforeEach, describe, expect, test } from 'vitest';
import { app } from '../support/app.ts';
import { newProject, READ, type TestProject, WRITE } from '../support/project.ts';

let project: TestProject;
beforeEach(async () => {
  project = await newProject();
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
      ['delete: deletes documents whose date in until has passed'],
    ],
    [
      'delete, by views that people share',
      { 'types/books.json': { views: { newest: 'sort=-id', oldest: 'sort=id' } } },
      { 'types/books.json': { views: { oldest: 'sort=year' } } },
      ['delete: deletes the view newest'],
    ],
    [
      'open and narrow, by settings of accounts',
      { 'accounts.json': { 'sign-up': 'open', 'return-to': ['https://shop.example/a'] } },
      { 'accounts.json': { confirm: 'later', 'return-to': ['https://shop.example/b'] } },
      [
        'narrow: sign-up is now closed',
        'open: confirm is now later',
        'narrow: takes away for return-to, the entry "https://shop.example/a"',
        'open: adds for return-to, the entry "https://shop.example/b"',
      ],
    ],
    [
      'narrow, where no password logs in',
      { 'accounts.json': {} },
      { 'accounts.json': { 'log-in-by-password': false } },
      ['narrow: log-in-by-password is now false'],
    ],
    [
      'open, where fewer need a second factor',
      { 'accounts.json': { 'second-factor': 'required' } },
      { 'accounts.json': { 'second-factor': 'required', 'factor-groups': ['staff'] } },
      ['open: asks those in ["staff"] alone for a second factor'],
    ],
    [
      'open, where nobody needs a second factor any more',
      { 'accounts.json': { 'second-factor': 'required' } },
      { 'accounts.json': { 'second-factor': 'allowed' } },
      ['open: second-factor is now allowed'],
    ],
    [
      'narrow, where everybody needs one',
      { 'accounts.json': { 'second-factor': 'allowed' } },
      { 'accounts.json': { 'second-factor': 'required' } },
      ['narrow: second-factor is now required'],
    ],
    [
      'open, where somebody else says who users are',
      {},
      {
        'accounts.json': {
          providers: [{ name: 'google', 'client-id': 'shop' }],
        },
      },
      ['open: accepts logins from https://accounts.google.com'],
    ],
    [
      'mean nothing, where a type has no documents',
      { 'types/a.json': {} },
      { 'types/a.json': { rights: { read: ['*'] } } },
      [],
    ],
  ])('%s', async (_, before, after, told) => {
    await project.make('/resources/books', { year: 1897 });
    project.writeAll(before as Readonly<Record<string, unknown>>);
    await project.push();
    project.writeAll(after as Readonly<Record<string, unknown>>);
    expect(await project.dangers()).toEqual(told);
  });

  test('break documents that share what is to be unique', async () => {
    const first = await project.make('/resources/books', { slug: 'a', year: 1 });
    const second = await project.make('/resources/books', { slug: 'a', year: 2 });
    await project.make('/resources/books', { slug: 'b', year: 1 });
    project.write('types/books.json', { unique: [['slug', 'year']] });
    expect(await project.dangers()).toEqual([]);
    project.write('types/books.json', { unique: [['slug', 'year'], ['slug']] });
    expect(await project.run('diff', '--to', 'test')).toContain(
      '    break: 1 of 3 stored documents break it: the push fails while they do\n' +
        `      ${second}  /data/attributes/slug  The document ${first} has the same slug.\n`,
    );
  });

  test('break documents: how many of how many, and the first five', async () => {
    const dated = { title: 'Dracula', at: { $date: '1897-05-26' }, price: { $numberDecimal: '0.10' } };
    await project.make('/resources/books', dated);
    const broken: string[] = [];
    for (let number = 0; number < 6; number += 1)
      broken.push(await project.make('/resources/books', { title: 'x', number }));
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

test.each<[allowed: string, before: object, after: object, needed: string]>([
  [
    'narrow',
    { 'keys/a.json': { name: 'a', permissions: [READ, WRITE] } },
    { 'keys/a.json': { name: 'a', permissions: [WRITE] } },
    'narrow',
  ],
  [
    'open,delete',
    { 'keys/a.json': { name: 'a', permissions: [READ] } },
    { 'keys/a.json': { name: 'a', permissions: [WRITE] } },
    'open,narrow',
  ],
  [
    'open',
    { 'types/books.json': { text: true, schema: {} } },
    { 'types/books.json': { text: true } },
    'delete',
  ],
])('--allow %s allows that, and nothing else', async (allowed, before, after, needed) => {
  project.writeAll(before as Record<string, unknown>);
  await project.push();
  project.writeAll(after as Record<string, unknown>);
  // The key of no target in particular.
  const push = (...options: readonly string[]) =>
    app(['push', '--to', 'test', ...options, '--project', project.root], '', {
      FOREDGE_KEY: project.client.key,
    });
  await expect(push()).rejects.toThrow(`--allow ${needed}`);
  const pushed = push('--allow', allowed);
  if (allowed === needed) expect(await pushed).toContain('Pushed to test.');
  else await expect(pushed).rejects.toThrow('To do it all the same: --allow');
  expect((await project.diff()).length === 0).toBe(allowed === needed);
});
