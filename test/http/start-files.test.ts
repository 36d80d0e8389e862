/** What a start says of lost or broken files and of unusable secrets: one line, and nothing has changed. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { ROOT, until } from '../support/started.ts';
import { clientOf, type Starts } from '../support/starts.ts';
import { may } from '../support/people.ts';
import { newFolder, newStarts } from '../support/scope.ts';

const SECRETS = { CREDENTIAL_SECRETS: `1:${'c'.repeat(40)}`, OPERATOR_SECRET: 'o'.repeat(40) };
const KEYS = '/api-keys/core.api-key';

let folder: string;
beforeEach(() => {
  folder = newFolder();
});

/** Runs a script on a data folder, as npm does but without npm. */
function run(script: string, data: string, settings: Readonly<Record<string, string>> = {}) {
  const env = { ...process.env, PORT: '0', DATA_DIR: data, ...settings };
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts', script), 'list'], {
    env,
    encoding: 'utf8',
    timeout: 200_000,
  });
  return { status, stderr };
}

function write(file: string, content: unknown): void {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(folder, file), text);
}

/** What a folder holds, but for the locks and the process that took them. */
function contents(path: string): unknown {
  if (!existsSync(path)) return null;
  if (!statSync(path).isDirectory()) return readFileSync(path, 'utf8');
  const names = readdirSync(path).filter((name) => !/\.(lock|pid)$/.test(name));
  return names.sort().map((name) => [name, contents(join(path, name))]);
}

const broken = (file: string, fault: string) => new RegExp(`^/[^\n]*/${file} is broken: ${fault}. [^\n]+\n$`);

describe('a start on a folder', () => {
  test.each<[what: string, files: Readonly<Record<string, unknown>>, says: RegExp]>([
    ['with data and no secrets', {}, /^[^\n]*secrets\.json is missing, though [^\n]+\n$/],
    ['with secrets that are empty', { 'secrets.json': '' }, broken('secrets.json', 'it is empty')],
    ['with secrets that are no JSON', { 'secrets.json': '{"CRED' }, broken('secrets.json', 'it is no JSON')],
    [
      'with secrets that are null',
      { 'secrets.json': null },
      broken('secrets.json', 'it holds no JSON object'),
    ],
    [
      'with secrets that are a list',
      { 'secrets.json': [] },
      broken('secrets.json', 'it holds no JSON object'),
    ],
    [
      'without one of the secrets',
      { 'secrets.json': { ...SECRETS, OPERATOR_SECRET: undefined } },
      broken('secrets.json', 'it lacks OPERATOR_SECRET'),
    ],
    [
      'with a secret that is too short',
      { 'secrets.json': { ...SECRETS, CREDENTIAL_SECRETS: '1:short' } },
      /^CREDENTIAL_SECRETS must be [^\n]*secrets\.json is not\.\n$/,
    ],
    [
      'with a secret without a kid',
      { 'secrets.json': { ...SECRETS, CREDENTIAL_SECRETS: 'c'.repeat(40) } },
      /^CREDENTIAL_SECRETS must be [^\n]*secrets\.json is not\.\n$/,
    ],
    [
      'with two secrets of one kid',
      { 'secrets.json': { ...SECRETS, CREDENTIAL_SECRETS: `1:${'c'.repeat(40)},1:${'d'.repeat(40)}` } },
      /^CREDENTIAL_SECRETS must be [^\n]*secrets\.json is not\.\n$/,
    ],
    [
      'with an operator secret that is too short',
      { 'secrets.json': { ...SECRETS, OPERATOR_SECRET: 'short' } },
      /^OPERATOR_SECRET must have [^\n]*secrets\.json has not\.\n$/,
    ],
    [
      'with a first application that is empty',
      { 'secrets.json': SECRETS, 'first-application.json': '' },
      broken('first-application.json', 'it is empty'),
    ],
    [
      'with a first application that is null',
      { 'secrets.json': SECRETS, 'first-application.json': null },
      broken('first-application.json', 'it holds no JSON object'),
    ],
  ])('%s', (_, files, says) => {
    mkdirSync(join(folder, 'data'));
    for (const [file, content] of Object.entries(files)) write(file, content);
    const before = contents(folder);
    const { status, stderr } = run('serve.ts', folder);
    expect(stderr).toMatch(says);
    expect(status).toBe(1);
    expect(contents(folder)).toEqual(before);
  });

  test.each([
    ['that is a file', 'file', /^[^\n]*file: [^\n]+\n$/],
    ['below a file', 'file/below', /^[^\n]*file\/below: not a directory\.\n$/],
    ['whose lock can not be opened', 'folder', /^The folder can not be written: [^\n]+ on a directory\.\n$/],
  ])('%s', (_, path, says) => {
    write('file', 'mine');
    mkdirSync(join(folder, 'folder/server.lock'), { recursive: true });
    const before = contents(folder);
    const { status, stderr } = run('serve.ts', join(folder, path));
    expect(stderr).toMatch(says);
    expect(status).toBe(1);
    expect(contents(folder)).toEqual(before);
  });

  test.runIf(process.platform === 'linux').each([
    ['read-only', '/sys', /^The folder can not be written: \/sys\/server\.lock: [a-z -]+\.\n$/],
    ['impossible', '/proc/none/data', /^\/proc\/none: no such file or directory\.\n$/],
  ])('that is %s is told as such', (_, path, says) => {
    expect(run('serve.ts', path)).toEqual({ status: 1, stderr: expect.stringMatching(says) as unknown });
  });

  test.each([
    ['app.ts', { 'credentials.json': '' }, broken('credentials.json', 'it is empty')],
    ['app.ts', { 'credentials.json': { base_url: 'http://127.0.0.1:9' } }, /^Set OPERATOR_SECRET, [^\n]+\n$/],
    [
      'app.ts',
      { 'credentials.json': { base_url: 'http://127.0.0.1:9' }, 'secrets.json': SECRETS },
      /^There is no server at [^\n]+\n$/,
    ],
    ['demo.ts', { 'credentials.json': null }, broken('credentials.json', 'it holds no JSON object')],
    ['demo.ts', {}, /^There is no [^\n]*credentials\.json: run npm start first[^\n]+\n$/],
  ])('is no place for %s with %j', (script, files, says) => {
    for (const [file, content] of Object.entries(files)) write(file, content);
    const { status, stderr } = run(script, folder);
    expect(stderr).toMatch(says);
    expect(status).toBe(1);
  });
});

