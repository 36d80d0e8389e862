/** Window functions over merged segments: `$sum`, `$avg`, `$min`, `$max`, deviations, covariances, `$integral`. */
import { Decimal, type Value, doubleOf } from '../../domain/values/values.ts';
import { isNotANumber, isNumber, type NumberValue } from '../../query/order/numbers.ts';
import { averageState, DeviationState, sumState } from '../accumulators/numeric.ts';
import { ExtremeState } from '../accumulators/single.ts';
import type { Frame } from '../core/expression.ts';
import { sizeOf, stop, type Meter } from '../core/meter.ts';
import { valueAt } from '../core/paths.ts';
import { add, divide, multiply } from '../numbers/arithmetic.ts';
import { decimalResult, toDecimalNumber } from '../numbers/decimals.ts';
import { toDouble } from '../numbers/kinds.ts';
import { Moments, type MomentsOf } from '../numbers/moments.ts';
import { Total } from '../numbers/total.ts';
import { overSpans, readBounds, type Bounds } from './bounds.ts';
import { Segment, type Part } from './tree.ts';
import { difference, readInput, type Points } from './points.ts';
import { sortPath, type ReadWindowFunction, type WindowFunction } from './window.ts';
import { isList } from '../../domain/values/tree.ts';

interface Summary<T, P> extends Part<T, P> {
  readonly result: () => Value;
}

function summarized<T, P extends Summary<T, P>>(
  bounds: Bounds,
  valueOf: (frame: Frame) => T,
  make: (meter: Meter) => P,
  sizeOfValue: (value: T) => number,
): WindowFunction {
  return overSpans(bounds, (keep) => {
    const segment = new Segment<T, P>(() => make(keep.meter), keep);
    return {
      add: (frame) => {
        const value = valueOf(frame);
        segment.add(value, 8 + sizeOfValue(value));
      },
      over: ({ from, to }) => segment.over(from, to).result(),
    };
  });
}

/** The same of the values of one expression. */
function ofExpression<P extends Summary<Value, P>>(make: (meter: Meter) => P): ReadWindowFunction {
  return (argument, at) => {
    const expression = at.scope.parse(argument, at.place, at.scope);
    const bounds = readBounds(at);
    // What is missing counts no more than null in any of these.
    return (
      bounds && summarized<Value, P>(bounds, (frame) => expression.evaluate(frame) ?? null, make, sizeOf)
    );
  };
}

/** Of pairs of numbers; what is none does not count. In doubles, and of the kind decimal where one takes part. */
class Covariance implements Summary<Value, Covariance> {
  readonly moments = new Moments();
  readonly #of: MomentsOf;
  decimal = false;
  constructor(of: MomentsOf) {
    this.#of = of;
  }
  readonly add = (value: Value): void => {
    const [x, y, ...others] = isList(value) ? value : [];
    if (!isNumber(x) || !isNumber(y) || others.length > 0) return;
    if (x instanceof Decimal || y instanceof Decimal) this.decimal = true;
    this.moments.addPair(toDouble(x), toDouble(y));
  };
  readonly merge = ({ moments, decimal }: Covariance): void => {
    if (decimal) this.decimal = true;
    this.moments.merge(moments);
  };
  readonly result = (): Value => {
    const covariance = this.moments.covariance(this.#of);
    if (covariance === null) return null;
    const double = doubleOf(covariance);
    return this.decimal ? decimalResult(toDecimalNumber(double, 15)) : double;
  };
}

interface Point {
  readonly x: NumberValue | Date;
  readonly y: NumberValue;
}

/** The area under straight lines from point to point. */
class Integral implements Summary<Point, Integral> {
  readonly total = new Total();
  readonly #unit: number | null;
  first: Point | undefined;
  last: Point | undefined;
  hasNaN = false;
  constructor(unit: number | null) {
    this.#unit = unit;
  }
  readonly add = (point: Point): void => {
    if (isNotANumber(point.y) || (isNumber(point.x) && isNotANumber(point.x))) this.hasNaN = true;
    else this.#reach(point);
    this.first ??= point;
    this.last = point;
  };
  readonly merge = (next: Integral): void => {
    if (next.hasNaN) this.hasNaN = true;
    if (next.first !== undefined && !this.hasNaN) this.#reach(next.first);
    this.total.merge(next.total);
    this.first ??= next.first;
    this.last = next.last ?? this.last;
  };
  #reach(point: Point): void {
    if (this.last === undefined || this.hasNaN) return;
    const area = divide(multiply(add(this.last.y, point.y), difference(point.x, this.last.x)), doubleOf(2));
    if (isNumber(area)) this.total.add(area);
  }
  readonly result = (): Value => {
    if (this.first === undefined) return null;
    if (this.hasNaN) return NaN;
    const total = this.total.value;
    return this.#unit === null || !isNumber(total) ? total : (divide(total, this.#unit) ?? null);
  };
}

const integral: ReadWindowFunction = (argument, at) => {
  const read = readInput(argument, at);
  const path = sortPath(at);
  const bounds = readBounds(at);
  if (read === undefined || path === undefined || bounds === undefined) return undefined;
  const points: Points = { ...read, path };
  const pointOf = (frame: Frame): Point => {
    const x = valueAt(frame.root, points.path, frame.meter);
    const y = points.input.evaluate(frame);
    const fits = points.unit === null ? isNumber(x) : x instanceof Date;
    if (fits && (isNumber(x) || x instanceof Date) && isNumber(y)) return { x, y };
    return stop(
      `${at.name} takes numbers as input, and sortBy leads to ${points.unit === null ? 'numbers' : 'dates'}.`,
    );
  };
  return summarized(
    bounds,
    pointOf,
    () => new Integral(points.unit),
    () => 64,
  );
};

export const MERGED: Readonly<Record<string, ReadWindowFunction>> = {
  $sum: ofExpression(sumState),
  $avg: ofExpression(averageState),
  $min: ofExpression((meter) => new ExtremeState(meter, 1, null)),
  $max: ofExpression((meter) => new ExtremeState(meter, -1, null)),
  $stdDevPop: ofExpression(() => new DeviationState('population')),
  $stdDevSamp: ofExpression(() => new DeviationState('sample')),
  $covariancePop: ofExpression(() => new Covariance('population')),
  $covarianceSamp: ofExpression(() => new Covariance('sample')),
  $integral: integral,
};
