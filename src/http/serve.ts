/** Serves an endpoint after its route has taken a request: the rest of the checks in their order, then its handler. */
import type { Context } from 'hono';
import type { Endpoint } from '../modules/endpoint.ts';
import { body } from './middleware/body.ts';
import { content } from './middleware/content.ts';
import { answered } from './middleware/handler.ts';
import { head } from './middleware/head.ts';
import { stream } from './middleware/stream.ts';
import type { Serving, RequestCheck, Types } from './types.ts';
import { hasRoom } from '../collection/rpc/environment.ts';
import { replyOfProblems } from './answer.ts';
import { storageFull } from './outage.ts';

/** Refuses requests that add to a full disk (507). Deletions are allowed, because they may make room. */
const room: RequestCheck = async (c) =>
  (await hasRoom(c.env)) ? undefined : c.render(replyOfProblems([storageFull()]));

/**
 * Runs the steps of an endpoint in their order, up to the first that answers; what does not wait costs no promise.
 * Hono's `every` composes its middleware anew for each request, with a closure, a promise and a `next` for each.
 */
export function serve(endpoint: Endpoint): Serving {
  const adds = endpoint.method === 'POST' || endpoint.method === 'PATCH';
  const steps: readonly RequestCheck[] = [
    ...(adds ? [room] : []),
    head(endpoint),
    ...(endpoint.body === undefined || endpoint.content === 'stream'
      ? []
      : [endpoint.content === 'body' ? content(endpoint) : body(endpoint)]),
    ...(endpoint.streams === true ? [stream] : []),
  ];
  const from = (c: Context<Types>, at: number): Response | Promise<Response> => {
    const step = steps[at];
    if (step === undefined) return answered(c, endpoint);
    const begun = step(c);
    if (begun instanceof Promise) return begun.then((refusal) => refusal ?? from(c, at + 1));
    return begun ?? from(c, at + 1);
  };
  return (c) => from(c, 0);
}
