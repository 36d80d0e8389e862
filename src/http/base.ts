/** The start of every link in an answer: scheme, host, port, and the path of a public address; no slash at the end. */
import type { Context } from 'hono';
import type { Types } from './types.ts';

export function baseOf(c: Context<Types>): string {
  const { settings, arrival } = c.get('surroundings');
  return settings.publicUrl ?? arrival.address?.origin ?? '';
}
