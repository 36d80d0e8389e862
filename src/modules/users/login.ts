/** Logging in: whoever says who they are gets a token (spec, Authentication, rules 7 and 9). */
import { logInExternalUser, logInUser, FAILED } from '../../auth/login/login.ts';
import { readRefresh } from '../../auth/login/schemes.ts';
import { makeToken, claimsOf, endTokens, ENDS, renewalOf } from '../../auth/tokens/documents.ts';
import { answerNew } from '../documents/write/creating.ts';
import { enter } from './factors/gate.ts';
import { deleteDocument } from '../documents/handlers.ts';
import { cookieWith, answerLogin, keepsCookie } from './cookies.ts';
import { ok, fail, type Outcome } from '../../domain/problems.ts';
import type { Handler, Answer, RequestContext } from '../endpoint.ts';
import { openRefresh } from '../../auth/tokens/refresh.ts';
import { standingOf } from '../../collection/rpc/sessions/sessions.ts';
import { keyOf } from '../../domain/documents.ts';
import { LIMITS } from '../../domain/limits.ts';
import { CORE } from '../../domain/types.ts';
import { isConflict } from './accounts/begun.ts';
import { ownOf, accountSettings, closed } from './accounts/settings.ts';

export const loginUser: Handler = async (context) => {
  const sent = readRefresh(context.authorization);
  if (sent !== undefined) return refresh(context, sent);
  // Where no password logs in, the answer says nothing of the one that was sent.
  const [settings, login] = await Promise.all([accountSettings(context), logInUser(context)]);
  if (settings?.logInByPassword === false) return closed();
  if (!login.ok) return login;
  const { holder, needsFactor = false, version } = login.value;
  return enter(context, settings, { id: holder.id, version, needsFactor });
};

/** A browser forgets what would refresh its own login. */
export const logOut: Handler = async (context) => {
  const { access, parameters, preferences } = context;
  const answer = await deleteDocument(context);
  const isOwn = access.holder?.token.id === parameters.id;
  if (!answer.ok || !isOwn || preferences.cookie === null) return answer;
  return ok({ ...answer.value, headers: cookieWith(context, '', 0) });
};

export const loginExternalUser: Handler = async (context) => {
  const login = await logInExternalUser(context);
  if (!login.ok) return login;
  const token = await makeToken(context, login.value, context.access.rule);
  return token.ok ? answerNew(context, token.value) : token;
};

type Sent = NonNullable<ReturnType<typeof readRefresh>>;

async function refresh(context: RequestContext, { sealed, isCookie }: Sent): Promise<Outcome<Answer>> {
  const { application, environment, preferences } = context;
  const settings = preferences.cookie === null ? null : await accountSettings(context);
  const inCookie = keepsCookie(context, settings);
  // A browser sends it whoever asks: the page must be one of the application.
  if (isCookie && !inCookie)
    return fail('forbidden', 'The account settings allow no cookies for pages of this origin.', {
      header: 'Origin',
    });
  const sent = await openRefresh(environment, application, sealed);
  if (sent === undefined) return FAILED;
  const { id } = sent;
  const tokens = ownOf(context, CORE.userToken);
  const document = await tokens.read(id);
  if (document === null) return FAILED;
  const [claims, renewal, ends] = [
    claimsOf(application, document),
    renewalOf(document),
    document.attributes[ENDS],
  ];
  if (claims === undefined || renewal?.round === undefined || !(ends instanceof Date)) return FAILED;
  const { holder, version } = claims;
  const { stands } = await standingOf(environment, { application, holder }, { id, version });
  const now = Date.now();
  if (stands !== true || ends.getTime() <= now) return FAILED;
  const behind = renewal.round - sent.round;
  // Another tab has just done it, or the answer was lost.
  if (behind === 1 && now - renewal.at <= LIMITS.refreshAgain)
    return answerLogin(context, { document, readable: true }, inCookie);
  if (behind !== 0) {
    await endTokens(context, CORE.user, [{ id, holders: [keyOf(holder)] }]);
    await tokens.remove(id);
    return FAILED;
  }
  const next = { renewed: new Date(now), round: renewal.round + 1 };
  const written = await tokens.change(id, next, document.version);
  if (written.ok) return answerLogin(context, { ...written.value, readable: true }, inCookie);
  // Of two at once, the later one gets what the first one got; after a logout, nothing.
  return isConflict(written.problems) ? refresh(context, { sealed, isCookie }) : written;
}
