/** `foredge/testing`: an application for each test, in the process of the test (docs/testing.md). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { live } from '../../src/client/live.ts';
import { refused, startForedge } from '../../scripts/testing.ts';
import type { TestForedge } from '../../scripts/testing-types.ts';
import { TestProject } from '../support/project.ts';

const project = await TestProject.create();
project.remove('../foredge.json');
await project.run('init');
project.write(
  'seeds/core.user.jsonl',
  '{"id": "ada", "attributes": {"username": "ada", "password": "difference engine"}}\n',
);
const db = await startForedge({ project: `${project.root}/foredge`, seed: true });
afterAll(async () => {
  await db.stop();
  project.remove();
});

describe('a rule that refuses is named', () => {
  let own: TestForedge;
  let bob: TestForedge['client'];
  let article: { readonly type: 'articles'; readonly id: string };
  beforeAll(async () => {
    own = await startForedge({ project: project.root });
    bob = await own.as({ username: 'bob', key: 'website' });
    const ada = await own.as({ username: 'ada', key: 'website' });
    article = await ada.create('articles', { slug: 'rules', title: 'Rules' });
    await own.client.create('core.type', {
      name: 'wallets',
      checks: [{ name: 'covered', filter: { balance: { $gte: 0 } } }],
    });
  });
  afterAll(() => own.stop());

  test('the rights on a document', async () => {
    const error = await refused(bob.delete(article), { code: 'forbidden', by: 'rights', which: 'delete' });
    expect(error.status).toBe(403);
  });

  test('the permissions of the key', async () => {
    await refused(bob.list('notes').all(), { code: 'forbidden', by: 'key' });
  });

  test('a check of the type', async () => {
    const expected = { code: 'rule-violated', by: 'check', which: 'covered' } as const;
    await refused(own.client.create('wallets', { balance: -1 }), expected);
  });

  test('a schema of the type', async () => {
    await refused(bob.create('articles', { title: 'x' }), { code: 'schema-violation', by: 'schema' });
  });

  test.each<[what: string, ask: () => Promise<unknown>, told: string]>([
    ['what is done', () => own.client.list('articles').all(), 'It was done, and should have been refused'],
    [
      'another refusal',
      () => bob.create('articles', { title: 'x' }),
      'It was refused as schema-violation by schema, not as forbidden by rights update: ',
    ],
    [
      'another reason',
      () => bob.list('notes').all(),
      'It was refused as forbidden by key, not as forbidden by rights update: ',
    ],
    [
      'another right',
      () => bob.delete(article),
      'It was refused as forbidden by rights delete, not as forbidden by rights update: ',
    ],
    ['a fault of the test', () => Promise.reject(new TypeError('oops')), 'oops'],
  ])('%s is none', async (_, ask, told) => {
    await expect(refused(ask(), { code: 'forbidden', by: 'rights', which: 'update' })).rejects.toThrow(told);
  });
});

describe('an application', () => {
  test('is as the files say, with seeds and keys', async () => {
    expect((await db.client.list('articles').all()).map(({ title }) => title)).toEqual(['Hello']);
    expect(Object.keys(db.keys).sort()).toEqual(['first key', 'website']);
    await expect(db.client.create('articles', { title: 'x' })).rejects.toMatchObject({
      code: 'schema-violation',
    });
  });

  test('knows users who are seeded, and makes others', async () => {
    const ada = await db.as({ username: 'ada', key: 'website' });
    const bob = await db.as({ username: 'bob', key: 'website' });
    const article = await ada.create('articles', { slug: 'mine', title: 'Mine' });
    await expect(bob.update(article, { title: 'Bob’s' })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(bob.list('notes').all()).rejects.toMatchObject({ code: 'forbidden' });
    expect(await (await db.as({ username: 'bob' })).list('notes').all()).toEqual([]);
    await expect(db.as({ username: 'bob', key: 'page' })).rejects.toThrow('no key page');
  });

  test('has nothing of another, and the same runtime', async () => {
    const other = await startForedge();
    expect(other.url).toBe(db.url);
    expect(await other.client.list('articles').all()).toEqual([]);
    await other[Symbol.asyncDispose]();
    expect(await db.client.list('articles').count()).toBeGreaterThan(0);
  });

  test('that the service refuses does not start', async () => {
    project.write('keys/website.json', '{"name": "website"}');
    await expect(startForedge({ project: project.root })).rejects.toThrow(/website\.json:1:1/);
  });
});

describe('a clock', () => {
  let own: TestForedge;
  beforeAll(async () => {
    own = await startForedge({ clock: true });
  });
  afterAll(() => own.stop());
  const later = (days: number) => new Date(Date.now() + days * 86_400_000);

  test('that is moved ends documents, and lists follow, though nobody asks', async () => {
    await own.client.create('core.type', { name: 'stories', expires: 'until' });
    for (const [title, days] of [['soon', 1] as const, ['late', 3] as const]) {
      await own.client.create('stories', { title, until: later(days) });
    }
    // It hears of changes, and does not look.
    const stories = live(own.client, 'stories', {}, { every: 3_600_000 });
    await expect.poll(() => stories.array.length).toBe(2);
    await own.clock.advance('2 days');
    await expect.poll(() => stories.array.map(({ title }) => title)).toEqual(['late']);
    stories.stop();
  });

  test('that is moved ends sessions', async () => {
    const ada = await own.as({ username: 'ada' });
    expect(await ada.list('notes').all()).toEqual([]);
    await own.clock.advance('31 days');
    await refused(ada.list('notes').all(), { code: 'token-required' });
    expect(await (await own.as({ username: 'ada' })).list('notes').all()).toEqual([]);
  });

  test('lets what comes after it be done at once', async () => {
    await own.client.create('core.account-settings', { 'sign-up': 'open' });
    const type = 'core.account-action';
    const attributes = { kind: 'invite', email: 'bob@shop.example' };
    await own.client.request('POST', `/users/${type}`, { body: { data: { type, attributes } } });
    await own.clock.advance('1 second');
    expect((await own.mailbox('bob@shop.example')).length).toBe(1);
  });

  test('is that of one test alone', async () => {
    await own.clock.advance('90 minutes');
    await db.client.create('core.type', { name: 'stories', expires: 'until' });
    await db.client.create('stories', { until: later(1 / 24) });
    expect(await db.client.list('stories').count()).toBe(1);
    await expect(db.clock.advance('1 day')).rejects.toThrow('Start with {clock: true}');
  });

  test.each(['2 fortnights', '2', 'days', '-1 days', '2 constructors'])('is not moved by %s', async (by) => {
    await expect(own.clock.advance(by as '2 days')).rejects.toThrow('A duration is such as 2 days');
  });
});
