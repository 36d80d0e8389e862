/**
 * The validated tree as criteria of mingo. A selector has a dot before each name (`.a.b`), so that no field name is
 * taken for an operator or a prototype; the empty selector is the document, or the element, itself. An `Operand` holds
 * the operator's argument.
 */
import type { Value } from '../../domain/values/values.ts';
import { type Path, compileWalk, type Counter, type Predicate } from '../../query/walk.ts';
import { CarriedOperand } from '../operand.ts';
import type { Condition, Leaf, LeafName } from './conditions.ts';
import { indexValues } from '../query/value-index.ts';

/** Conditions at one selector, by operator; or the list of a logical operator. */
export type Criteria = Readonly<Record<string, AnyOperand | Readonly<Record<string, AnyOperand>>>>;
type AnyOperand = LeafOperand | CriteriaOperand | ValuesOperand | SearchOperand;

/** Of an operator on a path. */
export class LeafOperand extends CarriedOperand<Leaf> {}
/** Of a logical operator. */
export class CriteriaOperand extends CarriedOperand<readonly Criteria[]> {}
/** Of `$all`. */
export class ValuesOperand extends CarriedOperand<readonly Value[]> {}
/** Of `$text`. */
export class SearchOperand extends CarriedOperand<Extract<Condition, { readonly op: 'text' }>> {}

export function criteriaOf(condition: Condition): Criteria {
  switch (condition.op) {
    case 'and': {
      if (condition.guard === true) {
        return at([], '$guard', new CriteriaOperand(condition.conditions.map(criteriaOf)));
      }
      const { groups, rest } = groupEqualities(condition.conditions);
      const all = groups.map(({ path, values }) => at(path, '$all', new ValuesOperand(values)));
      return { $and: new CriteriaOperand([...all, ...rest.map(criteriaOf)]) };
    }
    case 'or':
      return { $or: alternatives(condition.conditions) };
    case 'nor':
      return { $nor: alternatives(condition.conditions) };
    case 'not':
      return { $nor: new CriteriaOperand([criteriaOf(condition.condition)]) };
    case 'text':
      return at([], '$text', new SearchOperand(condition));
    default:
      return at(condition.path, nameOf(condition.op), new LeafOperand(condition));
  }
}

/** mingo makes a JavaScript expression of any value under `$regex`, so patterns have another name here. */
export function nameOf(op: LeafName): `$${string}` {
  return op === 'regex' ? '$pattern' : `$${op}`;
}

export function pathOf(selector: string): Path {
  return selector === '' ? [] : selector.slice(1).split('.');
}

function alternatives(conditions: readonly Condition[]): CriteriaOperand {
  return new CriteriaOperand(mergeAlternatives(conditions).map(criteriaOf));
}

function at(path: Path, operator: `$${string}`, operand: AnyOperand): Criteria {
  return { [path.map((name) => `.${name}`).join('')]: { [operator]: operand } };
}

/** Values that are all asked for on one path. */
interface Equalities {
  readonly path: Path;
  readonly values: readonly Value[];
}

/**
 * Many equalities on one path are merged: thousands of values, from `$all` or a list of alternatives, must not cause
 * thousands of walks through a long array. Below this a group is not worth its tables.
 */
const WORTHWHILE = 3;

/** The alternatives, with those that are equalities on one path made one `in`. */
function mergeAlternatives(conditions: readonly Condition[]): readonly Condition[] {
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
function groupEqualities(conditions: readonly Condition[]) {
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
