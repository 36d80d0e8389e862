/**
 * The validated tree as criteria of mingo. A selector has a dot before each name (`.a.b`), so that no field name is
 * taken for an operator or a prototype; the empty selector is the document, or the element, itself. An `Operand` holds
 * the operator's argument.
 */
import type { Value } from '../../domain/values/values.ts';
import type { Path } from '../../query/walk.ts';
import { Operand } from '../operand.ts';
import type { Condition, Leaf, LeafName } from './conditions.ts';
import { groupEqualities, mergeAlternatives } from './equalities.ts';

/** Conditions at one selector, by operator; or the list of a logical operator. */
export type Criteria = Readonly<Record<string, AnyOperand | Readonly<Record<string, AnyOperand>>>>;
type AnyOperand = LeafOperand | CriteriaOperand | ValuesOperand | SearchOperand;

/** Of an operator on a path. */
export class LeafOperand extends Operand<Leaf> {}
/** Of a logical operator. */
export class CriteriaOperand extends Operand<readonly Criteria[]> {}
/** Of `$all`. */
export class ValuesOperand extends Operand<readonly Value[]> {}
/** Of `$text`. */
export class SearchOperand extends Operand<Extract<Condition, { readonly op: 'text' }>> {}

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
