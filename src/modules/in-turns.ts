/** Work on many types: each wakes an object, so some are asked at a time. */
const AT_ONCE = 16;

/** What each of some things answers, in their order. */
export async function inTurns<Of, T>(
  all: readonly Of[],
  ask: (one: Of) => Promise<T>,
): Promise<readonly T[]> {
  const answers: T[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE)
    answers.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(ask))));
  return answers;
}
