/** `filter`: selects documents, by the grammar and the matcher of a search. */
import { encodeText } from '../../domain/values/codec.ts';
import { isParsedObject } from '../../domain/values/json.ts';
import { LIMITS, WORK } from '../../domain/limits.ts';
import { deeperThan, isFields, type Value } from '../../domain/values/values.ts';
import { WorkBudget } from '../../domain/work/work.ts';
import type { Condition } from '../filter/conditions.ts';
import { countTests, fieldsOfCondition, partsOf } from '../filter/map.ts';
import { GRAMMAR } from '../filter/grammar.ts';
import { matcherIn } from '../filter/matcher.ts';
import { compileDistance, nearOf } from '../query/near.ts';
import { excessOf } from '../query/patterns.ts';
import { byDistance, type Ordering } from '../../query/order/ordering.ts';
import { textMatcher } from '../../query/text/search.ts';
import { exceed, stepsOf, type Operand } from '../core/meter.ts';
import { parameterOfText, substitute } from '../core/parameters.ts';
import { filtered, refuseStage, type At, type Start } from './stage.ts';
import { toParsed } from '../../domain/values/wrappers.ts';
import { isList } from '../../domain/values/tree.ts';

/** The condition of a filter; null when it reported a fault. `once` is shared by all filters of a pipeline. */
export function readFilter(argument: Value, at: At, once: Set<string>): Condition | null {
  if (!isFields(argument) && parameterOfText(argument) === undefined) {
    return refuseStage(at, 'filter takes a filter expression, an object.');
  }
  const value = substitute(argument, at);
  if (deeperThan(value, LIMITS.filterDepth)) {
    return refuseStage(at, `A filter may nest ${LIMITS.filterDepth} levels.`);
  }
  if (encodeText(value).length > LIMITS.filter)
    return refuseStage(at, `A filter may hold ${LIMITS.filter} bytes.`);
  let faults = 0;
  const report: At['scope']['report'] = (place, detail) => {
    faults += 1;
    at.scope.report(place, detail);
  };
  const json = toParsed(value);
  if (!isParsedObject(json)) return refuseStage(at, 'filter takes a filter expression, an object.');
  const condition = GRAMMAR.query(json, at.place, {
    report,
    once,
    within: 'filter',
    auditFields: at.scope.auditFields(),
    grammar: GRAMMAR,
  });
  return faults > 0 ? null : condition;
}

/** The order that a condition asks for: `$near` gives its documents from near to far. */
export function orderOf(condition: Condition): Ordering | undefined {
  const near = nearOf(condition);
  return near && byDistance(near.path, compileDistance(near));
}

/** How often a document could be looked through while its words are made. */
const WORDS = 2;

export function startFilter(condition: Condition): Start {
  const units = 2 + 2 * countTests(condition);
  const tests = testsOf(condition);
  const texts = partsOf(condition).filter(({ op }) => op === 'text').length;
  return (input, run) => {
    const budget = new WorkBudget(WORK.patterns);
    const matches = matcherIn(run.context, condition, { text: textMatcher, budget });
    return filtered(input, run, (document) => {
      run.meter.spend(units);
      for (const [name, count] of tests) run.meter.spend(count * stepsOfComposite(document[name]));
      if (texts > 0) run.meter.spend(texts * WORDS * stepsOf([document]));
      const found = matches(document);
      if (budget.exceeded) exceed(excessOf(budget, 'these documents'));
      return found;
    });
  };
}

/** The number of tests of each field. Full text names none. */
function testsOf(condition: Condition): ReadonlyMap<string, number> {
  const tests = new Map<string, number>();
  for (const part of partsOf(condition)) {
    for (const name of fieldsOfCondition(part) ?? [])
      tests.set(name, (tests.get(name) ?? 0) + countTests(part));
  }
  return tests;
}

/** A test looks at each item of an array; it has looked at another value before that counts. */
function stepsOfComposite(value: Operand): number {
  return typeof value === 'object' && value !== null && (isList(value) || isFields(value))
    ? stepsOf([value])
    : 0;
}
