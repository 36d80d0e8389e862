/** `bucket`: a group for each interval between boundaries that has documents, in the order of the boundaries. */
import { inside } from '../../domain/pointer.ts';
import type { Value } from '../../domain/values/values.ts';
import { bracketOf, compareValues } from '../../query/order/compare.ts';
import { bySortFields } from '../../query/order/ordering.ts';
import type { Expression } from '../core/expression.ts';
import { stop } from '../core/meter.ts';
import { namedArguments, REQUIRED, type Argument } from '../core/operator.ts';
import { firstFrom } from '../numbers/ordered.ts';
import { isGroupBy, readOutput } from './accumulated.ts';
import { startGroup } from './group.ts';
import { startOrder } from './sort.ts';
import { refuseStage, type ReadStage } from './stage.ts';
import { isList } from '../../domain/values/tree.ts';

const NAMES = { groupBy: REQUIRED, boundaries: REQUIRED, default: undefined, output: undefined } as const;

export const bucket: ReadStage = (argument, at) => {
  const given = namedArguments(argument, NAMES, at);
  if (given === undefined) return null;
  const key = readGroupBy(given.groupBy);
  const limits = readBoundaries(given.boundaries);
  const others = limits && readDefault(given.default, limits);
  const fields = readOutput(given.output?.value, at);
  if (key === null || limits === null || others === null || fields === null) return null;
  const group = startGroup(lowerBoundary(key, limits, others.value), fields);
  const order = startOrder(bySortFields([{ path: ['id'], direction: 'ascending' }]), Infinity);
  return {
    kind: 'step',
    start: (input, run) => order(group(input, run), run),
    remakes: 'anew',
  };
};

/** The expression that documents are put into buckets by; null when it reported a fault. */
export function readGroupBy(given: Argument): Expression | null {
  return isGroupBy(given.value)
    ? given.parse()
    : refuseStage(given, 'groupBy is a path such as "$price", or an operator.');
}

function readBoundaries(given: Argument): readonly Value[] | null {
  const { place, scope, value } = given;
  const list = given.parse().constant?.value;
  if (list === undefined || !isList(list)) {
    return refuseStage(given, 'boundaries is an array of values that depend on no document.');
  }
  if (list.length < 2) return refuseStage(given, 'There are at least two boundaries.');
  for (let index = 1; index < list.length; index += 1) {
    const here = { scope, place: isList(value) ? inside(place, index) : place };
    if (bracketOf(list[index]) !== bracketOf(list[0])) {
      return refuseStage(here, 'The boundaries are of one kind.');
    }
    if (compareValues(list[index - 1], list[index]) >= 0) {
      return refuseStage(here, 'Each boundary is above the one before.');
    }
  }
  return list;
}

/** The id of documents outside of the boundaries; it lies outside of them itself. */
function readDefault(
  given: Argument | undefined,
  boundaries: readonly Value[],
): { readonly value: Value | undefined } | null {
  if (given === undefined) return { value: undefined };
  const { constant } = given.parse();
  if (constant === null) return refuseStage(given, 'default is a value that depends on no document.');
  const others = constant.value ?? null;
  const isInside = compareValues(others, boundaries[0]) >= 0 && compareValues(others, boundaries.at(-1)) < 0;
  return isInside ? refuseStage(given, 'default lies outside of the boundaries.') : { value: others };
}

function lowerBoundary(key: Expression, boundaries: readonly Value[], others: Value | undefined): Expression {
  const units = 1 + Math.log2(boundaries.length);
  return {
    evaluate: (frame) => {
      const value = key.evaluate(frame);
      frame.meter.spendOn([value]);
      frame.meter.spend(units);
      const above = firstFrom(boundaries.length, (index) => compareValues(boundaries[index], value) > 0);
      const lower = above === boundaries.length ? undefined : boundaries[above - 1];
      if (lower !== undefined) return lower;
      if (others === undefined) stop('A document lies outside of the boundaries, and there is no default.');
      return others;
    },
    constant: null,
  };
}
