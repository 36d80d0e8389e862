/**
 * What needs no key: the front page, OpenAPI, pages of profiles, health, metrics (which need the operator's secret),
 * documentation, the client, and static assets. All but `/drain` can only be read. OpenAPI lists this table, too.
 */
import { Hono, type Context } from 'hono';
import { fail } from '../../domain/problems.ts';
import { openObjectOf } from '../../modules/contents/schema.ts';
import { topLevel } from '../../modules/contents/envelope.ts';
import { replyOfProblems, replyOf } from '../answer.ts';
import { accountPage } from './account/page.ts';
import type { Ask } from './account/visit.ts';
import { asset, PAGE_POLICY } from './assets.ts';
import { LINKED_PATH } from '../../modules/files/links.ts';
import { linked } from './linked.ts';
import { health } from './health.ts';
import { metrics, operatorsAlone } from './metrics.ts';
import { checkAccept, MEDIA_TYPE } from '../negotiation.ts';
import { openApi } from '../openapi/answer.ts';
import type { PageContent } from '../openapi/pages.ts';
import { EXTENDED_JSON, profilePage } from './profile-page.ts';
import { readQuery } from '../query.ts';
import type { Types } from '../types.ts';
import { ENDPOINTS } from '../../modules/endpoints.ts';
import { preflight, type Reply } from '../headers.ts';
import { handOnAll } from '../../modules/applications/usage/requests.ts';
import { waitNoLonger } from '../log.ts';
import { readable } from '../../auth/decision.ts';
import { holderOf, NOBODY } from '../../auth/holder.ts';
import { authenticate } from '../../auth/keys.ts';
import { paced } from '../../auth/rates.ts';
import { isOfViewer } from '../../auth/rules.ts';
import { audienceOf } from '../../modules/endpoint.ts';

const refusing = (detail: string, ...methods: readonly string[]) =>
  replyOfProblems(fail('method-not-allowed', detail).problems, { Allow: [...methods, 'OPTIONS'].join(', ') });
const READ_ONLY = refusing('This page can only be read.', 'GET', 'HEAD');
const WITH_FORMS = refusing('This page can be read, and takes its forms.', 'GET', 'HEAD', 'POST');
const POST_ONLY = refusing('This address takes POST alone.', 'POST');

/** A page whose answer is JSON:API with nothing but `meta`. */
const ABOUT = { mediaType: MEDIA_TYPE, schema: topLevel({ meta: openObjectOf({}) }) };
/** The viewer makes styles as it goes; like all others, the page runs no script but files of ours. */
const VIEWER_POLICY = PAGE_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");

const HTML = { mediaType: 'text/html', tagged: true };

type Page = PageContent & { readonly serve: (c: Context<Types>, ask: Ask) => Response | Promise<Response> };

function script(name: string, summary: string): Page {
  return { summary, mediaType: 'text/javascript', tagged: true, serve: (c) => asset(c, name) };
}

const PAGES: Readonly<Record<string, Page>> = {
  '/': {
    summary: 'Says what the service is, and where to read on',
    ...ABOUT,
    serve: (c) => c.render(frontPage()),
  },
  '/openapi.json': {
    summary: 'Describes the API; with credentials that may read schemas, also the types of the application',
    mediaType: 'application/json',
    tagged: true,
    schema: { type: 'object', required: ['openapi', 'info', 'paths'] },
    serve: async (c) => c.render(await openApi(c, PAGES)),
  },
  [EXTENDED_JSON]: {
    summary: 'Describes the extended-json profile',
    ...ABOUT,
    serve: (c) => c.render(profilePage()),
  },
  '/health': {
    summary: 'Says whether the service and its storage answer',
    ...ABOUT,
    serve: async (c) => c.render(await health(c)),
  },
  '/metrics': {
    summary: 'Counts what the service does, in the form of Prometheus',
    mediaType: 'text/plain',
    audience: 'operator',
    serve: async (c) => c.render(await metrics(c)),
  },
  '/drain': {
    summary: 'Says that the runtime is about to end: lines of the log wait no longer',
    method: 'post',
    mediaType: null,
    audience: 'operator',
    serve: async (c) => c.render(await drain(c)),
  },
  [`${LINKED_PATH}/:application/:sealed`]: {
    summary: 'Reads the content of a file by a link that carries its right',
    mediaType: '*/*',
    tagged: true,
    ranged: true,
    serve: async (c) => c.render(await linked(c)),
  },
  '/docs': {
    summary: 'Shows this description as a page, to be read and tried',
    ...HTML,
    serve: (c) => asset(c, 'reference.html', VIEWER_POLICY),
  },
  '/docs/:page': {
    summary: 'A page of the documentation',
    ...HTML,
    serve: (c) => asset(c, `docs-${c.req.param('page') ?? ''}.html`),
  },
  '/docs/:folder/:page': {
    summary: 'A page of a folder of the documentation',
    ...HTML,
    serve: (c) => asset(c, `docs-${c.req.param('folder') ?? ''}-${c.req.param('page') ?? ''}.html`),
  },
  '/client.js': script(
    'client.js',
    'The client for JavaScript and TypeScript, a module without dependencies',
  ),
  '/client.tgz': {
    summary: 'The client as a package with the types of the application, of foredge dev alone',
    mediaType: 'application/gzip',
    serve: async (c) => c.render(await clientPackage(c)),
  },
  '/development': {
    summary: 'Says what is wrong in the files that foredge dev follows',
    ...ABOUT,
    serve: async (c) => c.render(await development(c)),
  },
  '/client-live.js': script('client-live.js', 'Lists that stay up to date, for the client'),
  '/dashboard': {
    summary: 'A page to look after applications with: documents, people, rules, and how they run',
    ...HTML,
    serve: (c) => asset(c, 'dashboard.html'),
  },
  '/client-offline.js': script('client-offline.js', 'A store for work without a network, for the client'),
  '/permitted': {
    summary: 'Tells which lists the key and its user may read',
    audience: 'application',
    mediaType: MEDIA_TYPE,
    schema: topLevel({}, { meta: { lists: { type: 'array', items: { type: 'string' } } } }),
    serve: async (c) => c.render(await permitted(c)),
  },
  '/account/:application/:key': {
    summary: 'The ready pages of accounts: sign-up, login, a forgotten password',
    mediaType: 'text/html',
    forms: ['to', 'state', 'view', 'id', 'provider', 'code', 'error', 'iss'],
    serve: accountPage,
  },
  '/client-account.js': script('client-account.js', 'Sign-up and codes by mail, for the client'),
  '/client-files.js': script('client-files.js', 'Contents of files, for the client'),
  '/assets/:name': {
    summary: 'A script or a style of the pages',
    mediaType: '*/*',
    tagged: true,
    serve: (c) => asset(c, c.req.param('name') ?? ''),
  },
};

