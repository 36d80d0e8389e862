/**
 * What a request with an `Idempotency-Key` is told again from: the key of the API, the user, the path and the header
 * together, and the body. The digest of the body is made with a secret: a body may hold a password, which nobody who
 * reads the storage may find by trying.
 */
import { signerOf } from '../../../auth/credentials.ts';
import type { Once } from '../../../collection/rpc/writes/operations.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { keyOf } from '../../../domain/documents.ts';
import { textOfParsed } from '../../../domain/values/json.ts';
import { sha256 } from '../../../domain/values/sha256.ts';
import type { RequestContext } from '../../endpoint.ts';

/** Null for a request without the header. */
export async function onceOf(context: RequestContext): Promise<Once | null> {
  const { access, apiKey, application, body, environment, idempotencyKey, path } = context;
  if (idempotencyKey === null) return null;
  // Not only under ACL: rules look at the user, and so do the permissions of the operations in a list.
  const user = access.holder === null ? null : keyOf(access.holder.token.holder);
  const { sealer } = await signerOf(environment);
  const bounds = { purpose: 'request body', application, about: [] } as const;
  return {
    key: sha256(JSON.stringify([apiKey, user, path, idempotencyKey])),
    sender: senderOf(apiKey, user),
    digests: await sealer.digests(bounds, textOfParsed(body)),
  };
}

/** The sender of requests: an API key, null for the operator, and a user, as `keyOf` writes it. */
export function senderOf(apiKey: DocumentId | null, user: string | null): string {
  return sha256(JSON.stringify([apiKey, user]));
}
