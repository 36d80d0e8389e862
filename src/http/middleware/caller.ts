/** Identifies the caller: known application and key, or 401; permission, or 403. It runs before any route. */
import { createMiddleware } from 'hono/factory';
import { identify } from '../../auth/identify.ts';
import { replyOfProblems } from '../answer.ts';
import type { Types } from '../types.ts';

export const caller = createMiddleware<Types>(async (c, next) => {
  const identified = await identify(c.env, c.get('claim'), c.get('trace'));
  if (!identified.ok) return c.render(replyOfProblems(identified.problems));
  c.set('caller', identified.value);
  return next();
});
