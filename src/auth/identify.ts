/**
 * Identifies the caller: known application and key (401), then permission (403); or the operator, for the operator's
 * endpoints.
 */
import type { Auditor } from '../collection/rpc/upkeep/audit.ts';
import type { Environment } from '../collection/rpc/environment.ts';
import { type DocumentId, type ApplicationId, SYSTEM_APPLICATION } from '../domain/ids.ts';
import { keyOf } from '../domain/documents.ts';
import { oneOf } from '../domain/names.ts';
import { fail, ok, type Outcome } from '../domain/problems.ts';
import { storageQuotasOf, type StorageQuotas } from '../domain/applications/quotas.ts';
import { accessOf, accessOfNobody, OPERATOR_ACCESS, type Access } from './access.ts';
import type { CanonicalPath } from '../domain/addresses/canonical.ts';
import { holderOf, NOBODY, type Found } from './holder.ts';
import { isIdTokenLogin } from './login/id-token.ts';
import { authenticate } from './keys.ts';
import { isMe, resolveMe } from './me.ts';
import { isOperator } from './operator.ts';
import { paced } from './rates.ts';
import { asksWho, BoundRules, strictest } from './rules.ts';
import {
  admit,
  admitsAnyUser,
  effortOfRequest,
  neededFor,
  type Admission,
  type PermittedMethod,
} from './permissions.ts';

/** The credentials that a request claims, and what it asks for. */
export interface Claim {
  readonly method: PermittedMethod;
  /** As sent: `me` is not resolved. */
  readonly canonical: CanonicalPath;
  readonly headers: Headers;
}

/** What is known of a caller after the request is admitted. */
export interface Caller {
  readonly application: ApplicationId;
  /** The id of the API key; null for the operator. */
  readonly apiKey: DocumentId | null;
  readonly access: Access;
  /** The canonical path, with `me` resolved. */
  readonly path: string;
  /** The id that `me` stands for, if the path has `me`. */
  readonly me: string | null;
  /** Whether the key may change a whole collection at once, where this is asked. */
  readonly bulk: boolean;
  /** What the application may store, where something limits it. */
  readonly quotas?: StorageQuotas;
  /**
   * For a read that goes ahead with what was last known of its user: whether that is still so. If not, the request is to
   * be identified once more, by `identifyAgain`. Null where the caller is certain.
   */
  readonly confirmed: Promise<boolean> | null;
  /** Who it is, where the application keeps an audit trail. */
  readonly audited?: Audited;
}

/** The caller as the audit trail tells it; the request adds its own id and method. */
type Audited = Omit<Auditor, 'method' | 'request'>;

/** The caller, as far as known: for the log, also for refused requests. */
export interface Trace {
  application?: ApplicationId;
  key?: string;
  keyName?: string;
  user?: string;
  /** The type that the path names, if it names one. */
  type?: string;
}

/** The caller of a request, or the refusal. Only reads go ahead with a caller that is not certain. */
export async function identify(
  environment: Environment,
  claim: Claim,
  trace: Trace,
): Promise<Outcome<Caller>> {
  const ahead = claim.method === 'get';
  const found = { certain: true };
  const identified = await identifyBy(environment, claim, trace, {
    again: false,
    find: async (application, authorization) => {
      const holder = await holderOf(environment, application, authorization, ahead);
      found.certain = holder.confirmed === null;
      return holder;
    },
  });
  // What is refused is refused for what holds now.
  return identified.ok || found.certain ? identified : identifyAgain(environment, claim, trace);
}

/** The same for a request that was counted before, by what holds now and nothing else. */
export async function identifyAgain(
  environment: Environment,
  claim: Claim,
  trace: Trace,
): Promise<Outcome<Caller>> {
  return identifyBy(environment, claim, trace, {
    again: true,
    find: (application, authorization) => holderOf(environment, application, authorization, false),
  });
}

/** Whether the request was counted before, and who holds its token. */
interface Identifying {
  readonly again: boolean;
  readonly find: (application: ApplicationId, authorization: string | null) => Promise<Found>;
}

