/** How a reply becomes a response: `c.render`. A body that is large leaves in parts; HEAD has none. */
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { LIMITS } from '../../domain/limits.ts';
import { fail } from '../../domain/problems.ts';
import { replyOfProblems } from '../answer.ts';
import { send, type Reply } from '../headers.ts';
import { writeFault } from '../log.ts';
import { outflowOf } from '../outflow.ts';
import type { Types } from '../types.ts';

export const answers = createMiddleware<Types>((c, next) => {
  c.setRenderer((reply) =>
    send(leaving(c, reply), {
      requestId: c.get('requestId'),
      secure: c.get('arrival').secure,
      origin: c.req.raw.headers.get('origin'),
      corsOrigins: c.get('settings').corsOrigins,
    }),
  );
  return next();
});

/** The reply, or a refusal when too many large answers are leaving already. */
function leaving(c: Context<Types>, reply: Reply): Reply {
  if (reply.body === null) return reply;
  if (c.req.method === 'HEAD') return headOf(reply);
  if (typeof reply.body !== 'string') return reply;
  const body = outflowOf(reply.body, c.get('settings').answerPatience, (reason) => {
    writeFault(c.get('requestId'), reason);
    abort(c.executionCtx, reason);
  });
  if (body !== null) return body === reply.body ? reply : { ...reply, body };
  const detail = 'Too many large answers are on their way to clients that have not taken them yet.';
  return replyOfProblems(fail('unavailable', detail, undefined, { 'retry-after': 1 }).problems);
}

const encoder = new TextEncoder();

/** The answer to HEAD: the headers that GET has. A body that leaves in parts has no `Content-Length`. */
function headOf({ body, headers, ...reply }: Reply): Reply {
  const isWhole = typeof body === 'string' && body.length <= LIMITS.sentAtOnce;
  const length = isWhole ? { 'Content-Length': String(encoder.encode(body).byteLength) } : {};
  return { ...reply, body: null, headers: { ...headers, ...length } };
}

/** Ends a request whose answer is still being sent; nothing else ends a request whose client does not read. */
function abort(context: object, reason: Error): void {
  if ('abort' in context && typeof context.abort === 'function')
    Reflect.apply(context.abort, context, [reason]);
}
