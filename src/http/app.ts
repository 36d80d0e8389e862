/** The Hono application: what surrounds every request (id, log line, headers, CORS), and the front page. */
import { Hono } from 'hono';
import type { Trace } from '../auth/identify.ts';
import type { Environment } from '../collection/environment.ts';
import { fail } from '../domain/problems.ts';
import { settingsOf, type Settings } from '../domain/settings.ts';
import { addressOf, type Address } from './address.ts';
import { replyOfProblems } from './answer.ts';
import { frontPage } from './front-page.ts';
import { EXTENDED_JSON, profilePage } from './profile-page.ts';
import { preflight, send, type Reply } from './headers.ts';
import { writeFault, writeLine } from './log.ts';
import { outageOf } from './outage.ts';
import { outflowOf } from './outflow.ts';
import { serve, type Surroundings } from './serve.ts';

interface Types {
  Bindings: Environment;
}

/** What an answer that leaves in parts needs to know of its request. */
interface Leaving {
  readonly requestId: string;
  readonly settings: Settings;
  readonly context: object;
}

export function buildApp(): Hono<Types> {
  const app = new Hono<Types>();
  app.all('*', (context) => surround(context.req.raw, context.env, context.executionCtx));
  return app;
}

/** Answers a request, with its id and what browsers need to know, and leaves one line in the log. */
async function surround(
  request: Request,
  environment: Environment,
  context: Pick<ExecutionContext, 'waitUntil'>,
): Promise<Response> {
  const started = Date.now();
  const trace: Trace = {};
  const { method, headers } = request;
  const requestId = requestIdOf(headers);
  const address = addressOf(request.url);
  const settings = settingsIn(environment, requestId);
  const made =
    settings === null ? FAULT : await answer(request, address, { environment, settings }, trace, requestId);
  const reply = settings === null ? made : leave(made, { requestId, settings, context });
  // Never a header, a body or a query: those carry secrets.
  const line = {
    requestId,
    method,
    path: address?.path ?? null,
    status: reply.status,
    milliseconds: Date.now() - started,
    ...trace,
  };
  writeLine(JSON.stringify(line), settings?.logDelay ?? 0, (work) => {
    context.waitUntil(work);
  });
  return send(reply, {
    requestId,
    secure: request.url.startsWith('https:'),
    origin: headers.get('origin'),
    corsOrigins: settings?.corsOrigins ?? null,
  });
}

/** Ends a request whose answer is still on its way; nothing else ends one whose client does not read. */
function abort(context: object, reason: Error): void {
  if ('abort' in context && typeof context.abort === 'function')
    Reflect.apply(context.abort, context, [reason]);
}

/** The answer as it leaves, or a refusal when too much is leaving already. */
function leave(reply: Reply, { requestId, settings, context }: Leaving): Reply {
  if (typeof reply.body !== 'string') return reply;
  const body = outflowOf(reply.body, settings.answerPatience, (reason) => {
    writeFault(requestId, reason);
    abort(context, reason);
  });
  if (body !== null) return body === reply.body ? reply : { ...reply, body };
  const detail = 'Too many large answers are on their way to clients that have not taken them yet.';
  return replyOfProblems(fail('unavailable', detail, undefined, { 'retry-after': 1 }).problems);
}

async function answer(
  request: Request,
  address: Address | null,
  where: Surroundings,
  trace: Trace,
  requestId: string,
): Promise<Reply> {
  if (request.method === 'OPTIONS') return preflight();
  try {
    const page = PAGES.get(address?.path ?? '');
    return page === undefined ? await serve(request, address, where, trace) : show(page, request.method);
  } catch (error) {
    // Expected failures are values: whatever is thrown is a fault of ours, and stays in the log.
    writeFault(requestId, error);
    const outage = outageOf(error);
    return outage === null ? FAULT : replyOfProblems([outage]);
  }
}

/** What anybody may read, without a key. */
const PAGES: ReadonlyMap<string, () => Reply> = new Map([
  ['/', frontPage],
  [EXTENDED_JSON, profilePage],
]);

const FAULT = replyOfProblems(fail('internal-error', 'The fault is logged under the request id.').problems);

/** The settings, or null when one of them is wrong: then nothing is served, and the log says which. */
function settingsIn(environment: Environment, requestId: string): Settings | null {
  try {
    return settingsOf(environment);
  } catch (error) {
    writeFault(requestId, error);
    return null;
  }
}

function show(page: () => Reply, method: string): Reply {
  if (method === 'GET' || method === 'HEAD') return page();
  return replyOfProblems(fail('method-not-allowed', 'This page can only be read.').problems, {
    Allow: 'GET, HEAD, OPTIONS',
  });
}

/** The client's own id of the request if it is one, else a new one. */
function requestIdOf(headers: Headers): string {
  const sent = headers.get('x-request-id');
  return sent !== null && /^[\w=-]{1,255}$/.test(sent) ? sent : crypto.randomUUID();
}
