/**
 * The surroundings of a request: its id, how a reply becomes its response, its address, the service's settings; and its
 * line of the log.
 */
import type { Context, ErrorHandler } from 'hono';
import { RequestMemory, noMemory } from '../../domain/work/memory.ts';
import { readSettings, settingsOf, type LogField } from '../../domain/environment/settings.ts';
import { arrivalOf } from '../arrival.ts';
import type { Types } from '../types.ts';
import { LIMITS } from '../../domain/limits.ts';
import { replyOfProblems, textOfProblems } from '../answer.ts';
import { send, type ReadyReply, type Reply } from '../headers.ts';
import { writeFault, writeLine } from '../log.ts';
import { begun, outflowOf } from '../outflow.ts';
import { createMiddleware } from 'hono/factory';
import { noteRequest } from '../../modules/applications/usage/recent.ts';
import { countRequest } from '../../modules/applications/usage/requests.ts';
import { clientAddressOf } from '../client-address.ts';
import { count } from '../pages/metrics.ts';
import { fail } from '../../domain/problems.ts';
import { outageOf } from '../outage.ts';

/** The settings for the answer that reports a wrong setting. */
const DEFAULTS = readSettings({});

/** With a wrong setting nothing is served: this throws, after all is set that the answer and the log need. */
function surround(c: Context<Types>): void {
  const surroundings = {
    requestId: requestIdOf(c),
    started: Date.now(),
    trace: {},
    arrival: arrivalOf(c.req.url),
    settings: DEFAULTS,
    memory: new RequestMemory(),
  };
  c.set('surroundings', surroundings);
  setRenderer(c);
  surroundings.settings = settingsOf(c.env);
}

/** The start of every link in an answer: scheme, host, port, and the path of a public address; no slash at the end. */
export function baseOf(c: Context<Types>): string {
  const { settings, arrival } = c.get('surroundings');
  return settings.publicUrl ?? arrival.address?.origin ?? '';
}

/**
 * That of the client if it is valid, else a new one. Hono's `requestId` sets it in headers for a later answer, which
 * ours do not use: that takes 20 µs of processor time on a busy machine, a fifth of a refusal.
 */
function requestIdOf(c: Context<Types>): string {
  const sent = c.req.raw.headers.get('x-request-id');
  return sent !== null && /^[\w=-]{1,255}$/.test(sent) ? sent : crypto.randomUUID();
}

/** How a reply becomes a response: `c.render`. A body that is large leaves in parts; HEAD has none. */
function setRenderer(c: Context<Types>): void {
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
function leaving(c: Context<Types>, sent: Reply): ReadyReply {
  const { memory, settings, requestId } = c.get('surroundings');
  const reply = written(c, sent);
  const body = begun(reply.body);
  // The body is all that is left of what the answer was made of.
  memory.release();
  if (body === null) return { ...reply, body };
  if (c.req.method === 'HEAD') return headOf(reply, body);
  if (body instanceof ReadableStream) return { ...reply, body };
  if (typeof body === 'string' && settings.logFields.has('bytes')) c.set('bytes', bytesOf(body));
  const out = outflowOf(body, settings.answerPatience, (reason) => {
    writeFault(requestId, reason);
    abort(c.executionCtx, reason);
  });
  return out === null ? leaving(c, replyOfProblems(noMemory().problems)) : { ...reply, body: out };
}

/** A reply with the body that tells its problems. */
function written(c: Context<Types>, reply: Reply): Reply {
  const { problems } = reply;
  if (problems?.[0] !== undefined) c.get('surroundings').trace.code = problems[0].code;
  return problems === undefined ? reply : { ...reply, body: textOfProblems(problems, baseOf(c)) };
}

const encoder = new TextEncoder();

function bytesOf(body: string): number {
  return encoder.encode(body).byteLength;
}

/** The answer to HEAD: the headers that GET has. A body that leaves in parts has no `Content-Length`. */
function headOf({ headers, ...reply }: Reply, body: Exclude<Reply['body'], null>): ReadyReply {
  const isWhole = typeof body === 'string' && body.length <= LIMITS.sentAtOnce;
  const length = isWhole ? { 'Content-Length': String(bytesOf(body)) } : {};
  return { ...reply, body: null, headers: { ...headers, ...length } };
}

/** Ends a request whose answer is still being sent; nothing else ends a request whose client does not read. */
function abort(context: object, reason: Error): void {
  if ('abort' in context && typeof context.abort === 'function')
    Reflect.apply(context.abort, context, [reason]);
}

/**
 * One line of the log for each request, and its place in the metrics and in the usage of its application. Hono's
 * `logger` writes two lines, as text, with the query, which may hold secrets. It sets the surroundings, too: each
 * middleware costs every request two promises.
 */
export const log = createMiddleware<Types>(async (c, next) => {
  try {
    surround(c);
    await next();
  } catch (error) {
    // A wrong setting: Hono answers what is thrown further in.
    if (!(error instanceof Error)) throw error;
    c.res = await fault(error, c);
  }
  const { requestId, started, trace, arrival, settings } = c.get('surroundings');
  const milliseconds = Date.now() - started;
  const { method } = c.req;
  const { status } = c.res;
  count({ method, route: c.get('route'), status, milliseconds });
  const { logFields, logPercent, logDelay, usageDelay } = settings;
  const { application, key, keyName, user, type = null } = trace;
  const path = arrival.address?.path ?? null;
  const outlive = (work: Promise<void>) => {
    c.executionCtx.waitUntil(work);
  };
  if (application !== undefined && key !== undefined) {
    countRequest(c.env, { application, key, type, status }, usageDelay, outlive);
    noteRequest(application, { id: requestId, at: started, method, path, status, milliseconds }, trace);
  }
  if (status < 500 && Math.random() * 100 >= logPercent) return;
  // Never a header, a body or a query: they may hold secrets.
  const line = {
    ...{ requestId, method, path, status, milliseconds, application, key, user: user?.id },
    ...(logFields.size > 0 && requestFields(c, logFields, keyName)),
  };
  writeLine(JSON.stringify(line), logDelay, outlive);
});

/** What the setting asks for, as far as it is known. */
function requestFields(c: Context<Types>, fields: ReadonlySet<LogField>, keyName: string | undefined) {
  const { clientAddressHeader } = c.get('surroundings').settings;
  const address = fields.has('address') ? clientAddressOf(c.req.raw, clientAddressHeader) : null;
  const bytes = fields.has('bytes') ? c.get('bytes') : undefined;
  return {
    ...(fields.has('key-name') && keyName !== undefined && { keyName }),
    ...(bytes !== undefined && { bytes }),
    ...(address !== null && { address }),
  };
}

const FAULT = replyOfProblems(fail('internal-error', 'The fault is logged under the request id.').problems);

export const fault: ErrorHandler<Types> = (error, c) => {
  writeFault(c.get('surroundings').requestId, error);
  const outage = outageOf(error);
  return c.render(outage === null ? FAULT : replyOfProblems([outage]));
};
