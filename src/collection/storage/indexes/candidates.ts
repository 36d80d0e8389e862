/**
 * The worth of learned indexes: documents that searches looked at because an index was missing, or did not have to look
 * at because of one. Both count alike and halve every day, so that the indexes stay that save most work now.
 */

/** Milliseconds in which a score halves. */
const HALF_LIFE = 86_400_000;

/** Documents, as they were worth at a moment (milliseconds since 1970). */
export interface Score {
  readonly value: number;
  readonly at: number;
}

/** The present worth of a score. A clock that was set back does not reduce it. */
export function worth({ value, at }: Score, now: number): number {
  return value * 2 ** (-Math.max(0, now - at) / HALF_LIFE);
}

export function raised(score: Score, by: number, now: number): Score {
  return { value: worth(score, now) + by, at: now };
}

/** Paths whose scores are kept at a time. */
const MOST_CANDIDATES = 100;

/** Searches that must have needed a path: one may be chance. */
const WORTHWHILE_SEARCHES = 2;

interface Candidate {
  readonly score: Score;
  /** The part of the score that earlier paths in this place may have earned. */
  readonly inherited: Score;
  readonly searches: number;
}

/**
 * Paths without an index, and what searches would have saved. However many paths searches name, memory stays bounded,
 * and a path that causes more than a hundredth of all work keeps its place (the Space-Saving algorithm: when all places
 * are taken, a new path replaces the one with the least score and inherits that score as not its own).
 */
export class Candidates {
  readonly #candidates = new Map<string, Candidate>();

  /** Notes that a search looked at a number of documents because an index was missing. Returns the path's own score. */
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

  /** The initial score of a path; the path with the least score makes room for it. */
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
