/**
 * Backups of all applications that are due: what a cron trigger starts. One application after the other, as a whole;
 * one that fails does not stop the others. A run ends before the platform would end it, and the next one goes on.
 */
import { idsOf } from '../../../collection/rpc/maintenance/applications.ts';
import { prefixOfDeleted } from '../../../collection/rpc/maintenance/contents.ts';
import type { Environment } from '../../../collection/rpc/environment.ts';
import { SYSTEM_APPLICATION, type DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { settingsOf, type Settings } from '../../../domain/environment/settings.ts';
import { CORE } from '../../../domain/types.ts';
import { backUpStep, STEP, type Backups, type BackupStep } from './back-up.ts';
import { backupsOf, keyOfBackup, pagesIn, timeOf } from './names.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Milliseconds by which a backup may come early: cron triggers do not come at the same second each time. */
const EARLY = HOUR / 2;

/** Milliseconds after which a run begins no further step; the platform ends it after 15 minutes. */
const ENOUGH = 10 * 60_000;

/** Milliseconds within which all collections of a process may be used once, where their number is limited. */
const ROUND = 30_000;

/** What a run tells of an application. */
export interface Reported {
  readonly application: string;
  readonly step: BackupStep | { readonly state: 'failed'; readonly error: unknown };
}

/** Where backups go; null without a bucket. */
export function backupsIn(
  environment: Pick<Environment, 'COLLECTIONS' | 'BACKUPS'>,
  { objectsAtOnce }: Settings,
): Backups | null {
  const { BACKUPS: bucket } = environment;
  if (bucket === undefined) return null;
  return { environment, bucket, step: STEP, pace: objectsAtOnce === null ? 0 : ROUND / objectsAtOnce };
}

export async function backUpAll(
  environment: Pick<Environment, 'COLLECTIONS' | 'BACKUPS'>,
  report: (reported: Reported) => void,
): Promise<void> {
  const settings = settingsOf(environment);
  const backups = backupsIn(environment, settings);
  if (backups === null) return;
  const begun = Date.now();
  const applications = await idsOf({ environment, application: SYSTEM_APPLICATION }, CORE.application);
  // One that ends each run that comes to it must not be before the same others each time.
  const first = Math.floor(Math.random() * applications.length);
  for (const application of [...applications.slice(first), ...applications.slice(0, first)]) {
    if (Date.now() - begun > ENOUGH) return;
    try {
      const since = Date.now() - settings.backupHours * HOUR + EARLY;
      if ((await backupsOf(backups.bucket, application, since)).length > 0) continue;
      const step = await backUpWhole(backups, application, begun + ENOUGH);
      report({ application, step });
      if (step.state === 'whole') await deleteOld(backups.bucket, application, settings.backupDays);
    } catch (error) {
      report({ application, step: { state: 'failed', error } });
    }
  }
}

async function backUpWhole(backups: Backups, application: DocumentId, until: number): Promise<BackupStep> {
  for (;;) {
    const step = await backUpStep(backups, application);
    if (step.state !== 'unfinished' || Date.now() > until) return step;
  }
}

/** Deletes the backups that are older than a number of days, but for the last one, and contents deleted before that. */
export async function deleteOld(bucket: R2Bucket, application: string, days: number): Promise<void> {
  const before = Date.now() - days * DAY;
  const prefix = prefixOfDeleted(application);
  for await (const objects of pagesIn(bucket, { prefix })) {
    const gone = objects.filter(({ uploaded }) => uploaded.getTime() < before).map(({ key }) => key);
    if (gone.length > 0) await bucket.delete(gone);
  }
  const old = (await backupsOf(bucket, application))
    .slice(0, -1)
    .filter(({ name }) => (timeOf(name) ?? before) < before)
    .map(({ name }) => keyOfBackup(application, name));
  for (let at = 0; at < old.length; at += LIMITS.pageSize) {
    await bucket.delete(old.slice(at, at + LIMITS.pageSize));
  }
}
