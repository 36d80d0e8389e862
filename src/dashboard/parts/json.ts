/** Attributes of answers, read with care: what stands there is a client's. */

/** A string attribute, or ''. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A date attribute: in its wrapper, or as a string. */
export function dateOf(value: unknown): Date | undefined {
  const text = typeof value === 'object' && value !== null && '$date' in value ? value.$date : value;
  if (typeof text !== 'string') return undefined;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
