/**
 * Sessions: what both sides of a call to one know. A session is the object of one holder, a user or external user of an
 * application. It remembers whether the holder's tokens stand and which groups the holder is in, for as long as its lease
 * on that lasts; so the collections that all users share are not asked at every request.
 */
import { keyOf, type Link } from '../../domain/documents.ts';
import type { ApplicationId, DocumentId } from '../../domain/ids.ts';
import { CORE, type HolderType } from '../../domain/types.ts';
import { collectionOf } from './client.ts';
import type { Environment } from './environment.ts';
import { spareStub } from './objects.ts';

export interface SessionName {
  readonly application: ApplicationId;
  readonly holder: Link & { readonly type: HolderType };
}

/** What decides about one token of the holder. */
export interface TokenOfHolder {
  readonly id: DocumentId;
  /** The version of the holder's document that the token was made for. */
  readonly version: number;
}

export interface Standing {
  /** False for a token that has ended; it never stands again. */
  readonly stands: boolean;
  /** The groups that the holder is in. */
  readonly groups: readonly DocumentId[];
}

export interface SessionObject extends Rpc.DurableObjectBranded {
  /** What holds now: no change that was answered before this call is missing. */
  ask(name: SessionName, token: TokenOfHolder): Promise<Standing>;
  /** To be called after the holder, its tokens or its groups have changed: what was told before counts no more. */
  changed(): void | Promise<void>;
}

/**
 * The session of a holder; null where so many objects are in use that this one must not be woken (it is not awake then,
 * and relies on nothing).
 */
export function sessionOf(
  environment: Pick<Environment, 'SESSIONS'>,
  { application, holder }: SessionName,
): DurableObjectStub<SessionObject> | null {
  return spareStub(environment, environment.SESSIONS, application, `${holder.type}/${holder.id}`);
}

/** What a session says of a token. Without a session the collections are asked: they know best, but all users share them. */
export async function standingOf(
  environment: Pick<Environment, 'SESSIONS' | 'COLLECTIONS'>,
  name: SessionName,
  token: TokenOfHolder,
): Promise<Standing> {
  const session = sessionOf(environment, name);
  return session === null ? standingInCollections(environment, name, token) : session.ask(name, token);
}

export async function standingInCollections(
  environment: Pick<Environment, 'COLLECTIONS'>,
  { application, holder }: SessionName,
  token: TokenOfHolder,
): Promise<Standing> {
  const asker = { environment, application };
  const [stands, groups] = await Promise.all([
    collectionOf(asker, holder.type).vouches(holder, token.version, token.id),
    collectionOf(asker, CORE.userGroup).groupsOf(keyOf(holder)),
  ]);
  return { stands, groups };
}
