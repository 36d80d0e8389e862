/**
 * The types of linked documents that a request's answer leaves out because its key may not GET them. They are noted where
 * links are followed and told where the answer is made (../warnings.ts). What a user may not read is never noted.
 */
import { recall } from '../../../domain/caching/recall.ts';
import { LIMITS } from '../../../domain/limits.ts';
import type { Exchange } from '../../endpoint.ts';

/** By the type, the parameter that asks for its documents; null where the address does. */
type LeftOut = Map<string, 'include' | null>;

/** Of each request, for as long as it lasts. */
const noted = new WeakMap<Exchange, LeftOut>();

export function noteLeftOut(exchange: Exchange, type: string, parameter: 'include' | null): void {
  const types = recall(noted, exchange, (): LeftOut => new Map());
  if (types.size < LIMITS.doubtsTold && !types.has(type)) types.set(type, parameter);
}

export function leftOutOf(exchange: Exchange): ReadonlyMap<string, 'include' | null> {
  return noted.get(exchange) ?? new Map<string, null>();
}
