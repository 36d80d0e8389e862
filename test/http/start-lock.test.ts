/** One server per data folder, by a lock that goes with the process; and a start that fails has changed nothing. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  freePort,
  isAlive,
  launch,
  NPM_START,
  start,
  temporaryFolder,
  until,
  type Started,
} from '../support/started.ts';
import { clientOf, Starts } from '../support/starts.ts';

let starts: Starts;
let others: Started[];
beforeEach(async () => {
  starts = await Starts.prepare(NPM_START);
  others = [];
});
afterEach(async () => {
  await Promise.all(others.map((each) => each.killAll()));
  await starts.end();
});

const FILES = ['secrets.json', 'first-application.json', 'credentials.json'];
const contents = () => FILES.map((file) => readFileSync(join(starts.folder, file), 'utf8'));
const countOf = async (started: Started) =>
  (await clientOf(started).get('/resources/people')).body.meta.count;

/** Another start on the same folder, with a port of its own. */
async function another(): Promise<Started> {
  const other = launch(starts.folder, await freePort());
  others.push(other);
  return other;
}

describe('a second start on a folder', () => {
  test('says who holds it, in one line, and changes nothing', async () => {
    const first = await starts.run();
    await clientOf(first).make('people');
    const before = contents();
    const second = await another();
    expect(await second.ended()).toEqual({ code: 1, signal: null });
    const holder = first.idOf('server.pid');
    expect(second.output).toBe(
      `Another server (process ${holder}) holds ${starts.folder}. Stop it, or choose another folder: DATA_DIR=… npm start\n`,
    );
    expect(contents()).toEqual(before);
    expect(await countOf(first)).toBe(1);
  });

  test('of several at the same instant, one serves', async () => {
    const all = [starts.launch(), starts.launch(), starts.launch(), starts.launch()];
    const serving = await Promise.all(all.map((each) => each.serves()));
    expect(serving.filter(Boolean)).toHaveLength(1);
    const winner = all[serving.indexOf(true)];
    for (const each of all.filter((one) => one !== winner)) {
      expect((await each.ended()).code).toBe(1);
      expect(each.output).toMatch(/^Another server( \(process \d+\))? holds [^\n]*\n$/);
    }
    expect(winner && (await clientOf(winner).make('people')).type).toBe('people');
  });

  test('waits for the runtime of a server that was killed, whoever stood between', async () => {
    const first = await starts.run();
    const { id } = await clientOf(first).make('people');
    process.kill(first.idOf('server.pid'), 'SIGKILL');
    const second = await another();
    expect(await second.serves()).toBe(true);
    expect((await clientOf(second).get(`/resources/people/${id}`)).status).toBe(200);
  });

  test('does not take over from a server whose runtime was killed: it starts another one itself', async () => {
    const first = await starts.run();
    const { id } = await clientOf(first).make('people');
    const runtime = first.idOf('workerd.pid');
    process.kill(runtime, 'SIGKILL');
    const second = await another();
    expect((await second.ended()).code).toBe(1);
    await until('there is another runtime', () => first.idOf('workerd.pid') !== runtime);
    const answers = () =>
      clientOf(first)
        .get(`/resources/people/${id}`)
        .then(
          ({ status }) => status === 200,
          () => false,
        );
    await until('it answers', answers);
  });

  test('serves where everything was killed', async () => {
    const first = await starts.run();
    const { id } = await clientOf(first).make('people');
    await first.killAll();
    const second = await another();
    expect(await second.serves()).toBe(true);
    expect(second.credentials).toMatchObject({ api_key: clientOf(second).key });
    expect((await clientOf(second).get(`/resources/people/${id}`)).status).toBe(200);
  });

  test('stops no stranger whose process id an old file holds', async () => {
    writeFileSync(join(starts.folder, 'server.pid'), String(process.ppid));
    writeFileSync(join(starts.folder, 'workerd.pid'), String(process.ppid));
    const started = await starts.run();
    expect(isAlive(process.ppid)).toBe(true);
    expect(await countOf(started)).toBe(0);
  });
});

test('a folder that was copied from a running server is served beside it', async () => {
  const first = await starts.run();
  await clientOf(first).make('people');
  const copy = temporaryFolder();
  try {
    cpSync(starts.folder, copy.path, { recursive: true });
    const second = await start(copy.path, await freePort());
    others.push(second);
    expect(second.credentials).toMatchObject({
      application_id: first.credentials.application_id,
      api_key: first.credentials.api_key,
    });
    expect(second.credentials.base_url).not.toBe(first.credentials.base_url);
    await clientOf(first).make('people');
    expect(await countOf(first)).toBe(2);
    await second.stop('SIGTERM');
  } finally {
    copy.remove();
  }
});

describe('a start that fails', () => {
  test('for its port leaves credentials and secrets as they were', async () => {
    const first = await starts.run();
    await first.stop('SIGTERM');
    const before = contents();
    const other = temporaryFolder();
    try {
      const holder = await start(other.path, starts.port);
      others.push(holder);
      const failed = starts.launch();
      expect((await failed.ended()).code).toBe(1);
      expect(failed.output).toMatch(/^Port \d+ is in use\. Choose another port: PORT=\d+ npm start\n$/);
      expect(contents()).toEqual(before);
      const elsewhere = await another();
      expect(await elsewhere.serves()).toBe(true);
      expect(elsewhere.credentials.base_url).not.toBe(`http://127.0.0.1:${starts.port}`);
      expect(await countOf(elsewhere)).toBe(0);

      const fresh = launch(join(other.path, 'fresh'), starts.port);
      others.push(fresh);
      expect((await fresh.ended()).code).toBe(1);
      expect(existsSync(join(other.path, 'fresh'))).toBe(false);
    } finally {
      other.remove();
    }
  });

  test('for a wrong setting makes nothing', async () => {
    for (const settings of [
      { HOST: 'nonsense' },
      { HOST: '203.0.113.7' },
      { PORT: '99999' },
      { PORT: 'x' },
      { STOP_SECONDS: '-1' },
      { CREDENTIAL_SECRETS: '1:short' },
    ]) {
      const failed = starts.launch(settings);
      expect((await failed.ended()).code).toBe(1);
      expect(failed.output).toMatch(/^[^\n]* must be [^\n]*\n$/);
    }
    expect(readdirSync(starts.folder)).toEqual([]);
    rmSync(starts.folder, { recursive: true });
  });
});
