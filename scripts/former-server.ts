/** Ends what is left of an earlier server on the same folder: two of them must never write to the same data. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Stops the processes whose ids are in these files, as far as they are ours, and removes the files. */
export async function stopFormerServer(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : NaN;
    if (Number.isInteger(pid) && pid > 0 && isOurs(pid)) {
      console.error(`Stopping the server that was running on this folder (process ${pid}).`);
      await end(pid);
    }
    rmSync(file, { force: true });
  }
}

/** A process id may have passed on to a stranger since: its command line tells. */
function isOurs(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return command.includes('workerd') || command.includes('serve.ts');
  } catch {
    return false;
  }
}

async function end(pid: number): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    try {
      process.kill(pid, signal);
      for (let tries = 0; tries < 50; tries += 1) {
        process.kill(pid, 0);
        await wait(100);
      }
    } catch {
      return; // It is gone.
    }
  }
}
