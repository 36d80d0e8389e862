/** The operator's endpoints for backups, and for going back in time. The application may be gone. */
import { pathOfType } from '../../../domain/addresses/paths.ts';
import { CORE } from '../../../domain/types.ts';
import type { Endpoint, RequestContext, Handler } from '../../endpoint.ts';
import { fail, ok, type Outcome } from '../../../domain/problems.ts';
import { settingsOf } from '../../../domain/environment/settings.ts';
import { backUpStep } from './back-up.ts';
import { backupsOf, keyOfBackup, timeOf } from './names.ts';
import { backupsIn, deleteOld } from './run.ts';
import { refreshKey } from '../../../auth/keys.ts';
import { collectionOf } from '../../../collection/rpc/client.ts';
import { allowErasing, typesOf } from '../../../collection/rpc/maintenance/applications.ts';
import { inTurns } from '../../in-turns.ts';
import { applicationInside } from '../transfer/types.ts';

/** Milliseconds that a lease is given beyond its time: clocks do not run alike. */
const LEASE_MARGIN = 1_000;

/** How long the platform keeps the past: 30 days, in milliseconds. */
const RETENTION = 30 * 86_400_000;

/** All collections of an application go back to a moment. */
const rewindApplication: Handler = async (context) => {
  const { name } = context.parameters;
  const time = timeOf(name);
  const now = Date.now();
  if (time === undefined) {
    return fail('not-found', `A moment is written as 2026-11-22T03-17-00Z, not ${name}.`);
  }
  if (time > now || time < now - RETENTION)
    return fail('not-found', 'Only moments of the last 30 days are kept.');
  const inside = await applicationInside(context);
  if (!inside.ok) return inside;
  const caller = inside.value;
  const allowed = await allowErasing(caller);
  if (!allowed.ok) return allowed;
  // The registry only grows, so it has all types that there were.
  const types = [...new Set([CORE.typeRegistry, CORE.apiKey, ...(await typesOf(caller))])];
  const bookmarks = await inTurns(types, async (type) => {
    const bookmark = await collectionOf(caller, type).calls.bookmark(time);
    return bookmark === null ? [] : [{ type, bookmark }];
  });
  if (bookmarks.some((found) => found.length === 0)) {
    const detail = 'The service keeps no past of its data: only Cloudflare does. Restore a backup.';
    return fail('not-found', detail);
  }
  const rewound = await inTurns(bookmarks.flat(), async ({ type, bookmark }) => ({
    type,
    ids: await collectionOf(caller, type).prepareRewind(bookmark),
  }));
  // Writes are refused by now. An object that begins again has what it had then.
  await inTurns(types, async (type) => collectionOf(caller, type).beginAgain());
  const again = { ...caller };
  await inTurns(rewound, async ({ type, ids }) => collectionOf(again, type).calls.finishRewind(ids));
  const keys = rewound.flatMap(({ type, ids }) => (type === CORE.apiKey ? ids : []));
  await Promise.all(keys.map((id) => refreshKey(again.environment, again.application, id)));
  // Sessions rely on what they were told before, until their leases have ended.
  await scheduler.wait(settingsOf(context.environment).sessionLease + LEASE_MARGIN);
  return ok({ status: 200, document: { meta: { at: name, types: types.length } } });
};

/** Seconds after which to look again whether another run has made the backup. */
const AGAIN = 10;

const listBackups: Handler = async (context) => {
  const bucket = bucketOf(context);
  if (!bucket.ok) return bucket;
  const backups = await backupsOf(bucket.value, context.parameters.id);
  return ok({ status: 200, document: { meta: { backups: backups.map((each) => ({ ...each })) } } });
};

/** Goes on with a backup for some seconds: whoever asks repeats it until the backup is whole. */
const makeBackup: Handler = async (context) => {
  const { environment, parameters, query } = context;
  const settings = settingsOf(environment);
  const backups = backupsIn(environment, settings);
  if (backups === null) return noBucket();
  const step = await backUpStep(backups, parameters.id, query.single.has('history'));
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

const readBackup: Handler = async (context) => {
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

const BACKUPS = `${pathOfType(CORE.application)}/{id}/backups`;

export const BACKUP_ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'GET',
    path: BACKUPS,
    summary: 'Lists the backups of an application',
    answers: { 200: 'backups' },
    problems: ['not-configured'],
    handle: listBackups,
  },
  {
    method: 'POST',
    path: BACKUPS,
    summary: 'Begins a backup of an application, or continues one for some seconds',
    parameters: ['history'],
    answers: { 200: 'backup' },
    problems: ['document-not-found', 'request-in-progress', 'not-configured'],
    handle: makeBackup,
  },
  {
    method: 'GET',
    path: `${BACKUPS}/{name}`,
    summary: 'Reads a backup: a compressed file of lines of JSON',
    file: 'application/gzip',
    answers: { 200: 'file' },
    problems: ['not-configured'],
    handle: readBackup,
  },
  {
    method: 'POST',
    path: `${pathOfType(CORE.application)}/{id}/history/{name}`,
    summary: 'Resets an application to a moment of the last 30 days',
    answers: { 200: 'rewound' },
    problems: ['document-not-found', 'history-held'],
    handle: rewindApplication,
  },
];
