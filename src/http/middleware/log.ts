/**
 * One line of the log for each request. Hono's `logger` writes two, as text, with the query, which may hold secrets.
 */
import { createMiddleware } from 'hono/factory';
import { writeLine } from '../log.ts';
import type { Types } from '../types.ts';

export const log = createMiddleware<Types>(async (c, next) => {
  const started = Date.now();
  c.set('started', started);
  c.set('trace', {});
  await next();
  // Never a header, a body or a query: they may hold secrets.
  const line = {
    requestId: c.get('requestId'),
    method: c.req.method,
    path: c.get('arrival').address?.path ?? null,
    status: c.res.status,
    milliseconds: Date.now() - started,
    ...c.get('trace'),
  };
  writeLine(JSON.stringify(line), c.get('settings').logDelay, (work) => {
    c.executionCtx.waitUntil(work);
  });
});
