/**
 * What a collection has answered since its last write. The first statement of a call costs more than all that such a
 * question takes beside it, and users, groups and definitions are asked for at every request but seldom change.
 * Whoever writes forgets all of it, so an answer is never older than the tables.
 */
import { Lru } from '../domain/lru.ts';
import type { State, StoredDocument } from './records.ts';

/** Answers of each kind that are small. */
const MOST_ANSWERS = 1_000;

/** Documents: each may be large. */
const MOST_DOCUMENTS = 20;

export class Memory {
  state: State | null = null;
  /** Documents by a unique value, null where none has it. */
  readonly unique = new Lru<string, StoredDocument | null>(MOST_DOCUMENTS);
  /** The groups of an identity. */
  readonly groups = new Lru<string, readonly string[]>(MOST_ANSWERS);
  /** Whether a token stands. */
  readonly standing = new Lru<string, boolean>(MOST_ANSWERS);
  /** Whether there is a document. */
  readonly existing = new Lru<string, boolean>(MOST_ANSWERS);

  /** To be called after every write, also one that failed. */
  forget(): void {
    this.state = null;
    this.unique.clear();
    this.groups.clear();
    this.standing.clear();
    this.existing.clear();
  }
}

/** The answer that is remembered, or made now. */
export function recall<Answer extends boolean | object | null>(
  answers: Lru<string, Answer>,
  key: string,
  make: () => Answer,
): Answer {
  const known = answers.get(key);
  if (known !== undefined) return known;
  const made = make();
  answers.set(key, made);
  return made;
}
