/** The real runtime on this machine: the Worker of `src` in workerd, with the bindings of wrangler.toml. */
import { convertV4MiniflareOptions, CoreHeaders, Miniflare, type V4MiniflareOptions } from 'miniflare';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { readSettings, type Settings } from '../src/domain/environment/settings.ts';
import { objectsAtOnce } from './files.ts';
import { freeBytesOf, roomOn, volatileFolder, type FreeBytes } from './room.ts';
import { ASSETS, buildAssets } from './build-assets.ts';
import { buildClock, buildWorker } from './build-worker.ts';
import { bucketIn } from './backup-folder.ts';
import { workerOptions, type WorkerOptions } from './worker-options.ts';

export interface RuntimeOptions {
  /** The address of this machine to serve on; 127.0.0.1 by default. */
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The folder for all data; null keeps them in one that goes with the process, in memory if it can be. */
  readonly data: string | null;
  readonly secrets: Readonly<Record<'CREDENTIAL_SECRETS' | 'OPERATOR_SECRET', string>>;
  /** Settings of the Worker by their names (src/domain/environment/settings.ts). */
  readonly settings?: Readonly<Record<string, string>>;
  /** Takes each line that the Worker logs. */
  readonly log: (line: string, level: string) => void;
  /** The entry module; `src/index.ts` by default. Tests wrap it to look inside. */
  readonly entry?: string;
  /** The Durable Object class of the entry module behind the binding COLLECTIONS; `Collection` by default. */
  readonly className?: string;
  /** The folder of the bucket for backups; null for none. Only with a folder for data. */
  readonly backups?: string | null;
  /** Another runtime than the project's own: the package of its binary, and the newest compatibility date it knows. */
  readonly workerd?: { readonly name: string; readonly compatibilityDate: string };
  /** True gives it a clock that `advance` moves; only without a folder for data. */
  readonly clock?: boolean;
  /** The binding DEVELOPMENT. */
  readonly development?: (request: Pick<Request, 'url' | 'headers'>) => Promise<Response>;
  /** How many bytes are free for data; by default, on the disk of the folder. */
  readonly freeBytes?: FreeBytes;
}

export interface Runtime {
  readonly url: string;
  /** Does what a cron trigger starts on the platform, and tells when it is done. */
  readonly scheduled: () => Promise<void>;
  /** Lets the object of a collection (`<application>/<type>`) sleep, as it does when idle; its WebSockets stay. */
  readonly sleep: (name: string) => Promise<void>;
  /** Moves a clock by so many milliseconds, and resolves when what is due by then is done. */
  readonly advance: (milliseconds: number) => Promise<void>;
  /** Ends at once; what is in flight is cut off. */
  readonly stop: () => Promise<void>;
  /** Takes no more requests and ends when what is in flight is answered, after so many milliseconds at the latest. */
  readonly drain: (milliseconds: number) => Promise<void>;
}

// Of each connection, the runtime tells the address of the other end, unless Miniflare has it believe this header.
Reflect.deleteProperty(CoreHeaders, 'CF_BLOB');

/** The name of the Worker. */
const NAME = 'foredge';
const LOOPBACK = '127.0.0.1';
const WRAPPER = join(import.meta.dirname, 'workerd.sh');
/**
 * What V8 gets before the flags of the environment, which so have the last word. A young collection
 * lets go of what the runtime made for the requests since the last one (headers, calls, answers), 20 µs each, while
 * all requests wait: in halves of 16 MB, V8's own choice, these were 20 ms for a thousand reads. In halves of 8 MB the
 * same work is done in pieces half as long; in smaller ones lists and imports take more of the processor's time.
 */
const YOUNG_GENERATION = '--max-semi-space-size=8';
/** Turns of the event loop that read all that a pipe can hold. */
const TURNS = 20;
/** The file of a data folder in which the wrapper leaves the runtime's process id. */
const PROCESS = 'workerd.pid';

