/** Permissions of an API key (spec, API key): how they are read, and whom they admit. Pure. */
import { pathOfType } from '../domain/addresses/paths.ts';
import { keyOf, type Link } from '../domain/documents.ts';
import { LIMITS, TOLD, WORK } from '../domain/limits.ts';
import { offerOf, oneOf, sentenceOf, strangersIn, unknownName, type Detail } from '../domain/names.ts';
import { inside, pointerOf, type Place } from '../domain/pointer.ts';
import { problem, type Problem } from '../domain/problems.ts';
import { readIdentity } from '../domain/rights.ts';
import { storedType } from '../domain/types.ts';
import { coreTypesThat } from '../domain/types/facts.ts';
import { isFields, type Fields, type Value } from '../domain/values/values.ts';
import { WorkBudget } from '../domain/work/work.ts';
import { compileFullMatch } from '../query/regex/pattern.ts';
import type { Holder } from './holder.ts';
import { memberOf, isList } from '../domain/values/tree.ts';
import type { Principal } from '../domain/rules.ts';
import { isOfViewer, RULE_MEMBERS, RuleReading, type BoundRules, type PermissionRule } from './rules.ts';

const METHODS = ['get', 'post', 'patch', 'delete', 'bulk'] as const;
export type PermittedMethod = (typeof METHODS)[number];

interface IdentityList {
  /** True when the list names the exceptions, false when it names those whom it reaches. */
  readonly except: boolean;
  readonly identities: ReadonlySet<string>;
}

/** What a permission requires of the user (spec, ACL object). */
interface AccessControl {
  readonly endpoint: IdentityList;
  readonly document: IdentityList;
}

export interface Permission {
  /** True when the whole path matches the permission's pattern. */
  readonly matches: (path: string, effort: WorkBudget) => boolean;
  readonly methods: ReadonlySet<string>;
  /** Null if ACL is off. */
  readonly acl: AccessControl | null;
  /** Null for a permission about every document and every field. */
  readonly rule: PermissionRule | null;
}

/** The cost of each pattern, whatever it is. */
const UNITS_PER_PATTERN = 0.2;

/**
 * The work that the patterns of a key may take for one request: one pattern of the worst kind, or a thousand that are
 * merely slow, would delay everybody for a long time.
 */
export function effortOfRequest(): WorkBudget {
  return new WorkBudget(WORK.permissions);
}

/** How a request is admitted, or what was missing. */
export type Admission =
  | (Principal & {
      readonly admitted: true;
      /** The user under a permission with ACL on, who will own what the request creates. */
      readonly owner: Link | null;
      /** The user, if the permission asks who that is: the creator of what the request creates. */
      readonly creator: Link | null;
    })
  | { readonly admitted: false; readonly missing: 'token' | 'permission' | 'effort' };

const MEMBERS = ['path', 'methods', 'acl', ...RULE_MEMBERS];
const ACL_MEMBERS = [
  'active',
  'endpoint-access-list-flavor',
  'endpoint-access-list',
  'document-access-list-flavor',
  'document-access-list',
];

/**
 * The methods that a permission must have for a request, all of them: a change of a whole collection has a word of its
 * own, beside that of the method.
 */
export function neededFor(method: PermittedMethod, segments: readonly string[]): readonly PermittedMethod[] {
  const isOfCollection = segments[0] === 'resources' && segments.length <= 2;
  return isOfCollection && (method === 'patch' || method === 'delete') ? [method, 'bulk'] : [method];
}

/** What keeps a permission from admitting a request, in the order in which it is looked at. */
export type Hindrance = 'method' | 'path' | 'acl' | 'token' | 'endpoint-access-list';

const PATHS_OF_SERVICES = coreTypesThat(({ forServices }) => forServices).map((type) =>
  pathOfType(storedType(type)).replaceAll('.', String.raw`\.`),
);
const OF_SERVICES = new RegExp(`^(?:${PATHS_OF_SERVICES.join('|')})(?:[./]|$)`);

/** Whether a path is about documents for services alone: under ACL no request, include or filter reads them. */
export function isForServices(path: string): boolean {
  return OF_SERVICES.test(path);
}

