/**
 * The run of restores: an application has a backup, changes, and is restored, with every process killed at a random
 * moment of that. Restored once more, it is what the backup holds; the files are sound after each death.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Client } from '../support/client.ts';
import { add, operate } from '../support/operations.ts';
import { ROOT } from '../support/started.ts';
import { clientOf, Starts } from '../support/starts.ts';
import { lookIntoFiles } from './files.ts';
import { Random } from './random.ts';
import type { Figures, Limits } from './run.ts';

const LISTS = 10;
const OF_LIST = 200;
const TYPE = 'restored';
/** Milliseconds of a restore in which it is killed. */
const LONGEST = 1_500;

export async function runRestores({
  seed,
  kills,
  until,
}: Limits & { readonly kills: number }): Promise<Figures> {
  const starts = await Starts.prepare();
  const bucket = mkdtempSync(join(tmpdir(), 'foredge-restores-'));
  const random = new Random(seed);
  const tally = { kills: 0, amid: 0, compared: 0, files: 0 };
  const app = (...args: string[]) =>
    promisify(execFile)(process.execPath, [join(ROOT, 'scripts/app.ts'), ...args], {
      env: { ...process.env, FOREDGE_URL: '', OPERATOR_SECRET: '', DATA_DIR: starts.folder },
      maxBuffer: 1 << 28,
    });
  const start = () => starts.run({ BACKUP_DIR: bucket });
  try {
    const first = await start();
    const { application } = clientOf(first);
    await fill(clientOf(first));
    await app('backup', application);
    const { stdout: expected } = await app('export', application);
    await first.killAll();
    for (; tally.kills < kills && Date.now() < until; tally.kills += 1) {
      const server = await start();
      const { application_id: into } = JSON.parse((await app('create', 'into')).stdout) as Readonly<
        Record<'application_id', string>
      >;
      const restoring = app('restore', application, '--into', into).then(
        () => true,
        () => false,
      );
      await wait(random.below(LONGEST));
      await server.killAll();
      if (!(await restoring)) tally.amid += 1;
      const { files, faults } = lookIntoFiles(starts.folder);
      if (faults.length > 0) throw new Error(faults.join('; '));
      tally.files += files;
      const again = await start();
      await app('restore', application, '--into', into);
      const documents = (text: string) =>
        text.split('\n').filter((line) => line.startsWith(`{"type":"${TYPE}"`));
      const [held, found] = [expected, (await app('export', into)).stdout].map(documents);
      if (held?.length !== LISTS * OF_LIST || found?.join('\n') !== held.join('\n'))
        throw new Error(`${found?.length ?? 0} documents are there, not as the backup has them.`);
      tally.compared += held.length;
      await again.killAll();
    }
  } catch (error) {
    throw new Error(`The run of restores of seed ${seed} failed.`, { cause: error });
  } finally {
    await starts.end();
    rmSync(bucket, { recursive: true, force: true });
  }
  return {
    Kills: tally.kills,
    'of them amid a restore': tally.amid,
    'Documents compared': tally.compared,
    'Files looked into after a death': tally.files,
  };
}

async function fill(client: Client): Promise<void> {
  for (let list = 0; list < LISTS; list += 1) {
    const operations = Array.from({ length: OF_LIST }, (_, n) => add(TYPE, { list, n, words: `ash ${n}` }));
    const { status, text } = await operate(client, operations);
    if (status !== 200) throw new Error(text);
  }
}
