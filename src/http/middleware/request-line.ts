/** The request line: a wrong method or path is refused before the key is checked, or else the caller's claim is set. */
import type { Context } from 'hono';
import type { PermittedMethod } from '../../auth/permissions.ts';
import { fail } from '../../domain/problems.ts';
import { withProtocols } from '../live/credentials.ts';
import { replyOfProblems } from '../answer.ts';
import { readPrefer } from '../prefer.ts';
import type { Types } from '../types.ts';

/** Methods that endpoints have, with the permission each needs. */
const METHODS: ReadonlyMap<string, PermittedMethod> = new Map([
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['POST', 'post'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

export function requestLine(c: Context<Types>): Response | undefined {
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
    headers: withProtocols(c.req.raw.headers),
    explains: readPrefer(c.req.raw.headers.get('prefer')).explain !== null,
  });
  return undefined;
}
