/** Dates from and to texts and parts: `$dateToString`, `$dateFromString`, `$dateFromParts`. */
import { formatDate, ISO_LOCAL, ISO_UTC, SPECIFIERS } from '../../dates/format.ts';
import { dateAt, instantOf, zoneOperand } from '../../dates/operands.ts';
import { parseByFormat, parseDateText, READ_SPECIFIERS } from '../../dates/parse.ts';
import { DAY, isoWeekStart, utc } from '../../dates/calendar.ts';
import { fromLocal, toLocal, UTC, type Zone } from '../../dates/zones.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { isFields, type Value } from '../../../domain/values/values.ts';
import { isNullish, type Frame } from '../../core/expression.ts';
import { stop, type Operand } from '../../core/meter.ts';
import { smallInteger } from '../../numbers/kinds.ts';
import {
  converting,
  named,
  refuseExpression,
  REQUIRED,
  stringOf,
  type At,
  type Checks,
  type Has,
  type Names,
  type Operator,
  type Operators,
} from '../../core/operator.ts';

/** In characters. A definition may have a longer format; no computed one is longer. */
const FORMAT_LENGTH = LIMITS.body;

type Specifiers = Readonly<Record<string, unknown>>;

function checkFormat(format: Operand, name: string, specifiers: Specifiers): string {
  const text = stringOf(format, name, 'a string as format');
  if (text.length > FORMAT_LENGTH)
    return stop(`${name} takes a format of at most ${FORMAT_LENGTH} characters.`);
  for (const [, specifier = ''] of text.matchAll(/%(.?)/gs)) {
    if (!Object.hasOwn(specifiers, specifier)) return stop(`${name}: The format has no %${specifier}.`);
  }
  return text;
}

interface Form {
  readonly format: string | null | undefined;
  readonly zone: Zone | null | undefined;
}

/** Of a format and a zone: null if one is null, undefined if not given. A wrong one is always a fault. */
function formBy(specifiers: Specifiers) {
  return ([format, timezone]: readonly Operand[], frame: Frame, name: string, has: Has): Form => ({
    format: isNullish(format) ? nullIf(has('format')) : checkFormat(format, name, specifiers),
    zone: isNullish(timezone) ? nullIf(has('timezone')) : zoneOperand(timezone, name, frame),
  });
}

function nullIf(isGiven: boolean): null | undefined {
  return isGiven ? null : undefined;
}

function checksBy(specifiers: Specifiers): Checks {
  return { timezone: zoneOperand, format: (format, name) => checkFormat(format, name, specifiers) };
}

const toText = converting(
  { date: REQUIRED, format: undefined, timezone: undefined },
  formBy(SPECIFIERS),
  (date, { format, zone = UTC }, { meter }, name) => {
    if (zone === null || format === null) return null;
    const instant = instantOf(date, name);
    const local = toLocal(instant, zone);
    const text = format ?? (zone.isUtc ? ISO_UTC : ISO_LOCAL);
    meter.spend(10 + 2 * text.length);
    meter.expect(10 * text.length);
    return formatDate({ local, offset: local - instant }, text);
  },
  checksBy(SPECIFIERS),
);

const fromText = converting(
  { dateString: REQUIRED, format: undefined, timezone: undefined, onError: undefined },
  formBy(READ_SPECIFIERS),
  (text, { format, zone }, { meter }, name) => {
    meter.spend(20 + 4 * (format?.length ?? 0));
    const subject = stringOf(text, name, 'a string as dateString');
    if (zone === null || format === null) return null;
    const read = format === undefined ? parseDateText(subject, zone) : parseByFormat(subject, format, zone);
    return read instanceof Date ? read : stop(`${name} cannot read the date: ${read.reason}.`);
  },
  checksBy(READ_SPECIFIERS),
);

/** Where parts begin. What is beyond a part's own range is carried over. */
const FROM_YEAR: Names = { year: REQUIRED, month: 1, day: 1 };
const FROM_WEEK: Names = { isoWeekYear: REQUIRED, isoWeek: 1, isoDayOfWeek: 1 };
const CLOCK: Names = { hour: 0, minute: 0, second: 0, millisecond: 0 };

const byYear = assembling(FROM_YEAR, (year, month, day) => utc(year, month, day));
const byWeek = assembling(FROM_WEEK, (year, week, day) => isoWeekStart(year, week) + (day - 1) * DAY);

type DayOf = (year: number, second: number, third: number) => number;

/** In MongoDB's order, as the first that is null or wrong decides. */
function assembling(days: Names, dayOf: DayOf): Operator {
  const parts = Object.keys({ ...CLOCK, ...days }).map((part) => [part, partOperand] as const);
  return named(
    { ...CLOCK, timezone: 'UTC', ...days },
    (operands, frame, name) => assemble(operands, frame, name, dayOf),
    { checks: { timezone: zoneOperand, ...Object.fromEntries(parts) } },
  );
}

function partOperand(operand: Operand, name: string): number {
  return smallInteger(operand) ?? stop(`${name} takes integers as parts.`);
}

/** Of seconds and milliseconds there may be more than 16 bits hold; a year has bounds of its own. */
const SHORT = 32_767;
const WIDE = 2 ** 53;

/** Null as soon as one is null. */
function partsOf(operands: readonly Operand[], limits: readonly number[], name: string) {
  const parts: number[] = [];
  for (const [index, operand] of operands.entries()) {
    if (isNullish(operand)) return null;
    const part = partOperand(operand, name);
    const limit = limits[index] ?? 0;
    if (part > limit || part < -limit - 1) return stop(`${name} takes parts from -32768 to 32767.`);
    parts.push(part);
  }
  return parts;
}

function assemble(operands: readonly Operand[], frame: Frame, name: string, dayOf: DayOf): Operand {
  const clock = partsOf(operands.slice(0, 4), [SHORT, SHORT, WIDE, WIDE], name);
  const timezone = operands[4];
  if (clock === null || isNullish(timezone)) return null;
  const zone = zoneOperand(timezone, name, frame);
  const days = partsOf(operands.slice(5), [WIDE, SHORT, SHORT], name);
  if (days === null) return null;
  const [hour = 0, minute = 0, seconds = 0, millisecond = 0] = clock;
  const [year = 0, second = 0, third = 0] = days;
  if (year < 1 || year > 9999) return stop(`${name} takes a year from 1 to 9999.`);
  const local =
    dayOf(year, second, third) + hour * 3_600_000 + minute * 60_000 + seconds * 1000 + millisecond;
  dateAt(local, name);
  return dateAt(fromLocal(local, zone), name);
}

const fromParts: Operator = (argument: Value, at: At) => {
  const names = isFields(argument) ? Object.keys(argument) : [];
  const iso = names.some((name) => Object.hasOwn(FROM_WEEK, name));
  if (iso && names.some((name) => Object.hasOwn(FROM_YEAR, name))) {
    return refuseExpression(
      at,
      `${at.name} takes either year, month and day, or isoWeekYear, isoWeek and isoDayOfWeek.`,
    );
  }
  return iso ? byWeek(argument, at) : byYear(argument, at);
};

export const DATE_FORMS: Operators = {
  $dateToString: toText,
  $dateFromString: fromText,
  $dateFromParts: fromParts,
};
