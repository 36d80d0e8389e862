/**
 * The body of a request: read up to its limit and within its time, and parsed. Hono's `bodyLimit` has no time limit,
 * cuts off a client that still sends before it sees the answer, and copies a body without a declared length.
 */
import type { Context } from 'hono';
import { identify } from '../../auth/identify.ts';
import { LIMITS } from '../../domain/limits.ts';
import { ok, type Outcome } from '../../domain/problems.ts';
import type { Endpoint } from '../../modules/endpoint.ts';
import { replyOfProblems } from '../answer.ts';
import { readBody } from '../body.ts';
import type { RequestCheck, Types } from '../types.ts';

export function body({ bodyLimit, bodyDepth, lines }: Endpoint): RequestCheck {
  return async (c) => {
    const begun = Date.now();
    const { memory, settings } = c.get('surroundings');
    const { bodyDeadline: deadline } = settings;
    const read = await readBody(c.req.raw, {
      deadline,
      memory,
      most: bodyLimit,
      depth: bodyDepth,
      parsed: lines !== 'body',
    });
    if (!read.ok) return c.render(replyOfProblems(read.problems));
    c.set('body', read.value);
    const current = await stillPermitted(c, begun);
    return current.ok ? undefined : c.render(replyOfProblems(current.problems));
  };
}

/**
 * Asks for the rights of a request again whose body took long: the end of a token takes effect for everything after it.
 */
export async function stillPermitted(c: Context<Types>, begun: number): Promise<Outcome<null>> {
  if (Date.now() - begun <= LIMITS.bodyTrust) return ok(null);
  const current = await identify(c.env, c.get('claim'), c.get('surroundings').trace, true);
  if (!current.ok) return current;
  c.set('caller', current.value);
  return ok(null);
}
