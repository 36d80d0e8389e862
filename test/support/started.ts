/** The service as `npm start` runs it, in a process tree of its own, for tests of that promise. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export const ROOT = join(import.meta.dirname, '../..');

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
    this.#end = once(child, 'exit').then(([code, signal]: unknown[]) => ({
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

  /** The id that a process of the run has left in a file of the folder. */
  idOf(file: 'server.pid' | 'workerd.pid'): number {
    return Number(readFileSync(join(this.folder, file), 'utf8'));
  }

  /** Signals the one process that was started, as a supervisor would. */
  async stop(signal: 'SIGTERM' | 'SIGINT'): Promise<End> {
    this.process.kill(signal);
    return this.ended();
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

/** Runs `npm start` on a folder and waits until the service serves, which its credentials file says. */
export async function start(folder: string, port: number): Promise<Started> {
  const file = join(folder, 'credentials.json');
  // A run that was killed has left its own.
  rmSync(file, { force: true });
  const child = spawn('npm', ['start', '--silent'], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const started = new Started(child, folder);
  const state = { over: false };
  void started.ended().then(() => (state.over = true));
  try {
    await until('the credentials are written', () => state.over || existsSync(file));
  } catch (error) {
    await started.killAll();
    throw error;
  }
  if (state.over) throw new Error(`The server ended at once:\n${started.output}`);
  return started;
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
  const deadline = Date.now() + 45_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`Waited too long until ${what}.`);
    await wait(20);
  }
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The port is not known.');
  return address.port;
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
