/** Logging in: whoever says who they are gets a token (spec, Authentication, rules 7 and 9). */
import { logInExternalUser, logInUser } from '../../auth/login/login.ts';
import { readRefresh } from '../../auth/login/schemes.ts';
import { makeToken } from '../../auth/tokens/documents.ts';
import { answerNew } from '../documents/write/creating.ts';
import { enter } from './factors/gate.ts';
import { deleteDocument } from '../documents/handlers.ts';
import { cookieWith } from './cookies.ts';
import { ok } from '../../domain/problems.ts';
import { refresh } from './refresh.ts';
import type { Handler } from '../endpoint.ts';

export const loginUser: Handler = async (context) => {
  const sent = readRefresh(context.authorization);
  if (sent !== undefined) return refresh(context, sent);
  const login = await logInUser(context);
  if (!login.ok) return login;
  const { holder, needsFactor = false, version } = login.value;
  return enter(context, { id: holder.id, version, needsFactor }, context.access.rule);
};

/** A browser forgets what would refresh the login. */
export const logOut: Handler = async (context) => {
  const answer = await deleteDocument(context);
  if (!answer.ok || context.preferences.cookie === null) return answer;
  return ok({ ...answer.value, headers: cookieWith(context, '', 0) });
};

export const loginExternalUser: Handler = async (context) => {
  const login = await logInExternalUser(context);
  if (!login.ok) return login;
  const token = await makeToken(context, login.value, context.access.rule);
  return token.ok ? answerNew(context, token.value) : token;
};
