/** The rights that a document is created with, beside those of its owners. */
import { fail } from '../../../domain/problems.ts';
import { EVERYONE, MEMBERS, type Acl, type Grant, type Right } from '../../../domain/rights.ts';

/** Rights with others beside them, which are given by the names of their members in an ACL. */
export function withGrants(acl: Acl, grants: Readonly<Record<string, Grant>> | undefined): Acl {
  if (grants === undefined) return acl;
  const added = Object.entries(grants).flatMap(([member, grant]): [Right, Grant][] => {
    const right = MEMBERS.acl[member];
    if (right === undefined) return [];
    const before = acl[right] ?? [];
    if (grant === EVERYONE || before === EVERYONE) return [[right, EVERYONE]];
    return [[right, [...new Set([...before, ...grant])]]];
  });
  return { ...acl, ...Object.fromEntries(added) };
}

export function grantsRefused() {
  const detail = 'The settings of the type give the rights: only a service may give others.';
  return fail('forbidden', detail, { pointer: '/data/meta/acl' });
}
