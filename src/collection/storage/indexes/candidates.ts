/**
 * What learned indexes are worth: documents that searches looked at for want of one, or did not have to look at thanks
 * to one. Both are counted alike and halve with every day, so that places go to what saves most work now.
 */

/** Milliseconds in which a score halves. */
const HALF_LIFE = 86_400_000;

/** Documents, as they were worth at a moment (milliseconds since 1970). */
export interface Score {
  readonly value: number;
  readonly at: number;
}

/** What a score is worth now. A clock that was set back takes nothing from it. */
export function worth({ value, at }: Score, now: number): number {
  return value * 2 ** (-Math.max(0, now - at) / HALF_LIFE);
}

export function raised(score: Score, by: number, now: number): Score {
  return { value: worth(score, now) + by, at: now };
}

/** Paths that are weighed at a time. */
const MOST_CANDIDATES = 100;

/** Searches that must have wanted a path: one may be chance. */
const WORTHWHILE_SEARCHES = 2;

interface Candidate {
  readonly score: Score;
  /** As much of the score as others may have earned that had the place before. */
  readonly inherited: Score;
  readonly searches: number;
}

/**
 * Paths without an index, and what searches would have saved. However many paths are named, memory stays bounded, and one
 * that causes more than a hundredth of all work keeps its place (the Space-Saving algorithm: who comes new when all
 * places are taken gets that of the least, and its score as a score that is not its own).
 */
export class Candidates {
  readonly #candidates = new Map<string, Candidate>();

  /** Notes that a search looked at so many documents for want of an index. Tells what the path has earned by itself. */
  add(path: string, documents: number, now: number): number {
    const { score, inherited, searches } = this.#candidates.get(path) ?? this.#enter(now);
    const candidate = { score: raised(score, documents, now), inherited, searches: searches + 1 };
    this.#candidates.set(path, candidate);
    if (candidate.searches < WORTHWHILE_SEARCHES) return 0;
    return worth(candidate.score, now) - worth(inherited, now);
  }

  delete(path: string): void {
    this.#candidates.delete(path);
  }

  /** What a path begins with; the least of the others makes room for it. */
  #enter(now: number): Candidate {
    const nothing = { value: 0, at: now };
    if (this.#candidates.size < MOST_CANDIDATES) return { score: nothing, inherited: nothing, searches: 0 };
    let least: readonly [string, number] = ['', Infinity];
    for (const [path, { score }] of this.#candidates) {
      const value = worth(score, now);
      if (value < least[1]) least = [path, value];
    }
    this.#candidates.delete(least[0]);
    const score = { value: least[1], at: now };
    return { score, inherited: score, searches: 0 };
  }
}
