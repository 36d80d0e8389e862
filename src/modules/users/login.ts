/** Logging in: whoever says who they are gets a token (spec, Authentication, rules 7 and 9). */
import { logInExternalUser, logInUser } from '../../auth/login/login.ts';
import { readRefresh } from '../../auth/login/schemes.ts';
import { makeToken } from '../../auth/tokens/documents.ts';
import { answerNew } from '../documents/write/creating.ts';
import { enter } from './factors/gate.ts';
import { refresh } from './refresh.ts';
import type { Handler } from '../endpoint.ts';

export const loginUser: Handler = async (context) => {
  const sealed = readRefresh(context.authorization);
  if (sealed !== undefined) return refresh(context, sealed);
  const login = await logInUser(context);
  if (!login.ok) return login;
  const { holder, needsFactor = false, version } = login.value;
  return enter(context, { id: holder.id, version, needsFactor }, context.access.rule);
};

export const loginExternalUser: Handler = async (context) => {
  const login = await logInExternalUser(context);
  if (!login.ok) return login;
  const token = await makeToken(context, login.value, context.access.rule);
  return token.ok ? answerNew(context, token.value) : token;
};
