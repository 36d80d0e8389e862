/** Permissions as JSON: what a form changes is replaced, and everything else stays as it was read. Pure. */
import type { Link } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { isItems, isMembers, linkIn, type Members } from '../../parts/fields/json.ts';

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
