/**
 * Many equalities on one path as one test: thousands of values, from `$all` or a list of alternatives, must not cause
 * thousands of walks through a long array.
 */
import type { Value } from '../../domain/values/values.ts';
import { compileWalk, type Counter, type Path, type Predicate } from '../../query/walk.ts';
import { indexValues } from '../query/value-index.ts';
import type { Condition } from './conditions.ts';

/** Values that are asked for on one path. */
interface Equalities {
  readonly path: Path;
  readonly values: readonly Value[];
}

/** Below this a group is not worth its tables. */
const WORTHWHILE = 3;

/** The alternatives, with those that are equalities on one path made one `in`. */
export function mergeAlternatives(conditions: readonly Condition[]): readonly Condition[] {
  const { groups, rest } = group(conditions, (each) => {
    if (each.op === 'eq') return [each.value];
    return each.op === 'in' && each.patterns.length === 0 ? each.values : undefined;
  });
  return [
    ...groups.map(({ path, values }): Condition => ({ op: 'in', path, values, patterns: [] })),
    ...rest,
  ];
}

/** The conditions that must all hold, with their equalities on one path taken out. */
export function groupEqualities(conditions: readonly Condition[]) {
  return group(conditions, (each) => (each.op === 'eq' ? [each.value] : undefined));
}

/** Groups equalities by path. Groups that are too small stay where they were. */
function group(
  conditions: readonly Condition[],
  valuesOf: (condition: Condition) => readonly Value[] | undefined,
) {
  const groups = new Map<
    string,
    { readonly path: Path; readonly values: Value[]; readonly from: Condition[] }
  >();
  for (const condition of conditions) {
    const values = valuesOf(condition);
    if (values === undefined || !('path' in condition)) continue;
    const key = JSON.stringify(condition.path);
    const known = groups.get(key) ?? { path: condition.path, values: [], from: [] };
    for (const value of values) known.values.push(value);
    known.from.push(condition);
    groups.set(key, known);
  }
  const large = [...groups.values()].filter(({ from }) => from.length >= WORTHWHILE);
  const merged = new Set(large.flatMap(({ from }) => from));
  return { groups: large, rest: conditions.filter((each) => !merged.has(each)) };
}

/** True when each of the values is found on the path: one walk, which counts the different ones it meets. */
export function compileEqualities({ path, values }: Equalities, looked: Counter | null): Predicate {
  const { count, find } = indexValues(values);
  // The walk in which each value was last met: nothing needs to be cleared between documents.
  const met = new Uint32Array(count);
  let walk = 0;
  let missing = 0;
  const test = compileWalk(
    path,
    'items and array',
    (value) => {
      const number = find(value);
      if (number === -1 || met[number] === walk) return false;
      met[number] = walk;
      missing -= 1;
      return missing === 0;
    },
    looked,
  );
  return (subject) => {
    // Numbers come round after four thousand million walks.
    walk = (walk + 1) >>> 0 || 1;
    missing = count;
    return test(subject);
  };
}
