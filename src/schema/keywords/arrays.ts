/** Keywords about arrays; whatever is no array passes them. */
import { inside } from '../../domain/pointer.ts';
import { compareNums, textOfNum } from '../exact.ts';
import { Seen, targetOf, type Check, type KeywordCheck, type KeywordChecks } from '../evaluate.ts';
import { keyOfDocument } from '../keys.ts';
import { isArray, isNum, type Plain } from '../plain.ts';

/** Applies a schema to the elements from a position on. */
function applyFrom(start: number, schema: Plain, check: Check, as: string): void {
  const { value, place, seen, evaluation } = check;
  if (!isArray(value)) return;
  for (let index = start; index < value.length; index += 1) {
    seen.items.add(index);
    evaluation.apply(targetOf(schema), value[index] ?? null, inside(place, index), new Seen(), as);
  }
}

/** Applies each schema to the element at its position. */
function applyEach(schemas: readonly Plain[], check: Check, as: string): void {
  const { value, place, seen, evaluation } = check;
  if (!isArray(value)) return;
  schemas.slice(0, value.length).forEach((schema, index) => {
    seen.items.add(index);
    evaluation.apply(targetOf(schema), value[index] ?? null, inside(place, index), new Seen(), as);
  });
}

function count(holds: (difference: number) => boolean, words: string): KeywordCheck {
  return (argument, { value, fail }) => {
    if (isArray(value) && isNum(argument) && !holds(compareNums(value.length, argument))) {
      fail(`The array must have ${words} ${textOfNum(argument)} items.`);
    }
  };
}

function prefixLength(prefix: Plain | undefined): number {
  return prefix !== undefined && isArray(prefix) ? prefix.length : 0;
}

export const ARRAY_KEYWORDS: KeywordChecks = {
  minItems: count((difference) => difference >= 0, 'at least'),
  maxItems: count((difference) => difference <= 0, 'at most'),
  uniqueItems: (argument, { value, fail, evaluation }) => {
    if (argument !== true || !isArray(value)) return;
    const keys = value.map((item) => keyOfDocument(item, evaluation.work));
    if (new Set(keys).size < value.length) fail('The items of the array must all be different.');
  },
  prefixItems: (argument, check) => {
    applyEach(isArray(argument) ? argument : [], check, 'prefixItems');
  },
  items: (argument, check) => {
    if (isArray(argument)) applyEach(argument, check, 'items');
    else
      applyFrom(
        check.evaluation.analysis.draft >= 2020 ? prefixLength(check.beside('prefixItems')) : 0,
        argument,
        check,
        'items',
      );
  },
  additionalItems: (argument, check) => {
    const items = check.beside('items');
    // Without a list of items nothing is additional.
    if (items !== undefined && isArray(items)) applyFrom(items.length, argument, check, 'additionalItems');
  },
  contains: (argument, { value, place, seen, evaluation, beside, fail }) => {
    if (!isArray(value)) return;
    const counts = evaluation.analysis.draft >= 2019;
    const least = counts ? beside('minContains') : undefined;
    const most = counts ? beside('maxContains') : undefined;
    let found = 0;
    value.forEach((item, index) => {
      if (!evaluation.satisfies(targetOf(argument), item, inside(place, index), new Seen())) return;
      found += 1;
      if (evaluation.analysis.draft >= 2020) seen.items.add(index);
    });
    if (compareNums(found, isNum(least) ? least : 1) < 0) {
      fail(
        `The array must contain at least ${isNum(least) ? textOfNum(least) : '1'} items that satisfy contains.`,
      );
    }
    if (isNum(most) && compareNums(found, most) > 0) {
      fail(`The array must contain at most ${textOfNum(most)} items that satisfy contains.`);
    }
  },
  unevaluatedItems: (argument, { value, place, seen, evaluation }) => {
    if (!isArray(value)) return;
    value.forEach((item, index) => {
      if (seen.items.has(index)) return;
      seen.items.add(index);
      evaluation.apply(targetOf(argument), item, inside(place, index), new Seen(), 'unevaluatedItems');
    });
  },
};
