/** Cloudflare's KV takes one write a second for each key and refuses more; the local one takes all. */

/** When each key was last written, in milliseconds since 1970. */
export const written = new Map<unknown, number>();

/** To be called before a write. */
export function oneASecond(key: unknown): void {
  const now = Date.now();
  if (now - (written.get(key) ?? 0) < 1_000) throw new Error('KV PUT failed: 429 Too Many Requests');
  written.set(key, now);
}

/** A namespace that obeys. */
export function ruled(namespace: KVNamespace): KVNamespace {
  return new Proxy(namespace, {
    get(kv, name) {
      const member: unknown = Reflect.get(kv, name);
      if (typeof member !== 'function') return member;
      // As the platform does, it answers later.
      return async (...args: unknown[]): Promise<unknown> => {
        if (name === 'put') oneASecond(args[0]);
        return (await Reflect.apply(member, kv, args)) as unknown;
      };
    },
  });
}
