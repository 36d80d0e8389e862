/**
 * `npm start`: serves on 127.0.0.1 alone, unless HOST says otherwise, keeps everything under one folder, and greets
 * with a first application whose key permits everything. Settings: HOST (127.0.0.1), PORT (8787), DATA_DIR (.foredge),
 * BACKUP_DIR (no backups), STOP_SECONDS (10), and those of the Worker.
 */
import './older-node.ts';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { claimsOf, Signer } from '../src/auth/credentials.ts';
import {
  filesOf,
  FIRST_APPLICATION,
  makeFolder,
  readStrings,
  writePrivate,
  type Credentials,
  type FirstApplication,
} from './data-folder.ts';
import { explain, Failure } from './failure.ts';
import { lockFolder } from './folder-lock.ts';
import { Operator } from './operator.ts';
import { START } from './program.ts';
import type { Runtime } from './runtime.ts';
import { givenSecrets, readSecrets } from './secrets.ts';
import { backupFolder, dataFolder, serverSettings } from './settings.ts';

/**
 * Milliseconds in which signals are one: Ctrl-C reaches every process of the group, and each of them passes it on to
 * the next.
 */
const ONE_SIGNAL = 1_000;

/** Milliseconds between two looks for backups that are due, and before the first: a start has other things to do. */
const HOUR = 3_600_000;
const FIRST_BACKUP = 60_000;

/** When the first signal came, or null; and the code to end with: a runtime cut off ends its draining as well. */
const stopping: { since: number | null; code: 0 | 1 } = { since: null, code: 0 };

try {
  await serve();
} catch (error) {
  // Whoever has stopped the server need not be told that it does not serve.
  if (stopping.since === null) {
    console.error(explain(error));
    process.exit(1);
  }
}

async function serve(): Promise<void> {
  const { host, port, grace, isDev, worker } = serverSettings();
  const data = dataFolder();
  const files = filesOf(data);
  givenSecrets();
  // A start that fails has changed nothing. Where there is a folder, who holds it is told before whose the port is.
  if (!existsSync(data)) await checkPort(host, port);
  makeFolder(data);
  lockFolder(data);
  await checkPort(host, port);
  const stored = readStrings(files.first, FIRST_APPLICATION);
  const secrets = readSecrets(data);

  const backups = backupFolder();
  const options = {
    host,
    port,
    data,
    backups,
    secrets,
    settings: { MAILBOX: 'yes', ...worker },
    log: printLog,
    ...(isDev && { development: (await import('./development.ts')).development }),
  };
  // A start that fails before needs none of it, which takes a second.
  const { startRuntime } = await import('./runtime.ts');
  const runtime = await startRuntime(options).catch((error: unknown) => {
    throw notStarted(port, error);
  });
  stopOnSignals(runtime, grace);
  const operator = new Operator(runtime.url, secrets.OPERATOR_SECRET);
  const first = await firstApplication(operator, secrets.CREDENTIAL_SECRETS, stored);
  if (first.api_key !== stored?.api_key) writePrivate(files.first, first);
  const credentials = { base_url: runtime.url, ...first };
  writePrivate(files.credentials, credentials);
  greet(data, credentials, worker['LOG_PERCENT'] !== '0');
  if (backups !== null) backUpHourly(runtime);
}

/** What the cron trigger of wrangler.toml does on the platform: it makes the backups that are due. */
function backUpHourly(runtime: Runtime): void {
  let running = false;
  const run = () => {
    if (running) return;
    running = true;
    const failed = (error: unknown) => {
      if (stopping.since === null) console.error(explain(error));
    };
    void runtime
      .scheduled()
      .catch(failed)
      .finally(() => (running = false));
  };
  setTimeout(run, FIRST_BACKUP).unref();
  setInterval(run, HOUR).unref();
}

/** The first signal lets the runtime answer what is in flight; another one ends it at once. */
function stopOnSignals(runtime: Runtime, grace: number): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Miniflare's own handlers would end this process before the runtime has stopped.
    process.removeAllListeners(signal);
    process.on(signal, () => {
      stop(runtime, grace);
    });
  }
  // The supervising command is gone: nobody could stop us any more.
  process.on('disconnect', () => {
    stop(runtime, grace);
  });
}

function stop(runtime: Runtime, grace: number): void {
  if (stopping.since === null) {
    stopping.since = performance.now();
    void runtime.drain(grace).finally(() => process.exit(stopping.code));
  } else if (performance.now() - stopping.since > ONE_SIGNAL) {
    stopping.code = 1;
    void runtime.stop().finally(() => process.exit(stopping.code));
  }
}

/** The address by which this machine reaches what listens on a host. */
function ownAddress(host: string): string {
  return { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
}

/** True when something listens there: it takes no address, as another start may be about to. */
async function isTaken(host: string, port: number): Promise<boolean> {
  const socket = connect(port, ownAddress(host));
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function checkPort(host: string, port: number): Promise<void> {
  if (port !== 0 && (await isTaken(host, port))) throw takenPort(port);
}

function takenPort(port: number): Failure {
  const other = port < 65_535 ? port + 1 : 8787;
  return new Failure(`Port ${port} is in use. Choose another port: PORT=${other} ${START}`);
}

/** Why the runtime did not start, in one line. */
function notStarted(port: number, error: unknown): Failure {
  const reason = error instanceof Error ? error.message : String(error);
  if (/in use/i.test(reason)) return takenPort(port);
  const [, said = reason] = /Runtime stderr:\n([^]*)/.exec(reason) ?? [];
  return new Failure(`The server could not start: ${said.trim().replaceAll(/\s*\n\s*/g, ' ')}`, {
    cause: error,
  });
}

/**
 * The application of the first start, with its key as the current secret signs it. A key that is gone is replaced by a
 * new one, an application that is gone or about to go, or of which nothing was kept, by a new application.
 */
async function firstApplication(
  operator: Operator,
  credentialSecrets: string,
  saved: FirstApplication | null,
): Promise<FirstApplication> {
  if (saved !== null) {
    const { application_id } = saved;
    const key = await signedAnew(credentialSecrets, saved);
    if (key !== null && (await operator.isKnown(application_id, key)))
      return { application_id, api_key: key };
    const all = await operator.list();
    if (all.some(({ id, ends }) => id === application_id && ends === undefined)) {
      return { application_id, api_key: await operator.key(application_id, 'first key') };
    }
  }
  const { id, apiKey } = await operator.create('First application');
  return { application_id: id, api_key: apiKey };
}

/** Whoever knows the secrets may sign what an old one has signed, even once that one was taken away. */
async function signedAnew(credentialSecrets: string, { api_key }: FirstApplication): Promise<string | null> {
  const claims = claimsOf(api_key);
  return claims === undefined ? null : (await Signer.from(credentialSecrets)).sign(claims);
}

function greet(data: string, { base_url, application_id, api_key }: Credentials, logged: boolean): void {
  console.log(`
Foredge serves on ${base_url}
Data and credentials are in ${data}

Try it:

  curl -s ${base_url}/resources/people \\
    -H 'application-id: ${application_id}' \\
    -H 'api-key: ${api_key}' \\
    -H 'Content-Type: application/vnd.api+json' \\
    -d '{"data": {"type": "people", "attributes": {"name": "Ada"}}}'

Look around at ${base_url}/dashboard, with the credentials above
Read on at ${base_url}/docs/index

${logged ? 'One line per request follows; ' : ''}Ctrl-C stops.
`);
}

function printLog(line: string, level: string): void {
  (level === 'error' || level === 'warn' ? process.stderr : process.stdout).write(`${line}\n`);
}
