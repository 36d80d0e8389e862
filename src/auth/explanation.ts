/** How a request was decided, as `Prefer: explain` and the decision of a key tell it (docs/requests.md). Pure. */
import { refuserOf, type ExplainedPath, type Explanation } from '../domain/explained.ts';
import { recall } from '../domain/caching/recall.ts';
import type { Problem } from '../domain/problems.ts';
import type { WorkBudget } from '../domain/work/work.ts';
import type { Decision } from './decision.ts';
import { effortOfRequest, hindrances, type PermittedMethod } from './permissions.ts';
import { membersOf } from './rules.ts';

/** What a request tells that is to explain itself. */
export interface Explaining {
  readonly whole: Explanation;
  /** Of a request that an operation of a list stands for. */
  readonly of: (method: PermittedMethod, path: string) => Explanation;
}

/** Null under a key with ACL: those who hold it are told no more than their answer. */
export function explainingOf(decision: Decision): Explaining | null {
  const { permissions, holder } = decision;
  if (permissions.some(({ acl }) => acl !== null)) return null;
  const person = holder?.token.holder;
  const user = person === undefined ? null : { type: person.type, id: person.id };
  // As operations are admitted: each question once, with the work of one request for all of them.
  const known = new Map<string, ExplainedPath>();
  const effort = effortOfRequest();
  return {
    whole: { user, paths: pathsOf(decision) },
    of: (method, path) => {
      const found = recall(known, `${method} ${path}`, () =>
        explained({ ...decision, needed: [method] }, path, effort),
      );
      return { user, paths: [found] };
    },
  };
}

/** Each path that is asked for: the one that was sent, and what `me` stands for. */
export function pathsOf(decision: Decision): readonly ExplainedPath[] {
  const { canonical, resolved } = decision;
  const paths = new Set([canonical.path, ...(resolved === null ? [] : [resolved.path])]);
  return Array.from(paths, (path) => explained(decision, path, effortOfRequest()));
}

/** The permission that admits the request, its rules, and what the ones before it lack. */
function explained(
  { permissions, needed, holder }: Pick<Decision, 'permissions' | 'needed' | 'holder'>,
  path: string,
  effort: WorkBudget,
): ExplainedPath {
  const found = hindrances(permissions, needed, path, holder, effort);
  const at = found.indexOf(null);
  const { rule = null } = permissions[at] ?? {};
  return {
    path,
    permission: at === -1 ? null : at,
    rules: rule === null ? [] : membersOf(rule),
    passed: found.filter((each) => each !== null),
  };
}

/** Problems, of which the first says how the request was decided, and who refused it; one that does so stays. */
export function explainedRefusal(
  problems: readonly Problem[],
  explanation: Explanation | null | undefined,
): readonly Problem[] {
  const [first, ...others] = problems;
  if (first === undefined || first.explained !== undefined || !explanation) return problems;
  return [{ ...first, explained: { by: refuserOf(first), ...explanation } }, ...others];
}
