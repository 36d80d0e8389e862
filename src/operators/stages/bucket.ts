/** `bucket`: a group for each interval between boundaries that has documents, in the order of the boundaries. */
import { inside } from '../../domain/pointer.ts';
import type { Value } from '../../domain/values/values.ts';
import { bracketOf, compareValues } from '../../query/order/compare.ts';
import { bySortFields } from '../../query/order/ordering.ts';
import type { Expression } from '../core/expression.ts';
import { stop } from '../core/meter.ts';
import { namedArguments, REQUIRED } from '../core/operator.ts';
import { firstFrom } from '../numbers/ordered.ts';
import { isGroupBy, readOutput } from './accumulated.ts';
import { startGroup } from './group.ts';
import { startOrder } from './sort.ts';
import { refuseStage, type At, type ReadStage } from './stage.ts';
import { isList } from '../../domain/values/tree.ts';

const NAMES = { groupBy: REQUIRED, boundaries: REQUIRED, default: undefined, output: undefined } as const;

export const bucket: ReadStage = (argument, at) => {
  const given = namedArguments(argument, NAMES, at);
  const [groupBy, boundaries, rest, output] = given ?? [];
  if (groupBy?.value === undefined || boundaries?.value === undefined) return null;
  const key = readGroupBy(groupBy.value, at);
  const limits = readBoundaries(boundaries.value, at);
  const others = limits && readDefault(rest?.value, limits, at);
  const fields = readOutput(output?.value, at);
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
export function readGroupBy(value: Value, at: At): Expression | null {
  const here = { ...at, place: inside(at.place, 'groupBy') };
  if (!isGroupBy(value)) return refuseStage(here, 'groupBy is a path such as "$price", or an operator.');
  return at.scope.parse(value, here.place, at.scope);
}

function readBoundaries(value: Value, at: At): readonly Value[] | null {
  const here = { ...at, place: inside(at.place, 'boundaries') };
  const { constant } = at.scope.parse(value, here.place, at.scope);
  const list = constant?.value;
  if (list === undefined || !isList(list)) {
    return refuseStage(here, 'boundaries is an array of values that depend on no document.');
  }
  if (list.length < 2) return refuseStage(here, 'There are at least two boundaries.');
  for (let index = 1; index < list.length; index += 1) {
    const place = isList(value) ? inside(here.place, index) : here.place;
    if (bracketOf(list[index]) !== bracketOf(list[0])) {
      return refuseStage({ ...at, place }, 'The boundaries are of one kind.');
    }
    if (compareValues(list[index - 1], list[index]) >= 0) {
      return refuseStage({ ...at, place }, 'Each boundary is above the one before.');
    }
  }
  return list;
}

/** The id of documents outside of the boundaries; it lies outside of them itself. */
function readDefault(
  value: Value | undefined,
  boundaries: readonly Value[],
  at: At,
): { readonly value: Value | undefined } | null {
  if (value === undefined) return { value: undefined };
  const here = { ...at, place: inside(at.place, 'default') };
  const { constant } = at.scope.parse(value, here.place, at.scope);
  if (constant === null) return refuseStage(here, 'default is a value that depends on no document.');
  const others = constant.value ?? null;
  const isInside = compareValues(others, boundaries[0]) >= 0 && compareValues(others, boundaries.at(-1)) < 0;
  return isInside ? refuseStage(here, 'default lies outside of the boundaries.') : { value: others };
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
