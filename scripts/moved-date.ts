/**
 * `Date` ahead of the clock of the machine, for all code of an isolate. Only Workers of tests import this: the one of
 * `foredge/testing`, and those of our own.
 */
const { now } = Date;

/** `ahead`: by how many milliseconds; `now`: what the machine says. */
export const clock = { ahead: 0, now };

globalThis.Date = new Proxy(Date, {
  construct: (date, given, target): object =>
    Reflect.construct(date, given.length === 0 ? [now() + clock.ahead] : given, target) as object,
  get: (date, name): unknown => (name === 'now' ? () => now() + clock.ahead : Reflect.get(date, name)),
});
