/** `foredge migrate`: documents become what the files of a project say, each file once for each target. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { migrate, pendingOf } from '../../scripts/project/migrate.ts';
import { readMigrations } from '../../scripts/project/migrations.ts';
import { newProject, type TestProject } from '../support/project.ts';
import { settle } from '../support/type-settings.ts';

let project: TestProject;
beforeEach(async () => {
  project = await newProject();
});

/** Runs what is pending, a few documents at a time. */
async function run(step = 2): Promise<readonly (number | null)[]> {
  const { migrations, faults } = readMigrations(project.root);
  expect(faults).toEqual([]);
  const changed: (number | null)[] = [];
  for (const each of await pendingOf(project.remote, migrations))
    changed.push(await migrate(project.remote, each, step));
  return changed;
}

const bodies = async (type: string): Promise<readonly string[]> => {
  const { text } = await project.client.get(`/resources/${type}?page[size]=100`);
  // As they came: which digits, and which kinds.
  return Array.from(text.matchAll(/"attributes":(\{[^}]*\})/g), ([, body = '']) => body);
};

/** Makes documents, one after the other: in the order in which a migration comes to them. */
async function fill(type: string, ...all: readonly object[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const attributes of all) ids.push(await project.make(`/resources/${type}`, attributes));
  return ids;
}

describe('what becomes of documents', () => {
  test.each<[what: string, migration: object, before: object, after: string]>([
    ['a new name', { rename: { title: 'headline' } }, { title: 'A', n: 1 }, '{"n":1,"headline":"A"}'],
    [
      'a new name that is there already',
      { rename: { title: 'headline' } },
      { title: 'A', headline: 'B' },
      '{"headline":"B"}',
    ],
    ['a name less', { remove: ['title', 'no'] }, { title: 'A', n: 1 }, '{"n":1}'],
    [
      'a value of another kind',
      { set: { price: { $toDecimal: '$price' } } },
      { price: '1.10' },
      '{"price":1.10}',
    ],
    ['a value that is none', { set: { n: '$$REMOVE' } }, { n: 1, m: 2 }, '{"m":2}'],
    ['a default', { set: { n: { value: 7, unless: 'given' } } }, { m: 2 }, '{"m":2,"n":7}'],
    [
      'all at once, in this order',
      { rename: { a: 'b' }, set: { c: { $add: ['$b', 1] } }, remove: ['b'] },
      { a: { $numberLong: '9007199254740993' } },
      '{"c":9007199254740994}',
    ],
    ['an integral double', { set: { n: { $toDouble: '$n' } } }, { n: 3 }, '{"n":3.0}'],
  ])('%s', async (_, migration, before, after) => {
    project.write('migrations/1.json', { type: 'things', ...migration });
    await fill('things', before);
    expect(await run()).toEqual([1]);
    expect(await bodies('things')).toEqual([after]);
  });

  test('nothing to do writes each of them, so that computed fields hold', async () => {
    await fill('things', { title: 'A' });
    await settle(project.client, { name: 'things', set: { headline: '$title' } });
    project.write('migrations/1.json', { type: 'things' });
    expect(await run()).toEqual([1]);
    expect(await bodies('things')).toEqual(['{"title":"A","headline":"A"}']);
  });
});

test('each file runs once, in the order of the names, and a program has the client', async () => {
  await fill('things', { n: 1 }, { n: 2 }, { n: 3 });
  project.write(
    'migrations/2.js',
    [
      'export default async ({ db, at, save }) => {',
      "  for (const each of await db.list('things').all()) await db.update(each, { n: each.n * 10 });",
      '  await save(at);',
      '};',
    ].join('\n'),
  );
  project.write('migrations/1.json', { type: 'things', set: { n: { $add: ['$n', 1] } } });
  const dry = await project.run('migrate', '--to', 'test', '--dry-run');
  expect(dry).toBe('1.json: 3 documents.\n2.js: a program.\n');
  expect(await project.run('migrate', '--to', 'test')).toBe('1.json: 3 documents changed.\n2.js: done.\n');
  expect(await bodies('things')).toEqual(['{"n":20}', '{"n":30}', '{"n":40}']);
  expect(await project.run('migrate', '--to', 'test')).toBe('test: every migration has run.\n');
});

