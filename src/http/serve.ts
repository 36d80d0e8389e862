/** Serves an endpoint after its route has taken a request: the rest of the checks in their order, then its handler. */
import type { MiddlewareHandler } from 'hono';
import { every } from 'hono/combine';
import type { Endpoint } from '../modules/endpoint.ts';
import { body } from './middleware/body.ts';
import { handler } from './middleware/handler.ts';
import { head } from './middleware/head.ts';
import { room } from './middleware/room.ts';
import type { Types } from './types.ts';

export function serve(endpoint: Endpoint): MiddlewareHandler<Types> {
  const adds = endpoint.method === 'POST' || endpoint.method === 'PATCH';
  return every(
    ...(adds ? [room] : []),
    head(endpoint),
    ...(endpoint.body === undefined ? [] : [body(endpoint)]),
    handler(endpoint),
  );
}