/** What keeps this permission from admitting a request; null if it admits it. */
function hindranceOf(
  { methods, matches, acl }: Permission,
  needed: readonly PermittedMethod[],
  path: string,
  holder: Holder | null,
  effort: WorkBudget,
): Hindrance | null {
  if (!needed.every((method) => methods.has(method))) return 'method';
  if (!matches(path, effort)) return 'path';
  if (acl === null) return null;
  if (isForServices(path)) return 'acl';
  if (holder === null) return 'token';
  return concerns(acl.endpoint, holder) ? null : 'endpoint-access-list';
}

/** The first permission, in order, that admits the request decides (decisions, section 4). */
export function admit(
  permissions: readonly Permission[],
  needed: readonly PermittedMethod[],
  path: string,
  holder: Holder | null,
  rules: BoundRules,
  effort: WorkBudget,
): Admission {
  let missing: 'token' | 'permission' = 'permission';
  for (const permission of permissions) {
    if (effort.exceeded) return { admitted: false, missing: 'effort' };
    const hindrance = hindranceOf(permission, needed, path, holder, effort);
    if (hindrance === 'token') missing = 'token';
    if (hindrance !== null) continue;
    const { acl, rule } = permission;
    const user = holder?.token.holder ?? null;
    if (acl === null || holder === null) {
      const creator = isOfViewer(permission) ? user : null;
      return { admitted: true, viewer: null, rule: rules.bind(rule), owner: null, creator };
    }
    const viewer = concerns(acl.document, holder) ? holder.identities : null;
    return { admitted: true, viewer, rule: rules.bind(rule), owner: user, creator: user };
  }
  return { admitted: false, missing: effort.exceeded ? 'effort' : missing };
}

/** What keeps each permission from admitting a request, up to and with the one that admits it: that has null. */
export function hindrances(
  permissions: readonly Permission[],
  needed: readonly PermittedMethod[],
  path: string,
  holder: Holder | null,
  effort: WorkBudget,
): readonly (Hindrance | null)[] {
  const found: (Hindrance | null)[] = [];
  for (const permission of permissions) {
    if (effort.exceeded) break;
    const hindrance = hindranceOf(permission, needed, path, holder, effort);
    found.push(hindrance);
    if (hindrance === null) break;
  }
  return found;
}

/**
 * How whoever has no token yet is admitted to what asks for none, such as a sign-up: by a permission without ACL, or by
 * one whose ACL admits every user, because its endpoint list names nobody. Its rule holds, and nobody has rights.
 */
export function admitStranger(
  permissions: readonly Permission[],
  method: PermittedMethod,
  path: string,
  rules: BoundRules,
  effort: WorkBudget,
): Admission {
  const trusted = admit(permissions, [method], path, null, rules, effort);
  if (trusted.admitted || trusted.missing !== 'token') return trusted;
  const open = permissions.find(
    ({ methods, matches, acl }) =>
      acl !== null &&
      acl.endpoint.except &&
      acl.endpoint.identities.size === 0 &&
      methods.has(method) &&
      !effort.exceeded &&
      matches(path, effort),
  );
  if (open === undefined) return trusted;
  return { admitted: true, viewer: [], rule: rules.bind(open.rule), owner: null, creator: null };
}

/**
 * Whether a list reaches a user. Both uses have the same shape: a list of the exceptions, or of those whom it reaches.
 * A black endpoint list and a white document list name the exceptions (spec, ACL object).
 */
function concerns({ except, identities }: IdentityList, holder: Holder): boolean {
  return holder.identities.some((identity) => identities.has(identity)) !== except;
}

/** Reads an API key's `permissions`; every fault is reported with its place, and yields no permission. */
export function readPermissions(value: Value, place: Place) {
  const reading = new Reading();
  if (!isList(value)) {
    reading.fault(place, 'The permissions must be an array.');
    return { permissions: [], problems: reading.problems };
  }
  if (value.length > LIMITS.permissionsPerKey) {
    reading.fault(place, `A key has at most ${LIMITS.permissionsPerKey} permissions.`);
    return { permissions: [], problems: reading.problems };
  }
  const permissions = value.flatMap((each, index) => reading.permission(each, inside(place, index)) ?? []);
  return { permissions, problems: reading.problems };
}

