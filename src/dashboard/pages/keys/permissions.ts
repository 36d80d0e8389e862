/** Permissions as JSON: what a form changes is replaced, and everything else stays as it was read. Pure. */
import type { Link } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';

export type Permission = Readonly<Record<string, Json>>;
export type Acl = Readonly<Record<string, Json>>;

export const METHODS = ['get', 'post', 'patch', 'delete', 'bulk'] as const;

export function isObject(json: Json | undefined): json is Readonly<Record<string, Json>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** What is no object is left out: the service stores none. */
export function permissionsOf(json: Json | undefined): readonly Permission[] {
  return Array.isArray(json) ? (json as readonly Json[]).filter(isObject) : [];
}

/** Without the members that are undefined. */
export function withMembers(
  of: Readonly<Record<string, Json>>,
  members: Readonly<Record<string, Json | undefined>>,
): Readonly<Record<string, Json>> {
  const entries = Object.entries({ ...of, ...members });
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

export function aclOf({ acl }: Permission): Acl {
  return isObject(acl) ? acl : {};
}

export function isActive(permission: Permission): boolean {
  return aclOf(permission)['active'] === true;
}

export function methodsOf({ methods }: Permission): readonly string[] {
  return Array.isArray(methods)
    ? (methods as readonly Json[]).filter((each) => typeof each === 'string')
    : [];
}

/** The identities of a list of an ACL. */
export function identitiesOf(acl: Acl, list: string): readonly Link[] {
  const value = acl[list];
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((each) => {
    if (!isObject(each)) return [];
    const { type, id } = each;
    return typeof type === 'string' && typeof id === 'string' ? [{ type, id }] : [];
  });
}

/** What a new key may begin with. */
export const BEGINNINGS = {
  nothing: [],
  read: [{ path: '/resources/.*', methods: ['get'] }],
  users: [
    { path: String.raw`/users/core\.user\.token(/.*)?`, methods: ['post', 'delete'] },
    { path: '/resources/.*', methods: ['get', 'post', 'patch', 'delete'], acl: { active: true } },
  ],
  everything: [{ path: '.*', methods: [...METHODS] }],
} as const satisfies Readonly<Record<string, readonly Permission[]>>;

export type Beginning = keyof typeof BEGINNINGS;

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
