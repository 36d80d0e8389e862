/** Deletes the files that documents have given up (webhooks.ts), if nothing else links to them. */
import { storedId, type DocumentId } from '../../../domain/ids.ts';
import { ok } from '../../../domain/problems.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { CORE } from '../../../domain/types.ts';
import { encodeText } from '../../../domain/values/codec.ts';
import { collectionOf } from '../../rpc/client.ts';
import { attachingTypes, hasFile, type Attaching } from '../../rpc/maintenance/applications.ts';
import { within, type Carrier } from './deliveries.ts';
import type { Ground } from '../ground.ts';

/** Deletes files that no document has any more. */
export function fileCarrier(ground: Ground): Carrier {
  return within(ground, async (caller, { key }, own) => {
    const id = storedId(key);
    const types = await attachingTypes(caller);
    // The setting may have ended since.
    if (!types.some(({ type }) => type === own.type)) return { state: 'delivered' };
    for (const each of types) if (await isHad(caller, each, id)) return { state: 'delivered' };
    const precondition = { ...TRUSTED, ifMatch: null, unclaimed: true } as const;
    const removed = await collectionOf(caller, CORE.file).remove(id, precondition);
    if (!removed.ok && removed.problems.some(({ code }) => code === 'change-refused')) {
      // A document that was not there yet when its type was asked may have it soon.
      return { state: 'failed', failure: 'Somebody is about to link to the file.' };
    }
    return { state: 'delivered' };
  });
}

async function isHad(
  caller: Parameters<typeof collectionOf>[0],
  attaching: Attaching,
  id: DocumentId,
): Promise<boolean> {
  const condition = encodeText(hasFile(attaching, id));
  const page = { offset: 0, limit: 1, counted: false } as const;
  const request = { condition, sort: [], page, ...TRUSTED, hidden: [] };
  const found = await collectionOf(caller, attaching.type).list(request, (list) => Promise.resolve(ok(list)));
  if (!found.ok) throw new Error(`The documents of type ${attaching.type} can not be searched.`);
  return found.value.documents.length > 0;
}