describe('one that breaks off', () => {
  test('goes on where it was, and does nothing twice', async () => {
    await fill('things', { n: 1 }, { n: 2 }, { n: 3 });
    const id = await project.make('/resources/things', { n: 'x' });
    await fill('things', { n: 5 });
    project.write('migrations/1.json', { type: 'things', set: { n: { $add: ['$n', 1] } } });
    await expect(run()).rejects.toThrow(`1.json: Document ${id}: n cannot be computed.`);
    expect([...(await bodies('things'))].sort()).toEqual([
      '{"n":"x"}',
      '{"n":2}',
      '{"n":3}',
      '{"n":3}',
      '{"n":5}',
    ]);
    await project.patch(`/resources/things/${id}`, { n: 4 });
    expect(await run()).toEqual([5]);
    expect([...(await bodies('things'))].sort()).toEqual([
      '{"n":2}',
      '{"n":3}',
      '{"n":4}',
      '{"n":5}',
      '{"n":6}',
    ]);
  });

  test('goes on from what a program has saved', async () => {
    const program = (rest: string) =>
      `export default async ({ db, at, save }) => { await db.create('runs', { at }); await save({ n: 7 }); ${rest} };`;
    project.write('migrations/1.js', program("throw new Error('off')"));
    await expect(project.run('migrate', '--to', 'test')).rejects.toThrow('1.js: Error: off');
    project.write('migrations/1.js', program(''));
    await project.run('migrate', '--to', 'test');
    const { body } = await project.client.get('/resources/runs');
    expect(body.data.map(({ attributes }) => attributes?.['at'])).toEqual([null, { n: 7 }]);
  });
});

test('on a terminal it is told how far one has come', async () => {
  await fill('things', { old: 1 }, { old: 2 }, { other: 3 });
  project.write('migrations/1.json', { type: 'things', rename: { old: 'new' }, set: { n: 1 } });
  const told: string[] = [];
  const { isTTY } = process.stderr;
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => told.push(String(text)) > 0);
  process.stderr.isTTY = true;
  try {
    await run(1);
  } finally {
    process.stderr.isTTY = isTTY;
    write.mockRestore();
  }
  expect(told[0]).toMatch(/ 33 % {2}1 documents, .* a second {2}things$/);
  expect(told.at(-1)).toBe('\r\u001b[K');
});

test('what a schema refuses is told with its document, and its step is not done', async () => {
  const ids = await fill('things', { n: 1 });
  await project.make('/schemas/core.schema', {
    target: 'things',
    content: { properties: { attributes: { properties: { n: { type: 'integer' } } } } },
  });
  project.write('migrations/1.json', { type: 'things', set: { n: { $toString: '$n' } } });
  await expect(run()).rejects.toThrow(ids[0]);
  expect(await bodies('things')).toEqual(['{"n":1}']);
});

test('of two that run at once, nothing is done twice', async () => {
  await fill('things', ...Array.from({ length: 12 }, (_, n) => ({ n })));
  project.write('migrations/1.json', { type: 'things', set: { n: { $add: ['$n', 100] } } });
  const [one, other] = await Promise.allSettled([run(1), run(1)]);
  const failed = [one, other].filter(({ status }) => status === 'rejected');
  expect(failed).toHaveLength(1);
  expect(String(failed[0]?.status === 'rejected' && failed[0].reason)).toContain('Somebody else runs it');
  expect(new Set(await bodies('things'))).toEqual(
    new Set(Array.from({ length: 12 }, (_, n) => `{"n":${n + 100}}`)),
  );
});

test('what clients write meanwhile is not lost', async () => {
  const ids = await fill('things', ...Array.from({ length: 40 }, () => ({ old: { seen: 0 } })));
  project.write('migrations/1.json', { type: 'things', rename: { old: 'new' } });
  const state = { isOver: false };
  const migrated = run(5).finally(() => (state.isOver = true));
  let written = 0;
  while (!state.isOver) {
    const id = ids[written % ids.length] ?? '';
    // Clients of the version before: a document that was renamed has the old name again then.
    const data = { type: 'things', id, meta: { update: { $inc: { 'old.seen': 1 } } } };
    expect((await project.client.patch(`/resources/things/${id}`, { data })).status).toBe(200);
    written += 1;
  }
  expect(await migrated).toEqual([40]);
  const { body } = await project.client.get('/resources/things?page[size]=100');
  const counts = body.data.flatMap((each) => Object.values(each.attributes ?? {}) as { seen: number }[]);
  expect(counts.reduce((sum, { seen }) => sum + seen, 0)).toBe(written);
});
