/** Permissions as JSON, in which what no form changes stays; and in words, with the patterns that ticks make. Pure. */
import { pathOf } from '../../../client/paths.ts';
import type { Link } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { oneOf } from '../../../domain/names.ts';
import { isItems, isMembers, linkIn, literal, type Members } from '../../parts/fields/json.ts';

export type Permission = Members;
export type Acl = Members;

export const METHODS = ['get', 'post', 'patch', 'delete', 'bulk'] as const;

/** What is no object is left out: the service stores none. */
export function permissionsOf(json: Json | undefined): readonly Permission[] {
  return isItems(json) ? json.filter(isMembers) : [];
}

export function aclOf({ acl }: Permission): Acl {
  return isMembers(acl) ? acl : {};
}

export function isActive(permission: Permission): boolean {
  return aclOf(permission)['active'] === true;
}

export function methodsOf({ methods }: Permission): readonly string[] {
  return isItems(methods) ? methods.filter((each) => typeof each === 'string') : [];
}

/** The identities of a list of an ACL. */
export function identitiesOf(acl: Acl, list: string): readonly Link[] {
  const identities = acl[list];
  return isItems(identities) ? identities.flatMap((each) => linkIn(each) ?? []) : [];
}

/** What a new key may begin with, in words and as permissions. */
export const BEGINNINGS: readonly (readonly [
  name: string,
  words: string,
  permissions: readonly Permission[],
])[] = [
  ['nothing', 'Nothing yet', []],
  ['read', 'Read all documents', [{ path: '/resources(/.*)?', methods: ['get'] }]],
  [
    'users',
    'What logged-in users have rights to',
    [
      { path: String.raw`/users/core\.user\.token(/.*)?`, methods: ['post', 'delete'] },
      { path: '/resources(/.*)?', methods: ['get', 'post', 'patch', 'delete'], acl: { active: true } },
      { path: '/operations', methods: ['post'] },
    ],
  ],
  ['everything', 'Everything', [{ path: '.*', methods: METHODS }]],
];

/** Settings that give rights on people would make owners of developers. */
const OF_NOBODY = { name: { $nin: ['core.user', 'core.external-user', 'core.user-group'] } };

/** Those who run an application under names of their own: their groups, and what each may do with all documents. */
export const ROLES = [
  { name: 'Owners', may: [{ path: '.*', methods: METHODS }] },
  {
    name: 'Developers',
    may: [
      { path: '/(resources|files|aggregates|operations)(/.*)?', methods: METHODS },
      { path: '/schemas(/.*)?', methods: METHODS, where: OF_NOBODY, check: OF_NOBODY },
    ],
  },
  { name: 'Support', may: [{ path: '/(resources|files|aggregates|users)(/.*)?', methods: ['get'] }] },
] as const;

/** What a login needs, by any way in. Roles come before it: the first permission that admits a request decides. */
const LOGINS: readonly Permission[] = [
  { path: String.raw`/users/core\.user\.token`, methods: ['post'] },
  {
    path: String.raw`/users/core\.account-action(/[0-9a-f]{24}/redemption)?`,
    methods: ['post'],
    acl: { active: true },
  },
  {
    path: String.raw`/users/core\.(user/me|user/[0-9a-f]{24}|user\.token/me|user\.token/[0-9a-f]{24})`,
    methods: ['get', 'delete'],
    acl: { active: true },
  },
];

/** The key of those in the groups of `ROLES`, in their order. */
export function permissionsOfRoles(groups: readonly Link[]): readonly Permission[] {
  const roles = ROLES.flatMap(({ may }, at) => {
    const list = groups.slice(at, at + 1).map(({ type, id }) => ({ type, id }));
    const lists = {
      'endpoint-access-list-flavor': 'white',
      'endpoint-access-list': list,
      'document-access-list': list,
    };
    return may.map((permission) => ({ ...permission, acl: { active: true, ...lists } }));
  });
  return [...roles, ...LOGINS];
}

/** Examples of paths for the types of an application. */
export function examplesOf(types: readonly string[]): readonly string[] {
  const escaped = types.map((type) => type.replaceAll('.', String.raw`\.`));
  return [
    ...escaped.flatMap((type) => [
      `/resources/${type}`,
      `/resources/${type}/[0-9a-f]{24}`,
      `/resources/${type}(/[0-9a-f]{24})?`,
    ]),
    '/resources/.*',
    String.raw`/users/core\.user/(me|[0-9a-f]{24})`,
    String.raw`/users/core\.user\.token(/me)?`,
    '/operations',
    '.*',
  ];
}

/** All types of documents. */
export const EVERY = '*';

/** The pattern for everything of some types: their lists, their documents, and what is below these. */
export function patternOf(types: readonly string[]): string {
  if (types.includes(EVERY)) return '/resources(/.*)?';
  const byModule = Map.groupBy(types, (type) => pathOf(type).split('/')[1] ?? '');
  const parts = Array.from(byModule, ([module, each]) => `/${module}/${anyOf(each.map(escaped))}`);
  return types.length === 0 ? '' : `${anyOf(parts)}(/.*)?`;
}

function anyOf(parts: readonly string[]): string {
  return parts.length === 1 ? (parts[0] ?? '') : `(${parts.join('|')})`;
}

/** As people write it: a slash and a dash stand for themselves. */
function escaped(type: string): string {
  return literal(type).replaceAll(/\\([/-])/g, '$1');
}

/** What stands behind a type in patterns for it. */
const BEHIND = ['(/.*)?', '(/[0-9a-f]{24})?', ''];

/** The types that a pattern is for, if it is one that ticks make, or near to that; undefined for all others. */
export function typesIn(path: string): readonly string[] | undefined {
  if (path === patternOf([EVERY]) || path === '/resources/.*') return [EVERY];
  for (const end of BEHIND) {
    if (!path.endsWith(end)) continue;
    const names = path
      .slice(0, path.length - end.length)
      .replaceAll(/[()]/g, '')
      .split('|')
      .map((part) => part.replace(/^\/[a-z-]+\//, '').replaceAll(String.raw`\.`, '.'));
    const areNames = names.every((name) => /^[^/\\*+?^${}[\]]+$/.test(name));
    if (areNames && patternOf(names).replace(BEHIND[0] ?? '', '') + end === path) return names;
  }
  return undefined;
}

const MAY: readonly (readonly [method: string, words: string])[] = [
  ['get', 'read'],
  ['post', 'create'],
  ['patch', 'change'],
  ['delete', 'delete'],
  ['bulk', 'change many at once'],
];

/** `Users may read and create articles, as far as their rights go.` */
export function sentenceOf(permission: Permission): string {
  const { path, where, check, fields } = permission;
  const methods = methodsOf(permission);
  const may = MAY.filter(([method]) => methods.includes(method)).map(([, words]) => words);
  if (may.length === 0) return 'Nobody may do anything by this.';
  const types = typeof path === 'string' ? typesIn(path) : undefined;
  const what =
    types === undefined
      ? 'what the pattern names'
      : types.includes(EVERY)
        ? 'documents of every type'
        : oneOf(types, 'and');
  const isForUsers = isActive(permission);
  const who = isForUsers ? 'Users' : 'Whoever has the key';
  const rules = [where, check, fields].some((each) => each !== undefined) ? ', under its rules' : '';
  return `${who} may ${oneOf(may, 'and')} ${what}${isForUsers ? ', as far as their rights go' : ''}${rules}.`;
}
