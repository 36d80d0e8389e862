/** Ways in are added, and taken away, by who has just logged in: else a stolen token would stay in for good. */
import { LIMITS } from '../../../domain/limits.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { fail, ok, type Outcome } from '../../../domain/problems.ts';
import { CORE } from '../../../domain/types.ts';
import type { RequestContext } from '../../endpoint.ts';

/** The user of the request, as a token says it. */
export function userOf({ access: { holder } }: RequestContext): DocumentId | null {
  return holder?.token.holder.type === CORE.user ? holder.token.holder.id : null;
}

export function loggedInUser(context: RequestContext): Outcome<DocumentId> {
  const user = userOf(context);
  return user === null ? refused('Send a valid user token in the Authorization header.') : ok(user);
}

/** The user of a request with a token of the last ten minutes. */
export function freshUserOf(context: RequestContext): Outcome<DocumentId> {
  const user = loggedInUser(context);
  return !user.ok || isFresh(context) ? user : logInAgain();
}

export function isFresh({ access: { holder } }: RequestContext): boolean {
  return Date.now() - (holder?.token.created ?? 0) <= LIMITS.freshLogin;
}

export function logInAgain() {
  return refused('Log in again: the login is older than ten minutes.');
}

function refused(detail: string) {
  return fail('token-required', detail, { header: 'Authorization' });
}
