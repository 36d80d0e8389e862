/**
 * The way of a request, step by step, in the order of checks (decisions, section 1). Each step is a function of its
 * own; this one is their table of contents.
 */
import { canonicalPath } from '../auth/canonical-path.ts';
import { signerOf } from '../auth/credentials.ts';
import { identify, type Trace } from '../auth/identify.ts';
import { isOperator } from '../auth/operator.ts';
import type { PermittedMethod } from '../auth/permissions.ts';
import type { Environment } from '../collection/environment.ts';
import { LIMITS } from '../domain/limits.ts';
import { fail, ok, type Outcome } from '../domain/problems.ts';
import { ENDPOINTS } from '../modules/endpoints.ts';
import type { Settings } from '../domain/settings.ts';
import { parseTagList, TAG_LIST_FORM, type TagList } from '../modules/documents/tag-list.ts';
import { replyOf, replyOfProblems } from './answer.ts';
import type { Address } from './address.ts';
import { readBody } from './body.ts';
import { clientAddressOf } from './client-address.ts';
import type { Reply } from './headers.ts';
import { asksForProfile, checkAccept, checkContentType, mediaTypeOf } from './negotiation.ts';
import { EXTENDED_JSON } from './profile-page.ts';
import { readQuery } from './query.ts';
import { storageFull } from './outage.ts';
import { hasRoom } from '../collection/room.ts';
import { Router } from './router.ts';

/** Methods that need room for what they store. */
const ADDING: ReadonlySet<string> = new Set(['POST', 'PATCH']);

const router = new Router(ENDPOINTS);

/** Methods that endpoints have, with the permission each needs. */
const METHODS: ReadonlyMap<string, PermittedMethod> = new Map([
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['POST', 'post'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

/** What the service runs in. */
export interface Surroundings {
  readonly environment: Environment;
  readonly settings: Settings;
}

/** Answers a request; `address` is null when it is none. */
export async function serve(
  request: Request,
  address: Address | null,
  { environment, settings }: Surroundings,
  trace: Trace,
): Promise<Reply> {
  const { method, headers } = request;
  const withBody = method !== 'HEAD';
  const refuse = (
    outcome: { readonly problems: Parameters<typeof replyOfProblems>[0] },
    extra?: Record<string, string>,
  ) => replyOfProblems(outcome.problems, extra, withBody);

  const permitted = METHODS.get(method);
  if (permitted === undefined) {
    return refuse(fail('method-not-allowed', 'No endpoint knows the method.'), {
      Allow: [...METHODS.keys(), 'OPTIONS'].join(', '),
    });
  }
  // A host that is none makes no address together with the path.
  if (address === null) return refuse(fail('invalid-path', 'Host and path are no address together.'));
  const canonical = canonicalPath(address.path);
  if (!canonical.ok) return refuse(canonical);

  const claim = { method: permitted, canonical: canonical.value, headers };
  const caller = await identify(environment, claim, trace);
  if (!caller.ok) return refuse(caller);
  const { path, segments } = caller.value.canonical;

  const route = router.route(method, segments);
  if (route.kind === 'none') return refuse(fail('not-found', `There is no endpoint ${path}.`));
  if (route.kind === 'method') {
    const detail = `The endpoint ${path} does not know the method ${method}.`;
    return refuse(fail('method-not-allowed', detail), { Allow: route.allow.join(', ') });
  }
  const { endpoint, parameters } = route;

  // What is deleted may make room.
  if (ADDING.has(method) && !(await hasRoom(environment))) return replyOfProblems([storageFull()]);
  const takesBody = endpoint.body !== undefined;
  // A body of no bytes is none: that it is missing is said later, and is no matter of its media type.
  if (takesBody && request.body !== null && headers.get('content-length') !== '0') {
    const contentType = checkContentType(headers.get('content-type'), endpoint.extension);
    if (!contentType.ok) return refuse(contentType);
  }
  const accept = checkAccept(headers.get('accept'), endpoint.extension);
  if (!accept.ok) return refuse(accept);
  const query = readQuery(address.query, endpoint.parameters ?? []);
  if (!query.ok) return refuse(query);
  const ifMatch = readTags(headers, 'If-Match');
  if (!ifMatch.ok) return refuse(ifMatch);
  const ifNoneMatch = readTags(headers, 'If-None-Match');
  if (!ifNoneMatch.ok) return refuse(ifNoneMatch);
  const begun = Date.now();
  const body = takesBody
    ? await readBody(request, {
        deadline: settings.bodyDeadline,
        most: endpoint.bodyLimit,
        depth: endpoint.bodyDepth,
      })
    : ok(null);
  if (!body.ok) return refuse(body);
  // What was permitted when a slow body began may be no more: the end of a token holds for whatever comes after it.
  const current = Date.now() - begun > LIMITS.bodyTrust ? await identify(environment, claim, trace) : caller;
  if (!current.ok) return refuse(current);
  const { application, access, me } = current.value;

  const base = settings.publicUrl ?? address.origin;
  const profile = `${base}${EXTENDED_JSON}`;
  const wrapped = asksForProfile(headers.get('accept'), profile, endpoint.extension);
  const answer = await endpoint.handle({
    environment,
    application,
    signature: (await signerOf(environment)).signature,
    access,
    explain: await asksToExplain(environment, headers),
    authorization: headers.get('authorization'),
    address: clientAddressOf(headers, settings.clientAddressHeader),
    base,
    path,
    parameters,
    me,
    query: query.value,
    body: body.value,
    ifMatch: ifMatch.value,
    ifNoneMatch: ifNoneMatch.value,
    wrapped,
  });
  const { extension } = endpoint;
  const mediaType =
    wrapped || extension !== undefined ? mediaTypeOf(extension, wrapped ? profile : undefined) : undefined;
  return answer.ok ? replyOf(answer.value, withBody, mediaType) : refuse(answer);
}

/** The entity tags of a header, or 400. `If-Match` compares strongly, `If-None-Match` weakly (RFC 9110, 13.1). */
function readTags(headers: Headers, header: 'If-Match' | 'If-None-Match'): Outcome<TagList> {
  const list = parseTagList(headers.get(header), header === 'If-None-Match');
  return list === undefined
    ? fail('invalid-header', `${header} must be ${TAG_LIST_FORM}.`, { header })
    : ok(list);
}

/** The operator may ask, with the secret in this header, for the plan of a search in the answer's `meta`. */
async function asksToExplain(environment: Environment, headers: Headers): Promise<boolean> {
  const secret = headers.get('foredge-explain');
  return secret !== null && isOperator(environment, `Bearer ${secret}`);
}
