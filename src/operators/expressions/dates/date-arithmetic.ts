/** `$dateAdd`, `$dateSubtract`, `$dateDiff`, `$dateTrunc`: by the calendar of a zone. */
import {
  addMonths,
  DAY,
  LENGTH,
  mod,
  MONTHS,
  partsOf,
  weekday,
  type Unit,
  utc,
} from '../../dates/calendar.ts';
import { dateAt, instantOf, unitOperand, weekdayOperand, zoneOperand } from '../../dates/operands.ts';
import { isClockUnit, shiftInstant } from '../../dates/shift.ts';
import { fromLocal, toLocal, type Zone } from '../../dates/zones.ts';
import { isNullish } from '../../core/expression.ts';
import { stop, type Operand } from '../../core/meter.ts';
import { integerResult, smallInteger } from '../../numbers/kinds.ts';
import { named, REQUIRED, type Checks, type Operator, type Operators } from '../../core/operator.ts';

function adding(sign: 1 | -1): Operator {
  return named(
    { startDate: REQUIRED, unit: REQUIRED, amount: REQUIRED, timezone: 'UTC' },
    ([start, unit, amount, timezone], frame, name) => {
      if (isNullish(start) || isNullish(unit)) return null;
      const each = unitOperand(unit, name);
      if (isNullish(amount) || isNullish(timezone)) return null;
      const zone = zoneOperand(timezone, name, frame);
      frame.meter.spend(10);
      const count = sign * amountOperand(amount, name);
      return dateAt(shiftInstant(instantOf(start, name), each, count, zone), name);
    },
    { checks: { unit: unitOperand, amount: amountOperand, timezone: zoneOperand } },
  );
}

function amountOperand(amount: Operand, name: string): number {
  const count = smallInteger(amount);
  return count !== undefined && Math.abs(count) <= 1e15
    ? count
    : stop(`${name} takes an integer as amount, from -1e15 to 1e15.`);
}

/** The number of beginnings of the unit between two local times. */
function boundaries(from: number, to: number, unit: Unit, firstDay: number): number {
  return indexOf(to, unit, firstDay) - indexOf(from, unit, firstDay);
}

/** A number for the unit that a local time lies in; the next unit has the next number. */
function indexOf(local: number, unit: Unit, firstDay: number): number {
  const { year, month } = partsOf(local);
  const months = MONTHS[unit];
  if (months !== undefined) return Math.floor((year * 12 + month - 1) / months);
  if (unit === 'week') return Math.floor((Math.floor(local / DAY) - firstDayNumber(firstDay)) / 7);
  return Math.floor(local / (LENGTH[unit] ?? 1));
}

/** The number since 1970 of some day of the week. The first of 1970 was a Thursday. */
function firstDayNumber(day: number): number {
  return day - 4;
}

/** Only weeks have a first day; null where that is null. */
function firstDayOf(unit: Unit, startOfWeek: Operand, name: string): number | null {
  if (unit !== 'week') return 0;
  return isNullish(startOfWeek) ? null : weekdayOperand(startOfWeek, name);
}

const WEEK_CHECKS: Checks = {
  unit: unitOperand,
  startOfWeek: (day, name, _frame, { unit }) => unit === 'week' && weekdayOperand(day, name),
  timezone: zoneOperand,
};

const diff = named(
  { startDate: REQUIRED, endDate: REQUIRED, unit: REQUIRED, timezone: 'UTC', startOfWeek: 'sunday' },
  ([start, end, unit, timezone, startOfWeek], frame, name) => {
    if (isNullish(start) || isNullish(end) || isNullish(unit)) return null;
    const each = unitOperand(unit, name);
    const firstDay = firstDayOf(each, startOfWeek, name);
    if (firstDay === null || isNullish(timezone)) return null;
    const zone = zoneOperand(timezone, name, frame);
    const [from, to] = [instantOf(start, name), instantOf(end, name)];
    frame.meter.spend(10);
    // Every hour has the same length, but its start depends on the zone.
    const count =
      isClockUnit(each) && each !== 'hour'
        ? boundaries(from, to, each, 0)
        : each === 'hour'
          ? hours(from, to, zone)
          : boundaries(toLocal(from, zone), toLocal(to, zone), each, firstDay);
    return integerResult(BigInt(count), 'long');
  },
  { checks: WEEK_CHECKS },
);

/** Hours begin where the clock of the zone shows them to; offsets are not always of whole hours. */
function hours(from: number, to: number, zone: Zone): number {
  const start = (instant: number) => instant - mod(toLocal(instant, zone), 3_600_000);
  return Math.round((start(to) - start(from)) / 3_600_000);
}

/** Bins are counted from the first of 2000, whose weeks begin on the first such day of that year. */
function truncate(instant: number, unit: Unit, size: number, zone: Zone, firstDay: number): number {
  const reference = utc(2000, 1, 1);
  const local = toLocal(instant, zone);
  const months = MONTHS[unit];
  if (months !== undefined) {
    const { year, month } = partsOf(local);
    const index = (year - 2000) * 12 + month - 1;
    return fromLocal(addMonths(reference, index - mod(index, size * months)), zone);
  }
  const length = (LENGTH[unit] ?? 1) * size;
  if (isClockUnit(unit)) {
    const start = fromLocal(reference, zone);
    return instant - mod(instant - start, length);
  }
  const start = unit === 'week' ? reference + mod(firstDay - weekday(reference), 7) * DAY : reference;
  return fromLocal(local - mod(local - start, length), zone);
}

function sizeOf(binSize: Operand, name: string): number {
  const size = smallInteger(binSize);
  return size !== undefined && size >= 1 && size <= 1e11
    ? size
    : stop(`${name} takes an integer above zero as binSize.`);
}

const trunc = named(
  { date: REQUIRED, unit: REQUIRED, binSize: 1, timezone: 'UTC', startOfWeek: 'sunday' },
  ([date, unit, binSize, timezone, startOfWeek], frame, name): Operand => {
    if (isNullish(date) || isNullish(binSize)) return null;
    const size = sizeOf(binSize, name);
    if (isNullish(unit)) return null;
    const each = unitOperand(unit, name);
    const firstDay = firstDayOf(each, startOfWeek, name);
    if (firstDay === null || isNullish(timezone)) return null;
    const zone = zoneOperand(timezone, name, frame);
    frame.meter.spend(10);
    return dateAt(truncate(instantOf(date, name), each, size, zone, firstDay), name);
  },
  { checks: { ...WEEK_CHECKS, binSize: sizeOf } },
);

export const DATE_ARITHMETIC: Operators = {
  $dateAdd: adding(1),
  $dateSubtract: adding(-1),
  $dateDiff: diff,
  $dateTrunc: trunc,
};
