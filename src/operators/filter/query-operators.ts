/** The operators of filters as query operators of mingo. Each takes an operand that `criteriaOf` made for it. */
import { OpType } from 'mingo/core';
import type { Options } from 'mingo/types';
import { isFields } from '../../domain/values/values.ts';
import { WorkBudget } from '../../domain/work/work.ts';
import { textMatcher } from '../../query/text/search.ts';
import type { Predicate } from '../../query/walk.ts';
import {
  criteriaOf,
  CriteriaOperand,
  nameOf,
  pathOf,
  type Criteria,
  type LeafOperand,
  type SearchOperand,
  type ValuesOperand,
  compileEqualities,
} from './criteria.ts';
import { every, not, some, type Matching, type MatchOptions } from './matching.ts';
import { LEAF_NAMES, operatorOf } from '../query/table.ts';

/** As mingo calls it: once, when criteria are compiled. */
type QueryOperator<Given = never> = (selector: string, operand: Given, options: Options) => Predicate;

type Given = MatchOptions & Pick<Matching, 'looked'>;

/** The variable in which the `MatchOptions` of a run reach the operators. */
const MATCHING = 'matching';

export function variablesOf(options: Given): Readonly<Record<string, unknown>> {
  return { [MATCHING]: options };
}

function matchingOf(options: Options): Matching {
  const given = options.variables?.[MATCHING] as Given | undefined;
  return {
    text: (search) => {
      const matches = (given?.text ?? textMatcher)(search);
      return (subject) => subject !== undefined && isFields(subject) && matches(subject);
    },
    budget: given?.budget ?? new WorkBudget(Infinity),
    looked: given?.looked ?? null,
    compile: (condition) => compileCriteria(criteriaOf(condition), options),
  };
}

/** Criteria inside criteria. mingo's own logical operators clone and print each level once more. */
function compileCriteria(criteria: Criteria, options: Options): Predicate {
  return every(
    Object.entries(criteria).flatMap(([selector, criterion]) =>
      criterion instanceof CriteriaOperand
        ? [registered(selector, options)(selector, criterion, options)]
        : Object.entries(criterion).map(([name, operand]) =>
            registered(name, options)(selector, operand, options),
          ),
    ),
  );
}

function registered(name: string, { context }: Options): QueryOperator<unknown> {
  const operator = context.getOperator(OpType.QUERY, name);
  if (operator === null) throw new TypeError(`There is no operator ${name}.`);
  return operator as QueryOperator<unknown>;
}

const onPath: QueryOperator<LeafOperand> = (selector, { value }, options) =>
  operatorOf(value).matches(value, pathOf(selector), matchingOf(options));

function logical(combine: (tests: readonly Predicate[]) => Predicate): QueryOperator<CriteriaOperand> {
  return (_selector, { value }, options) => combine(value.map((each) => compileCriteria(each, options)));
}

/** A condition before all others, without a budget: it is not the client's. */
const guard: QueryOperator<CriteriaOperand> = (selector, operand, options) => {
  const test = logical(every)(selector, operand, options);
  return matchingOf(options).looked?.aside(test) ?? test;
};

const all: QueryOperator<ValuesOperand> = (selector, { value }, options) =>
  compileEqualities({ path: pathOf(selector), values: value }, matchingOf(options).looked);

/** A search that looks into some of a document's fields; undefined for all. */
function within(only: readonly string[] | undefined, matches: Predicate): Predicate {
  if (only === undefined) return matches;
  return (subject) =>
    subject !== undefined &&
    isFields(subject) &&
    matches(Object.fromEntries(Object.entries(subject).filter(([name]) => only.includes(name))));
}

const text: QueryOperator<SearchOperand> = (_selector, { value }, options) =>
  within(value.only, matchingOf(options).text(value.search));

export const QUERY_OPERATORS: Readonly<Record<`$${string}`, QueryOperator>> = {
  ...Object.fromEntries(LEAF_NAMES.map((op) => [nameOf(op), onPath])),
  $and: logical(every),
  $or: logical(some),
  $nor: logical((tests) => not(some(tests))),
  $all: all,
  $guard: guard,
  $text: text,
};
