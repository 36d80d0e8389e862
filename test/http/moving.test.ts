/** An application moves to the edge and back (docs/guides/deploying.md): `npm start`, `npm run dev`, `npm start`. */
import { execFile, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { logIn, makeUser, PASSWORD, tokenOf, type Person } from '../support/people.ts';
import { freePort, ROOT, start, Started, TERMINAL, until } from '../support/started.ts';
import { newFolder } from '../support/scope.ts';

const folder = newFolder();
const file = join(folder, 'app.ndjson.gz');
const back = join(folder, 'back.ndjson.gz');
const running: Started[] = [];

const server = await serve('server');
/** The secrets of the server, as its folder keeps them. */
const secrets = JSON.parse(readFileSync(join(folder, 'server/secrets.json'), 'utf8')) as Readonly<
  Record<string, string>
>;
afterAll(async () => {
  for (const each of running) await each.killAll();
});

/** `npm start` on a folder of its own, with its first application. */
async function serve(name: string, settings?: Readonly<Record<string, string>>): Promise<Client> {
  const started = await start(join(folder, name), await freePort(), settings);
  running.push(started);
  const { base_url: url, application_id: id, api_key: key } = started.credentials;
  return new Client(url, id, key);
}

/** `npm run dev` with the secrets of the server. */
async function edge(): Promise<string> {
  const file = join(folder, 'edge.vars');
  writeFileSync(
    file,
    Object.entries(secrets)
      .map(([name, secret]) => `${name}="${secret}"\n`)
      .join(''),
  );
  const port = await freePort();
  const args = ['run', 'dev', '--', '--port', String(port), '--env-file', file];
  const child = spawn('npm', [...args, '--persist-to', join(folder, 'edge')], {
    cwd: ROOT,
    env: TERMINAL,
    detached: true,
  });
  const dev = new Started(child, folder);
  running.push(dev);
  const url = `http://127.0.0.1:${port}`;
  await until(
    'npm run dev serves',
    async () => (await fetch(`${url}/health`).catch(() => null))?.ok === true,
  );
  return url;
}

/** The operator's command, which has its secret from the environment. */
function app(...args: readonly string[]): Promise<unknown> {
  const env = { ...TERMINAL, ...secrets };
  return promisify(execFile)(process.execPath, [join(ROOT, 'scripts/app.ts'), ...args], { env });
}

test('its documents, users, API keys and tokens are there, on both ways', { timeout: 300_000 }, async () => {
  const note = await server.make('notes', { text: 'written at home' });
  const ada = await makeUser(server, 'ada');
  await app('export', server.application, file, '--tokens', '--url', server.url);

  const away = new Client(await edge(), server.application, server.key);
  await app('import', file, '--url', away.url);
  expect((await away.get(`/resources/notes/${note.id}`)).body.data.attributes).toEqual({
    text: 'written at home',
  });
  const login = tokenOf(await logIn(away, 'ada', PASSWORD));
  const isAda = async (at: Client, headers: Person['headers']) =>
    (await at.get('/users/core.user/me', headers)).body.data.id === ada.link.id;
  expect(await isAda(away, ada.headers)).toBe(true);
  const other = await away.make('notes', { text: 'written at the edge' });
  await app('export', away.application, back, '--tokens', '--url', away.url);

  const { url } = await serve('home', secrets);
  const home = new Client(url, server.application, server.key);
  await app('import', back, '--url', home.url);
  expect((await home.get(`/resources/notes/${other.id}`)).body.data.attributes).toEqual({
    text: 'written at the edge',
  });
  expect((await logIn(home, 'ada', PASSWORD)).status).toBe(201);
  for (const headers of [ada.headers, login]) expect(await isAda(home, headers)).toBe(true);
});
