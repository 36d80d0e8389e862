/**
 * What a key's permissions say of one request, before anything is read: whether it is admitted, and if not, why not.
 * Every request is decided here, and so is every question about a request that nobody has sent. Pure.
 */
import type { CanonicalPath } from '../domain/addresses/canonical.ts';
import { oneOf } from '../domain/names.ts';
import { fail, type Outcome } from '../domain/problems.ts';
import type { WorkBudget } from '../domain/work/work.ts';
import type { Holder } from './holder.ts';
import {
  admit,
  effortOfRequest,
  isForServices,
  neededFor,
  type Admission,
  type Permission,
  type PermittedMethod,
} from './permissions.ts';
import { BoundRules, strictest } from './rules.ts';
import { pathOfDocument } from '../domain/addresses/paths.ts';
import { typeInfo } from '../domain/types/facts.ts';

/** What a request asks for; `canonical` is the path as sent: `me` is not resolved. */
export interface DecisionRequest {
  readonly method: PermittedMethod;
  readonly canonical: CanonicalPath;
}

export interface Decision extends DecisionRequest {
  /** Of the path as sent, and of what `me` stands for. */
  readonly admission: Admission;
  /** The path with `me` resolved; null where nobody can stand for it. */
  readonly resolved: CanonicalPath | null;
  /** The methods that a permission had to have, all of them. */
  readonly needed: readonly PermittedMethod[];
  /** Whether the key may change a whole collection at once, where this is asked. */
  readonly bulk: boolean;
  readonly rules: BoundRules;
  readonly effort: WorkBudget;
  readonly holder: Holder | null;
  readonly permissions: readonly Permission[];
}

export function decide(
  permissions: readonly Permission[],
  request: DecisionRequest,
  holder: Holder | null,
): Decision {
  const { method, canonical } = request;
  const standsFor = isMe(canonical) ? holder && resolveMe(canonical, holder) : canonical;
  const rules = new BoundRules(holder);
  const effort = effortOfRequest();
  const known = { permissions, canonical, holder, rules, effort };
  const all = neededFor(method, canonical.segments);
  const whole = admissionFor(known, standsFor, all);
  // For a key without `bulk` a collection is no more than it was before there was such a word: 405, or 403.
  const isPlain = !whole.admitted && whole.missing === 'permission' && all.length > 1;
  const needed = isPlain ? [method] : all;
  const admission = isPlain ? admissionFor(known, standsFor, needed) : whole;
  const decision: Decision = {
    method,
    canonical,
    permissions,
    holder,
    rules,
    effort,
    admission,
    resolved: standsFor,
    needed,
    bulk: !isPlain,
  };
  if (isPlain || all.length === 1 || !admission.admitted) return decision;
  // Only what can be listed is changed so: else the number of changes would tell of what may not be read.
  const listing = admissionFor(known, standsFor, LISTING);
  return listing.admitted ? decision : { ...decision, admission: listing, needed: LISTING };
}

/** Of some lists, the paths of those that a GET is shown: the work of patterns is that of one request. */
export function readable(
  permissions: readonly Permission[],
  lists: readonly { readonly path: string }[],
  holder: Holder | null,
): readonly string[] {
  const [rules, effort] = [new BoundRules(holder), effortOfRequest()];
  return lists
    .map(({ path }) => path)
    .filter((path) => admit(permissions, LISTING, path, holder, rules, effort).admitted);
}

const LISTING: readonly PermittedMethod[] = ['get'];

export function tokenRequired(detail = 'Send a valid user token in the Authorization header.') {
  return fail('token-required', detail, { header: 'Authorization' });
}

/** The refusal of a request that is not admitted, or whose `me` nobody stands for. */
export function refusalOf(decision: Decision): Extract<Outcome<never>, { readonly ok: false }> {
  const { admission, holder, resolved, needed, canonical } = decision;
  const why = needed === LISTING ? ' Only what can be listed is changed so.' : '';
  if (admission.admitted) {
    return holder === null
      ? tokenRequired('Only a user token says who me is.')
      : fail('forbidden', 'The user of the token is not of this type.');
  }
  if (admission.missing === 'token') return tokenRequired();
  const permitted = METHODS.filter((each) => {
    const other = admissionFor(decision, resolved, [each]);
    return other.admitted || other.missing === 'token';
  });
  const detail =
    admission.missing === 'effort'
      ? 'The patterns of the API key take too much work on this path.'
      : `The API key does not permit ${needed.join(' and ')} on ${canonical.path}.${why} ` +
        othersOf(permitted, canonical);
  return fail('forbidden', detail, { header: 'api-key' });
}

/**
 * Both the path as sent and the path with `me` resolved must be permitted; if one of them puts the request under ACL,
 * it is under ACL, and the rules of both hold.
 */
function admissionFor(
  {
    permissions,
    canonical,
    holder,
    rules,
    effort,
  }: Pick<Decision, 'permissions' | 'canonical' | 'holder' | 'rules' | 'effort'>,
  resolved: CanonicalPath | null,
  methods: readonly PermittedMethod[],
): Admission {
  const sent = admit(permissions, methods, canonical.path, holder, rules, effort);
  if (resolved === null || resolved.path === canonical.path) return sent;
  const meant = admit(permissions, methods, resolved.path, holder, rules, effort);
  const stricter = strictness(meant) < strictness(sent) ? meant : sent;
  if (!meant.admitted || !sent.admitted || !stricter.admitted) return stricter;
  return { ...stricter, rule: strictest(sent.rule, meant.rule) };
}

/** Methods that a refusal may name: whoever holds the key could find out by trying. */
const METHODS: readonly PermittedMethod[] = ['get', 'post', 'patch', 'delete'];

function othersOf(permitted: readonly PermittedMethod[], canonical: CanonicalPath): string {
  if (permitted.length > 0) return `It permits ${oneOf(permitted, 'and')} there.`;
  if (isForServices(canonical.path)) return 'That is for permissions without ACL.';
  const paths = isMe(canonical)
    ? 'the whole path, and the path with the id that me stands for'
    : 'the whole path';
  const pattern = `the pattern of a permission must match ${paths}`;
  return `It permits nothing there: ${pattern}, and its endpoint access list admit the user.`;
}

/** A lower rank is stricter. */
function strictness(admission: Admission): number {
  if (!admission.admitted) return 0;
  if (admission.viewer !== null) return 1;
  return admission.owner !== null ? 2 : 3;
}

/** True for a path whose id is `me`, where `me` is an id: of the user's own document, and of the token itself. */
export function isMe({ segments }: CanonicalPath): boolean {
  const [first, type = '', id] = segments;
  if (segments.length !== 3 || id !== 'me') return false;
  const { module, holdsTokens, tokensOf } = typeInfo(type);
  return first === module && (holdsTokens === true || tokensOf !== undefined);
}

/** The path with the id that `me` stands for, or null when the token's holder is not of the type. */
function resolveMe({ segments }: CanonicalPath, { token }: Holder): CanonicalPath | null {
  const [module = '', type = ''] = segments;
  const own = type === token.holder.type ? token.holder.id : null;
  const id = typeInfo(type).tokensOf === token.holder.type ? token.id : own;
  return id === null ? null : { path: pathOfDocument(type, id), segments: [module, type, id] };
}
