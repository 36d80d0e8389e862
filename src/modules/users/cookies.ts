/** A cookie that refreshes a login, where the settings say so: no script reads it (docs/accounts.md#cookies). */
import { serialize } from 'hono/utils/cookie';
import { ENDS } from '../../auth/tokens/documents.ts';
import { sealRefresh } from '../../auth/tokens/refresh.ts';
import type { Written } from '../../collection/rpc/results.ts';
import { cookieOf } from '../../domain/accounts/cookie.ts';
import type { AccountSettings } from '../../domain/accounts/settings.ts';
import type { Document } from '../../domain/documents.ts';
import { ok, type Outcome } from '../../domain/problems.ts';
import { answerNew } from '../documents/write/creating.ts';
import type { Answer, RequestContext } from '../endpoint.ts';

/** Whether the page that asks keeps it. */
export function keepsCookie(
  { origin, preferences }: RequestContext,
  settings: AccountSettings | null,
): boolean {
  return preferences.cookie !== null && settings?.cookies === true && settings.origins.includes(origin ?? '');
}

/** 201 with a token, and what refreshes its login, in a cookie or beside it. */
export async function answerLogin(
  context: RequestContext,
  written: Written<Document>,
  inCookie: boolean,
): Promise<Outcome<Answer>> {
  const { aclVersion, id, auditFields, relationships, type, version } = written.document;
  const { round, ...attributes } = written.document.attributes;
  const { [ENDS]: ends } = attributes;
  if (!inCookie || typeof round !== 'number' || !(ends instanceof Date)) return answerNew(context, written);
  const answer = await answerNew(context, {
    ...written,
    document: { aclVersion, attributes, id, auditFields, relationships, type, version },
  });
  if (!answer.ok) return answer;
  const sealed = await sealRefresh(context.environment, context.application, { id, round });
  const seconds = Math.max(0, Math.floor((ends.getTime() - Date.now()) / 1000));
  return ok({ ...answer.value, headers: cookieWith(context, sealed, seconds) });
}

export function cookieWith({ application }: RequestContext, value: string, maxAge: number) {
  const how = { path: '/', secure: true, httpOnly: true, sameSite: 'Lax', maxAge } as const;
  return { 'Set-Cookie': serialize(cookieOf(application), value, how) };
}
