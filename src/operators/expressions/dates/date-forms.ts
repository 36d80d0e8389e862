/** Dates from and to texts and parts: `$dateToString`, `$dateFromString`, `$dateFromParts`. */
import { formatDate, ISO_LOCAL, ISO_UTC, SPECIFIERS } from '../../dates/format.ts';
import { dateAt, instantOf, zoneOperand } from '../../dates/operands.ts';
import { parseByFormat, parseDateText, READ_SPECIFIERS } from '../../dates/parse.ts';
import { DAY, isoWeekStart } from '../../dates/calendar.ts';
import { utc } from '../../../domain/values/civil.ts';
import { fromLocal, toLocal } from '../../dates/zones.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { isFields, type Value } from '../../../domain/values/values.ts';
import { inside } from '../../../domain/pointer.ts';
import { isNullish, NOTHING, type Frame } from '../../core/expression.ts';
import { isCaught, stop, type Operand } from '../../core/meter.ts';
import { smallInteger } from '../../numbers/kinds.ts';
import {
  call,
  named,
  namedArguments,
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
      if (isNullish(date)) return onNull;
      if (isNullish(timezone) || (hasFormat && isNullish(format))) return null;
      const zone = zoneOperand(timezone, frame, name);
      const instant = instantOf(date, name);
      const local = toLocal(instant, zone);
      const text = hasFormat ? checkFormat(format, name, SPECIFIERS) : zone.isUtc ? ISO_UTC : ISO_LOCAL;
      frame.meter.spend(10 + 2 * text.length);
      frame.meter.expect(10 * text.length);
      return formatDate({ local, offset: local - instant }, text);
    },
  )(argument, at);
};

const fromText: Operator = (argument, at) => {
  const given = namedArguments(
    argument,
    { dateString: REQUIRED, format: undefined, timezone: undefined, onError: undefined, onNull: null },
    at,
  );
  if (given === undefined) return NOTHING;
  const has = (name: string) => given.some((each) => each.name === name && each.value !== undefined);
  const [hasFormat, hasZone, hasOnError] = [has('format'), has('timezone'), has('onError')];
  const operands = given.map(({ name, value, fallback }) =>
    at.scope.parse(value ?? fallback ?? null, inside(at.place, name), at.scope),
  );
  return call(
    operands,
    ([text, format, timezone, onError, onNull], frame, name) => {
      // A format or zone that is none is a fault of the definition, which `onError` does not hide.
      const zone = isNullish(timezone) ? undefined : zoneOperand(timezone, frame, name);
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
    at,
  );
};

/** Where parts begin. What is beyond a part's own range is carried over, within 16 bits. */
const FROM_YEAR: Names = { year: REQUIRED, month: 1, day: 1 };
const FROM_WEEK: Names = { isoWeekYear: REQUIRED, isoWeek: 1, isoDayOfWeek: 1 };
const CLOCK: Names = { hour: 0, minute: 0, second: 0, millisecond: 0, timezone: 'UTC' };

const byYear = named({ ...FROM_YEAR, ...CLOCK }, (operands, frame, name) =>
  assemble(operands, frame, name, (year, month, day) => utc(year, month, day)),
);
const byWeek = named({ ...FROM_WEEK, ...CLOCK }, (operands, frame, name) =>
  assemble(operands, frame, name, (year, week, day) => isoWeekStart(year, week) + (day - 1) * DAY),
);

function assemble(
  operands: readonly Operand[],
  frame: Frame,
  name: string,
  dayOf: (year: number, second: number, third: number) => number,
): Operand {
  if (operands.some(isNullish)) return null;
  const numbers = operands
    .slice(0, 7)
    .map((operand) => smallInteger(operand) ?? stop(`${name} takes integers as parts.`));
  const [year = 0, second = 0, third = 0, hour = 0, minute = 0, seconds = 0, millisecond = 0] = numbers;
  if (year < 1 || year > 9999) return stop(`${name} takes a year from 1 to 9999.`);
  // The smaller the unit, the more of it may be asked for, as MongoDB has it.
  const limits = [32_767, 32_767, 32_767, 32_767, 2 ** 53, 2 ** 53];
  const exceeds = (number: number, limit: number) => number > limit || number < -limit - 1;
  if (numbers.slice(1).some((number, index) => exceeds(number, limits[index] ?? 0))) {
    return stop(`${name} takes parts from -32768 to 32767.`);
  }
  const local =
    dayOf(year, second, third) + hour * 3_600_000 + minute * 60_000 + seconds * 1000 + millisecond;
  dateAt(local, name);
  return dateAt(fromLocal(local, zoneOperand(operands[7], frame, name)), name);
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
