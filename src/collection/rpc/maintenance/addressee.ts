/** Whom an account action is about, and where they read mails. */
import { FACTOR, readAddress, UNDO_ADDRESS, type AccountAction } from '../../../domain/accounts/settings.ts';
import type { Document } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { CORE } from '../../../domain/types.ts';
import { memberOf } from '../../../domain/values/tree.ts';
import { collectionOf } from '../client.ts';
import type { Asker } from '../client-reads.ts';

interface Addressee {
  readonly user: DocumentId;
  readonly version: number;
  readonly username: string | null;
  /** That the user has chosen; null for none. */
  readonly language: string | null;
  readonly address: string;
  /** Whether the address belongs to another account. */
  readonly isTaken: boolean;
  readonly needsFactor: boolean;
}

/** Null where there is nobody. `action`: its id, which stands for whoever is invited. */
export async function addresseeOf(
  asker: Asker,
  { kind, email, user: former, username }: Pick<AccountAction, 'kind' | 'email' | 'user' | 'username'>,
  action: DocumentId,
): Promise<Addressee | null> {
  const users = collectionOf(asker, CORE.user);
  if ((kind === 'invite' || kind === UNDO_ADDRESS) && email !== null) {
    const isTaken = (await users.findUnique('confirmed-email', email)) !== null;
    return {
      user: former ?? action,
      version: 0,
      username: null,
      language: null,
      needsFactor: false,
      address: email,
      isTaken,
    };
  }
  if (kind !== 'confirm-address') {
    const owner = email === null ? null : await users.findUnique('confirmed-email', email);
    return owner === null || email === null ? null : { ...ofOwner(owner), address: email, isTaken: false };
  }
  const user = username === null ? null : await users.findUnique('username', username);
  const address = user === null ? undefined : readAddress(memberOf(user.attributes, 'email'));
  if (user === null || address === undefined) return null;
  const owner = await users.findUnique('confirmed-email', address);
  if (owner?.id === user.id) return null;
  return { ...ofOwner(user), address, isTaken: owner !== null };
}

function ofOwner({ attributes, id, version }: Pick<Document, 'attributes' | 'id' | 'version'>) {
  const [username = null, language = null] = ['username', 'language'].map((name) => {
    const value = memberOf(attributes, name);
    return typeof value === 'string' ? value : null;
  });
  return { user: id, version, username, language, needsFactor: memberOf(attributes, FACTOR) === true };
}
