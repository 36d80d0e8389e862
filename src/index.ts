/** The Worker: the whole tree of its routes, what cron triggers start, and the Durable Object class. */
import { Hono } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import { Collection as CollectionOfDocuments } from './collection/collection.ts';
import type { StreamHost, Streams } from './collection/rpc/feed/streams.ts';
import { Live } from './http/live/live.ts';
import { getPath } from './http/arrival.ts';
import { methodSaid, tus } from './http/tus.ts';
import { caller } from './http/middleware/caller.ts';
import { fault, log } from './http/middleware/surroundings.ts';
import { pagesOf } from './http/pages/pages.ts';
import { noEndpoint, routesOf } from './http/routes.ts';
import { serve } from './http/serve.ts';
import type { Types } from './http/types.ts';
import { MODULES } from './modules/endpoints.ts';
import { UPLOADS_PATH } from './modules/files/resumable.ts';
import type { Environment } from './collection/rpc/environment.ts';
import { backUpAll, type Reported } from './modules/applications/backups/run.ts';
import { writeFault } from './http/log.ts';

async function scheduled(_: ScheduledController, environment: Environment): Promise<void> {
  // The run as a whole has failed where the platform is told so: it shows that.
  await backUpAll(environment, report);
}

function report({ application, step }: Reported): void {
  if (step.state === 'failed') writeFault(`backup of ${application}`, step.error);
  else console.log(JSON.stringify({ backup: application, ...step }));
}

export { Session } from './collection/sessions/session.ts';

/** The Durable Object: a collection, with the streams of those who follow its changes. */
export class Collection extends CollectionOfDocuments {
  protected override streamsOf(host: StreamHost): Streams {
    return new Live(host);
  }
}

const app = new Hono<Types>({ getPath, router: new TrieRouter() });

app.use(log);
app.use(UPLOADS_PATH, tus);
app.use(`${UPLOADS_PATH}/*`, tus);
app.route(
  '/',
  pagesOf(({ env, executionCtx }, request) => app.fetch(request, env, executionCtx)),
);
// Everything below is for those with a key: who has none is not told what there is.
app.use(caller);
for (const [name, endpoints] of Object.entries(MODULES)) app.route(`/${name}`, routesOf(endpoints, serve));
app.notFound(noEndpoint);
app.onError(fault);

export default {
  fetch: (request: Request, environment: object, context: ExecutionContext) =>
    app.fetch(methodSaid(request), environment, context),
  scheduled,
};
