/** `foredge dev`: the service, and whatever is saved in a project, in it. */
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { followed } from '../support/followed.ts';
import { until } from '../support/started.ts';

const READY = 'Ctrl-C stops.';

const service = await followed();
const { project, dev, client } = service;
afterAll(() => service.stop());

/** Waits until it has told something since a point of its output. */
async function told(text: string, since = 0): Promise<string> {
  await until(text, () => dev.output.slice(since).includes(text));
  return dev.output.slice(since);
}

test('a start pushes what is there, writes the types, and logs no requests', async () => {
  const said = await told('+ key website');
  expect(said.slice(said.indexOf(READY))).not.toContain('"requestId"');
  await until('the types', () => existsSync(join(project.root, 'foredge/types.d.ts')));
  expect(project.read('types.d.ts')).toContain('slug: string');
});

test('a saved file is pushed, and the types are new, however an editor writes it', async () => {
  const path = 'types/articles.json';
  const text = project.read(path);
  const replace = (changed: string) => {
    project.write(`${path}.new`, changed);
    renameSync(join(project.root, 'foredge', `${path}.new`), join(project.root, 'foredge', path));
  };
  const write = (changed: string) => {
    project.write(path, changed);
  };
  // After a file was put in its place, some watch the one that is gone.
  for (const [at, save] of [write, replace, replace, write].entries()) {
    const since = dev.output.length;
    save(text.replace('"text"', `"text${at}"`));
    await told('~ schema of articles: content', since);
    expect(project.read('types.d.ts')).toContain(`text${at}?: string`);
  }
});

test('a new folder is followed as well', async () => {
  const since = dev.output.length;
  project.write('webhooks/told.json', { name: 'told', target: 'articles', url: 'https://example.org/' });
  await told('+ webhook told', since);
});

test('a fault is told with its place, what was pushed stays, and the next save mends it', async () => {
  let since = dev.output.length;
  const text = project.read('types/articles.json');
  project.write('types/articles.json', text.replace('"rights"', '"right"'));
  await told('foredge/types/articles.json:5:', since);
  expect((await client.get('/schemas/core.type')).body.data[0]?.attributes?.['rights']).toMatchObject({
    read: ['*'],
  });

  since = dev.output.length;
  project.write('types/articles.json', text.replace('["$creator"], "delete"', '["*"], "delete"'));
  expect(await told('~ settings of articles: rights', since)).not.toContain('articles.json:');
});

test('Ctrl-C ends it', async () => {
  dev.signalAll('SIGINT');
  expect(await dev.ended()).toEqual({ code: 0, signal: null });
});
