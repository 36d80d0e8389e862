/** Logging in: whoever says who they are gets a token (spec, Authentication, rules 7 and 9). */
import { logInExternalUser, logInUser, type LoggedIn } from '../../auth/login/login.ts';
import { makeToken } from '../../auth/tokens/documents.ts';
import type { Outcome } from '../../domain/problems.ts';
import { answerNew } from '../documents/creating.ts';
import { enter } from './factors/gate.ts';
import type { Answer, RequestContext, Handler } from '../endpoint.ts';

export const loginUser: Handler = async (context) => answerToken(context, await logInUser(context));

export const loginExternalUser: Handler = async (context) =>
  answerToken(context, await logInExternalUser(context));

async function answerToken(context: RequestContext, login: Outcome<LoggedIn>): Promise<Outcome<Answer>> {
  if (!login.ok) return login;
  const { holder, needsFactor = false, version } = login.value;
  if (needsFactor) return enter(context, { id: holder.id, version, needsFactor });
  const token = await makeToken(context, login.value, context.access.rule);
  return token.ok ? answerNew(context, token.value) : token;
}
