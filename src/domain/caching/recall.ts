/**
 * What is cached under a key, or else made and cached: for maps, weak maps and both kinds of bounded caches. No cached
 * value is `undefined`: a `make` that gives it makes nothing, and is asked again the next time.
 */
export function recall<K, V extends boolean | number | string | object | null, Made extends V | undefined>(
  cache: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: (key: K) => Made,
): V | Made {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make(key);
  if (made !== undefined) cache.set(key, made);
  return made;
}
