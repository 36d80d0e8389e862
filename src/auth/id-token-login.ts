/**
 * Logins with an id token. Under ACL they need no user token, because the id token says who the user is. Logins by an
 * external user's id differ: only a permission without ACL admits them. A client that anybody can read has a key with
 * ACL, and must not log in as anybody it likes.
 */
import type { PermittedMethod } from './permissions.ts';
import { pathOfType } from '../domain/addresses/paths.ts';
import { CORE } from '../domain/types.ts';
import type { CanonicalPath } from '../domain/addresses/canonical.ts';

const PATH = pathOfType(CORE.externalUserToken);

export function isIdTokenLogin(
  method: PermittedMethod,
  { path }: CanonicalPath,
  authorization: string | null,
): boolean {
  return method === 'post' && path === PATH && /^Bearer +\S+$/i.test(authorization ?? '');
}
