/**
 * The user of a request: the claims of its token, whether the token still stands, and which groups the user is in. The
 * signature alone refuses forged and expired tokens. For the rest every request asks the session of the holder, because
 * the end of a token or a membership must take effect at once. A read need not wait for it: it may go ahead with what
 * KV tells, and is done again if that was no longer so.
 */
import type { Environment } from '../collection/rpc/environment.ts';
import type { TokenStanding } from '../collection/rpc/sessions/contract.ts';
import { hourNow, standingOf } from '../collection/rpc/sessions/sessions.ts';
import { keyOf } from '../domain/documents.ts';
import { EVERYONE } from '../domain/rights.ts';
import { CORE } from '../domain/types.ts';
import { TOKEN_LIFETIME } from '../domain/types/facts.ts';
import { recallSigner, signerOf, type TokenClaims } from './credentials.ts';
import type { ApplicationId, DocumentId } from '../domain/ids.ts';
import { copyOf, keepCopy, isSame, type TokenCopy } from './tokens/copies.ts';

export interface Holder {
  readonly token: TokenClaims;
  /** The user itself, its groups, and everyone. */
  readonly identities: readonly string[];
}

/** What a request may go by. */
export interface Identified {
  /** Null without a valid token. */
  readonly holder: Holder | null;
  /** Where the holder is as a copy in KV tells: whether that is so. Null where it is certain. */
  readonly confirmed: Promise<boolean> | null;
}

/** The result without a token. */
export const NOBODY: Identified = { holder: null, confirmed: null };

/** When a token ends by itself, in seconds since 1970. */
export function endOf({ created, ends }: TokenClaims): number {
  return ends ?? Math.floor(created / 1000) + TOKEN_LIFETIME;
}

/**
 * The holder of `Authorization: Token <token>`. `ahead`: whether the request may go ahead with a copy. A copy with the
 * end of a token is certain, and wakes no object: no token stands again. `expected`: the copy, if it was asked for.
 */
export async function holderOf(
  environment: Environment,
  application: ApplicationId,
  authorization: string | null,
  ahead: boolean,
  expected: Promise<TokenCopy | null> | null,
): Promise<Identified> {
  const token = await genuine(environment, authorization);
  if (token?.application !== application) return NOBODY;
  const copy = await (expected ?? copyOf(environment, token));
  if (copy?.stands === false) return NOBODY;
  const standing = readStanding(environment, token, copy);
  if (copy === null || !ahead) return { holder: holderAs(token, await standing), confirmed: null };
  const confirmed = standing.then((truth) => isSame(copy, truth));
  // Whoever goes ahead looks at this at the end, or has failed before.
  confirmed.catch(() => undefined);
  return { holder: holderAs(token, copy), confirmed };
}

/** The copy of the token that was sent, for whoever looks something else up meanwhile; null without one. */
export async function expectCopy(
  environment: Environment,
  authorization: string | null,
): Promise<TokenCopy | null> {
  const token = await genuine(environment, authorization);
  return token && copyOf(environment, token);
}

/** The token that was sent, by its signature and its time alone; null without one. */
async function genuine(environment: Environment, authorization: string | null): Promise<TokenClaims | null> {
  const [, credential] = /^Token +([^\s]+)$/i.exec(authorization ?? '') ?? [];
  if (credential === undefined) return null;
  const signer = recallSigner(environment) ?? (await signerOf(environment));
  const token = signer.recall(credential) ?? (await signer.verify(credential));
  return token?.kind !== 'token' || endOf(token) * 1000 <= Date.now() ? null : token;
}

/** What the session of the holder says; a copy that says something else is replaced, where it is known. */
async function readStanding(
  environment: Environment,
  token: TokenClaims,
  copy: TokenCopy | null,
): Promise<TokenStanding> {
  const { application, holder, id, version } = token;
  const standing = await standingOf(environment, { application, holder }, { id, version });
  const isUsed = standing.isFirst === true && copy?.hour !== hourNow();
  const isNew = copy === null || isUsed || !isSame(copy, standing);
  if (isNew && standing.stands !== null) keepCopy(environment, token, endOf(token), standing);
  return standing;
}

/** The holder as a valid token would show them. Nobody holds that token: it is for questions, not for requests. */
export function holderOfUser(
  application: ApplicationId,
  holder: TokenClaims['holder'],
  groups: readonly DocumentId[],
): Holder | null {
  const token = {
    kind: 'token',
    application,
    id: holder.id,
    holder,
    version: 0,
    created: Date.now(),
  } as const;
  return holderAs(token, { stands: true, groups });
}

function holderAs(token: TokenClaims, { stands, groups }: TokenCopy): Holder | null {
  if (stands !== true) return null;
  const keys = groups.map((id) => keyOf({ type: CORE.userGroup, id }));
  return { token, identities: [EVERYONE, keyOf(token.holder), ...keys] };
}
