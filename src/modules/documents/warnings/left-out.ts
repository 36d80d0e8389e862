/**
 * The types of linked documents that a request's answer leaves out because its key may not GET them. They are noted where
 * links are followed and told where the answer is made (../warnings.ts). What a user may not read is never noted.
 */
import { recall } from '../../../domain/caching/recall.ts';
import { LIMITS } from '../../../domain/limits.ts';
import type { Exchange } from '../../endpoint.ts';

/** A type, and the parameter that asks for its documents; null where the address does. */
interface LeftOut {
  readonly type: string;
  readonly parameter: string | null;
}

/** Of each request, for as long as it lasts. */
const noted = new WeakMap<Exchange, Map<string, LeftOut>>();

export function noteLeftOut(exchange: Exchange, type: string, parameter: string | null): void {
  const types = recall(noted, exchange, () => new Map<string, LeftOut>());
  const key = `${type} ${parameter ?? ''}`;
  if (types.size < LIMITS.doubtsTold && !types.has(key)) types.set(key, { type, parameter });
}

export function leftOutOf(exchange: Exchange): readonly LeftOut[] {
  return [...(noted.get(exchange)?.values() ?? [])];
}
