/** An application in the files of a folder, pushed to the service (docs/guides/project.md). */
import { beforeEach, describe, expect, test } from 'vitest';
import { push } from '../../scripts/project/push.ts';
import { ALL, newProject, READ, TestProject, TITLED, WHOLE, WRITE } from '../support/project.ts';
import { EVERY_METHOD, may } from '../support/people.ts';

const SOLD = WHOLE['webhooks/sold.json'] as object;

let project: TestProject;
beforeEach(async () => {
  project = await newProject();
});

describe('a push', () => {
  test('makes all that the files say, and a second one nothing', async () => {
    project.writeAll(WHOLE);
    expect(await project.diff()).toEqual(ALL);
    await project.push();
    expect(await project.diff()).toEqual([]);
    const { client } = project;
    const dull = await client.create('/resources/books', { attributes: { title: 'x' } });
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
      { ...SOLD, events: undefined },
      '~ webhook sold: events',
    ],
    ['a pause', 'webhooks/sold.json', { ...SOLD, active: false }, '~ webhook sold: active'],
    [
      'a setting of accounts that is gone',
      'accounts.json',
      { ...(WHOLE['accounts.json'] as object), name: undefined },
      '~ accounts of the application: name',
    ],
    [
      'a provider that is another',
      'accounts.json',
      {
        ...(WHOLE['accounts.json'] as object),
        providers: [{ name: 'google', issuer: 'https://accounts.example', 'client-id': 'shop' }],
      },
      '~ identity provider google: issuer',
    ],
    [
      'a mail whose form is made of its text',
      'mails/log-in.de.json',
      { ...(WHOLE['mails/log-in.de.json'] as object), html: undefined },
      '~ mail log-in.de: html',
    ],
    [
      'a provider that is gone from its file',
      'accounts.json',
      { ...(WHOLE['accounts.json'] as object), providers: undefined },
      '- identity provider google',
    ],
  ])('makes %s so', async (_, file, content, change) => {
    project.writeAll(WHOLE);
    await project.push();
    project.write(file, content);
    expect(await project.diff()).toEqual([change]);
    await project.push();
    expect(await project.diff()).toEqual([]);
  });

  test('leaves alone what has no file, unless it is to be pruned, and always the key that it uses', async () => {
    project.writeAll(WHOLE);
    await project.push();
    project.remove('keys/page.json');
    project.remove('types/books.json');
    expect(await project.diff()).toEqual([]);
    expect(await project.diff(true)).toEqual(['- key page', '- schema of books', '- settings of books']);
    await project.push(true);
    expect(await project.diff(true)).toEqual([]);
    expect((await project.client.get('/api-keys/core.api-key')).body.meta.count).toBe(1);
  });

  test('opens accounts where each setting is its default, and keeps secrets', async () => {
    const providers = [{ name: 'google', issuer: 'https://accounts.google.com', 'client-id': 'shop' }];
    project.write('accounts.json', '{}');
    expect(await project.diff()).toEqual(['+ accounts of the application']);
    await project.push();
    expect(await project.diff()).toEqual([]);
    await project.make('/users/core.identity-provider', { ...providers[0], 'client-secret': 'hush' });
    project.write('accounts.json', { 'sign-up': 'open', providers });
    expect(await project.diff()).toEqual(['~ accounts of the application: sign-up']);
    await project.push();
    // Where a known one is, the service adds.
    project.write('accounts.json', {
      'sign-up': 'open',
      providers: [...providers, { name: 'gitlab', 'client-id': 'shop' }],
    });
    await project.push();
    expect(await project.diff()).toEqual([]);
    const path = `/users/core.account-settings/${await project.idOf('application')}`;
    expect((await project.client.get(path)).body.data).toMatchObject({ attributes: { 'sign-up': 'open' } });
  });

  describe('of the groups in which new users start', () => {
    const groups = async () => {
      const path = '/users/core.account-settings?include=groups,factor-groups';
      const { body } = await project.client.get(path);
      const names = body.included.map(({ id, attributes }) => attributes?.['name'] ?? id);
      return names.sort();
    };

    test('finds them by their names, makes those that are not there, and takes away what is gone', async () => {
      const id = await project.make('/users/core.user-group', { name: 'readers' });
      const unnamed = await project.make('/users/core.user-group', {});
      project.write('accounts.json', { groups: ['readers', 'new', unnamed], 'factor-groups': ['staff'] });
      await project.push();
      expect(await project.diff()).toEqual([]);
      expect(await groups()).toEqual(['new', 'readers', 'staff', unnamed].sort());
      const { body } = await project.client.get('/users/core.user-group?filter[name]=readers');
      expect(body.meta.count).toBe(1);
      project.write('accounts.json', { groups: ['new'] });
      expect(await project.diff()).toEqual(['~ accounts of the application: groups, factor-groups']);
      expect(await project.dangers()).toEqual([
        'narrow: takes away for groups, the entry "readers"',
        `narrow: takes away for groups, the entry "${unnamed}"`,
      ]);
      await project.push();
      expect(await groups()).toEqual(['new']);
      expect((await project.client.get(`/users/core.user-group/${id}`)).status).toBe(200);
    });

    test('takes back one that it has made', async () => {
      project.write('accounts.json', { groups: ['new'], providers: [{ name: 'x' }] });
      await expect(project.push()).rejects.toThrow('Nothing was pushed.');
      expect((await project.client.get('/users/core.user-group')).body.meta.count).toBe(0);
    });

    test.each<[what: string, entry: () => Promise<string>, fault: string]>([
      [
        'two of the same name',
        async () => {
          for (const name of ['twins', 'twins']) await project.make('/users/core.user-group', { name });
          return 'twins';
        },
        'There are 2 groups of the name twins.',
      ],
      [
        'the id of one with a name',
        () => project.make('/users/core.user-group', { name: 'readers' }),
        'that has no name.',
      ],
    ])('refuses %s', async (_, entry, fault) => {
      project.write('accounts.json', { groups: [await entry()] });
      await expect(project.push()).rejects.toThrow(fault);
    });
  });

  test('needs a key for what the files are about', async () => {
    const types = '/schemas/core\\.(type|schema)(/[0-9a-f]{24})?';
    const own = await project.client.withPermissions([may(EVERY_METHOD, types), READ]);
    const other = new TestProject(own);
    other.write('types/books.json', { schema: TITLED });
    expect(await other.run('push', '--to', 'test')).toContain('Pushed to test.');
    await expect(other.run('push', '--to', 'test', '--prune')).rejects.toThrow('The API key does not permit');
    other.remove();
  });

  test('changes nothing where somebody has changed something since it was read', async () => {
    project.writeAll(WHOLE);
    await project.push();
    project.writeAll({
      'types/books.json': { schema: {} },
      'keys/page.json': { name: 'page', permissions: [READ] },
    });
    const changes = await project.changes();
    await project.patch(`/api-keys/core.api-key/${await project.idOf('page')}`, {
      permissions: [READ, WRITE],
    });
    const before = await project.remote.stored();
    await expect(push(project.remote, changes)).rejects.toThrow(
      /The key page has changed since it was read\.\nNothing was pushed\./,
    );
    const contents = (all: typeof before) => all.map(({ id, attributes }) => ({ id, attributes }));
    expect(contents(await project.remote.stored())).toEqual(contents(before));
  });

  test('makes nothing twice where two push at once, and each of them all or none', async () => {
    project.writeAll({
      'types/books.json': { schema: [true, TITLED] },
      ...Object.fromEntries(
        Array.from({ length: 6 }, (_, n) => [`keys/${n}.json`, { name: `key ${n}`, permissions: [READ] }]),
      ),
    });
    const all = await project.diff();
    const pushed = await Promise.allSettled([project.push(), project.push()]);
    const failed = pushed.flatMap((each) => (each.status === 'rejected' ? String(each.reason) : []));
    for (const each of failed)
      expect(each).toMatch(/Somebody else pushes as well[^]*\nNothing was pushed\.$/);
    expect(failed.length).toBeGreaterThan(0);
    expect(await project.diff(true)).toEqual(failed.length === 1 ? [] : all);
  });

  test('takes all back where the service refuses one, and says where in which file', async () => {
    await project.make('/resources/books', { slug: 'a' });
    await project.make('/resources/books', { slug: 'a' });
    project.writeAll({
      ...WHOLE,
      'types/another.json': { text: true },
      'types/books.json': '{\n  "unique": [["slug"]]\n}',
    });
    await expect(project.push()).rejects.toThrow(
      /types\/books\.json:2:14 {2}The documents .* have the same slug\.\nNothing was pushed\./,
    );
    expect(await project.remote.stored()).toEqual([]);
  });

  test('puts back what it has pruned where one deletion fails', async () => {
    project.writeAll(WHOLE);
    await project.push();
    project.remove('types/books.json');
    project.remove('keys/page.json');
    const changes = await project.changes(true);
    await project.patch(`/api-keys/core.api-key/${await project.idOf('page')}`, { permissions: [WRITE] });
    const before = await project.remote.stored();
    await expect(push(project.remote, changes)).rejects.toThrow(
      /The key page has changed since it was read\.\nNothing was pushed\./,
    );
    const contents = (all: typeof before) =>
      all.map(({ type, name, attributes }) => ({ type, name, attributes }));
    const names = (all: typeof before) =>
      contents(all)
        .map((each) => JSON.stringify(each))
        .sort();
    expect(names(await project.remote.stored())).toEqual(names(before));
  });
});
