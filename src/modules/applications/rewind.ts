/** `POST …/history/{name}` of an application: all its collections go back to a moment. */
import { refreshKey } from '../../auth/keys.ts';
import { collectionOf } from '../../collection/rpc/client.ts';
import { allowErasing, typesOf } from '../../collection/rpc/maintenance/applications.ts';
import { fail, ok } from '../../domain/problems.ts';
import { settingsOf } from '../../domain/environment/settings.ts';
import { CORE } from '../../domain/types.ts';
import type { Handler } from '../endpoint.ts';
import { inTurns } from '../in-turns.ts';
import { timeOf } from './backups/names.ts';
import { applicationInside } from './transfer/types.ts';

/** Milliseconds that a lease is given beyond its time: clocks do not run alike. */
const LEASE_MARGIN = 1_000;

/** How long the platform keeps the past: 30 days, in milliseconds. */
const KEPT = 30 * 86_400_000;

export const rewindApplication: Handler = async (context) => {
  const { name } = context.parameters;
  const time = timeOf(name);
  const now = Date.now();
  if (time === undefined) {
    return fail('not-found', `A moment is written as 2026-11-22T03-17-00Z, not ${name}.`);
  }
  if (time > now || time < now - KEPT) return fail('not-found', 'No moment but of the last 30 days is kept.');
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
