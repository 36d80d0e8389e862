/**
 * `npm start`: serves on 127.0.0.1, keeps everything under one folder, and greets with a first application whose
 * key permits everything. Settings: PORT (8787), DATA_DIR (.foredge), and those of the Worker.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { Operator } from './operator.ts';
import { readSettings, settingTexts } from '../src/domain/settings.ts';
import { startRuntime } from './runtime.ts';
import { stopFormerServer } from './former-server.ts';

interface Credentials {
  readonly base_url: string;
  readonly application_id: string;
  readonly api_key: string;
}

const port = readPort(process.env['PORT'] ?? '8787');
const settings = checkedSettings();
const data = resolve(process.env['DATA_DIR'] ?? '.foredge');
const files = {
  secrets: join(data, 'secrets.json'),
  /** What `credentials.json` is written from, kept while the server is down. */
  first: join(data, 'first-application.json'),
  credentials: join(data, 'credentials.json'),
  process: join(data, 'server.pid'),
  runtime: join(data, 'workerd.pid'),
};

mkdirSync(data, { recursive: true, mode: 0o700 });
await stopFormerServer([files.process, files.runtime]);
writeFileSync(files.process, String(process.pid));
// It is there again once the service serves: whoever waits for it can rely on that.
rmSync(files.credentials, { force: true });

if (!existsSync(files.secrets)) {
  writePrivate(files.secrets, {
    CREDENTIAL_SECRETS: `1:${randomBytes(32).toString('base64url')}`,
    OPERATOR_SECRET: randomBytes(32).toString('base64url'),
  });
}
const secrets = readStrings(files.secrets, ['CREDENTIAL_SECRETS', 'OPERATOR_SECRET']);

const runtime = await startRuntime({ port, data, secrets, settings, log: printLog }).catch(
  (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = /in use/i.test(reason) ? ` Choose another port: PORT=${port + 1} npm start` : '';
    console.error(`The server could not start on port ${port}: ${reason}${hint}`);
    rmSync(files.process, { force: true });
    process.exit(1);
  },
);

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // Miniflare's own handlers would end this process before the runtime has stopped.
  process.removeAllListeners(signal);
  process.on(signal, () => void stop());
}
// The supervising command is gone: nobody could stop us any more.
process.on('disconnect', () => void stop());

const first = await firstApplication(new Operator(runtime.url, secrets.OPERATOR_SECRET));
writePrivate(files.credentials, { base_url: runtime.url, ...first });
greet({ base_url: runtime.url, ...first });

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await runtime.stop();
  for (const file of [files.process, files.runtime]) rmSync(file, { force: true });
  process.exit(0);
}

/** The application of the first start; made again only if somebody lost its file. */
async function firstApplication(operator: Operator): Promise<Omit<Credentials, 'base_url'>> {
  if (existsSync(files.first)) return readStrings(files.first, ['application_id', 'api_key']);
  const { id, apiKey } = await operator.create('First application');
  const first = { application_id: id, api_key: apiKey };
  writePrivate(files.first, first);
  return first;
}

function greet({ base_url, application_id, api_key }: Credentials): void {
  console.log(`
Foredge serves on ${base_url}
Data and credentials are in ${data}

Try it:

  curl -s ${base_url}/resources/people \\
    -H 'application-id: ${application_id}' \\
    -H 'api-key: ${api_key}' \\
    -H 'Content-Type: application/vnd.api+json' \\
    -d '{"data": {"type": "people", "attributes": {"name": "Ada"}}}'

One line per request follows; Ctrl-C stops.
`);
}

function printLog(line: string, level: string): void {
  (level === 'error' || level === 'warn' ? process.stderr : process.stdout).write(`${line}\n`);
}

/** The members of a file of this folder, all of them strings. */
function readStrings<Name extends string>(file: string, names: readonly Name[]): Record<Name, string> {
  const content = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const members = names.map((name) => {
    const value = content[name];
    if (typeof value !== 'string') throw new Error(`${file} lacks ${name}.`);
    return [name, value] as const;
  });
  return Object.fromEntries(members) as Record<Name, string>;
}

/** Whole or not at all, and readable by nobody else. */
function writePrivate(file: string, content: unknown): void {
  const draft = `${file}.new`;
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
}

/** The Worker's settings that the environment of this process has; a wrong one ends the start. */
function checkedSettings(): Readonly<Record<string, string>> {
  try {
    readSettings(process.env);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
  return settingTexts(process.env);
}

function readPort(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0 && number < 65_536) return number;
  console.error(`PORT must be a number from 0 to 65535, not ${text}.`);
  process.exit(1);
}
