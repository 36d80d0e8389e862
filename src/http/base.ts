/** The start of every link in an answer: scheme, host, port, and the path of a public address; no slash at the end. */
import type { Context } from 'hono';
import type { Types } from './types.ts';

export function baseOf(c: Context<Types>): string {
  return c.get('settings').publicUrl ?? c.get('arrival').address?.origin ?? '';
}