class Reading {
  readonly problems: Problem[] = [];
  readonly #rules = new RuleReading((place, detail) => {
    this.fault(place, detail);
  });
  #faults = 0;
  #size = 0;

  fault(place: Place, detail: Detail): void {
    this.#faults += 1;
    if (this.problems.length >= TOLD.inBody) return;
    this.problems.push(problem('invalid-attribute', sentenceOf(detail), { pointer: pointerOf(place) }));
  }

  permission(value: Value, place: Place): Permission | undefined {
    if (!isFields(value)) {
      this.fault(place, 'A permission must be an object with path and methods.');
      return undefined;
    }
    const before = this.#faults;
    for (const [name, detail] of strangersIn(value, MEMBERS)) this.fault(inside(place, name), detail);
    const matches = this.#path(memberOf(value, 'path'), inside(place, 'path'));
    const methods = this.#methods(memberOf(value, 'methods'), inside(place, 'methods'));
    const acl = this.#acl(memberOf(value, 'acl'), inside(place, 'acl'));
    const rule = this.#rules.read(value, place);
    // What is not understood permits nothing: without its rule a permission would permit more.
    if (this.#faults > before) return undefined;
    return matches && methods && { matches, methods, acl, rule };
  }

  #path(value: Value | undefined, place: Place): Permission['matches'] | undefined {
    if (typeof value !== 'string') {
      this.fault(place, 'The path must be a string holding a regular expression.');
      return undefined;
    }
    // One pattern too many is reported once, and later ones are not compiled, because that would cost.
    if (this.#size > LIMITS.permissionPatterns) return undefined;
    const compiled = compileFullMatch(value);
    if (!compiled.ok) {
      this.fault(place, `The path is no usable regular expression: ${compiled.reason}`);
      return undefined;
    }
    const { pattern } = compiled;
    this.#size += pattern.size;
    if (this.#size > LIMITS.permissionPatterns) {
      this.fault(place, 'The paths of the permissions are too complex together.');
      return undefined;
    }
    // A canonical path is one line: whatever it is, this matches.
    const any = value === '.*';
    return (path, effort) => {
      effort.spend(UNITS_PER_PATTERN);
      if (any) return true;
      if (!pattern.mayMatch(path)) return false;
      return pattern.test(path, effort);
    };
  }

  #methods(value: Value | undefined, place: Place): ReadonlySet<string> | undefined {
    const list = value !== undefined && isList(value) ? value : [];
    const methods = list.filter((each) => typeof each === 'string');
    if (value === undefined || !isList(value) || methods.length < list.length) {
      this.fault(place, `The methods must be an array of ${oneOf(METHODS, 'and')}.`);
      return undefined;
    }
    const strange = methods.findIndex((each) => !METHODS.some((method) => method === each));
    if (strange === -1) return new Set(methods);
    this.fault(inside(place, strange), () =>
      unknownName(methods[strange] ?? '', { what: 'method', where: 'here', names: METHODS }),
    );
    return undefined;
  }

  #acl(value: Value | undefined, place: Place): AccessControl | null {
    if (value === undefined) return null;
    if (!isFields(value)) {
      this.fault(place, 'The acl must be an object.');
      return null;
    }
    for (const [name, detail] of strangersIn(value, ACL_MEMBERS)) this.fault(inside(place, name), detail);
    const active = memberOf(value, 'active') ?? false;
    if (typeof active !== 'boolean')
      this.fault(inside(place, 'active'), 'The active member must be a boolean.');
    // A black list bars the users it names from the endpoint; a white list exempts the users it names from document
    // ACL.
    const endpoint = this.#identities(value, 'endpoint-access-list', 'black', 'black', place);
    const document = this.#identities(value, 'document-access-list', 'white', 'white', place);
    return active === true ? { endpoint, document } : null;
  }

  #identities(acl: Fields, name: string, byDefault: string, exempting: string, place: Place): IdentityList {
    const flavor = memberOf(acl, `${name}-flavor`) ?? byDefault;
    if (flavor !== 'black' && flavor !== 'white') {
      const offer = offerOf(flavor, ['black', 'white']);
      this.fault(inside(place, `${name}-flavor`), `A flavor is black or white.${offer}`);
    }
    const list = memberOf(acl, name) ?? [];
    const identities = isList(list) ? list.map(readIdentity) : [undefined];
    if (identities.includes(undefined)) {
      this.fault(
        inside(place, name),
        'The list must hold users, user groups or external users as {type, id}.',
      );
    }
    const keys = identities.flatMap((identity) => (identity === undefined ? [] : keyOf(identity)));
    return { except: flavor === exempting, identities: new Set(keys) };
  }
}
