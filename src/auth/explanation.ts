/** How a request was decided, as `Prefer: explain` and the decision of a key tell it (docs/requests.md). Pure. */
import { refuserOf, type ExplainedPath, type Explanation } from '../domain/explained.ts';
import type { Problem } from '../domain/problems.ts';
import { considered, type Decision } from './decision.ts';
import { membersOf } from './rules.ts';

/** Null under a key with ACL: those who hold it are told no more than their answer. */
export function explanationOf(decision: Decision): Explanation | null {
  const { permissions, holder } = decision;
  if (permissions.some(({ acl }) => acl !== null)) return null;
  const user = holder?.token.holder;
  return { user: user === undefined ? null : { type: user.type, id: user.id }, paths: pathsOf(decision) };
}

/** Each path that is asked for: the permission that admits the request, its rules, and what the ones before it lack. */
export function pathsOf(decision: Decision): readonly ExplainedPath[] {
  return considered(decision).map(({ path, hindrances }) => {
    const at = hindrances.indexOf(null);
    const { rule = null } = decision.permissions[at] ?? {};
    return {
      path,
      permission: at === -1 ? null : at,
      rules: rule === null ? [] : membersOf(rule),
      passed: hindrances.filter((each) => each !== null),
    };
  });
}

/** Problems of which the first says how the request was decided, and who has refused it. */
export function explainedRefusal(
  problems: readonly Problem[],
  explanation: Explanation | null | undefined,
): readonly Problem[] {
  const [first, ...others] = problems;
  if (first === undefined || explanation === null || explanation === undefined) return problems;
  return [{ ...first, explained: { by: refuserOf(first), ...explanation } }, ...others];
}
