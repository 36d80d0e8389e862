/** Dates from and to texts and parts: `$dateToString`, `$dateFromString`, `$dateFromParts`. */
import { formatDate, ISO_LOCAL, ISO_UTC, SPECIFIERS } from '../../dates/format.ts';
import { dateAt, instantOf, zoneOperand } from '../../dates/operands.ts';
import { parseByFormat, parseDateText, READ_SPECIFIERS } from '../../dates/parse.ts';
import { DAY, isoWeekStart } from '../../dates/calendar.ts';
import { utc } from '../../../domain/values/civil.ts';
import { fromLocal, toLocal } from '../../dates/zones.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { isFields, type Value } from '../../../domain/values/values.ts';
import { isNullish, type Frame } from '../../core/expression.ts';
import { isCaught, stop, type Operand } from '../../core/meter.ts';
import { smallInteger } from '../../numbers/kinds.ts';
import {
  named,
  refuseExpression,
  REQUIRED,
  stringOf,
  type At,
  type Names,
  type Operator,
  type Operators,
} from '../../core/operator.ts';

/** In characters. A definition may have a longer format; no computed one is longer. */
const FORMAT_LENGTH = LIMITS.body;

function checkFormat(format: Operand, name: string, specifiers: Readonly<Record<string, unknown>>): string {
  const text = stringOf(format, name, 'a string as format');
  if (text.length > FORMAT_LENGTH)
    return stop(`${name} takes a format of at most ${FORMAT_LENGTH} characters.`);
  for (const [, specifier = ''] of text.matchAll(/%(.?)/gs)) {
    if (!Object.hasOwn(specifiers, specifier)) return stop(`${name}: The format has no %${specifier}.`);
  }
  return text;
}

/** `format: null` makes the answer null; a format that is not given has a default. */
const toText: Operator = (argument, at) => {
  const hasFormat = isFields(argument) && Object.hasOwn(argument, 'format');
  return named(
    { date: REQUIRED, format: undefined, timezone: 'UTC', onNull: null },
    ([date, format, timezone, onNull], frame, name) => {
      // A format or zone that is none is a fault, whatever the date.
      const by = isNullish(format) ? undefined : checkFormat(format, name, SPECIFIERS);
      const zone = isNullish(timezone) ? undefined : zoneOperand(timezone, name, frame);
      if (isNullish(date)) return onNull;
      if (zone === undefined || (hasFormat && by === undefined)) return null;
      const instant = instantOf(date, name);
      const local = toLocal(instant, zone);
      const text = by ?? (zone.isUtc ? ISO_UTC : ISO_LOCAL);
      frame.meter.spend(10 + 2 * text.length);
      frame.meter.expect(10 * text.length);
      return formatDate({ local, offset: local - instant }, text);
    },
    { checks: { timezone: zoneOperand, format: (format, name) => checkFormat(format, name, SPECIFIERS) } },
  )(argument, at);
};

const fromText: Operator = (argument, at) => {
  const has = (name: string) => isFields(argument) && Object.hasOwn(argument, name);
  const [hasFormat, hasZone, hasOnError] = [has('format'), has('timezone'), has('onError')];
  return named(
    { dateString: REQUIRED, format: undefined, timezone: undefined, onError: undefined, onNull: null },
    ([text, format, timezone, onError, onNull], frame, name) => {
      // A format or zone that is none is a fault of the definition, which `onError` does not hide.
      const zone = isNullish(timezone) ? undefined : zoneOperand(timezone, name, frame);
      const by = isNullish(format) ? undefined : checkFormat(format, name, READ_SPECIFIERS);
      if (isNullish(text)) return onNull;
      frame.meter.spend(20 + (by?.length ?? 0) * 4);
      try {
        const subject = stringOf(text, name, 'a string as dateString');
        if ((hasFormat && by === undefined) || (hasZone && zone === undefined)) return null;
        const read = by === undefined ? parseDateText(subject, zone) : parseByFormat(subject, by, zone);
        return read instanceof Date ? read : stop(`${name} cannot read the date: ${read.reason}.`);
      } catch (error) {
        if (!hasOnError || !isCaught(error, frame.meter)) throw error;
        return onError;
      }
    },
    {
      checks: { timezone: zoneOperand, format: (format, name) => checkFormat(format, name, READ_SPECIFIERS) },
    },
  )(argument, at);
};

/** Where parts begin. What is beyond a part's own range is carried over, within 16 bits. */
const FROM_YEAR: Names = { year: REQUIRED, month: 1, day: 1 };
const FROM_WEEK: Names = { isoWeekYear: REQUIRED, isoWeek: 1, isoDayOfWeek: 1 };
const CLOCK: Names = { hour: 0, minute: 0, second: 0, millisecond: 0, timezone: 'UTC' };

const byYear = assembling(FROM_YEAR, (year, month, day) => utc(year, month, day));
const byWeek = assembling(FROM_WEEK, (year, week, day) => isoWeekStart(year, week) + (day - 1) * DAY);

type DayOf = (year: number, second: number, third: number) => number;

function assembling(names: Names, dayOf: DayOf): Operator {
  return named({ ...names, ...CLOCK }, (operands, frame, name) => assemble(operands, frame, name, dayOf), {
    checks: { timezone: zoneOperand },
  });
}

function assemble(operands: readonly Operand[], frame: Frame, name: string, dayOf: DayOf): Operand {
  const timezone = operands[7];
  if (isNullish(timezone)) return null;
  const zone = zoneOperand(timezone, name, frame);
  const numbers: number[] = [];
  for (const [index, operand] of operands.slice(0, 7).entries()) {
    if (isNullish(operand)) return null;
    const number = smallInteger(operand) ?? stop(`${name} takes integers as parts.`);
    // Of seconds and milliseconds there may be more, as MongoDB has it.
    const limit = index < 5 ? 32_767 : 2 ** 53;
    if (number > limit || number < -limit - 1) return stop(`${name} takes parts from -32768 to 32767.`);
    numbers.push(number);
  }
  const [year = 0, second = 0, third = 0, hour = 0, minute = 0, seconds = 0, millisecond = 0] = numbers;
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