/** Starts the service. It answers when the promise resolves. */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const given = convertV4MiniflareOptions(await configureRuntime(options));
  const miniflare = options.data === null ? inMemory(() => new Miniflare(given)) : new Miniflare(given);
  await miniflare.ready;
  // The direct socket skips Miniflare's own entry Worker, which costs five times what the service does.
  const url = await miniflare.unsafeGetDirectURL();
  const stop = () => miniflare.dispose();
  const scheduled = async () => {
    const { outcome } = await (await miniflare.getWorker()).scheduled();
    if (outcome !== 'ok') throw new Error(`What the cron trigger starts has failed: ${outcome}.`);
  };
  const drain = async (milliseconds: number) => {
    const deadline = performance.now() + milliseconds;
    await announceEnd(url, options.secrets.OPERATOR_SECRET, milliseconds);
    await drainRuntime(options.data, deadline);
    await stop();
  };
  const sleep = (name: string) =>
    miniflare.unsafeEvictDurableObject(NAME, options.className ?? 'Collection', {
      name,
      webSockets: 'hibernate',
    });
  const advance = async (milliseconds: number) => {
    const headers = { authorization: `Bearer ${options.secrets.OPERATOR_SECRET}` };
    await fetch(new URL('/clock', url), { method: 'POST', headers, body: String(milliseconds) });
  };
  return { url: url.origin, advance, scheduled, sleep, stop, drain };
}

/**
 * The runtime ends with its last answer, whatever the log still waits for: so it must wait for nothing. It also closes
 * connections whose request it has not read yet. It reads in the order of arrival: once this is answered, it has read
 * all that came before, however busy it is.
 */
async function announceEnd(url: URL, secret: string, milliseconds: number): Promise<void> {
  const request = { method: 'POST', headers: { authorization: `Bearer ${secret}` } };
  const signal = AbortSignal.timeout(milliseconds);
  // A runtime that does not answer is told to end all the same.
  await fetch(new URL('/drain', url), { ...request, signal }).catch(() => null);
}

/** The runtime drains by itself when it is told to end: it takes no more requests and goes with its last answer. */
async function drainRuntime(data: string | null, deadline: number): Promise<void> {
  if (data === null || process.platform === 'win32') return;
  // What has ended would be started again: the wrapper starts nothing then.
  process.env['FOREDGE_WORKERD'] = '';
  const runtime = Number(readFileSync(join(data, PROCESS), 'utf8'));
  try {
    process.kill(runtime, 'SIGTERM');
    while (performance.now() < deadline) {
      process.kill(runtime, 0);
      await wait(10);
    }
  } catch {
    // It has ended. What it wrote last is still in its pipes, which each turn of the event loop reads.
    for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
  }
}

/** The source stays as it is while the process runs: its files are looked through once, for all starts. */
const texts = new Map<string | undefined, Promise<string>>();
let made: ReturnType<typeof buildAssets> | undefined;

function textOf(entry: string | undefined): Promise<string> {
  const text = texts.get(entry) ?? buildWorker(entry);
  texts.set(entry, text);
  return text;
}

const assets = () => (made ??= buildAssets());

