/**
 * A clock that stands still while code computes, as at the edge: it moves on when something arrives, and when a call, a
 * pause, a timer or an outward request has ended. What measures its own work by the clock finds that it took no time.
 */
const real = {
  now: Date.now.bind(Date),
  wait: scheduler.wait.bind(scheduler),
  fetch: fetch.bind(globalThis),
};

let now = real.now();

/** To be called where something arrives from outside. */
export function moveOn(): void {
  now = real.now();
}

/** The clock moves on when it has ended, whatever it comes to. */
export function moveOnAfter(work: unknown): void {
  void Promise.resolve(work).then(moveOn, moveOn);
}

export function stopClock(): void {
  globalThis.Date = new Proxy(Date, {
    construct: (date, given, target): object =>
      Reflect.construct(date, given.length === 0 ? [now] : given, target) as object,
    get: (date, name): unknown => (name === 'now' ? () => now : Reflect.get(date, name)),
  });
  scheduler.wait = (...given) => real.wait(...given).finally(moveOn);
  globalThis.setTimeout = new Proxy(setTimeout, {
    apply: (timer, _, [work, ...given]: [(...told: unknown[]) => void, ...unknown[]]): unknown => {
      const moved = (...told: unknown[]) => {
        moveOn();
        work(...told);
      };
      return Reflect.apply(timer, globalThis, [moved, ...given]);
    },
  });
  globalThis.fetch = (...given: Parameters<typeof fetch>) => real.fetch(...given).finally(moveOn);
}
