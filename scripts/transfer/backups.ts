/** Backups in the bucket of a service: making one, choosing one, and having one as a file. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { timeOf } from '../../src/modules/applications/backups/names.ts';
import { Failure } from '../failure.ts';
import type { Progress } from './progress.ts';
import type { BackupHeld, Service } from './service.ts';

/** Milliseconds between two looks whether another run is done. */
const AGAIN = 5_000;

/** Makes a backup of an application; where another run makes one, waits for that. */
export async function backUp(
  service: Service,
  application: string,
  history: boolean,
  progress: Progress,
): Promise<{ readonly name: string; readonly lines: number }> {
  const all = (await service.types(application)).reduce((sum, { documents }) => sum + documents, 0);
  try {
    for (;;) {
      const made = await service.backUp(application, history);
      if (made?.whole === true) return { name: made.backup, lines: made.lines };
      if (made === null) await wait(AGAIN);
      else progress.show(made.backup, made.lines / Math.max(1, all), made.lines);
    }
  } finally {
    progress.end();
  }
}

/** The name of the backup that is asked for: the last one, if nothing says otherwise. */
export function chosen(
  backups: readonly BackupHeld[],
  { at, name }: { readonly at: string | null; readonly name: string | null },
): string {
  if (at !== null && name !== null) throw new Failure('Name a time or a backup, not both.');
  const until = at === null ? Infinity : Date.parse(at);
  if (Number.isNaN(until)) throw new Failure('--at takes a time such as 2026-11-22T03:17:00Z.');
  const found =
    name === null
      ? backups.findLast((each) => (timeOf(each.name) ?? Infinity) <= until)
      : backups.find((each) => each.name === name);
  if (found === undefined)
    throw new Failure('There is no such backup: the command backups lists those there are.');
  return found.name;
}

/** Lends a backup as a file, which goes afterwards. */
export async function withBackup(
  service: Service,
  application: string,
  name: string,
  use: (file: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'foredge-restore-'));
  try {
    const file = join(folder, `${name}.ndjson.gz`);
    await service.download(application, name, file);
    await use(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
