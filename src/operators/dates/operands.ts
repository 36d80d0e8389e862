/** Operands of the date operators: dates, zones, units and days of the week, or the fault of one. */
import { dateOf } from '../../domain/values/dates.ts';
import { ObjectId } from '../../domain/values/values.ts';
import type { Frame } from '../core/expression.ts';
import { stop, type Operand } from '../core/meter.ts';
import { describeOperand } from '../core/operator.ts';
import { UNITS, type Unit } from './calendar.ts';
import { UTC, zoneOf, type Zone } from './zones.ts';

/** A date, or the date at which an object id was made, in milliseconds. */
export function instantOf(value: Operand, name: string): number {
  if (value instanceof Date) return value.getTime();
  if (value instanceof ObjectId) return Number.parseInt(value.hex.slice(0, 8), 16) * 1000;
  return stop(`${name} takes a date, not ${describeOperand(value)}.`);
}

/** The zone of an operand; what its local times take to read is counted by the frame's meter. */
export function zoneOperand(value: Operand, name: string, { meter }: Frame): Zone {
  if (value === undefined) return UTC;
  const zone = typeof value === 'string' ? zoneOf(value, meter) : undefined;
  return zone ?? stop(`${name} takes a name such as Europe/Paris or an offset such as +05:30 as timezone.`);
}

export function unitOperand(value: Operand, name: string): Unit {
  const unit = UNITS.find((each) => each === value);
  return unit ?? stop(`${name} takes one of ${UNITS.join(', ')} as unit.`);
}

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** 0 is Sunday. Days may be shortened to three letters. */
export function weekdayOperand(value: Operand, name: string): number {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  const day = DAYS.findIndex((each) => each === text || each.slice(0, 3) === text);
  return day >= 0 ? day : stop(`${name} takes the name of a day as startOfWeek.`);
}

/** The date of an instant, or a stop beyond what dates hold. */
export function dateAt(instant: number, name: string): Date {
  return dateOf(instant) ?? stop(`${name} leads to a date beyond the range of dates.`);
}
