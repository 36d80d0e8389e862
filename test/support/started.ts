/** The service as `npm start` runs it, in a process tree of its own, for tests of that promise. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export const ROOT = join(import.meta.dirname, '../..');

/** What tests, their services and `npm test --silent` set. */
const OF_TESTS = /^(VITEST|FOREDGE_|MINIFLARE_|npm_|(TEST|NODE_ENV|NODE_OPTIONS|FORCE_COLOR)$)/;
/** The environment of somebody at a terminal. */
export const TERMINAL = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !OF_TESTS.test(name)),
);

export interface Credentials {
  readonly base_url: string;
  readonly application_id: string;
  readonly api_key: string;
}

/** How a process ended: its exit code, or the signal that ended it. */
export interface End {
  readonly code: number | null;
  readonly signal: string | null;
}

/** One run of `npm start`. */
export class Started {
  readonly process: ChildProcess;
  readonly folder: string;
  readonly #end: Promise<End>;
  #output = '';

  constructor(child: ChildProcess, folder: string) {
    this.process = child;
    this.folder = folder;
    // All that it has printed is there then.
    this.#end = once(child, 'close').then(([code, signal]: unknown[]) => ({
      code: code as number | null,
      signal: signal as string | null,
    }));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    }
  }

  /** What was printed so far. */
  get output(): string {
    return this.#output;
  }

  get credentials(): Credentials {
    return JSON.parse(readFileSync(join(this.folder, 'credentials.json'), 'utf8')) as Credentials;
  }

  /** Waits until the service serves, or the run is over: then it is false. */
  async serves(): Promise<boolean> {
    const state = { over: false };
    void this.ended().then(() => (state.over = true));
    try {
      await until('the server serves', () => state.over || this.#output.includes('Ctrl-C stops.'));
    } catch (error) {
      await this.killAll();
      throw error;
    }
    return !state.over;
  }

  /** The id that a process of the run has left in a file of the folder. */
  idOf(file: 'server.pid' | 'workerd.pid'): number {
    return Number(readFileSync(join(this.folder, file), 'utf8'));
  }

  /** Signals the one process that was started, as a supervisor would. */
  async stop(signal: 'SIGTERM' | 'SIGINT'): Promise<End> {
    this.process.kill(signal);
    return this.ended();
  }

  /** Signals every process of the run, as a terminal does. */
  signalAll(signal: 'SIGTERM' | 'SIGINT'): void {
    process.kill(-this.#group(), signal);
  }

  /** Ends every process of the run at once, as a power failure would. */
  async killAll(): Promise<void> {
    try {
      process.kill(-this.#group(), 'SIGKILL');
    } catch {
      // None is left.
    }
    await until('all processes are gone', () => !isAlive(-this.#group()));
  }

  ended(): Promise<End> {
    return this.#end;
  }

  #group(): number {
    const { pid } = this.process;
    if (pid === undefined) throw new Error('The process was never started.');
    return pid;
  }
}

/** Settings of a start beside its folder and port. */
export type Settings = Readonly<Record<string, string>>;

export type Program = readonly [command: string, ...args: string[]];

/** What somebody types, with all processes between it and the server; and the server alone, which is there sooner. */
export const NPM_START: Program = ['npm', 'start', '--silent'];
export const SERVER: Program = [process.execPath, 'scripts/serve.ts'];

/** Runs the service on a folder, and waits for nothing. */
export function launch(
  folder: string,
  port: number,
  settings: Settings = {},
  [command, ...args] = NPM_START,
): Started {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), DATA_DIR: folder, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  return new Started(child, folder);
}

/** Runs `npm start` on a folder and waits until the service serves: it prints so once its credentials are written. */
export async function start(folder: string, port: number, settings: Settings = {}): Promise<Started> {
  const started = launch(folder, port, settings);
  if (await started.serves()) return started;
  throw new Error(`The server ended at once:\n${started.output}`);
}

/** True while the process, or with a negative id any process of the group, is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until something holds; fails past a deadline. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`Waited too long until ${what}.`);
    await wait(20);
  }
}

/**
 * Ports that no system gives out by itself: Linux begins at 32,768. Between two starts on one port, nobody else's
 * connection takes it.
 */
const PORTS = { from: 20_000, count: 10_000 };

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.from + randomInt(PORTS.count);
    if (await isFree(port)) return port;
  }
}

/** True when nothing listens on the port. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

/** An empty folder, and how to remove it. */
export function temporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'foredge-start-'));
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true });
    },
  };
}
