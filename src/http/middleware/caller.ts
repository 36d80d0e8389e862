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

export const caller = createMiddleware<Types>(async (c, next) => {
  const identified = await identify(c.env, c.get('claim'), c.get('trace'));
  if (!identified.ok) {
    c.res = c.render(replyOfProblems(identified.problems));
    return;
  }
  c.set('caller', identified.value);
  await next();
  // Where no handler has asked: a refusal, for which only matters whether the caller may ask at all.
  const refusal = await refusalOfUnconfirmed(c);
  if (refusal !== null) c.res = c.render(refusal);
});

/**
 * Looks whether the caller is who was assumed: null if so. Otherwise the caller is identified for sure, and the answer
 * says why it is refused, or `again` that what was done for the assumed one must be done again.
 */
export async function confirm(c: Context<Types>): Promise<Reply | 'again' | null> {
  const { confirmed } = c.get('caller');
  if (confirmed === null) return null;
  const isSo = await confirmed;
  if (isSo) {
    c.set('caller', { ...c.get('caller'), confirmed: null });
    return null;
  }
  const identified = await identifyAgain(c.env, c.get('claim'), c.get('trace'));
  if (!identified.ok) return replyOfProblems(identified.problems);
  c.set('caller', identified.value);
  return 'again';
}

async function refusalOfUnconfirmed(c: Context<Types>): Promise<Reply | null> {
  const found = await confirm(c);
  return found === 'again' ? null : found;
}
