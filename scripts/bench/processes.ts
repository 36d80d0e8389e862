/** The processes that a run starts. None of them outlives it, however it ends. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const running = new Set<ChildProcess>();
const folders = new Set<string>();

export interface Started {
  readonly process: ChildProcess;
  /** What the ready pattern has matched. */
  readonly match: RegExpMatchArray;
}

export interface StartOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The process is ready when its output matches. */
  readonly ready: RegExp;
  readonly cwd?: string;
}

const PATIENCE = 60_000;

/** Starts a process and waits until it says that it is ready. A channel tells our own when this process is gone. */
export function start({ command, args, environment, ready, cwd }: StartOptions): Promise<Started> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...environment },
    ...(cwd !== undefined && { cwd }),
  });
  running.add(child);
  return new Promise((resolve, reject) => {
    let output = '';
    const name = [command, ...args].join(' ');
    const giveUp = (reason: string) => {
      clearTimeout(timer);
      reject(new Error(`${name} ${reason}\n${output.slice(-2000)}`));
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      giveUp('was not ready in time.');
    }, PATIENCE);
    let isReady = false;
    const read = (chunk: Buffer) => {
      if (isReady) return;
      output += chunk.toString('utf8');
      const match = ready.exec(output);
      if (match === null) return;
      isReady = true;
      clearTimeout(timer);
      resolve({ process: child, match });
    };
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', read);
    child.on('error', (error) => {
      running.delete(child);
      giveUp(`could not be started: ${error.message}`);
    });
    child.on('exit', (code) => {
      running.delete(child);
      if (!isReady) giveUp(`ended with ${code ?? 'a signal'}.`);
    });
  });
}

/** A command that ends by itself. Throws with its output when it fails. */
export function run(command: string, args: readonly string[], cwd?: string): Promise<string> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  });
  running.add(child);
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer) => (output += chunk.toString('utf8'));
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('error', reject);
    child.on('close', (code) => {
      running.delete(child);
      if (code === 0) resolve(output);
      else
        reject(
          new Error(`${command} ${args.join(' ')} ended with ${code ?? 'a signal'}.\n${output.slice(-2000)}`),
        );
    });
  });
}

/** A folder that goes with the run. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'foredge-bench-'));
  folders.add(folder);
  return folder;
}

/** What a process takes of the memory, now or at its peak, in MiB; NaN where the system does not tell. */
export function memoryOf(processId: number, what: 'VmRSS' | 'VmHWM'): number {
  try {
    const text = readFileSync(`/proc/${processId}/status`, 'utf8');
    return Number(new RegExp(`^${what}:\\s*(\\d+)`, 'm').exec(text)?.[1] ?? NaN) / 1024;
  } catch {
    return NaN;
  }
}

/** Ends everything, first gently. */
export async function endAll(): Promise<void> {
  await Promise.all([...running].map(endProcess));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
}

function endProcess(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    child.on('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    // PostgreSQL takes SIGINT as the quick way down, the others as they do SIGTERM.
    if (!child.kill('SIGINT')) {
      clearTimeout(timer);
      resolve();
    }
  });
}

let interrupted = false;

/** True once the run was interrupted: what fails from then on fails for that. */
export function isInterrupted(): boolean {
  return interrupted;
}

/** Interrupted or abandoned, a run takes everything along. */
export function endOnSignals(): void {
  const leave = () => {
    if (interrupted) return;
    interrupted = true;
    console.error('Ending…');
    void endAll().finally(() => process.exit(130));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, leave);
  process.once('disconnect', leave);
  process.on('exit', () => {
    for (const child of running) child.kill('SIGKILL');
  });
}
