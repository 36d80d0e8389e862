/** How sessions are asked, and the collections where a session cannot be. */
import { keyOf } from '../../../domain/documents.ts';
import { CORE } from '../../../domain/types.ts';
import { collectionOf } from '../client.ts';
import type { Environment } from '../environment.ts';
import { spareStub } from '../objects.ts';
import type { SessionName, SessionObject, TokenStanding, TokenOfHolder } from './contract.ts';

/**
 * The session of a holder; null if so many objects are in use that it must not be woken (asleep, it relies on nothing).
 */
export function sessionOf(
  environment: Pick<Environment, 'SESSIONS'>,
  { application, holder }: SessionName,
): DurableObjectStub<SessionObject> | null {
  return spareStub(environment, environment.SESSIONS, application, `${holder.type}/${holder.id}`);
}

/** Uses of tokens are told to the hour: since 1970. */
export const hourNow = () => Math.floor(Date.now() / 3_600_000);

/** What a session says of a token. Without one the collections are asked: they know best, but all users share them. */
export async function standingOf(
  environment: Pick<Environment, 'SESSIONS' | 'COLLECTIONS'>,
  name: SessionName,
  token: TokenOfHolder,
): Promise<TokenStanding> {
  const session = sessionOf(environment, name);
  return session === null ? standingInCollections(environment, name, token) : session.ask(name, token);
}

export async function standingInCollections(
  environment: Pick<Environment, 'COLLECTIONS'>,
  { application, holder }: SessionName,
  token: TokenOfHolder,
): Promise<TokenStanding> {
  const caller = { environment, application };
  const [stands, groups] = await Promise.all([
    collectionOf(caller, holder.type).calls.vouches(holder, token.version, token.id),
    collectionOf(caller, CORE.userGroup).calls.groupsOf(keyOf(holder)),
  ]);
  return { stands, groups };
}
