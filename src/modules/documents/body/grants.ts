/** Rights as a body gives them: the attributes of an ACL, or the `acl` of a document that is created. */
import { LIMITS, TOLD } from '../../../domain/limits.ts';
import { unknownName } from '../../../domain/names.ts';
import { inside, pointerOf, type Place } from '../../../domain/pointer.ts';
import { problem, type Problem } from '../../../domain/problems.ts';
import { MEMBERS, readGrant, type AclLevel, type Grant } from '../../../domain/rights.ts';
import type { Fields } from '../../../domain/values/values.ts';

export interface Grants {
  readonly grants: Readonly<Record<string, Grant>>;
  readonly problems: readonly Problem[];
}

/** The rights among the members of an object at a place; any other member is a fault. */
export function readGrants(
  members: Fields,
  level: AclLevel,
  place: Place,
  most: number = LIMITS.rightIdentities,
): Grants {
  const grants: [string, Grant][] = [];
  const problems: Problem[] = [];
  for (const [name, value] of Object.entries(members)) {
    const pointer = pointerOf(inside(place, name));
    const grant = readGrant(value);
    if (!Object.hasOwn(MEMBERS[level], name)) {
      if (problems.length >= TOLD.inBody) continue;
      const names = Object.keys(MEMBERS[level]);
      const detail = unknownName(name, { what: 'right', where: 'here', names });
      problems.push(problem('invalid-attribute', detail, { pointer }));
    } else if (grant === undefined) {
      const detail = 'A right is "*" or an array of users, user groups and external users as {type, id}.';
      problems.push(problem('invalid-attribute', detail, { pointer }));
    } else if (grant.length > most) {
      const detail = `A right names at most ${most} identities: name a group of them.`;
      problems.push(problem('invalid-attribute', detail, { pointer }));
    } else grants.push([name, grant]);
  }
  return { grants: Object.fromEntries(grants), problems };
}
