/** What an object's storage holds under keys that begin alike, by the rest of these keys. */
export function keptUnder<T>(kv: SyncKvStorage, prefix: string): Map<string, T> {
  return new Map(Array.from(kv.list<T>({ prefix }), ([key, value]) => [key.slice(prefix.length), value]));
}
