/**
 * Identifies the caller: known application and key, or 401; permission, or 403. It runs before any route. A read may go
 * ahead with a caller that is confirmed only afterwards: nothing of its answer leaves before.
 */
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { identify, identifyAgain } from '../../auth/identify.ts';
import { replyOfProblems } from '../answer.ts';
import type { Reply } from '../headers.ts';
import type { Types } from '../types.ts';
import { requestLine } from './request-line.ts';

export const caller = createMiddleware<Types>(async (c, next) => {
  const refused = requestLine(c);
  if (refused !== undefined) return refused;
  const identifying = identify(c.env, c.get('claim'), c.get('trace'));
  const identified = identifying instanceof Promise ? await identifying : identifying;
  if (!identified.ok) return c.render(replyOfProblems(identified.problems));
  c.set('caller', identified.value);
  await next();
  // Where no handler has asked: a refusal, for which only matters whether the caller may ask at all.
  const confirming = confirm(c);
  const found = confirming && (await confirming);
  if (found !== null && found !== 'again') c.res = c.render(found);
  return undefined;
});

/**
 * Looks whether the caller is who was assumed: null if so. Otherwise the caller is identified for sure, and the answer
 * says why it is refused, or `again` that what was done for the assumed one must be done again.
 */
export function confirm(c: Context<Types>): Promise<Reply | 'again' | null> | null {
  const { confirmed } = c.get('caller');
  return confirmed && lookAgain(c, confirmed);
}

async function lookAgain(c: Context<Types>, confirmed: Promise<boolean>): Promise<Reply | 'again' | null> {
  if (await confirmed) {
    c.set('caller', { ...c.get('caller'), confirmed: null });
    return null;
  }
  const identified = await identifyAgain(c.env, c.get('claim'), c.get('trace'));
  if (!identified.ok) return replyOfProblems(identified.problems);
  c.set('caller', identified.value);
  return 'again';
}