/** Their routes. Some ask the whole service. */
export function pagesOf(ask: Ask): Hono<Types> {
  const pages = new Hono<Types>();
  for (const [path, { forms, method, serve }] of Object.entries(PAGES)) {
    if (forms !== undefined) pages.post(path, (c) => serve(c, ask));
    const ofGet = forms === undefined ? READ_ONLY : WITH_FORMS;
    const refusal = method === 'post' ? POST_ONLY : ofGet;
    pages[method ?? 'get'](path, (c) => serve(c, ask)).all(path, (c) =>
      c.render(c.req.method === 'OPTIONS' ? preflight(refusal.headers) : refusal),
    );
  }
  return pages;
}

function frontPage(): Reply {
  const endpoints = ENDPOINTS.map(({ method, path, summary }) => ({ method, path, summary }));
  return replyOf({
    status: 200,
    document: {
      meta: {
        service: 'Foredge',
        description:
          'A document store with a JSON:API. Send the headers api-key and application-id with every request.',
        documentation: '/docs/index',
        reference: '/docs',
        openapi: '/openapi.json',
        endpoints,
      },
    },
  });
}

const DONE = replyOf({ status: 204, confidential: true });

/**
 * The runtime of this isolate is about to end. Then it answers what is in flight, but waits for nothing else: so lines
 * of the log must not wait from then on, and counts of requests are handed on.
 */
async function drain(c: Context<Types>): Promise<Reply> {
  const refusal = await operatorsAlone(c);
  if (refusal !== null) return refusal;
  waitNoLonger();
  await handOnAll(c.env);
  return DONE;
}

/** What `foredge dev` serves beside the Worker: the client as a package, and faults in the files that it follows. */
const LOCAL = { typed: true, confidential: true, headers: {} } as const;

async function clientPackage(c: Context<Types>): Promise<Reply> {
  const made = await askDevelopment(c);
  if (made?.ok !== true) {
    return replyOfProblems(fail('not-found', 'Only foredge dev has the client as a package.').problems);
  }
  return { ...LOCAL, status: 200, mediaType: 'application/gzip', body: made.body };
}

/** `meta.project`: null where no project is followed, else its `fault`, a text with file and line, or null. */
async function development(c: Context<Types>): Promise<Reply> {
  const answer = await askDevelopment(c);
  if (answer?.ok !== true) return replyOf({ status: 200, document: { meta: { project: null } } });
  return { ...LOCAL, status: 200, body: answer.body };
}

async function askDevelopment({ env, req }: Context<Types>): Promise<Response | undefined> {
  return env.DEVELOPMENT?.fetch(req.raw.url, { headers: req.raw.headers });
}

/** What has pages at an address without parameters, and is not the operator's; nor what account settings decide. */
const LISTS = ENDPOINTS.filter(
  ({ method, path, parameters = [], answers }) =>
    method === 'GET' &&
    !path.includes('{') &&
    audienceOf({ path }) !== 'operator' &&
    parameters.includes('page') &&
    answers[200] !== 'own data',
);

/**
 * `GET /permitted`: the lists that the request's key and user may read, for pages that offer no others. It tells what
 * asking for each would: it needs no permission of its own.
 */
async function permitted(c: Context<Types>): Promise<Reply> {
  const { headers } = c.req.raw;
  const known = await authenticate(c.env, headers);
  if (!known.ok) return replyOfProblems(known.problems);
  const { key, standing } = known.value;
  const paid = paced(key, standing.quotas);
  if (!paid.ok) return replyOfProblems(paid.problems);
  const accepted = checkAccept(headers.get('accept'));
  const asked = accepted.ok ? readQuery(new URL(c.req.url).search, []) : accepted;
  if (!asked.ok) return replyOfProblems(asked.problems);
  const { holder } = key.permissions.some(isOfViewer)
    ? await holderOf(c.env, key.application, headers.get('authorization'), false, null)
    : NOBODY;
  const lists = readable(key.permissions, LISTS, holder);
  return replyOf({ status: 200, document: { meta: { lists } }, confidential: true });
}
