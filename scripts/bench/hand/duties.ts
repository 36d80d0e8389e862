/**
 * The works by hand once more, each with what every answer of ours owes besides: the caller's key and permission are
 * looked up, the headers of the request are read, the answer has an id, a tag and headers for browsers, and a line of the
 * log and a count tell of it. Links are looked up in another object before a document is made, and under rights a third
 * one says whether the reader's token stands. All of it is as short as it can be written, and nothing is checked that
 * these works do not need: what remains between this and ours is ours to lose.
 */
import { Hono, type Context } from 'hono';
import { documentOf, listed, type HandStub } from './routes.ts';

/** The objects that the works ask. */
export interface Objects {
  readonly floor: () => { readonly read: (id: string) => Promise<string | null> };
  readonly hand: () => HandStub;
  readonly authors: () => HandStub;
  readonly session: () => HandStub;
}

/** What is sent, before it has the headers of every answer. */
interface Sent {
  readonly status: number;
  readonly body: string | null;
  readonly tag: string | null;
}

const HEADERS = new Headers({
  'Content-Type': 'application/vnd.api+json',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, api-key, application-id, Accept',
  'Access-Control-Expose-Headers': 'ETag,Location,Preference-Applied,Retry-After,Server-Timing,X-Request-Id',
  'Access-Control-Allow-Origin': '*',
});

/** Headers of a request that change an answer, or refuse it. */
const ASKED = ['accept', 'authorization', 'foredge-explain', 'if-none-match', 'origin', 'prefer'];

/** Lines of the log that are written together. */
const LINES = 100;

/** Permissions by application and key: every key of a run may do everything. */
const keys = new Map<string, readonly RegExp[]>();
const counts = new Map<string, number>();
let lines: string[] = [];

/** The routes, on the objects that `objectsOf` finds. */
export function dutifulRoutes<Environment extends object>(objectsOf: (environment: Environment) => Objects) {
  type At = Context<{ Bindings: Environment }>;
  const app = new Hono<{ Bindings: Environment }>();
  const dutiful = (work: (c: At, objects: Objects) => Promise<Sent>) => async (c: At) => {
    const started = Date.now();
    const { headers } = c.req.raw;
    const request = headers.get('x-request-id') ?? crypto.randomUUID();
    const application = headers.get('application-id') ?? '';
    const key = headers.get('api-key') ?? '';
    const { path, method } = c.req;
    const asked = ASKED.map((name) => headers.get(name));
    const sent = permissionsOf(application + key).some((permitted) => permitted.test(path))
      ? await work(c, objectsOf(c.env))
      : { status: 403, body: null, tag: null };
    const isKnown = sent.tag !== null && asked.includes(sent.tag);
    HEADERS.set('X-Request-Id', request);
    if (sent.tag !== null) HEADERS.set('ETag', sent.tag);
    const response = new Response(isKnown ? null : sent.body, {
      status: isKnown ? 304 : sent.status,
      headers: HEADERS,
    });
    const { status } = response;
    counts.set(`${method} ${status}`, (counts.get(`${method} ${status}`) ?? 0) + 1);
    const milliseconds = Date.now() - started;
    log(JSON.stringify({ request, method, path, status, milliseconds, application, key }));
    return response;
  };
  app.get(
    '/documents/:id',
    dutiful(async (c, { floor }) => {
      const body = await floor().read(c.req.param('id') ?? '');
      return { status: body === null ? 404 : 200, body, tag: `"${c.req.param('id')}-1"` };
    }),
  );
  app.get(
    '/lists/:name',
    dutiful(async (c, { hand, session }) => {
      const query = { ...c.req.query() };
      const stands = query['holder'] === undefined ? true : session().stands();
      const page = await listed(c.req.param('name') ?? '', hand(), query);
      if (!(await stands)) return { status: 401, body: null, tag: null };
      return { status: 200, body: documentOf(page, c.req.url, query), tag: `"${page.count}-1"` };
    }),
  );
  app.post(
    '/places',
    dutiful(async (c, { hand, authors }) => {
      const body = await c.req.text();
      const { data } = JSON.parse(body) as {
        readonly data: {
          readonly relationships: { readonly author: { readonly data: { readonly id: string } } };
        };
      };
      const missing = await authors().missingAuthors([data.relationships.author.data.id]);
      if (missing.length > 0) return { status: 404, body: null, tag: null };
      await hand().create(JSON.stringify(data));
      return { status: 201, body, tag: '"1"' };
    }),
  );
  app.patch(
    '/places/:id',
    dutiful(async (c, { hand }) => {
      const { data } = await c.req.json<{ readonly data: { readonly attributes: unknown } }>();
      const version = Number(c.req.header('if-match')?.slice(1, -1));
      const next = await hand().update(c.req.param('id') ?? '', version, JSON.stringify(data.attributes));
      return next === null
        ? { status: 412, body: null, tag: null }
        : { status: 204, body: null, tag: `"${next}"` };
    }),
  );
  return app;
}

function permissionsOf(caller: string): readonly RegExp[] {
  const known = keys.get(caller);
  if (known !== undefined) return known;
  const made = [/^(?:.*)$/];
  keys.set(caller, made);
  return made;
}

function log(line: string): void {
  lines.push(line);
  if (lines.length < LINES) return;
  console.log(lines.join('\n'));
  lines = [];
}
