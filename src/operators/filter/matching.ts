/** The surroundings of a test, and combinations of tests. */
import type { Fields } from '../../domain/values/values.ts';
import type { Predicate } from '../../query/walk.ts';
import type { ItemBudget } from '../query/items.ts';
import type { Condition } from './conditions.ts';
import type { WorkBudget } from '../../domain/work/work.ts';

export interface MatchOptions {
  /** Decides a full-text search for a document: by looking at its words, unless the context says otherwise. */
  readonly text?: (search: string) => (document: Fields) => boolean;
  /** The work that patterns may take over all documents, to be looked at after them. Unbounded without. */
  readonly budget?: WorkBudget;
  /** True if one document may not take more items of arrays than a client's filter may: that ends the budget, too. */
  readonly bounded?: true;
}

/** Surroundings of an operator. */
export interface Matching {
  readonly budget: WorkBudget;
  /** Counts the items that are looked at in the present document; null where that is not bounded. */
  readonly looked: ItemBudget | null;
  /** Compiles a condition inside another. */
  readonly compile: (condition: Condition) => Predicate;
}

export function every(tests: readonly Predicate[]): Predicate {
  const [first, second] = tests;
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  if (tests.length === 2) return (subject) => first(subject) && second(subject);
  return (subject) => {
    for (const test of tests) if (!test(subject)) return false;
    return true;
  };
}

export function some(tests: readonly Predicate[]): Predicate {
  const [first, second] = tests;
  if (first === undefined) return () => false;
  if (second === undefined) return first;
  if (tests.length === 2) return (subject) => first(subject) || second(subject);
  return (subject) => {
    for (const test of tests) if (test(subject)) return true;
    return false;
  };
}

export function not(test: Predicate): Predicate {
  return (subject) => !test(subject);
}
