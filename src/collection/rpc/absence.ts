/** The answers of an unused type: it has no tables, and a read makes none. */
import { isRestricted, type Principal } from '../../domain/rules.ts';
import type { FeedPage } from './feed/feed.ts';
import type { ListResult, NotRead, ReadManyResult } from './results.ts';

export const NOTHING_FOUND: ListResult = {
  counter: 0,
  total: 0,
  more: false,
  documents: '',
  next: null,
  plan: { way: 'nothing', used: [], scan: false, rows: 0, visited: 0, decoded: 0 },
};

export const NOTHING_CHANGED: FeedPage = {
  counter: 0,
  documents: '',
  entries: [],
  mark: { base: 0, position: 0, at: 0, state: '' },
  more: false,
};

export const NONE_READ: ReadManyResult = {
  counter: 0,
  documents: '',
  complete: true,
};

/** A read of an unused type. */
export function neverThere(principal: Principal): NotRead {
  return isRestricted(principal) ? { state: 'forbidden' } : { state: 'absent' };
}
