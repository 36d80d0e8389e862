/** The real runtime on this machine: the Worker of `src` in workerd, with the bindings of wrangler.toml. */
import { build } from 'esbuild';
import { convertV4MiniflareOptions, Miniflare, type V4MiniflareOptions } from 'miniflare';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { readSettings } from '../src/domain/settings.ts';

export interface RuntimeOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** The folder for all data; null keeps it in a temporary folder that goes with the process. */
  readonly data: string | null;
  readonly secrets: Readonly<Record<'CREDENTIAL_SECRETS' | 'OPERATOR_SECRET', string>>;
  /** Settings of the Worker by their names (src/domain/settings.ts). */
  readonly settings?: Readonly<Record<string, string>>;
  /** Takes each line that the Worker logs. */
  readonly log: (line: string, level: string) => void;
  /** The entry module; `src/index.ts` by default. Tests wrap it to look inside. */
  readonly entry?: string;
  /** The Durable Object class of the entry module behind the binding COLLECTIONS; `Collection` by default. */
  readonly className?: string;
}

export interface Runtime {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const SOURCE = join(import.meta.dirname, '../src/index.ts');
const WRAPPER = join(import.meta.dirname, 'workerd.sh');

/** Starts the service. It answers when the promise resolves. */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  runThroughWrapper(options.data);
  const miniflare = new Miniflare(convertV4MiniflareOptions(await configure(options)));
  await miniflare.ready;
  // The direct socket skips Miniflare's own entry Worker, which costs five times what the service does.
  const url = await miniflare.unsafeGetDirectURL();
  return { url: url.origin, stop: () => miniflare.dispose() };
}

async function configure({
  port,
  data,
  secrets,
  settings,
  log,
  entry,
  className,
}: RuntimeOptions): Promise<V4MiniflareOptions> {
  const { loginFailuresByUser, loginFailuresByAddress } = readSettings(settings ?? {});
  return {
    name: 'foredge',
    script: await bundle(entry ?? SOURCE),
    modules: true,
    compatibilityDate: '2026-10-20',
    compatibilityFlags: ['nodejs_compat'],
    durableObjects: { COLLECTIONS: { className: className ?? 'Collection', useSQLite: true } },
    kvNamespaces: { LOOKUPS: 'LOOKUPS' },
    ratelimits: {
      LOGINS_BY_USER: { namespace_id: '1001', simple: { limit: loginFailuresByUser, period: 60 } },
      LOGINS_BY_ADDRESS: { namespace_id: '1002', simple: { limit: loginFailuresByAddress, period: 60 } },
    },
    // Each writing of the log crosses a pipe to this process: lines go in small heaps.
    bindings: { LOG_DELAY: '10', ...settings, ...secrets },
    unsafeDirectSockets: [{ host: '127.0.0.1', port }],
    ...(data !== null && { resourcePersistencePath: join(data, 'data') }),
    telemetry: { enabled: false },
    cf: false,
    handleStructuredLogs: ({ level, message }) => {
      log(message, level);
    },
  };
}

/** The Worker as one module. */
export async function bundle(entry: string): Promise<string> {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    logLevel: 'error',
  });
  const [output] = result.outputFiles;
  if (output === undefined) throw new Error('The Worker could not be bundled.');
  return output.text;
}

/** The path of the runtime's binary, which its package exports. It has no types. */
function workerdBinary(): string {
  const exported = createRequire(import.meta.url)('workerd') as { readonly default: string };
  return exported.default;
}

/** Where shells exist, the runtime starts through a wrapper that ties its life to ours. */
function runThroughWrapper(data: string | null): void {
  if (process.platform === 'win32') return;
  process.env['FOREDGE_WORKERD'] ??= workerdBinary();
  process.env['FOREDGE_WORKERD_PID'] = data === null ? '' : join(data, 'workerd.pid');
  process.env['MINIFLARE_WORKERD_PATH'] = WRAPPER;
}
