/**
 * The operators of filters as query operators of mingo. Each takes the result of `criteriaOf`, or MongoDB's plain
 * operand: the grammar of filters reads that, and throws where a filter would be refused.
 */
import { OpType } from 'mingo/core';
import type { Options } from 'mingo/types';
import type { Parsed } from '../../domain/values/json.ts';
import { sentenceOf, type Detail } from '../../domain/names.ts';
import { isFields, type Value } from '../../domain/values/values.ts';
import { WorkBudget } from '../../domain/work/work.ts';
import { textMatcher } from '../../query/text/search.ts';
import type { Predicate } from '../../query/walk.ts';
import type { LeafName } from './conditions.ts';
import {
  criteriaOf,
  CriteriaOperand,
  LeafOperand,
  nameOf,
  pathOf,
  SearchOperand,
  ValuesOperand,
  type Criteria,
} from './criteria.ts';
import { compileEqualities } from './equalities.ts';
import { GRAMMAR, OPERATOR_NAMES } from './grammar.ts';
import { isQueryOperator } from '../query/logic.ts';
import { every, not, some, type Matching, type MatchOptions } from './matching.ts';
import { LEAF_NAMES, operatorOf } from '../query/table.ts';
import { toParsed } from '../../domain/values/wrappers.ts';

/** As mingo calls it: once, when criteria are compiled. */
export type QueryOperator = (selector: string, operand: unknown, options: Options) => Predicate;

type Name = `$${string}`;

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

function registered(name: string, { context }: Options): QueryOperator {
  const operator = context.getOperator(OpType.QUERY, name);
  if (operator === null) throw new TypeError(`There is no operator ${name}.`);
  return operator as QueryOperator;
}

/** Reads the operand of plain mingo as a filter. */
function plain(name: Name): QueryOperator {
  return (selector, operand, options) => {
    const expression =
      operand instanceof RegExp ? patternOf(operand) : { [name]: toParsed(operand as Value) };
    const report = (_place: unknown, detail: Detail): never => {
      throw new TypeError(sentenceOf(detail));
    };
    const scope = {
      report,
      within: 'filter' as const,
      provenance: false,
      once: new Set<string>(),
      grammar: GRAMMAR,
    };
    const condition = isQueryOperator(name)
      ? GRAMMAR.query(expression, null, scope)
      : GRAMMAR.expression(expression, pathOf(selector), null, scope);
    return matchingOf(options).compile(condition);
  };
}

/** mingo has made a JavaScript expression of it. */
function patternOf({ source, flags }: RegExp): { readonly [name: string]: Parsed } {
  return { $regex: source, $options: flags.replace(/[^ims]/g, '') };
}

function onPath(op: LeafName): QueryOperator {
  const otherwise = plain(nameOf(op));
  return (selector, operand, options) =>
    operand instanceof LeafOperand
      ? operatorOf(operand.value).matches(operand.value, pathOf(selector), matchingOf(options))
      : otherwise(selector, operand, options);
}

function logical(name: Name, combine: (tests: readonly Predicate[]) => Predicate): QueryOperator {
  const otherwise = plain(name);
  return (selector, operand, options) =>
    operand instanceof CriteriaOperand
      ? combine(operand.value.map((each) => compileCriteria(each, options)))
      : otherwise(selector, operand, options);
}

/** A condition before all others, without a budget: it is not the client's. */
const guard: QueryOperator = (selector, operand, options) => {
  const test = logical('$and', every)(selector, operand, options);
  return matchingOf(options).looked?.aside(test) ?? test;
};

const all: QueryOperator = (selector, operand, options) =>
  operand instanceof ValuesOperand
    ? compileEqualities({ path: pathOf(selector), values: operand.value }, matchingOf(options).looked)
    : plain('$all')(selector, operand, options);

/** A search that looks into some of a document's fields; undefined for all. */
function within(only: readonly string[] | undefined, matches: Predicate): Predicate {
  if (only === undefined) return matches;
  return (subject) =>
    subject !== undefined &&
    isFields(subject) &&
    matches(Object.fromEntries(Object.entries(subject).filter(([name]) => only.includes(name))));
}

const text: QueryOperator = (selector, operand, options) =>
  operand instanceof SearchOperand
    ? within(operand.value.only, matchingOf(options).text(operand.value.search))
    : plain('$text')(selector, operand, options);

export const QUERY_OPERATORS: Readonly<Record<Name, QueryOperator>> = {
  ...Object.fromEntries(OPERATOR_NAMES.map((name) => [name, plain(name)])),
  ...Object.fromEntries(LEAF_NAMES.map((op) => [nameOf(op), onPath(op)])),
  $and: logical('$and', every),
  $or: logical('$or', some),
  $nor: logical('$nor', (tests) => not(some(tests))),
  $all: all,
  $guard: guard,
  $text: text,
};
