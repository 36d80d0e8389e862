/**
 * The validated tree as operators of mingo. mingo clones, normalizes and prints criteria level by level: so it is given
 * the whole tree as one operand, which is compiled here, and calls the operators on paths.
 */
import { OpType } from 'mingo/core';
import type { Options } from 'mingo/types';
import { isFields } from '../../domain/values/values.ts';
import { WorkBudget } from '../../domain/work/work.ts';
import { textMatcher } from '../../query/text/search.ts';
import { seenIn } from '../../query/text/words.ts';
import type { Predicate } from '../../query/walk.ts';
import { CarriedOperand } from '../operand.ts';
import { LEAF_NAMES, operatorOf } from '../query/table.ts';
import type { Condition, Leaf } from './conditions.ts';
import { compileEqualities, groupEqualities, mergeAlternatives } from './equalities.ts';
import { every, not, some, type Matching, type MatchOptions } from './matching.ts';

class ConditionOperand extends CarriedOperand<Condition> {}
class LeafOperand extends CarriedOperand<Leaf> {}

/** As mingo calls it: once, when criteria are compiled. */
type QueryOperator<Operand = never> = (selector: string, operand: Operand, options: Options) => Predicate;

type Given = MatchOptions & Pick<Matching, 'looked'>;

/** The variable in which the `MatchOptions` of a run reach the operators. */
const MATCHING = 'matching';

export function variablesOf(options: Given): Readonly<Record<string, unknown>> {
  return { [MATCHING]: options };
}

/** A condition on the document itself, for mingo. */
export function criteriaOf(condition: Condition) {
  return { '': { $condition: new ConditionOperand(condition) } };
}

function givenIn({ variables }: Options): Given | undefined {
  return variables?.[MATCHING] as Given | undefined;
}

function matchingOf(options: Options): Matching {
  const given = givenIn(options);
  return {
    budget: given?.budget ?? new WorkBudget(Infinity),
    looked: given?.looked ?? null,
    compile: (condition) => compile(condition, options),
  };
}

function compile(condition: Condition, options: Options): Predicate {
  const inner = (each: Condition) => compile(each, options);
  switch (condition.op) {
    case 'and': {
      const { looked } = matchingOf(options);
      const { groups, rest } = groupEqualities(condition.conditions);
      const test = every([...groups.map((each) => compileEqualities(each, looked)), ...rest.map(inner)]);
      // A guard is not the client's, and has no budget.
      return condition.guard === true ? (looked?.aside(test) ?? test) : test;
    }
    case 'or':
      return some(mergeAlternatives(condition.conditions).map(inner));
    case 'not':
      return not(inner(condition.condition));
    case 'text': {
      const { search, only } = condition;
      const matches = (givenIn(options)?.text ?? textMatcher)(search);
      return (subject) => subject !== undefined && isFields(subject) && matches(seenIn(subject, only));
    }
    default: {
      const operator = options.context.getOperator(
        OpType.QUERY,
        `$${condition.op}`,
      ) as QueryOperator<unknown>;
      return operator('', new LeafOperand(condition), options);
    }
  }
}

const tree: QueryOperator<ConditionOperand> = (_selector, { value }, options) => compile(value, options);

const onPath: QueryOperator<LeafOperand> = (_selector, { value }, options) =>
  operatorOf(value).matches(value, value.path, matchingOf(options));

export const QUERY_OPERATORS: Readonly<Record<`$${string}`, QueryOperator>> = {
  ...Object.fromEntries(LEAF_NAMES.map((op) => [`$${op}`, onPath])),
  $condition: tree,
};
