/**
 * Identifies the caller: known application and key, or 401; permission, or 403. It runs before any route. A read may go
 * ahead with a caller that is confirmed afterwards: nothing of its answer leaves before. OPTIONS, which no endpoint
 * has, goes on without a caller: browsers send it without credentials.
 */
import type { Context, Next } from 'hono';
import { createMiddleware } from 'hono/factory';
import { identify, type Caller } from '../../auth/identify.ts';
import { type Outcome, fail } from '../../domain/problems.ts';
import { replyOfProblems } from '../answer.ts';
import type { Reply } from '../headers.ts';
import type { Types } from '../types.ts';
import type { PermittedMethod } from '../../auth/permissions.ts';
import { withCookie, withProtocols } from '../live/credentials.ts';
import { readPrefer } from '../prefer.ts';

export const caller = createMiddleware<Types>((c, next) => {
  if (c.req.method === 'OPTIONS') return next();
  const refused = requestLine(c);
  if (refused !== undefined) return Promise.resolve(refused);
  const identified = identify(c.env, c.get('claim'), c.get('surroundings').trace);
  // Where this isolate knows the key, and nobody asks for the user, there is nothing to wait for.
  if (!(identified instanceof Promise) && identified.ok && identified.value.confirmed === null) {
    c.set('caller', identified.value);
    return next();
  }
  return goOn(c, next, identified);
});

async function goOn(
  c: Context<Types>,
  next: Next,
  identifying: Outcome<Caller> | Promise<Outcome<Caller>>,
): Promise<Response | undefined> {
  const identified = await identifying;
  if (!identified.ok) return c.render(replyOfProblems(identified.problems));
  c.set('caller', identified.value);
  await next();
  // Where no handler has asked: a refusal, for which only matters whether the caller may ask at all.
  const found = await confirm(c);
  if (found !== null && found !== 'again') c.res = c.render(found);
  return undefined;
}

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
  const identified = await identify(c.env, c.get('claim'), c.get('surroundings').trace, true);
  if (!identified.ok) return replyOfProblems(identified.problems);
  c.set('caller', identified.value);
  return 'again';
}

/** Methods that endpoints have, with the permission each needs. */
const METHODS: ReadonlyMap<string, PermittedMethod> = new Map([
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['POST', 'post'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

/** A wrong method or path is refused before the key is checked, or else the caller's claim is set. */
function requestLine(c: Context<Types>): Response | undefined {
  const method = METHODS.get(c.req.method);
  if (method === undefined) {
    const refusal = fail('method-not-allowed', 'No endpoint knows the method.');
    return c.render(replyOfProblems(refusal.problems, { Allow: [...METHODS.keys(), 'OPTIONS'].join(', ') }));
  }
  const { canonical } = c.get('surroundings').arrival;
  if (!canonical.ok) return c.render(replyOfProblems(canonical.problems));
  c.set('claim', {
    method,
    canonical: canonical.value,
    headers: withCookie(withProtocols(c.req.raw.headers)),
    explains: readPrefer(c.req.raw.headers.get('prefer')).explain !== null,
  });
  return undefined;
}
