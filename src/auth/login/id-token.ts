/**
 * Logins with an OpenID Connect id token, if the operator has set an issuer for the application: the first login of a
 * subject creates an external user.
 *
 * Under ACL these need no user token, because the id token says who the user is. Logins by an external user's id
 * differ: only a permission without ACL admits them. A client that anybody can read has a key with ACL, and must not
 * log in as anybody.
 */
import { collectionOf } from '../../collection/rpc/client.ts';
import type { CanonicalPath } from '../../domain/addresses/canonical.ts';
import { pathOfType } from '../../domain/addresses/paths.ts';
import type { Document } from '../../domain/documents.ts';
import { LIMITS } from '../../domain/limits.ts';
import { ok, type Outcome } from '../../domain/problems.ts';
import { CORE } from '../../domain/types.ts';
import { sha256 } from '../../domain/values/sha256.ts';
import type { Fields } from '../../domain/values/values.ts';
import { verifyIdToken, type Subject } from '../id-tokens.ts';
import { issuerOf } from '../issuers.ts';
import type { PermittedMethod } from '../permissions.ts';
import { readRefresh, type Login } from './schemes.ts';

const PATH = pathOfType(CORE.externalUserToken);
const USERS = pathOfType(CORE.user);
const TOKENS = pathOfType(CORE.userToken);
const ACTIONS = pathOfType(CORE.accountAction);

/** What asks for no user token, because its sender has none yet: the endpoint decides. */
export function isForStrangers(
  method: PermittedMethod,
  { path }: CanonicalPath,
  authorization: string | null,
): boolean {
  if (method !== 'post') return false;
  return (
    path === USERS ||
    path === ACTIONS ||
    path.startsWith(`${ACTIONS}/`) ||
    (path === TOKENS && readRefresh(authorization) !== undefined) ||
    (path === PATH && /^Bearer +\S+$/i.test(authorization ?? ''))
  );
}

/** The external user of an id token; null when there is no issuer or the token is invalid. */
export async function userOfIdToken(login: Login, idToken: string): Promise<Outcome<Document> | null> {
  const issuer = await issuerOf(login.environment, login.application);
  const subject = issuer && (await verifyIdToken(idToken, issuer));
  if (issuer === null || subject === null) return null;
  const first = await firstUse(login, idToken);
  if (!first.ok) return first;
  // Another tab has just used it, or the answer was lost; later, somebody else may have it.
  return Date.now() - first.value > LIMITS.refreshAgain ? null : externalUser(login, issuer.issuer, subject);
}

/** When an id token has logged in first: the object that has the codes of accounts remembers what is signed of it. */
async function firstUse(login: Login, idToken: string): Promise<Outcome<number>> {
  const signed = idToken.slice(0, idToken.lastIndexOf('.'));
  const noted = await collectionOf(login, CORE.accountAction).create({
    content: { attributes: { used: new Date() }, relationships: {} },
    unique: { name: 'id-token', value: sha256(signed) },
  });
  return noted.ok ? ok(Number(noted.value.document.attributes['used'])) : noted;
}

/** One external user per issuer and subject, whatever clients write into its attributes. */
async function externalUser(
  login: Login,
  issuer: string,
  { subject, name }: Subject,
): Promise<Outcome<Document>> {
  const attributes: Fields = { source: { issuer, subject }, ...(name !== null && { name }) };
  const made = await collectionOf(login, CORE.externalUser).create({
    content: { attributes, relationships: {} },
    ownsItself: true,
    unique: { name: 'oidc', value: JSON.stringify([issuer, subject]) },
  });
  return made.ok ? ok(made.value.document) : made;
}
