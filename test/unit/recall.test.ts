/** Caching what was made, in every kind of cache that the service has. */
import { expect, test } from 'vitest';
import { BoundedCache, CacheBudget } from '../../src/domain/caching/bounded-cache.ts';
import { Lru } from '../../src/domain/caching/lru.ts';
import { recall } from '../../src/domain/caching/recall.ts';

const CACHES = [
  ['a map', () => new Map<string, string | null | false>()],
  ['a bounded map', () => new Lru<string, string | null | false>(2)],
  ['a cache within a budget', () => new BoundedCache<string | null | false>(new CacheBudget(2), () => 1)],
] as const;

test.each(CACHES)('%s is asked first, and made for once', (_name, cache) => {
  for (const value of ['', null, false] as const) {
    const known = cache();
    expect(recall(known, 'key', () => value)).toBe(value);
    expect(recall(known, 'key', () => 'made again')).toBe(value);
    expect(recall(known, 'other', (key) => `made for ${key}`)).toBe('made for other');
  }
});

test.each(CACHES)('%s keeps nothing where nothing could be made', (_name, cache) => {
  const known = cache();
  expect(recall(known, 'key', () => undefined)).toBeUndefined();
  expect(recall(known, 'key', () => 'made')).toBe('made');
});
