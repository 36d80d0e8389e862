/** Operators that read the parts of a date in a zone: `$year` … `$millisecond`, weeks, and `$dateToParts`. */
import {
  dayOfYear,
  isoWeek as isoWeekOf,
  isoWeekday,
  partsOf,
  weekday,
  weekOfYear,
} from '../../dates/calendar.ts';
import { instantOf, zoneOperand } from '../../dates/operands.ts';
import { toLocal } from '../../dates/zones.ts';
import { isFields, Long, type Value } from '../../../domain/values/values.ts';
import { isNullish } from '../../core/expression.ts';
import { stop, type Operand } from '../../core/meter.ts';
import { isWrapperName } from '../../../domain/values/wrappers.ts';
import {
  named,
  REQUIRED,
  unary,
  type Apply,
  type Names,
  type Operator,
  type Operators,
} from '../../core/operator.ts';
import { isList } from '../../../domain/values/tree.ts';

/** The zone where none is given: not null, which makes the answer null. */
const NO_ZONE = 'UTC';
const NAMES: Names = { date: REQUIRED, timezone: NO_ZONE };

function part(read: (local: number) => Operand): Operator {
  const apply: Apply = ([date, timezone = null], frame, name) => {
    if (isNullish(date)) return null;
    const instant = instantOf(date, name);
    if (isNullish(timezone)) return null;
    frame.meter.spend(5);
    return read(toLocal(instant, zoneOperand(timezone, name, frame)));
  };
  const long = named(NAMES, apply, { checks: { timezone: zoneOperand } });
  const short = unary((value, frame, name) => apply([value, NO_ZONE], frame, name));
  return (argument, at) => (isLong(argument) ? long(argument, at) : short(argument, at));
}

/** An object is the long form, unless it is an expression. */
function isLong(argument: Value): boolean {
  if (isList(argument) || !isFields(argument)) return false;
  const [first = ''] = Object.keys(argument);
  return !first.startsWith('$') && !isWrapperName(first);
}

const toParts = named(
  { date: REQUIRED, timezone: NO_ZONE, iso8601: false },
  ([date, timezone, iso], frame, name) => {
    if (isNullish(timezone)) return null;
    const zone = zoneOperand(timezone, name, frame);
    if (isNullish(iso)) return null;
    const byWeek = isoOperand(iso, name);
    if (isNullish(date)) return null;
    frame.meter.spend(5);
    const local = toLocal(instantOf(date, name), zone);
    const { year, month, day, hour, minute, second, millisecond } = partsOf(local);
    if (!byWeek) return { year, month, day, hour, minute, second, millisecond };
    const { year: isoWeekYear, week: isoWeek } = isoWeekOf(local);
    return { isoWeekYear, isoWeek, isoDayOfWeek: isoWeekday(local), hour, minute, second, millisecond };
  },
  { checks: { timezone: zoneOperand, iso8601: isoOperand } },
);

function isoOperand(iso: Operand, name: string): boolean {
  return typeof iso === 'boolean' ? iso : stop(`${name} takes true or false as iso8601.`);
}

export const DATE_PARTS: Operators = {
  $year: part((local) => partsOf(local).year),
  $month: part((local) => partsOf(local).month),
  $dayOfMonth: part((local) => partsOf(local).day),
  $hour: part((local) => partsOf(local).hour),
  $minute: part((local) => partsOf(local).minute),
  $second: part((local) => partsOf(local).second),
  $millisecond: part((local) => partsOf(local).millisecond),
  $dayOfYear: part(dayOfYear),
  $dayOfWeek: part((local) => weekday(local) + 1),
  $week: part(weekOfYear),
  $isoWeek: part((local) => isoWeekOf(local).week),
  // MongoDB's years of weeks are longs.
  $isoWeekYear: part((local) => new Long(BigInt(isoWeekOf(local).year))),
  $isoDayOfWeek: part(isoWeekday),
  $dateToParts: toParts,
};
