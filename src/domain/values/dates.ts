/** ISO 8601 dates, read and written the same way everywhere: what lacks an offset is UTC (decisions, section 2). */
const SHAPE =
  /^(\d{4}|[+-]\d{6})(?:-(\d\d)(?:-(\d\d))?)?(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/;
/** Dates lie between this and its negative, in milliseconds since 1970. */
export const LARGEST_DATE = 8.64e15;

/** The instant an ISO 8601 text names, to the millisecond (further digits are cut), or undefined. */
export function parseDate(text: string): Date | undefined {
  const match = SHAPE.exec(text);
  if (match === null) return undefined;
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    fraction = '',
    zone = 'Z',
  ] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.slice(0, 3).padEnd(3, '0')));
  // A field out of its range would have rolled over into the next one.
  const kept =
    date.getUTCMonth() === Number(month) - 1 &&
    date.getUTCDate() === Number(day) &&
    date.getUTCHours() === Number(hour) &&
    date.getUTCMinutes() === Number(minute) &&
    date.getUTCSeconds() === Number(second);
  const offset = parseOffset(zone);
  return kept && offset !== undefined ? dateOf(date.getTime() - offset) : undefined;
}

/** The instant a number of milliseconds after 1970, or undefined beyond the range of dates. */
export function dateOf(milliseconds: number): Date | undefined {
  return Number.isInteger(milliseconds) && Math.abs(milliseconds) <= LARGEST_DATE
    ? new Date(milliseconds)
    : undefined;
}

/** An offset such as `+05:30` in milliseconds. */
function parseOffset(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
