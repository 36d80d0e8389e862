/** `POST …/history/{name}` of an application: all its collections go back to a moment. */
import { refreshKey } from '../../auth/keys.ts';
import { collectionOf } from '../../collection/rpc/client.ts';
import { allowErasing, typesOf } from '../../collection/rpc/maintenance/applications.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { fail, ok } from '../../domain/problems.ts';
import { settingsOf } from '../../domain/environment/settings.ts';
import { CORE, type TypeName } from '../../domain/types.ts';
import type { RequestContext, Handler } from '../endpoint.ts';
import { timeOf } from './backups/names.ts';
import { applicationInside } from './transfer/inside.ts';

/** Types that are asked at a time: each wakes an object. */
const AT_ONCE = 16;

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
  const found = await inTurns(types, async (type) => collectionOf(caller, type).calls.bookmark(time));
  const bookmarks = new Map<TypeName, string>();
  for (const [type, bookmark] of found) {
    if (bookmark === null) {
      return fail(
        'not-found',
        'The service keeps no past of its data: only Cloudflare does. Restore a backup.',
      );
    }
    bookmarks.set(type, bookmark);
  }
  const ids = await inTurns(types, async (type) =>
    collectionOf(caller, type).prepareRewind(bookmarks.get(type) ?? ''),
  );
  // Writes are refused by now. An object that begins again has what it had then.
  await inTurns(types, async (type) => collectionOf(caller, type).beginAgain());
  const again = { ...caller };
  await inTurns(types, async (type) => collectionOf(again, type).calls.finishRewind(ids.get(type) ?? []));
  await forgetKeys(again, ids.get(CORE.apiKey) ?? []);
  // Sessions rely on what they were told before, until their leases have ended.
  await scheduler.wait(settingsOf(context.environment).sessionLease + LEASE_MARGIN);
  return ok({ status: 200, document: { meta: { at: name, types: types.length } } });
};

async function forgetKeys(
  { environment, application }: RequestContext,
  ids: readonly DocumentId[],
): Promise<void> {
  await Promise.all(ids.map((id) => refreshKey(environment, application, id)));
}

/** What each type answers, some of them at a time. */
async function inTurns<T>(
  types: readonly TypeName[],
  rewind: (type: TypeName) => Promise<T>,
): Promise<ReadonlyMap<TypeName, T>> {
  const answers = new Map<TypeName, T>();
  for (let at = 0; at < types.length; at += AT_ONCE) {
    const some = types.slice(at, at + AT_ONCE);
    for (const [index, answer] of (await Promise.all(some.map(rewind))).entries()) {
      const type = some[index];
      if (type !== undefined) answers.set(type, answer);
    }
  }
  return answers;
}
