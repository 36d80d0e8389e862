/** One server per data folder, by a lock that goes with the process; and a start that fails has changed nothing. */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Resource } from '../support/client.ts';
import {
  freePort,
  isAlive,
  isFree,
  launch,
  SERVER,
  temporaryFolder,
  until,
  type Started,
} from '../support/started.ts';
import { clientOf, Starts } from '../support/starts.ts';

let starts: Starts;
const others: Started[] = [];
beforeAll(async () => {
  starts = await Starts.prepare();
});
afterEach(async () => {
  await Promise.all(others.splice(0).map((each) => each.killAll()));
});
afterAll(() => starts.end());

const FILES = ['secrets.json', 'first-application.json', 'credentials.json'];
const contents = () => FILES.map((file) => readFileSync(join(starts.folder, file), 'utf8'));
const countOf = async (started: Started) =>
  (await clientOf(started).get('/resources/people')).body.meta.count;

/** Another start on the same folder, with a port of its own. It ends with its test. */
async function another(): Promise<Started> {
  const other = launch(starts.folder, await freePort(), {}, SERVER);
  others.push(other);
  return other;
}

// Each begins with the server and the document that those before have left.
describe('a server that runs on a folder', () => {
  let first: Started;
  let made: Resource;
  const isThere = async (started: Started) => {
    expect((await clientOf(started).get(`/resources/people/${made.id}`)).status).toBe(200);
  };

  test('has stopped no stranger whose process id an old file held', async () => {
    writeFileSync(join(starts.folder, 'server.pid'), String(process.ppid));
    writeFileSync(join(starts.folder, 'workerd.pid'), String(process.ppid));
    first = await starts.run();
    expect(isAlive(process.ppid)).toBe(true);
    expect(await countOf(first)).toBe(0);
    made = await clientOf(first).make('people');
  });

  test('is named to a second start, in one line, which changes nothing', async () => {
    const before = contents();
    const second = await another();
    expect(await second.ended()).toEqual({ code: 1, signal: null });
    const holder = first.idOf('server.pid');
    expect(second.output).toBe(
      `Another server (process ${holder}) holds ${starts.folder}. ` +
        'Stop it, or choose another folder: DATA_DIR=… npm start\n',
    );
    expect(contents()).toEqual(before);
    expect(await countOf(first)).toBe(1);
  });

  test('goes on beside one that serves a copy of its folder', async () => {
    const copy = temporaryFolder();
    try {
      cpSync(starts.folder, copy.path, { recursive: true });
      const second = launch(copy.path, await freePort(), {}, SERVER);
      others.push(second);
      expect(await second.serves()).toBe(true);
      expect(second.credentials).toMatchObject({
        application_id: first.credentials.application_id,
        api_key: first.credentials.api_key,
      });
      expect(second.credentials.base_url).not.toBe(first.credentials.base_url);
      await clientOf(first).make('people');
      expect([await countOf(first), await countOf(second)]).toEqual([2, 1]);
      await second.stop('SIGTERM');
    } finally {
      copy.remove();
    }
  });

  test('holds it when its runtime was killed: it starts another one itself', async () => {
    const runtime = first.idOf('workerd.pid');
    process.kill(runtime, 'SIGKILL');
    const second = await another();
    expect((await second.ended()).code).toBe(1);
    await until('there is another runtime', () => first.idOf('workerd.pid') !== runtime);
    const answers = () =>
      clientOf(first)
        .get(`/resources/people/${made.id}`)
        .then(
          ({ status }) => status === 200,
          () => false,
        );
    await until('it answers', answers);
  });

  test('leaves no runtime behind when it is killed alone, for which the next waits', async () => {
    const runtime = first.idOf('workerd.pid');
    process.kill(first.idOf('server.pid'), 'SIGKILL');
    const second = starts.launch();
    expect(await second.serves()).toBe(true);
    expect(isAlive(runtime)).toBe(false);
    await isThere(second);
    first = second;
  });

  test('leaves its folder to the next where everything was killed', async () => {
    await first.killAll();
    expect(await isFree(starts.port)).toBe(true);
    const second = await starts.run();
    expect(second.credentials).toMatchObject({ api_key: clientOf(first).key });
    await isThere(second);
    expect(await second.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  test('does not start where its port is taken, and leaves credentials and secrets as they were', async () => {
    const before = contents();
    const holder = createServer().listen(starts.port, '127.0.0.1');
    await once(holder, 'listening');
    const failed = starts.launch();
    expect((await failed.ended()).code).toBe(1);
    expect(failed.output).toMatch(/^Port \d+ is in use\. Choose another port: PORT=\d+ npm start\n$/);
    expect(contents()).toEqual(before);
    const elsewhere = await another();
    expect(await elsewhere.serves()).toBe(true);
    expect(elsewhere.credentials.base_url).not.toBe(`http://127.0.0.1:${starts.port}`);
    expect(await countOf(elsewhere)).toBe(2);

    const fresh = launch(join(starts.folder, 'fresh'), starts.port, {}, SERVER);
    others.push(fresh);
    expect((await fresh.ended()).code).toBe(1);
    expect(existsSync(join(starts.folder, 'fresh'))).toBe(false);
    holder.close();
  });
});

test('of several starts on a folder at the same instant, one serves', async () => {
  const several = await Starts.prepare();
  try {
    const all = Array.from({ length: 4 }, () => several.launch());
    const serving = await Promise.all(all.map((each) => each.serves()));
    expect(serving.filter(Boolean)).toHaveLength(1);
    const winner = all[serving.indexOf(true)];
    for (const each of all.filter((one) => one !== winner)) {
      expect((await each.ended()).code).toBe(1);
      expect(each.output).toMatch(/^Another server( \(process \d+\))? holds [^\n]*\n$/);
    }
    expect(winner && (await clientOf(winner).make('people')).type).toBe('people');
  } finally {
    await several.end();
  }
});

test.each([
  { HOST: 'nonsense' },
  { HOST: '203.0.113.7' },
  { PORT: '99999' },
  { PORT: 'x' },
  { STOP_SECONDS: '-1' },
  { CREDENTIAL_SECRETS: '1:short' },
])('a start with a wrong setting makes nothing: %j', async (settings) => {
  const { path, remove } = temporaryFolder();
  const failed = launch(path, await freePort(), settings, SERVER);
  expect((await failed.ended()).code).toBe(1);
  expect(failed.output).toMatch(/^[^\n]* must be [^\n]*\n$/);
  expect(readdirSync(path)).toEqual([]);
  remove();
});
