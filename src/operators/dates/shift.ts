/** Steps from an instant to another in units of the calendar. */
import { addMonths, DAY, LENGTH, MONTHS, type Unit } from './calendar.ts';
import { fromLocal, toLocal, type Zone } from './zones.ts';

/** Units shorter than a day are so much time; the others keep the clock of the zone. */
export function isClockUnit(unit: Unit): boolean {
  return MONTHS[unit] === undefined && (LENGTH[unit] ?? 0) < DAY;
}

export function shiftInstant(instant: number, unit: Unit, amount: number, zone: Zone): number {
  const length = LENGTH[unit] ?? 0;
  if (isClockUnit(unit)) return instant + amount * length;
  const local = toLocal(instant, zone);
  const months = MONTHS[unit];
  return fromLocal(months === undefined ? local + amount * length : addMonths(local, amount * months), zone);
}