async function identifyBy(
  environment: Environment,
  claim: Claim,
  trace: Trace,
  { again, find }: Identifying,
): Promise<Outcome<Caller>> {
  const { method, canonical, headers } = claim;
  const authorization = headers.get('authorization');
  if (canonical.segments[0] === 'applications') {
    if (!(await isOperator(environment, authorization))) {
      return fail('operator-required', 'Send the operator secret as a bearer token.', {
        header: 'Authorization',
      });
    }
    const { path } = canonical;
    return ok({
      application: SYSTEM_APPLICATION,
      apiKey: null,
      access: OPERATOR_ACCESS,
      path,
      me: null,
      bulk: false,
      confirmed: null,
    });
  }
  const authenticated = await authenticate(environment, headers);
  if (!authenticated.ok) return authenticated;
  const { key, standing } = authenticated.value;
  const { application, permissions } = key;
  trace.application = application;
  trace.key = key.id;
  const [, type] = canonical.segments;
  if (type !== undefined) trace.type = type;
  if (key.name !== null) trace.keyName = key.name;
  const paid = again ? ok(null) : paced(key, standing.quotas);
  if (!paid.ok) return paid;
  const storage = storageQuotasOf(standing.quotas);
  const asksForMe = isMe(canonical);
  // A key without ACL does not identify the user, unless the path has `me`.
  const asked = asksForMe || permissions.some(asksWho);
  const { holder, confirmed } = asked ? await find(application, authorization) : NOBODY;
  if (holder !== null) trace.user = holder.token.holder.id;
  const ofApplication = {
    ...(storage !== undefined && { quotas: storage }),
    ...(standing.auditDays !== null && {
      audited: {
        days: standing.auditDays,
        key: key.id,
        keyName: key.name,
        user: holder === null ? null : keyOf(holder.token.holder),
      },
    }),
  };

  const resolved = asksForMe && holder !== null ? resolveMe(canonical, holder) : canonical;
  const effort = effortOfRequest();
  const rules = new BoundRules(holder);
  const needed = neededFor(method, canonical.segments);
  const admittedFor = (methods: readonly PermittedMethod[]) =>
    admitBoth(
      (asked) => admit(permissions, methods, asked, holder, rules, effort),
      canonical.path,
      resolved?.path,
    );
  const whole = admittedFor(needed);
  // For a key without `bulk` a collection is no more than it was before there was such a word: 405, or 403.
  const isPlain = !whole.admitted && whole.missing === 'permission' && needed.length > 1;
  const admission = isPlain ? admittedFor([method]) : whole;
  if (!admission.admitted) {
    if (
      admission.missing === 'token' &&
      isIdTokenLogin(method, canonical, authorization) &&
      admitsAnyUser(permissions, method, canonical.path, effort)
    ) {
      return ok({
        application,
        apiKey: key.id,
        access: accessOfNobody(key),
        path: canonical.path,
        me: null,
        bulk: false,
        confirmed: null,
        ...ofApplication,
      });
    }
    const permitted = METHODS.filter((each) => {
      const other = admittedFor([each]);
      return other.admitted || other.missing === 'token';
    });
    return refusalOf(admission, isPlain ? [method] : needed, canonical, permitted);
  }
  if (asksForMe && holder === null) {
    return fail('token-required', 'Only a user token says who me is.', { header: 'Authorization' });
  }
  if (resolved === null) return fail('forbidden', 'The user behind the token is none of this type.');
  const access = accessOf(key, holder, admission, rules, effort);
  const [, , id = null] = resolved.segments;
  const me = asksForMe ? id : null;
  return ok({
    application,
    apiKey: key.id,
    access,
    path: resolved.path,
    me,
    bulk: !isPlain,
    confirmed,
    ...ofApplication,
  });
}

/** Methods that a refusal may name: whoever holds the key could find out by trying. */
const METHODS: readonly PermittedMethod[] = ['get', 'post', 'patch', 'delete'];

function othersOf(permitted: readonly PermittedMethod[]): string {
  return permitted.length === 0
    ? 'It permits nothing there: the pattern of a permission must match the whole path.'
    : `It permits ${oneOf(permitted, 'and')} there.`;
}

function refusalOf(
  { missing }: Exclude<Admission, { readonly admitted: true }>,
  needed: readonly PermittedMethod[],
  { path }: CanonicalPath,
  permitted: readonly PermittedMethod[],
): Outcome<never> {
  if (missing === 'token') {
    return fail('token-required', 'Send a valid user token in the Authorization header.', {
      header: 'Authorization',
    });
  }
  const detail =
    missing === 'effort'
      ? 'The patterns of the API key take too much work on this path.'
      : `The API key does not permit ${needed.join(' and ')} on ${path}. ${othersOf(permitted)}`;
  return fail('forbidden', detail, { header: 'api-key' });
}

/**
 * Both the path as sent and the path with `me` resolved must be permitted; if one of them puts the request under ACL,
 * it is under ACL, and the rules of both hold.
 */
function admitBoth(ask: (path: string) => Admission, path: string, resolved: string | undefined): Admission {
  const sent = ask(path);
  if (resolved === undefined || resolved === path) return sent;
  const meant = ask(resolved);
  const stricter = strictness(meant) < strictness(sent) ? meant : sent;
  if (!meant.admitted || !sent.admitted || !stricter.admitted) return stricter;
  return { ...stricter, rule: strictest(sent.rule, meant.rule) };
}

/** A lower rank is stricter. */
function strictness(admission: Admission): number {
  if (!admission.admitted) return 0;
  if (admission.viewer !== null) return 1;
  return admission.owner !== null ? 2 : 3;
}
