/** A server loses its folder, and an application comes back from its backup: the commands of docs/backups.md. */
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runApp } from '../../support/app.ts';
import { makeRich } from '../../support/rich-application.ts';
import { clientOf } from '../../support/starts.ts';
import { newFolder, newStarts } from '../../support/scope.ts';

const bucket = newFolder();
const starts = await newStarts();

/** Runs the operator's command on the data folder. */
const app = (...args: string[]) =>
  runApp(args, { FOREDGE_URL: '', OPERATOR_SECRET: '', DATA_DIR: starts.folder });

test('a backup is taken, the folder is lost, and what is restored is the same to the byte', async () => {
  const first = await starts.run({ BACKUP_DIR: bucket });
  const client = clientOf(first);
  const { application } = client;
  await makeRich(client);
  const { stdout: before } = await app('export', application);
  const made = await app('backup', application);
  const name = made.stdout.split(' ')[0] ?? '';
  expect(made.stdout).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ {2}\d+ documents and deletions\n$/);
  expect((await app('backups', application)).stdout).toMatch(new RegExp(`^${name} +[\\d,]+\\n$`));
  await first.stop('SIGTERM');
  rmSync(starts.folder, { recursive: true, force: true });

  const second = await starts.run({ BACKUP_DIR: bucket });
  expect((await app('list')).stdout).not.toContain(application);
  const restored = await app('restore', application);
  expect(restored.stderr).toMatch(
    new RegExp(`^Backup ${name}\\n\\d+ documents and deletions stored, 0 were there already\\n$`),
  );
  expect((await app('export', application)).stdout).toBe(before);
  // It can be run again, and by the name of the backup.
  expect((await app('restore', application, '--name', name)).stderr).toMatch(
    /\n0 documents and deletions stored/,
  );
  const other = (await app('create', 'other')).stdout;
  const into = (JSON.parse(other) as { application_id: string }).application_id;
  await app('restore', application, '--at', new Date().toISOString(), '--into', into);
  const types = (text: string) => text.split('\n').map((line) => /^\{"type":"note".*/.exec(line)?.[0] ?? '');
  expect(types((await app('export', into)).stdout).join('')).toBe(types(before).join(''));
  await second.stop('SIGTERM');
});

test('without a bucket the commands say so', async () => {
  const started = await starts.run();
  const { application } = clientOf(started);
  await expect(app('backup', application)).rejects.toThrow('The service has no bucket for backups');
  await expect(app('backups', application)).rejects.toThrow('The service has no bucket for backups');
  await started.stop('SIGTERM');
});
