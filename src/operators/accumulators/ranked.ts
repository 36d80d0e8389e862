/** Accumulators that keep the n first by arrival, by value or by an order: `$firstN`, `$maxN`, `$topN`, `$top` … */
import type { Value } from '../../domain/values/values.ts';
import { compareValues } from '../../query/order/compare.ts';
import { bySortFields, type Key } from '../../query/order/ordering.ts';
import { isNullish, type Expression, type Frame } from '../core/expression.ts';
import { sizeOf, sizeOfAll, stop, type Meter, type Operand } from '../core/meter.ts';
import { longInteger } from '../numbers/kinds.ts';
import { namedArguments, REQUIRED, type Argument } from '../core/operator.ts';
import { countedKey, readSortBy } from '../core/sort-by.ts';
import { TopN } from '../core/top-n.ts';
import type { ReadAccumulator, AccumulatorState } from './accumulator.ts';

/** The `n` of a group: an integer above zero. */
export function countOperand(value: Operand, name: string): number {
  const count = longInteger(value);
  return count !== undefined && count > 0 ? count : stop(`${name} takes an integer above zero as n.`);
}

/** `{input, n}`. */
function counted(start: (meter: Meter, n: number) => AccumulatorState): ReadAccumulator {
  return (argument, at) => {
    const given = namedArguments(argument, { input: REQUIRED, n: REQUIRED }, at);
    if (given === undefined) return undefined;
    const operand = given.input.parse();
    const count = parseCount(given.n);
    return {
      operand: operand.evaluate,
      joins: false,
      start: (meter, name, frame) => start(meter, countOperand(count.evaluate(frame), name)),
    };
  };
}

/** `n` may depend on the group, not on its documents; a wrong constant is a fault of the definition. */
function parseCount(n: Argument): Expression {
  const expression = n.parse();
  const { constant } = expression;
  if (constant?.literal === true && !((longInteger(constant.value) ?? 0) > 0)) {
    n.scope.report(n.place, `${n.name} takes an integer above zero as n.`);
  }
  return expression;
}

function firstN(meter: Meter, n: number): AccumulatorState {
  const items: Value[] = [];
  return {
    add: (value) => {
      if (items.length >= n) return;
      meter.hold(16 + sizeOf(value));
      items.push(value ?? null);
    },
    result: () => meter.admit(items),
  };
}

function lastN(meter: Meter, n: number): AccumulatorState {
  const items: Value[] = [];
  let from = 0;
  return {
    add: (value) => {
      meter.hold(16 + sizeOf(value));
      items.push(value ?? null);
      if (items.length - from <= n) return;
      meter.release(16 + sizeOf(items[from]));
      from += 1;
      // The front is cut off now and then only.
      if (from > n + 100) items.splice(0, from);
      if (from > n + 100) from = 0;
    },
    result: () => meter.admit(items.slice(from)),
  };
}

/** The n least or greatest; null and missing do not count. */
function extremeN(sign: 1 | -1): (meter: Meter, n: number) => AccumulatorState {
  return (meter, n) => {
    const first = new TopN<Value>(
      n,
      (a, b) => sign * compareValues(a, b),
      { sizeOf, comparedBy: (value) => [value] },
      meter,
    );
    return {
      add: (value) => {
        if (!isNullish(value)) first.add(value);
      },
      result: () => meter.admit([...first.sorted()]),
    };
  };
}

interface Ranked {
  /** When it came. */
  readonly turn: number;
  readonly key: Key;
  readonly value: Value;
}

/** `{sortBy, output}`, with `n` where several are asked for. Bottom is the top of the reverse order. */
function ranked(from: 'top' | 'bottom', several: boolean): ReadAccumulator {
  return (argument, at) => {
    const names = { sortBy: REQUIRED, output: REQUIRED } as const;
    const given = namedArguments(argument, several ? { ...names, n: REQUIRED } : names, at);
    if (given === undefined) return undefined;
    const fields = readSortBy(given.sortBy.value, given.sortBy);
    const result = given.output.parse();
    const count = 'n' in given ? parseCount(given.n) : undefined;
    if (fields === undefined) return undefined;
    for (const { path } of fields) at.scope.reads(path[0] ?? null);
    const ordering = bySortFields(fields);
    const operand = (frame: Frame): Operand => {
      const key = countedKey(ordering, frame.root, frame.meter);
      return [
        result.evaluate(frame) ?? null,
        ...key.map((part): Value => (part === undefined ? [] : [part])),
      ];
    };
    const compare = (a: Ranked, b: Ranked) => ordering.compare(a.key, b.key);
    return {
      operand,
      joins: false,
      start: (meter, name, frame) => {
        const size = count === undefined ? 1 : countOperand(count.evaluate(frame), name);
        return rankedState(meter, size, from, several, compare);
      },
    };
  };
}

function rankedState(
  meter: Meter,
  size: number,
  from: 'top' | 'bottom',
  several: boolean,
  compare: (a: Ranked, b: Ranked) => number,
): AccumulatorState {
  // Of equal ones the bottom are those that came last.
  const order = from === 'top' ? compare : (a: Ranked, b: Ranked) => compare(b, a) || b.turn - a.turn;
  let turn = 0;
  const first = new TopN<Ranked>(
    size,
    order,
    { sizeOf: ({ key, value }) => 64 + sizeOf(value) + sizeOfAll(key), comparedBy: ({ key }) => key },
    meter,
  );
  return {
    add: (entry) => {
      const [value = null, ...key] = Array.isArray(entry) ? (entry as readonly Value[]) : [];
      turn += 1;
      first.add({
        turn,
        value,
        key: key.map((part) => (Array.isArray(part) ? (part as readonly Value[])[0] : undefined)),
      });
    },
    result: () => {
      const kept = first.sorted().map(({ value }) => value);
      if (!several) return kept[0] ?? null;
      // The bottom ones come in the order asked for, the last one last.
      return meter.admit(from === 'top' ? kept : kept.toReversed());
    },
  };
}

export const RANKED: Readonly<Record<string, ReadAccumulator>> = {
  $firstN: counted(firstN),
  $lastN: counted(lastN),
  $minN: counted(extremeN(1)),
  $maxN: counted(extremeN(-1)),
  $top: ranked('top', false),
  $topN: ranked('top', true),
  $bottom: ranked('bottom', false),
  $bottomN: ranked('bottom', true),
};
