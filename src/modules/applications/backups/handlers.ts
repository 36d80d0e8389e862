/** The operator's requests about the backups of an application. It may be gone: its backups are there for that. */
import { fail, ok, type Outcome } from '../../../domain/problems.ts';
import { settingsOf } from '../../../domain/environment/settings.ts';
import type { RequestContext, Handler } from '../../endpoint.ts';
import { backUpStep } from './back-up.ts';
import { backupsOf, keyOfBackup, timeOf } from './names.ts';
import { backupsIn, deleteOld } from './run.ts';

/** Seconds after which to look again whether another run has made the backup. */
const AGAIN = 10;

export const listBackups: Handler = async (context) => {
  const bucket = bucketOf(context);
  if (!bucket.ok) return bucket;
  const backups = await backupsOf(bucket.value, context.parameters.id);
  return ok({ status: 200, document: { meta: { backups: backups.map((each) => ({ ...each })) } } });
};

/** Goes on with a backup for some seconds: whoever asks repeats it until the backup is whole. */
export const makeBackup: Handler = async (context) => {
  const { environment, parameters, query } = context;
  const settings = settingsOf(environment);
  const backups = backupsIn(environment, settings);
  if (backups === null) return noBucket();
  const step = await backUpStep(backups, parameters.id, query.history);
  if (step.state === 'no-application') {
    return fail('document-not-found', `There is no application ${parameters.id}.`);
  }
  if (step.state === 'held') {
    const detail = 'A backup of the application is being made.';
    return fail('request-in-progress', detail, undefined, { 'retry-after': AGAIN });
  }
  const { name, lines } = step;
  const whole = step.state === 'whole';
  if (whole) await deleteOld(backups.bucket, parameters.id, settings.backupDays);
  return ok({ status: 200, document: { meta: { backup: name, lines, whole } } });
};

export const readBackup: Handler = async (context) => {
  const bucket = bucketOf(context);
  if (!bucket.ok) return bucket;
  const { id, name } = context.parameters;
  // Other names may be none that a bucket takes.
  const object = timeOf(name) === undefined ? null : await bucket.value.get(keyOfBackup(id, name));
  if (object === null) return fail('not-found', `There is no backup ${name} of the application.`);
  return ok({ status: 200, file: object.body, confidential: true });
};

function bucketOf({ environment: { BACKUPS } }: RequestContext): Outcome<R2Bucket> {
  return BACKUPS === undefined ? noBucket() : ok(BACKUPS);
}

function noBucket() {
  return fail('not-configured', 'The service has no bucket for backups: bind one as BACKUPS.');
}
