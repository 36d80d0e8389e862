/** `window`: which documents of its partition a document's window holds, by number or by value of `sortBy`. */
import { hintOf, shownName, type Detail } from '../../domain/names.ts';
import { inside, type Place } from '../../domain/pointer.ts';
import { Decimal, isFields, type Value } from '../../domain/values/values.ts';
import { compareNumbers, isNumber, type NumberValue } from '../../query/order/numbers.ts';
import type { Frame } from '../core/expression.ts';
import { stop, type Operand } from '../core/meter.ts';
import { describeOperand, refuseExpression } from '../core/operator.ts';
import { valueAt } from '../core/paths.ts';
import { UNITS, type Unit } from '../dates/calendar.ts';
import { shiftInstant } from '../dates/shift.ts';
import { UTC } from '../dates/zones.ts';
import { add } from '../numbers/arithmetic.ts';
import { decimalResult, toDecimalNumber } from '../numbers/decimals.ts';
import { numberKind, smallInteger } from '../numbers/kinds.ts';
import { firstFrom } from '../numbers/ordered.ts';
import { sortPath, type Keep, type WindowAt, type WindowFunction } from './window.ts';
import { isList } from '../../domain/values/tree.ts';

/** A bound by number of documents is an infinity where it is `unbounded`, and 0 where it is `current`. */
export type Bounds =
  | { readonly by: 'documents'; readonly lower: number; readonly upper: number }
  | {
      readonly by: 'range';
      readonly path: readonly string[];
      readonly unit: Unit | null;
      readonly lower: RangeBound;
      readonly upper: RangeBound;
    };

type RangeBound = 'unbounded' | 'current' | NumberValue;

/** The documents of a window: from an index, to the one before another. Empty where these meet. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** The windows of one partition. */
interface Spans {
  readonly add: (frame: Frame) => void;
  /** To be asked for each document in order, when all have been taken. */
  readonly at: (index: number) => Span;
}

const ALL: Bounds = { by: 'documents', lower: -Infinity, upper: Infinity };

/** The index of the last document that the first one's window is known to hold before all have come. */
export function reachOf(bounds: Bounds): number {
  if (bounds.by === 'documents') return bounds.upper;
  return bounds.upper === 'unbounded' ? Infinity : -1;
}

/** The bounds of a function's windows; without any, all of the partition. Undefined when it reported a fault. */
export function readBounds(at: WindowAt): Bounds | undefined {
  return read(at) ?? undefined;
}

const MEMBERS = ['documents', 'range', 'unit'];

function read(at: WindowAt): Bounds | null {
  const { window, windowPlace: place } = at;
  if (window === undefined) return ALL;
  if (!isFields(window)) return fault(at, place, 'window is an object with documents or range.');
  const names = Object.keys(window);
  const unknown = names.find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) {
    return fault(
      at,
      inside(place, unknown),
      () => `window does not know ${shownName(unknown)}.${hintOf(unknown, MEMBERS)}`,
    );
  }
  const { documents, range, unit } = window;
  if (documents !== undefined && range !== undefined) {
    return fault(at, place, 'window holds either documents or range.');
  }
  if (unit !== undefined && range === undefined) {
    return fault(at, inside(place, 'unit'), 'A unit is for a window by range.');
  }
  if (documents !== undefined) return byDocuments(documents, at);
  return range === undefined ? ALL : byRange(range, unit, at);
}

function fault(at: WindowAt, place: Place, detail: Detail): null {
  refuseExpression({ ...at, place }, detail);
  return null;
}

type Bound = RangeBound | Exclude<Operand, string>;

/** The two bounds as they were written, numbers worked out. */
function readPair(value: Value, name: string, at: WindowAt): readonly [Bound, Bound] | null {
  const place = inside(at.windowPlace, name);
  if (!isList(value) || value.length !== 2) {
    return fault(at, place, `${name} is an array of a lower and an upper bound.`);
  }
  const [lower, upper] = value.map((each, index): Bound => {
    if (each === 'unbounded' || each === 'current') return each;
    const { constant } = at.scope.parse(each, inside(place, index), at.scope);
    return typeof constant?.value === 'string' ? undefined : constant?.value;
  });
  return [lower, upper];
}

function byDocuments(value: Value, at: WindowAt): Bounds | null {
  const pair = readPair(value, 'documents', at);
  if (pair === null) return null;
  const place = inside(at.windowPlace, 'documents');
  const [lower, upper] = pair.map((bound, index): number | undefined => {
    if (bound === 'unbounded') return index === 0 ? -Infinity : Infinity;
    return bound === 'current' ? 0 : smallInteger(bound);
  });
  if (lower === undefined || upper === undefined) {
    return fault(at, place, 'A bound is an integer, "current" or "unbounded".');
  }
  if (lower > upper) return fault(at, place, 'The lower bound is not above the upper one.');
  if (at.sortBy === null && (lower !== -Infinity || upper !== Infinity)) {
    return fault(at, place, 'A window by documents needs sortBy.');
  }
  return { by: 'documents', lower, upper };
}

