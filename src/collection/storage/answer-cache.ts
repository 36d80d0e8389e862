/**
 * What a collection has answered since its last write. The first statement of a call costs more than all that such a
 * question takes beside it, and users, groups and definitions are asked for at every request but seldom change.
 * Whoever writes forgets all of it, so an answer is never older than the tables.
 */
import { BoundedCache } from '../../domain/bounded-cache.ts';
import { CACHE_BUDGETS, OVERHEAD } from './cache-budgets.ts';
import type { State } from './documents.ts';
import type { StoredDocument } from '../rpc/content.ts';

const { answers, documents } = CACHE_BUDGETS;

export class Memory {
  state: State | null = null;
  /** Documents by a unique value, null where none has it. */
  readonly unique = new BoundedCache<StoredDocument | null>(
    documents,
    (key, document) => OVERHEAD + key.length + (document?.body.length ?? 0),
  );
  /** The groups of an identity. */
  readonly groups = new BoundedCache<readonly string[]>(
    answers,
    (key, groups) => OVERHEAD + key.length + groups.reduce((units, group) => units + group.length, 0),
  );
  /** Whether a token stands. */
  readonly standing = new BoundedCache<boolean>(answers, weightOfKey);
  /** Whether there is a document. */
  readonly existing = new BoundedCache<boolean>(answers, weightOfKey);

  /** To be called after every write, also one that failed. */
  forget(): void {
    this.state = null;
    this.unique.clear();
    this.groups.clear();
    this.standing.clear();
    this.existing.clear();
  }
}

function weightOfKey(key: string): number {
  return OVERHEAD + key.length;
}

/** The answer that is remembered, or made now. */
export function recall<Answer extends boolean | object | null>(
  answers: BoundedCache<Answer>,
  key: string,
  make: () => Answer,
): Answer {
  const known = answers.get(key);
  if (known !== undefined) return known;
  const made = make();
  answers.set(key, made);
  return made;
}
