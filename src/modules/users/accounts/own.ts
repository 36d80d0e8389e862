/** The service's own reads and writes of accounts, whoever asks: of documents that have attributes alone. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import type { CallContext } from '../../../collection/rpc/call-context.ts';
import { mergeOf } from '../../../collection/rpc/writes/operations.ts';
import { keyOf, type Document } from '../../../domain/documents.ts';
import { readId, type DocumentId } from '../../../domain/ids.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { CORE, type TypeName } from '../../../domain/types.ts';
import { memberOf } from '../../../domain/values/tree.ts';
import type { Fields } from '../../../domain/values/values.ts';
import type { RequestContext } from '../../endpoint.ts';

export function ownOf(caller: CallContext, type: TypeName) {
  const collection = collectionOf(caller, type);
  /** `version`: nobody has changed it since. */
  const since = (version?: number) => ({ ...TRUSTED, ifMatch: version === undefined ? null : [version] });
  return {
    find: (name: string, value: string) => collection.findUnique(name, value),
    read: async (text = ''): Promise<Document | null> => {
      const id = readId(text);
      const read = id && (await collection.read(id, TRUSTED));
      return read?.state === 'found' ? read.document : null;
    },
    /** `user`: whose it is. */
    add: (attributes: Fields, user?: DocumentId) =>
      collection.create({
        content: { attributes, relationships: {} },
        owners: user === undefined ? [] : [keyOf({ type: CORE.user, id: user })],
        rule: null,
      }),
    change: (id: DocumentId, attributes: Fields, version?: number) =>
      collection.update(id, mergeOf({ attributes, relationships: {} }, null), since(version)),
    remove: (id: DocumentId, version?: number) => collection.remove(id, since(version)),
  };
}

/** The action of the request, while it can be redeemed. */
export async function openDocument(context: RequestContext): Promise<Document | null> {
  const document = await ownOf(context, CORE.accountAction).read(context.parameters.id);
  const expires = document && memberOf(document.attributes, 'expires');
  return expires instanceof Date && expires.getTime() > Date.now() ? document : null;
}
