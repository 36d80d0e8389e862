/** The query of a subscription: that of a feed, without what a stream has no place for. */
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import type { Query } from '../../modules/endpoint.ts';
import { readFilter } from '../../operators/filter/encoded.ts';
import { readQuery } from '../query.ts';

/** Reads a query string (with its question mark, or empty). */
export function readStreamQuery(search: string): Outcome<Query> {
  const query = readQuery(search, ['filter', 'changes', 'fields']);
  if (!query.ok) return query;
  const filter = readFilter(query.value.filters);
  return filter.ok ? query : filter;
}

/** The query string without its mark: what the subscription is. */
export function withoutMark(search: string): string {
  return search
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '' && !/^changes(\[|%5b)since/i.test(pair))
    .join('&');
}

export interface Message {
  readonly op: 'subscribe' | 'unsubscribe' | 'ack';
  readonly id: string;
  readonly query: string;
}

/** A message of a client. */
export function readMessage(text: string): Outcome<Message> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return fail('invalid-json', 'A message is a JSON object.');
  }
  const {
    op,
    id = '',
    query = '',
  } = (typeof parsed === 'object' ? (parsed ?? {}) : {}) as Record<string, unknown>;
  if (op !== 'subscribe' && op !== 'unsubscribe' && op !== 'ack') {
    return fail('invalid-body', 'The op of a message is subscribe, unsubscribe or ack.');
  }
  if (typeof id !== 'string' || typeof query !== 'string' || !/^[\w-]{0,40}$/.test(id)) {
    return fail(
      'invalid-body',
      'A message has an id of up to 40 letters, digits, _ and -, and a query as in an address.',
    );
  }
  return ok({ op, id, query });
}