describe('the first key', () => {
  let starts: Starts;
  beforeEach(async () => {
    starts = await newStarts();
  });

  test('is signed by the current secret, and a tag from before it is none of what is shown now', async () => {
    const secret = (kid: number) => `${kid}:${String(kid).repeat(40)}`;
    const first = await starts.run({ CREDENTIAL_SECRETS: secret(1) });
    const { credentials } = first;
    const [made] = (await clientOf(first).get(KEYS)).body.data;
    const path = `${KEYS}/${made?.id ?? ''}`;
    const tags = await Promise.all([path, KEYS].map(async (each) => (await clientOf(first).get(each)).etag));
    await first.stop('SIGTERM');

    const second = await starts.run({ CREDENTIAL_SECRETS: `${secret(2)},${secret(1)}` });
    const key = second.credentials.api_key;
    expect(key).not.toBe(credentials.api_key);
    expect(second.output).toContain(key);
    expect(second.output).not.toContain(credentials.api_key);
    const client = clientOf(second);
    for (const [n, each] of [path, KEYS].entries()) {
      const read = await client.get(each, { 'if-none-match': tags[n] ?? '' });
      expect(read.status).toBe(200);
      expect(read.text).toContain(key);
      expect((await client.get(each, { 'if-none-match': read.etag })).status).toBe(304);
    }
    await second.stop('SIGTERM');

    // The old secret is gone, and the key of `first-application.json` was signed by it.
    const old = { application_id: credentials.application_id, api_key: credentials.api_key };
    writeFileSync(join(starts.folder, 'first-application.json'), JSON.stringify(old));
    const third = await starts.run({ CREDENTIAL_SECRETS: secret(2) });
    expect(third.credentials).toEqual({ ...credentials, api_key: key });
    expect((await clientOf(third).get(KEYS)).body.meta.count).toBe(1);
  });

  test('is replaced when it was deleted, as is the application', async () => {
    const first = await starts.run();
    const attributes = { name: 'mine', permissions: [may('get delete', '.*')] };
    expect((await clientOf(first).create(KEYS, { attributes })).status).toBe(201);
    const [made] = (await clientOf(first).get(KEYS)).body.data;
    expect((await clientOf(first).delete(`${KEYS}/${made?.id ?? ''}`)).status).toBe(204);
    await first.stop('SIGTERM');

    const second = await starts.run();
    const { application_id } = second.credentials;
    expect((await clientOf(second).get(KEYS)).body.meta.count).toBe(2);
    const operator = { DATA_DIR: starts.folder };
    spawnSync(process.execPath, [join(ROOT, 'scripts/app.ts'), 'delete', application_id, '--yes'], {
      env: { ...process.env, ...operator },
    });
    await until('it is gone', async () => (await clientOf(second).get(KEYS)).status === 401);
    await second.stop('SIGTERM');

    const third = await starts.run();
    expect(third.credentials.application_id).not.toBe(application_id);
    expect((await clientOf(third).get(KEYS)).body.meta.count).toBe(1);
  });
});