/** The service as Miniflare takes it, which is to start next. */
export async function configureRuntime({
  host = LOOPBACK,
  port,
  data,
  secrets,
  settings,
  log,
  entry,
  className,
  backups = null,
  workerd,
  clock = false,
  development,
  freeBytes = freeBytesOf(data ?? volatileFolder()),
}: RuntimeOptions): Promise<V4MiniflareOptions> {
  runThroughWrapper(data, workerd?.name);
  keepYoungSmall();
  const worker = workerOptions();
  const [script, before] = await Promise.all([textOf(entry), clock ? buildClock() : null, assets()]);
  return {
    ...worker,
    ...(workerd !== undefined && { compatibilityDate: workerd.compatibilityDate }),
    // A part of the paths of data: whatever a deployment is named, they stay where they are.
    name: NAME,
    ...(before === null
      ? { script, modules: true }
      : { modules: [moduleOf('clock.js', before), moduleOf('worker.js', script)] }),
    ...(className !== undefined && { durableObjects: withClass(worker.durableObjects, className) }),
    ratelimits: withLimits(worker.ratelimits, readSettings(settings ?? {})),
    serviceBindings: {
      ROOM: roomOn(freeBytes),
      ...(development !== undefined && { DEVELOPMENT: development }),
      // On the platform no call reaches a private network; here names may lead to one: each connection is looked at.
      ...(!readSettings(settings ?? {}).webhooksToPrivate && {
        OUTWARD: { network: { allow: ['public'], tlsOptions: { trustBrowserCas: true } } },
      }),
      // As files of the disk: Miniflare's own assets put Workers before ours, and each request passes them.
      ASSETS: { disk: { path: ASSETS, writable: false } },
    },
    // Each writing of the log crosses a pipe to this process: lines go in small heaps.
    bindings: {
      LOG_DELAY: '50',
      EPOCH: randomBytes(8).toString('hex'),
      OBJECTS_AT_ONCE: String(objectsAtOnce()),
      ...settings,
      ...secrets,
    },
    r2Buckets: {
      ...worker.r2Buckets,
      ...(backups !== null &&
        data !== null && { BACKUPS: bucketIn(backups, data, Object.values(worker.r2Buckets)) }),
    },
    unsafeDirectSockets: [{ host, port }],
    ...(data !== null && { resourcePersistencePath: join(data, 'data') }),
    telemetry: { enabled: false },
    cf: false,
    handleStructuredLogs: ({ level, message }) => {
      log(message, level);
    },
  };
}

function moduleOf(path: string, contents: string) {
  return { type: 'ESModule', path, contents } as const;
}

/** The same bindings to another class. */
function withClass(
  objects: WorkerOptions['durableObjects'],
  className: string,
): NonNullable<WorkerOptions['durableObjects']> {
  const entries = Object.entries(objects ?? {});
  return Object.fromEntries(entries.map(([name]) => [name, { className, useSQLite: true }]));
}

/** What the runtime counts follows the settings, as what the Worker counts does. */
function withLimits(
  limits: WorkerOptions['ratelimits'],
  { loginFailuresByUser, loginFailuresByAddress }: Settings,
): NonNullable<WorkerOptions['ratelimits']> {
  const set: Readonly<Record<string, number>> = {
    LOGINS_BY_USER: loginFailuresByUser,
    LOGINS_BY_ADDRESS: loginFailuresByAddress,
  };
  const entries = Object.entries(limits ?? {}).map(([name, limit]) => {
    const simple = { ...limit.simple, limit: set[name] ?? limit.simple.limit };
    return [name, { ...limit, simple }] as const;
  });
  return Object.fromEntries(entries);
}

/** Without a folder for data, Miniflare makes one where temporary files are. */
function inMemory<T>(make: () => T): T {
  const { TMPDIR } = process.env;
  process.env['TMPDIR'] = volatileFolder();
  try {
    return make();
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
  }
}

/** The path of the runtime's binary, which its package exports. It has no types. */
function workerdBinary(name: string): string {
  const exported = createRequire(import.meta.url)(name) as { readonly default: string };
  return exported.default;
}

/** Miniflare takes V8's flags from the environment alone. */
function keepYoungSmall(): void {
  const name = 'MINIFLARE_WORKERD_V8_FLAGS';
  const given = (process.env[name] ?? '').split(' ').filter((flag) => flag !== '');
  if (!given.includes(YOUNG_GENERATION)) process.env[name] = [YOUNG_GENERATION, ...given].join(' ');
}

/** Where shells exist, the runtime starts through a wrapper that locks the folder and ties its life to ours. */
function runThroughWrapper(data: string | null, workerd = 'workerd'): void {
  if (process.platform === 'win32') return;
  process.env['FOREDGE_WORKERD'] = workerdBinary(workerd);
  process.env['FOREDGE_FOLDER'] = data ?? '';
  process.env['MINIFLARE_WORKERD_PATH'] = WRAPPER;
}
