/**
 * The one alarm of an object, which several uses share. It rings at the earliest time that one of them asks for. Then
 * each does what is due and asks for its next time, so early rings harm nobody. What is due has keys that begin alike.
 */

export type AlarmStorage = Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm'>;

/** Lets the alarm ring at a time (milliseconds since 1970), or before it; null asks for nothing. */
export async function ringBy(storage: AlarmStorage, at: number | null): Promise<void> {
  if (at === null) return;
  const alarm = await storage.getAlarm();
  if (alarm === null || alarm > at) await storage.setAlarm(at);
}

export function storedUnder<T>(kv: SyncKvStorage, prefix: string): Map<string, T> {
  return new Map(Array.from(kv.list<T>({ prefix }), ([key, value]) => [key.slice(prefix.length), value]));
}
