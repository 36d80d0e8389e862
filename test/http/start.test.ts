/** What `npm start` promises: credentials, the same data on the same folder, and clean stops. */
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { NPM_START, ROOT, until } from '../support/started.ts';
import { clientOf, type Starts } from '../support/starts.ts';
import { may } from '../support/people.ts';
import { newStarts } from '../support/scope.ts';

let starts: Starts;
const run = () => starts.run();

beforeEach(async () => {
  starts = await newStarts(NPM_START);
});

describe('npm start', () => {
  test('greets with a command that works when pasted, and keeps its private credentials and the data', async () => {
    const first = await run();
    const greeting = /curl [^]*?\n(?=\n)/;
    // It is printed right after the credentials are written.
    await until('the greeting is there', () => greeting.test(first.output));
    const [command] = greeting.exec(first.output) ?? [''];
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    expect(JSON.parse(stdout)).toMatchObject({ data: { type: 'people', attributes: { name: 'Ada' } } });
    const { credentials } = first;
    expect(Object.keys(credentials).sort()).toEqual(['api_key', 'application_id', 'base_url']);
    expect(credentials.base_url).toBe(`http://127.0.0.1:${starts.port}`);
    expect(statSync(join(starts.folder, 'credentials.json')).mode & 0o777).toBe(0o600);
    const made = await clientOf(first).make('people', { name: 'Ada' });

    expect(await first.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    const second = await run();
    expect(second.credentials).toEqual(credentials);
    const read = await clientOf(second).get(`/resources/people/${made.id}`);
    expect(read.body.data.attributes).toEqual({ name: 'Ada' });
    // The key permits every method on every path.
    const next = clientOf(second);
    expect((await next.patch(`/resources/people/${made.id}`, { data: made })).status).toBe(200);
    expect((await next.get('/api-keys/core.api-key')).body.meta.count).toBe(1);
    expect((await next.delete(`/resources/people/${made.id}`)).status).toBe(204);

    // The command tells when the server that it has started is gone.
    process.kill(second.idOf('server.pid'), 'SIGKILL');
    expect((await second.ended()).code).not.toBe(0);
  });
});

describe('npm run app', () => {
  const env = () => ({ cwd: ROOT, env: { ...process.env, DATA_DIR: starts.folder } });

  /** What it runs, without npm. */
  async function app(...args: string[]): Promise<string> {
    return (await promisify(execFile)(process.execPath, ['scripts/app.ts', ...args], env())).stdout;
  }

  test('creates, lists, renames and deletes applications of the server that runs on the folder', async () => {
    const server = await run();
    const made = JSON.parse(await app('create', 'My app')) as Record<string, string>;
    const { application_id = '', api_key = '' } = made;
    const inside = new Client(server.credentials.base_url, application_id, api_key);
    const document = await inside.make('people', { name: 'Grace' });
    // What one application holds is not there for another, though type and id are right.
    expect((await clientOf(server).get(`/resources/people/${document.id}`)).status).toBe(404);

    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'app', '--', 'list'], env());
    expect(stdout).toContain(`${application_id}  My app\n`);
    expect(await app('rename', application_id, 'Our app')).toBe(`${application_id}  Our app\n`);
    const listed = await app('list');
    expect(listed).toContain(`${application_id}  Our app\n`);
    expect(listed).toContain(`${server.credentials.application_id}  `);

    const spare = JSON.parse(await app('key', application_id, 'spare')) as Record<string, string>;
    const holder = new Client(server.credentials.base_url, application_id, spare['api_key'] ?? '');
    expect((await holder.get('/api-keys/core.api-key')).body.data.at(-1)?.attributes).toEqual({
      name: 'spare',
      permissions: [may('get post patch delete bulk', '.*')],
      'secure-id': holder.key,
    });

    expect(await app('delete', application_id, '--now', '--yes')).toContain('deleted');
    expect(await app('list')).not.toContain(application_id);
    expect((await inside.get(`/resources/people/${document.id}`)).status).toBe(401);
    await expect(app('delete', application_id, '--yes')).rejects.toThrow(/was deleted/);
  });

  test('says what is missing', async () => {
    await expect(app('create', 'My app')).rejects.toThrow(/Set FOREDGE_URL, or start a server here/);
    await expect(app('fly')).rejects.toThrow(/There is no command fly\.\n\nUsage: npm run app/);
    await expect(app('exprot')).rejects.toThrow(/There is no command exprot\. Did you mean export\?/);
  });
});
