/** How a reply becomes a response: `c.render`. A body that is large leaves in parts; HEAD has none. */
import type { Context } from 'hono';
import { LIMITS } from '../../domain/limits.ts';
import { fail } from '../../domain/problems.ts';
import { replyOfProblems, textOfProblems } from '../answer.ts';
import { baseOf } from '../base.ts';
import { send, type Reply } from '../headers.ts';
import { writeFault } from '../log.ts';
import { outflowOf } from '../outflow.ts';
import type { Types } from '../types.ts';

export function setRenderer(c: Context<Types>): void {
  c.setRenderer((reply) => {
    const { requestId, arrival, settings } = c.get('surroundings');
    return send(leaving(c, reply), {
      requestId,
      secure: arrival.secure,
      sent: c.req.raw.headers,
      corsOrigins: settings.corsOrigins,
    });
  });
}

/** The reply, or a refusal when too many large answers are leaving already. */
function leaving(c: Context<Types>, sent: Reply): Reply {
  const reply = written(c, sent);
  if (reply.body === null) return reply;
  if (c.req.method === 'HEAD') return headOf(reply);
  if (typeof reply.body !== 'string') return reply;
  if (c.get('surroundings').settings.logFields.has('bytes')) c.set('bytes', bytesOf(reply.body));
  const body = outflowOf(reply.body, c.get('surroundings').settings.answerPatience, (reason) => {
    writeFault(c.get('surroundings').requestId, reason);
    abort(c.executionCtx, reason);
  });
  if (body !== null) return body === reply.body ? reply : { ...reply, body };
  const detail = 'Too many large answers are on their way to clients that have not taken them yet.';
  return written(c, replyOfProblems(fail('unavailable', detail, undefined, { 'retry-after': 1 }).problems));
}

/** A reply with the body that tells its problems. */
function written(c: Context<Types>, reply: Reply): Reply {
  const { problems } = reply;
  return problems === undefined ? reply : { ...reply, body: textOfProblems(problems, baseOf(c)) };
}

const encoder = new TextEncoder();

function bytesOf(body: string): number {
  return encoder.encode(body).byteLength;
}

/** The answer to HEAD: the headers that GET has. A body that leaves in parts has no `Content-Length`. */
function headOf({ body, headers, ...reply }: Reply): Reply {
  const isWhole = typeof body === 'string' && body.length <= LIMITS.sentAtOnce;
  const length = isWhole ? { 'Content-Length': String(bytesOf(body)) } : {};
  return { ...reply, body: null, headers: { ...headers, ...length } };
}

/** Ends a request whose answer is still being sent; nothing else ends a request whose client does not read. */
function abort(context: object, reason: Error): void {
  if ('abort' in context && typeof context.abort === 'function')
    Reflect.apply(context.abort, context, [reason]);
}
