/**
 * The way of a request, step by step, in the order of checks (decisions, section 1). Each step is a function of its
 * own; this one is their table of contents.
 */
import { authenticate } from '../auth/keys.ts';
import { signerOf } from '../auth/credentials.ts';
import { isOperator } from '../auth/operator.ts';
import { holderOf, type Holder } from '../auth/holder.ts';
import {
  admit,
  admitsAnyUser,
  Effort,
  type Admission,
  type Permission,
  type PermittedMethod,
} from '../auth/permissions.ts';
import { SYSTEM_APPLICATION } from '../collection/objects.ts';
import type { Environment } from '../collection/environment.ts';
import { digest64 } from '../domain/digest.ts';
import { LIMITS } from '../domain/limits.ts';
import { fail, ok, type Outcome } from '../domain/problems.ts';
import type { Access } from '../modules/endpoint.ts';
import { ENDPOINTS } from '../modules/endpoints.ts';
import type { Settings } from '../domain/settings.ts';
import { parseTagList, TAG_LIST_FORM, type TagList } from '../modules/documents/tag-list.ts';
import { replyOf, replyOfProblems } from './answer.ts';
import type { Address } from './address.ts';
import { readBody } from './body.ts';
import { canonicalPath, type CanonicalPath } from './canonical-path.ts';
import { clientAddressOf } from './client-address.ts';
import type { Reply } from './headers.ts';
import { isIdTokenLogin } from './id-token-login.ts';
import { isMe, resolveMe } from './me.ts';
import { asksForProfile, checkAccept, checkContentType, mediaTypeOf } from './negotiation.ts';
import { EXTENDED_JSON } from './profile-page.ts';
import { readQuery } from './query.ts';
import { storageFull } from './outage.ts';
import { hasRoom } from './room.ts';
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

/** What is known of a caller once a request may go on. */
interface Caller {
  readonly application: string;
  readonly access: Access;
  /** The path with `me` resolved. */
  readonly canonical: CanonicalPath;
  /** True when it was there to resolve. */
  readonly me: boolean;
}

/** What the service runs in. */
export interface Surroundings {
  readonly environment: Environment;
  readonly settings: Settings;
}

/** Notes for the log, filled on the way. */
export interface Trace {
  application?: string;
  key?: string;
  user?: string;
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

  const caller = await identify(request, environment, permitted, canonical.value, trace);
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
  const current =
    Date.now() - begun > LIMITS.bodyTrust
      ? await identify(request, environment, permitted, canonical.value, trace)
      : caller;
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

/** Known application and key (401), then permission (403); or the operator, for the operator's own endpoints. */
async function identify(
  request: Request,
  environment: Environment,
  method: PermittedMethod,
  canonical: CanonicalPath,
  trace: Trace,
): Promise<Outcome<Caller>> {
  const authorization = request.headers.get('authorization');
  if (canonical.segments[0] === 'applications') {
    if (await isOperator(environment, authorization)) return ok({ ...OPERATOR, canonical });
    return fail('operator-required', 'Send the operator secret as a bearer token.', {
      header: 'Authorization',
    });
  }
  const authenticated = await authenticate(environment, request.headers);
  if (!authenticated.ok) return authenticated;
  const { application, id, permissions, digest } = authenticated.value;
  trace.application = application;
  trace.key = id;
  const asksForMe = isMe(canonical);
  // A key without ACL asks nobody who the user is, unless the path does.
  const asked = asksForMe || permissions.some(({ acl }) => acl !== null);
  const holder = asked ? await holderOf(environment, application, authorization) : null;
  if (holder !== null) trace.user = holder.token.holder.id;

  const resolved = asksForMe && holder !== null ? resolveMe(canonical, holder) : canonical;
  const effort = new Effort();
  const admission = admitAll(permissions, method, canonical.path, resolved?.path, holder, effort);
  if (!admission.admitted) {
    if (
      admission.missing === 'token' &&
      isIdTokenLogin(method, canonical, authorization) &&
      admitsAnyUser(permissions, method, canonical.path, effort)
    ) {
      const nobody = {
        viewer: [],
        owner: null,
        holder: null,
        viewerOf: () => null,
        admissionOf: () => ({ admitted: false, missing: 'token' }) as const,
        view: digest,
      };
      return ok({ application, canonical, me: false, access: nobody });
    }
    if (admission.missing === 'effort') {
      return fail('forbidden', 'The patterns of the API key take too much work on this path.', {
        header: 'api-key',
      });
    }
    return admission.missing === 'token'
      ? fail('token-required', 'Send a valid user token in the Authorization header.', {
          header: 'Authorization',
        })
      : fail('forbidden', `The API key does not permit ${method} on ${canonical.path}.`, {
          header: 'api-key',
        });
  }
  if (asksForMe && holder === null) {
    return fail('token-required', 'Only a user token says who me is.', { header: 'Authorization' });
  }
  if (resolved === null) return fail('forbidden', 'The user behind the token is none of this type.');
  const { viewer, owner } = admission;
  const viewerOf = (each: string) => {
    const get = admit(permissions, 'get', each, holder, effort);
    if (get.admitted) return { viewer: get.viewer };
    return get.missing === 'effort' ? 'exhausted' : null;
  };
  const admissionOf = (asked: PermittedMethod, each: string) =>
    admit(permissions, asked, each, holder, effort);
  const view = holder === null ? digest : digest64([digest, ...holder.identities].join(' '));
  return ok({
    application,
    canonical: resolved,
    me: asksForMe,
    access: { viewer, owner, holder, viewerOf, admissionOf, view },
  });
}

/** The path as sent and as `me` resolves must be permitted; where one puts the request under ACL, it is under ACL. */
function admitAll(
  permissions: readonly Permission[],
  method: PermittedMethod,
  path: string,
  resolved: string | undefined,
  holder: Holder | null,
  effort: Effort,
): Admission {
  const sent = admit(permissions, method, path, holder, effort);
  if (resolved === undefined || resolved === path) return sent;
  const meant = admit(permissions, method, resolved, holder, effort);
  return strictness(meant) < strictness(sent) ? meant : sent;
}

/** The lower the stricter. */
function strictness(admission: Admission): number {
  if (!admission.admitted) return 0;
  if (admission.viewer !== null) return 1;
  return admission.owner !== null ? 2 : 3;
}

const OPERATOR: Omit<Caller, 'canonical'> = {
  application: SYSTEM_APPLICATION,
  me: false,
  access: {
    viewer: null,
    owner: null,
    holder: null,
    viewerOf: () => ({ viewer: null }),
    admissionOf: () => ({ admitted: true, viewer: null, owner: null }),
    view: '0'.repeat(16),
  },
};
