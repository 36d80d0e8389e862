/** Logging in: whoever says who they are gets a token (spec, Authentication, rules 7 and 9). */
import { logInExternalUser, logInUser, type LoggedIn } from '../../auth/login/login.ts';
import { makeToken } from '../../auth/tokens/documents.ts';
import type { Outcome } from '../../domain/problems.ts';
import { answerNew } from '../documents/creating.ts';
import type { Answer, Exchange, Handler } from '../endpoint.ts';

export const loginUser: Handler = async (exchange) => answerToken(exchange, await logInUser(exchange));

export const loginExternalUser: Handler = async (exchange) =>
  answerToken(exchange, await logInExternalUser(exchange));

async function answerToken(exchange: Exchange, login: Outcome<LoggedIn>): Promise<Outcome<Answer>> {
  if (!login.ok) return login;
  const token = await makeToken(exchange, login.value, exchange.access.rule);
  return token.ok ? answerNew(exchange, token.value) : token;
}
