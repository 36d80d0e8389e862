/**
 * The way of a request, step by step, in the order of checks (decisions, section 1). Each step is a function of its
 * own; this one is their table of contents.
 */
import { authenticate } from '../auth/keys.ts';
import { isOperator } from '../auth/operator.ts';
import { admit, type PermittedMethod } from '../auth/permissions.ts';
import { SYSTEM_APPLICATION } from '../collection/collection.ts';
import type { Environment } from '../collection/environment.ts';
import { fail, ok, type Outcome } from '../domain/problems.ts';
import type { Access } from '../modules/endpoint.ts';
import { ENDPOINTS } from '../modules/endpoints.ts';
import { parseTagList } from '../modules/documents/conditions.ts';
import { answerResponse, problemResponse } from './answer.ts';
import { readBody } from './body.ts';
import { canonicalPath, type CanonicalPath } from './canonical-path.ts';
import { checkAccept, checkContentType } from './negotiation.ts';
import { readQuery } from './query.ts';
import { Router } from './router.ts';

const router = new Router(ENDPOINTS);

/** Methods that endpoints have, with the permission each needs. */
const METHODS: ReadonlyMap<string, PermittedMethod> = new Map([
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['POST', 'post'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

/** What is known of a caller once a request may go on. */
interface Caller {
  readonly application: string;
  readonly access: Access;
}

/** Notes for the log, filled on the way. */
export interface Trace {
  application?: string;
  key?: string;
}

export async function serve(request: Request, environment: Environment, trace: Trace): Promise<Response> {
  const { method, headers } = request;
  const withBody = method !== 'HEAD';
  const refuse = (
    outcome: { readonly problems: Parameters<typeof problemResponse>[0] },
    extra?: Record<string, string>,
  ) => problemResponse(outcome.problems, extra, withBody);

  const permitted = METHODS.get(method);
  if (permitted === undefined) {
    return refuse(fail('method-not-allowed', 'No endpoint knows the method.'), {
      Allow: [...METHODS.keys(), 'OPTIONS'].join(', '),
    });
  }
  const url = new URL(request.url);
  const canonical = canonicalPath(url.pathname);
  if (!canonical.ok) return refuse(canonical);
  const { path, segments } = canonical.value;

  const caller = await identify(request, environment, permitted, canonical.value, trace);
  if (!caller.ok) return refuse(caller);

  const route = router.route(method, segments);
  if (route.kind === 'none') return refuse(fail('not-found', `There is no endpoint ${path}.`));
  if (route.kind === 'method') {
    const detail = `The endpoint ${path} does not know the method ${method}.`;
    return refuse(fail('method-not-allowed', detail), { Allow: route.allow.join(', ') });
  }
  const { endpoint, parameters } = route;
  if (endpoint.handle === null)
    return refuse(fail('not-implemented', 'The endpoint is planned, but not there yet.'));

  const takesBody = endpoint.body !== undefined;
  if (takesBody && request.body !== null) {
    const contentType = checkContentType(headers.get('content-type'));
    if (!contentType.ok) return refuse(contentType);
  }
  const accept = checkAccept(headers.get('accept'));
  if (!accept.ok) return refuse(accept);
  const query = readQuery(url.search, endpoint.parameters ?? []);
  if (!query.ok) return refuse(query);
  const body = takesBody ? await readBody(request) : ok(null);
  if (!body.ok) return refuse(body);

  const answer = await endpoint.handle({
    environment,
    ...caller.value,
    base: url.origin,
    path,
    parameters,
    query: query.value,
    body: body.value,
    ifMatch: parseTagList(headers.get('if-match'), false),
    ifNoneMatch: parseTagList(headers.get('if-none-match'), true),
  });
  return answer.ok ? answerResponse(answer.value, withBody) : refuse(answer);
}

/** Known application and key (401), then permission (403); or the operator, for the operator's own endpoints. */
async function identify(
  request: Request,
  environment: Environment,
  method: PermittedMethod,
  { path, segments }: CanonicalPath,
  trace: Trace,
): Promise<Outcome<Caller>> {
  if (segments[0] === 'applications') {
    if (await isOperator(environment, request.headers.get('authorization'))) {
      return ok({ application: SYSTEM_APPLICATION, access: { mayGet: () => true, view: '0'.repeat(16) } });
    }
    return fail('operator-required', 'Send the operator secret as a bearer token.', {
      header: 'Authorization',
    });
  }
  const authenticated = await authenticate(environment, request.headers);
  if (!authenticated.ok) return authenticated;
  const { application, id, permissions, digest } = authenticated.value;
  trace.application = application;
  trace.key = id;
  const admission = admit(permissions, method, path);
  if (!admission.admitted) {
    return admission.missing === 'token'
      ? fail('token-required', 'Send a valid user token in the Authorization header.', {
          header: 'Authorization',
        })
      : fail('forbidden', `The API key does not permit ${method} on ${path}.`, { header: 'api-key' });
  }
  const mayGet = (each: string) => admit(permissions, 'get', each).admitted;
  return ok({ application, access: { mayGet, view: digest } });
}
