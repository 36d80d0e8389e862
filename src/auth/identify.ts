/**
 * Identifies the caller: known application and key (401), then permission (403); or the operator, for their endpoints.
 */
import type { Auditor } from '../collection/rpc/writes/target.ts';
import type { Environment } from '../collection/rpc/environment.ts';
import { type DocumentId, type ApplicationId, SYSTEM_APPLICATION } from '../domain/ids.ts';
import { keyOf, type Link } from '../domain/documents.ts';
import { fail, failed, ok, type Outcome } from '../domain/problems.ts';
import { storageQuotasOf, type StorageQuotas } from '../domain/applications/quotas.ts';
import { accessOf, accessOfStranger, OPERATOR_ACCESS, type Access } from './access.ts';
import type { CanonicalPath } from '../domain/addresses/canonical.ts';
import { decide, refusalOf, isMe, type Decision } from './decision.ts';
import { explainedRefusal, explainingOf, type Explaining } from './explanation.ts';
import { expectCopy, holderOf, NOBODY, type Identified } from './holder.ts';
import { isForStrangers } from './login/id-token.ts';
import { authenticate, type ApiKey, type Authenticated } from './keys.ts';
import { isOperator } from './operator.ts';
import { paced } from './rates.ts';
import { isOfViewer } from './rules.ts';
import type { PermittedMethod } from './permissions.ts';

/** The credentials that a request claims, and what it asks for. */
export interface Claim {
  readonly method: PermittedMethod;
  /** As sent: `me` is not resolved. */
  readonly canonical: CanonicalPath;
  readonly headers: Headers;
  /** Whether the answer is to say what has decided. */
  readonly explains?: boolean;
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
  /** How the request was admitted, where the answer is to say so. */
  readonly explaining?: Explaining | null | undefined;
  /** What the application may store, where something limits it. */
  readonly quotas?: StorageQuotas | undefined;
  /**
   * For a read that goes ahead with what was last known of its user: whether that is still so. If not, the request must
   * be identified again. Null where the caller is certain.
   */
  readonly confirmed: Promise<boolean> | null;
  /** Who it is, where the application keeps an audit trail. */
  readonly audited?: Audited | undefined;
}

/** The caller as the audit trail tells it; the request adds its own id and method. */
type Audited = Omit<Auditor, 'method' | 'request'>;

/** The caller, as far as known, and what became of the request: for the log, also for refused requests. */
export interface Trace {
  application?: ApplicationId;
  key?: string;
  keyName?: string;
  user?: Link;
  /** The type that the path names, if it names one. */
  type?: string;
  /** Why it was refused. */
  code?: string;
  search?: SearchNote;
}

/** How a search was run, and the names of its parameters: their values may be secrets. */
interface SearchNote {
  readonly way: string;
  readonly scan: boolean;
  readonly 'documents-visited': number;
  readonly parameters: readonly string[];
}

/**
 * The caller of a request, or the refusal. Only reads go ahead with an uncertain caller. `again`: it was counted
 * before, and goes only by what holds now.
 */
export function identify(
  environment: Environment,
  claim: Claim,
  trace: Trace,
  again = false,
): Outcome<Caller> | Promise<Outcome<Caller>> {
  const identifying = { environment, claim, trace, again };
  if (claim.canonical.segments[0] === 'applications') return identifyOperator(environment, claim);
  const authenticated = authenticate(environment, claim.headers);
  if (!(authenticated instanceof Promise)) return identifyKey(identifying, authenticated);
  // The key is looked up in KV, and so is the token meanwhile.
  const expected = expectCopy(environment, claim.headers.get('authorization'));
  // Where no permission asks who the user is, nobody waits for it.
  expected.catch(() => undefined);
  return authenticated.then((later) => identifyKey(identifying, later, expected));
}

interface Identifying {
  readonly environment: Environment;
  readonly claim: Claim;
  readonly trace: Trace;
  readonly again: boolean;
}

async function identifyOperator(
  environment: Environment,
  { canonical, headers }: Claim,
): Promise<Outcome<Caller>> {
  if (!(await isOperator(environment, headers.get('authorization')))) {
    return fail('operator-required', 'Send the operator secret as a bearer token.', {
      header: 'Authorization',
    });
  }
  return ok({
    application: SYSTEM_APPLICATION,
    apiKey: null,
    access: OPERATOR_ACCESS,
    path: canonical.path,
    me: null,
    bulk: false,
    confirmed: null,
  });
}

/** The caller with a key. Where no permission asks who the user is, nothing is waited for. */
function identifyKey(
  identifying: Identifying,
  authenticated: Outcome<Authenticated>,
  expected: ReturnType<typeof expectCopy> | null = null,
): Outcome<Caller> | Promise<Outcome<Caller>> {
  if (!authenticated.ok) return authenticated;
  const { environment, claim, trace, again } = identifying;
  const { method, canonical, headers } = claim;
  const { key, standing } = authenticated.value;
  const { application, permissions } = key;
  trace.application = application;
  trace.key = key.id;
  const [, type] = canonical.segments;
  if (type !== undefined) trace.type = type;
  if (key.name !== null) trace.keyName = key.name;
  const paid = again ? ok(null) : paced(key, standing.quotas);
  if (!paid.ok) return paid;
  // A key without ACL does not identify the user, unless the path has `me`.
  if (!isMe(canonical) && !permissions.some(isOfViewer)) {
    return admitted(identifying, authenticated.value, NOBODY);
  }
  const ahead = !again && method === 'get';
  return holderOf(environment, application, headers.get('authorization'), ahead, expected).then((found) =>
    admitted(identifying, authenticated.value, found),
  );
}

/** The caller, if a permission of the key admits the request of this user. */
function admitted(
  { environment, claim, trace }: Identifying,
  { key, standing }: Authenticated,
  { holder, confirmed }: Identified,
): Outcome<Caller> | Promise<Outcome<Caller>> {
  const { canonical } = claim;
  const { application, permissions } = key;
  const quotas = storageQuotasOf(standing.quotas);
  if (holder !== null) trace.user = holder.token.holder;
  const { auditDays: days } = standing;
  const user = holder && keyOf(holder.token.holder);
  const audited = days === null ? undefined : { days, key: key.id, keyName: key.name, user };
  const decision = decide(permissions, claim, holder);
  const { resolved, bulk } = decision;
  const explaining = claim.explains === true ? explainingOf(decision) : null;
  const access = accessIn(key, claim, decision);
  if (access === null || resolved === null) {
    // What is refused is refused for what holds now.
    return confirmed === null
      ? failed(...explainedRefusal(refusalOf(decision).problems, explaining?.whole))
      : identify(environment, claim, trace, true);
  }
  const [, , id = null] = resolved.segments;
  const me = isMe(canonical) ? id : null;
  return ok({
    application,
    apiKey: key.id,
    access,
    path: resolved.path,
    me,
    bulk,
    explaining,
    confirmed,
    quotas,
    audited,
  });
}

function accessIn(
  key: ApiKey,
  { method, canonical, headers }: Claim,
  { admission, holder, rules, effort }: Decision,
): Access | null {
  if (admission.admitted) return accessOf(key, holder, admission, rules, effort);
  if (admission.missing !== 'token') return null;
  return isForStrangers(method, canonical, headers.get('authorization'))
    ? accessOfStranger(key, [method, canonical.path], effort, rules)
    : null;
}
