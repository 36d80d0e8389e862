/** Users do not lock themselves out: who takes a way in away keeps another (docs/accounts.md#identity-providers). */
import { NO_PASSWORD } from '../../../auth/passwords.ts';
import { collectionOf } from '../../../collection/rpc/client.ts';
import { everyOf } from '../../../collection/rpc/maintenance/applications.ts';
import type { Document } from '../../../domain/documents.ts';
import { readId, type DocumentId } from '../../../domain/ids.ts';
import { fail, ok, type Outcome } from '../../../domain/problems.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { isUnderAcl } from '../../../domain/secrets.ts';
import { CORE } from '../../../domain/types.ts';
import { memberOf } from '../../../domain/values/tree.ts';
import type { RequestContext } from '../../endpoint.ts';
import { textAt } from './settings.ts';

/** Refuses where a user takes the last one; a key without ACL may. */
export async function keepsWayIn(
  { id: leaving, attributes }: Document,
  context: RequestContext,
): Promise<Outcome<unknown>> {
  const user = readId(textAt(attributes, 'user') ?? '');
  if (!isUnderAcl(context.access) || user === undefined) return ok(null);
  const read = await collectionOf(context, CORE.user).read(user, TRUSTED);
  if (read.state !== 'found') return ok(null);
  const [password, email] = ['password', 'confirmed-email'].map((name) =>
    memberOf(read.document.attributes, name),
  );
  const hasOther = password !== NO_PASSWORD || typeof email === 'string';
  if (hasOther || (await hasMore(context, user, leaving))) return ok(null);
  return fail('last-way-in', 'Add a passkey, an identity, a password or a confirmed address first.');
}

async function hasMore(context: RequestContext, user: DocumentId, leaving: DocumentId): Promise<boolean> {
  for (const type of [CORE.identity, CORE.passkey]) {
    const owned = everyOf(context, type, { op: 'eq', path: ['user'], value: user });
    for await (const { id } of owned) if (id !== leaving) return true;
  }
  return false;
}