function byRange(value: Value, unit: Value | undefined, at: WindowAt): Bounds | null {
  const pair = readPair(value, 'range', at);
  if (pair === null) return null;
  const place = inside(at.windowPlace, 'range');
  const each = unit === undefined ? null : UNITS.find((name) => name === unit);
  if (each === undefined) {
    return fault(at, inside(at.windowPlace, 'unit'), `unit is one of ${UNITS.join(', ')}.`);
  }
  const [lower, upper] = pair.map((bound): RangeBound | undefined => {
    if (bound === 'unbounded' || bound === 'current') return bound;
    return isNumber(bound) && (each === null || smallInteger(bound) !== undefined) ? bound : undefined;
  });
  if (lower === undefined || upper === undefined) {
    const wanted = each === null ? 'a number' : 'an integer';
    return fault(at, place, `A bound is ${wanted}, "current" or "unbounded".`);
  }
  const [from, to] = [lower, upper].map((bound) => (bound === 'current' ? 0 : bound));
  if (isNumber(from) && isNumber(to) && compareNumbers(from, to) > 0) {
    return fault(at, place, 'The lower bound is not above the upper one.');
  }
  const path = sortPath({ ...at, name: 'A window by range', place });
  if (path === undefined) return null;
  if (at.sortBy?.[0]?.direction !== 'ascending') {
    return fault(at, place, 'A window by range needs an ascending sortBy.');
  }
  return { by: 'range', path, unit: each, lower, upper };
}

/** A function over the windows of these bounds: takes each document, and gives the value of a span of them. */
export function overSpans(
  bounds: Bounds,
  start: (
    keep: Keep,
    first: Frame,
  ) => { readonly add: (frame: Frame) => void; readonly over: (span: Span) => Value },
): WindowFunction {
  return {
    start: (keep, first) => {
      const spans = bounds.by === 'documents' ? documentSpans(bounds) : rangeSpans(bounds, keep);
      const { add, over } = start(keep, first);
      return {
        add: (frame) => {
          spans.add(frame);
          add(frame);
        },
        at: (index) => over(spans.at(index)),
      };
    },
  };
}

function documentSpans({ lower, upper }: Extract<Bounds, { readonly by: 'documents' }>): Spans {
  let length = 0;
  return {
    add: () => {
      length += 1;
    },
    at: (index) => {
      const from = Math.min(length, Math.max(0, index + lower));
      return { from, to: Math.max(from, Math.min(length, index + upper + 1)) };
    },
  };
}

/** Units of a comparison, and of one of numbers with a fraction. */
const COMPARISON_UNITS = 4;
const DECIMAL_UNITS = 25;

/** Both ends go on with the documents, so that each is passed once. */
function rangeSpans(
  { path, unit, lower, upper }: Extract<Bounds, { readonly by: 'range' }>,
  keep: Keep,
): Spans {
  const { meter } = keep;
  const values: NumberValue[] = [];
  let units = COMPARISON_UNITS;
  let from = 0;
  let to = 0;
  const shifted = (value: NumberValue, by: NumberValue): NumberValue =>
    unit === null ? add(value, by) : shiftInstant(Number(value), unit, smallInteger(by) ?? 0, UTC);
  const compare = (at: number, threshold: NumberValue): number => {
    meter.spend(units);
    return compareNumbers(values[at] ?? 0, threshold);
  };
  // Mostly the next one is it; else by steps that double, and back by halves.
  const pass = (start: number, threshold: NumberValue, most: 0 | -1): number => {
    let low = start;
    for (let step = 1; ; step *= 2) {
      const at = low + step - 1;
      if (at >= values.length || compare(at, threshold) > most) {
        const length = Math.min(step - 1, values.length - low);
        return low + firstFrom(length, (index) => compare(low + index, threshold) > most);
      }
      low = at + 1;
    }
  };
  return {
    add: ({ root }) => {
      const value = valueAt(root, path, meter);
      const number = unit === null ? decimalOf(value) : instantOf(value);
      if (number instanceof Decimal) units = DECIMAL_UNITS;
      meter.spend(units);
      keep.hold(48);
      values.push(number);
    },
    at: (index) => {
      const value = values[index] ?? 0;
      meter.spend(2 * units);
      if (lower === 'current') from = index;
      else if (lower !== 'unbounded') from = pass(from, shifted(value, decimalOf(lower)), -1);
      if (upper === 'current') to = index + 1;
      else if (upper === 'unbounded') to = values.length;
      else to = pass(to, shifted(value, decimalOf(upper)), 0);
      return { from, to: Math.max(from, to) };
    },
  };
}

/**
 * A number as a range sees it: doubles by the 15 digits that they are written with, so that 0.3 lies in the range of
 * 0.1 around 0.2.
 */
function decimalOf(value: Operand): NumberValue {
  if (value instanceof Date) return stop('A window by range of dates needs a unit.');
  if (!isNumber(value)) return stop(`A window by range is over numbers, not over ${describeOperand(value)}.`);
  return numberKind(value) === 'double' ? decimalResult(toDecimalNumber(value, 15)) : value;
}

function instantOf(value: Operand): number {
  if (value instanceof Date) return value.getTime();
  return stop(`A window with a unit is over dates, not over ${describeOperand(value)}.`);
}
