/**
 * The user of a request: the claims of its token, whether the token is still valid, and which groups the user is in.
 * The signature alone refuses forged and expired tokens. Every request asks the collections for the rest, in one
 * parallel step, because the end of a token or a membership must take effect at once.
 */
import { collectionOf } from '../collection/rpc/client.ts';
import type { Environment } from '../collection/rpc/environment.ts';
import { keyOf } from '../domain/documents.ts';
import { EVERYONE } from '../domain/rights.ts';
import { CORE, TOKEN_LIFETIME } from '../domain/types.ts';
import { signerOf, type TokenClaims } from './credentials.ts';
import type { ApplicationId } from '../domain/ids.ts';

export interface Holder {
  readonly token: TokenClaims;
  /** The user itself, its groups, and everyone. */
  readonly identities: readonly string[];
}

/** When a token ends by itself, in seconds since 1970. */
export function endOf({ created }: TokenClaims): number {
  return Math.floor(created / 1000) + TOKEN_LIFETIME;
}

/** The holder of `Authorization: Token <token>`, or null without a valid token. */
export async function holderOf(
  environment: Environment,
  application: ApplicationId,
  authorization: string | null,
): Promise<Holder | null> {
  const [, credential] = /^Token +([^\s]+)$/i.exec(authorization ?? '') ?? [];
  if (credential === undefined) return null;
  const signer = await signerOf(environment);
  const token = await signer.verify(credential);
  if (token?.kind !== 'token' || token.application !== application) return null;
  if (endOf(token) * 1000 <= Date.now()) return null;
  const { holder } = token;
  const asker = { environment, application };
  const [stands, groups] = await Promise.all([
    collectionOf(asker, holder.type).vouches(holder.id, token.version, token.id),
    collectionOf(asker, CORE.userGroup).groupsOf(keyOf(holder)),
  ]);
  if (!stands) return null;
  return {
    token,
    identities: [EVERYONE, keyOf(holder), ...groups.map((id) => keyOf({ type: CORE.userGroup, id }))],
  };
}
