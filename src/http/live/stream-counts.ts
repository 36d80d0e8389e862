/** How many streams an object has: of all, of each user, and of keys and client addresses without a user. */
import { LIMITS } from '../../domain/limits.ts';
import type { Opening } from './opening.ts';

type Counted = Pick<Opening, 'address' | 'apiKey' | 'user'>;

export class StreamCounts {
  readonly #counts = new Map<string, number>();

  /** Whether one more is too many. */
  isFull(opening: Counted): boolean {
    return boundsOf(opening).some(([of, most]) => (this.#counts.get(of) ?? 0) >= most);
  }

  add(opening: Counted): void {
    this.#change(opening, 1);
  }

  remove(opening: Counted): void {
    this.#change(opening, -1);
  }

  #change(opening: Counted, more: 1 | -1): void {
    for (const [of] of boundsOf(opening)) {
      const count = (this.#counts.get(of) ?? 0) + more;
      if (count > 0) this.#counts.set(of, count);
      else this.#counts.delete(of);
    }
  }
}

/** What the streams of each are counted under, and how many there may be. */
function boundsOf({ address, apiKey, user }: Counted): readonly (readonly [of: string, most: number])[] {
  const all = ['all', LIMITS.liveStreams] as const;
  if (user !== null) return [all, [user, LIMITS.liveStreamsOfUser]];
  const ofKey = [`key ${apiKey}`, LIMITS.liveStreamsOfKey] as const;
  return address === null ? [all, ofKey] : [all, ofKey, [`address ${address}`, LIMITS.liveStreamsOfAddress]];
}
