/** Users do not lock themselves out: who takes a way in away keeps another (docs/accounts.md#identity-providers). */
import { NO_PASSWORD } from '../../../auth/passwords.ts';
import { collectionOf, transact } from '../../../collection/rpc/client.ts';
import { everyOfUser } from '../../../collection/rpc/maintenance/applications.ts';
import { byType } from '../../../collection/rpc/writes/transactions.ts';
import type { Link } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { fail, failed, ok, type Outcome } from '../../../domain/problems.ts';
import { principalOf, TRUSTED } from '../../../domain/rules.ts';
import { isUnderAcl } from '../../../domain/secrets.ts';
import { CORE } from '../../../domain/types.ts';
import { deleteDocument } from '../../documents/handlers.ts';
import { preconditionOf } from '../../documents/write/written.ts';
import type { Fields } from '../../../domain/values/values.ts';
import type { Answer, Handler, RequestContext } from '../../endpoint.ts';
import { isFresh, logInAgain, mailOfChange, userOf } from './begun.ts';
import { accountSettings, ownOf, type HeldSettings } from './settings.ts';
import { textAt } from '../../../domain/values/tree.ts';

/** Deletes a passkey or an identity, of which its user hears; a key without ACL may delete all. */
export const deleteWayIn: Handler = async (context) => {
  const { access, parameters } = context;
  if (!isUnderAcl(access)) return deleteDocument(context);
  // Else who has stolen a token takes a second way away, and comes in by the other.
  if (!isFresh(context)) return logInAgain();
  const { type, id } = parameters;
  const [admitted, way, settings] = await Promise.all([
    collectionOf(context, type).allows(id, 'delete', preconditionOf(context)),
    ownOf(context, type).read(id),
    accountSettings(context),
  ]);
  if (!admitted.ok) return admitted;
  const owner = textAt(way?.attributes ?? {}, 'user');
  // A right on it outlives a stolen token that has given it away.
  if (access.viewer !== null && owner !== undefined && owner !== userOf(context))
    return fail('forbidden', 'Users can only remove their own ways to log in.', { header: 'Authorization' });
  const user = await ownOf(context, CORE.user).read(owner);
  if (user === null) return deleteDocument(context);
  const deleted = logsInByName(user.attributes, settings)
    ? await deleteDocument(context)
    : await deleteBeside(context, user.id);
  if (deleted.ok && settings !== null) await mailOfChange(context, settings, user);
  return deleted;
};

/** Where its user has nothing else, another one must be there when it goes. */
async function deleteBeside(context: RequestContext, user: DocumentId): Promise<Outcome<Answer>> {
  const { id } = context.parameters;
  for (const other of [CORE.identity, CORE.passkey]) {
    for await (const each of everyOfUser(context, other, user)) {
      const removed = each.id === id ? null : await removeBeside(context, { type: other, id: each.id });
      if (removed !== null) return removed;
    }
  }
  return fail('last-way-in', 'Add a passkey, an identity, a password or a confirmed address first.');
}

/** Whether somebody logs in by a name and a password, or by mail. */
export function logsInByName(
  attributes: Fields,
  settings: Pick<HeldSettings, 'logInByMail' | 'logInByPassword'> | null = null,
): boolean {
  const [password = NO_PASSWORD, email] = ['password', 'confirmed-email'].map((name) =>
    textAt(attributes, name),
  );
  if (settings?.logInByPassword === false) return email !== undefined && settings.logInByMail;
  return password !== NO_PASSWORD || email !== undefined;
}

/** Removes the request's document while another one is there, in one transaction; null where that one has gone. */
async function removeBeside(context: RequestContext, other: Link): Promise<Outcome<Answer> | null> {
  const { type, id } = context.parameters;
  const { ifMatch, ...principal } = preconditionOf(context);
  const actors = [principalOf(principal), TRUSTED].map((each) => ({ ...each, owners: [], creator: null }));
  const operations = [
    { type: other.type, kind: 'test', actor: 1, id: other.id, ifMatch: null },
    { type, kind: 'remove', actor: 0, id, ifMatch },
  ] as const;
  const shares = Array.from(
    Map.groupBy(operations, (each) => each.type),
    ([of, own]) => ({ type: of, list: { actors, operations: own } }),
  );
  const written = await transact(context, byType(shares), null);
  if (written.ok) return ok({ status: 204 });
  const { at, problems } = written.failure;
  const failing = at === null ? undefined : byType(shares)[written.share]?.list.operations[at];
  return failing?.kind === 'test' ? null : failed(...problems);
}
