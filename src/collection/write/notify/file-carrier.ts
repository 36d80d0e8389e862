/** Deletes the files that documents have given up (webhooks.ts), if nothing else links to them. */
import { storedId } from '../../../domain/ids.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { CORE } from '../../../domain/types.ts';
import { collectionOf } from '../../rpc/client.ts';
import { attachingTypes, everyOf, hasFile } from '../../rpc/maintenance/applications.ts';
import { within, type Carrier } from './deliveries.ts';
import type { Ground } from '../ground.ts';

/** Deletes files that no document has any more. */
export function fileCarrier(ground: Ground): Carrier {
  return within(ground, async (caller, { key }, own) => {
    const id = storedId(key);
    const types = await attachingTypes(caller);
    // The setting may have ended since.
    if (!types.some(({ type }) => type === own.type)) return { state: 'delivered' };
    for (const each of types) {
      const had = await everyOf(caller, each.type, hasFile(each, id), 1).next();
      if (had.done !== true) return { state: 'delivered' };
    }
    const precondition = { ...TRUSTED, ifMatch: null, unclaimed: true } as const;
    const removed = await collectionOf(caller, CORE.file).remove(id, precondition);
    if (removed.ok || removed.problems.some(({ code }) => code === 'document-not-found')) {
      return { state: 'delivered' };
    }
    // A document that was not there when its type was asked may have it soon. What refuses for good holds up no other.
    const isFinal = removed.problems.some(({ code }) => code === 'rule-violated');
    return {
      state: 'failed',
      failure: removed.problems.map(({ detail }) => detail).join(' '),
      ...(isFinal && { isFinal }),
    };
  });
}
