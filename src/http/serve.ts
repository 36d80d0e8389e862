/** Serves an endpoint after its route has taken a request: the rest of the checks in their order, then its handler. */
import type { MiddlewareHandler } from 'hono';
import type { Endpoint } from '../modules/endpoint.ts';
import { body } from './middleware/body.ts';
import { handler } from './middleware/handler.ts';
import { head } from './middleware/head.ts';
import { stream } from './middleware/stream.ts';
import { room } from './middleware/room.ts';
import type { Step, Types } from './types.ts';

/**
 * A middleware that runs the steps of an endpoint in their order, up to the first that answers. Hono's `every` composes
 * its middleware anew for each request, with a closure, a promise and a `next` for each.
 */
export function serve(endpoint: Endpoint): MiddlewareHandler<Types> {
  const adds = endpoint.method === 'POST' || endpoint.method === 'PATCH';
  const steps: readonly Step[] = [
    ...(adds ? [room] : []),
    head(endpoint),
    ...(endpoint.body === undefined ? [] : [body(endpoint)]),
    ...(endpoint.streams === true ? [stream] : []),
  ];
  const answer = handler(endpoint);
  return async (c) => {
    for (const step of steps) {
      const begun = step(c);
      const refusal = begun instanceof Promise ? await begun : begun;
      if (refusal !== undefined) return refusal;
    }
    return answer(c);
  };
}
