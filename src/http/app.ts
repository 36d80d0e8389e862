/** The Hono application: what surrounds every request (id, log line, CORS, headers), and the front page. */
import { Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { requestId, type RequestIdVariables } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import type { Environment } from '../collection/environment.ts';
import { fail } from '../domain/problems.ts';
import { problemResponse } from './answer.ts';
import { frontPage } from './front-page.ts';
import { serve, type Trace } from './serve.ts';

interface Types {
  Bindings: Environment;
  Variables: RequestIdVariables & { trace: Trace };
}

export function buildApp(): Hono<Types> {
  const app = new Hono<Types>();

  app.use(requestId());
  app.use(logRequest);
  app.use(
    secureHeaders({
      contentSecurityPolicy: { defaultSrc: ["'none'"] },
      crossOriginResourcePolicy: 'cross-origin',
    }),
  );
  app.use((context, next) => browserAccess(context.env.CORS_ORIGINS)(context, next));
  app.on(['GET', 'HEAD'], '/', () => frontPage());
  app.all('/', () =>
    problemResponse(fail('method-not-allowed', 'The front page can only be read.').problems, {
      Allow: 'GET, HEAD, OPTIONS',
    }),
  );

  app.all('*', async (context) => {
    try {
      return await serve(context.req.raw, context.env, context.get('trace'));
    } catch (error) {
      // Expected failures are values: whatever is thrown is a fault of ours, and stays in the log.
      logFault(context.get('requestId'), error);
      return problemResponse(fail('internal-error', 'The fault is logged under the request id.').problems);
    }
  });
  return app;
}

/** CORS on every route (decisions, section 1). Credentials are headers, not cookies, so any origin may be let in. */
function browserAccess(setting: string | undefined) {
  const origins = (setting ?? '*').split(',').map((each) => each.trim());
  return cors({
    origin: origins.includes('*') ? '*' : origins,
    allowMethods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'],
    allowHeaders: ['api-key', 'application-id', 'authorization', 'content-type', 'if-match', 'if-none-match'],
    exposeHeaders: ['ETag', 'Location', 'Retry-After', 'X-Request-Id'],
    maxAge: 86_400,
  });
}

/** One line per request. Never a header, a body or a query: those carry secrets. */
const logRequest: MiddlewareHandler<Types> = async (context, next) => {
  const started = Date.now();
  const trace: Trace = {};
  context.set('trace', trace);
  await next();
  const { method, url } = context.req.raw;
  const { status } = context.res;
  const milliseconds = Date.now() - started;
  const line = {
    requestId: context.get('requestId'),
    method,
    path: URL.parse(url)?.pathname ?? null,
    status,
    milliseconds,
  };
  console.log(JSON.stringify({ ...line, ...trace }));
};

function logFault(requestId: string, error: unknown): void {
  const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  console.error(JSON.stringify({ requestId, fault }));
}
