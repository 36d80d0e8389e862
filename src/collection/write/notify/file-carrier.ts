/** Deletes the files that documents have given up (releases.ts), if nothing else links to them. */
import type { CollectionName } from '../../../domain/documents.ts';
import { storedId, type DocumentId } from '../../../domain/ids.ts';
import { ok } from '../../../domain/problems.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { CORE } from '../../../domain/types.ts';
import { encodeText } from '../../../domain/values/codec.ts';
import { collectionOf } from '../../rpc/client.ts';
import type { Environment } from '../../rpc/environment.ts';
import { attachingTypes, hasFile, type Attaching } from '../../rpc/maintenance/applications.ts';
import type { Carried, Carrier } from './deliveries.ts';

/** Deletes files that no document has any more. `own`: the collection whose documents had them. */
export function fileCarrier(environment: Environment, own: CollectionName | null): Carrier {
  return async ({ key }): Promise<Carried> => {
    if (own === null) return { state: 'gone' };
    const asker = { environment, application: own.application };
    const id = storedId(key);
    try {
      const types = await attachingTypes(asker);
      // The setting may have ended since.
      if (!types.some(({ type }) => type === own.type)) return { state: 'delivered' };
      for (const each of types) if (await isHad(asker, each, id)) return { state: 'delivered' };
      const asked = { ...TRUSTED, ifMatch: null, unclaimed: true } as const;
      const removed = await collectionOf(asker, CORE.file).remove(id, asked);
      if (!removed.ok && removed.problems.some(({ code }) => code === 'change-refused')) {
        // A document that was not there yet when its type was asked may have it soon.
        return { state: 'failed', failure: 'Somebody is about to link to the file.' };
      }
      return { state: 'delivered' };
    } catch (error) {
      return { state: 'failed', failure: error instanceof Error ? error.message : String(error) };
    }
  };
}

async function isHad(
  asker: Parameters<typeof collectionOf>[0],
  attaching: Attaching,
  id: DocumentId,
): Promise<boolean> {
  const condition = encodeText(hasFile(attaching, id));
  const page = { offset: 0, limit: 1, counted: false } as const;
  const request = { condition, sort: [], page, ...TRUSTED, hidden: [] };
  const found = await collectionOf(asker, attaching.type).list(request, (list) => Promise.resolve(ok(list)));
  if (!found.ok) throw new Error(`The documents of type ${attaching.type} can not be searched.`);
  return found.value.documents.length > 0;
}
