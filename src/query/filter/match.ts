/**
 * The exact matcher: from a validated tree to a function on documents. All that can be known of a condition is
 * worked out once, when it is compiled; the function itself decides and nothing more.
 */
import { isFields, isList, kindOf, type Fields, type Kind, type Value } from '../../domain/values.ts';
import type { Condition, Path, Pattern } from './conditions.ts';
import { compileEqualities, mergeAlternatives } from './equalities.ts';
import { geoTest } from './geometries.ts';
import { patternTest, workBudget, type WorkBudget } from './patterns.ts';
import { compareTest } from './predicates/compare.ts';
import { memberTest } from './predicates/membership.ts';
import { modTest } from './predicates/numeric.ts';
import { compileWalk, type Predicate } from './walk.ts';

/** What a matcher needs from outside. */
export interface MatchOptions {
  /** How a full-text search is decided for a document. A tree with `text` in it cannot be compiled without. */
  readonly text?: (search: string) => (document: Fields) => boolean;
  /** The work that patterns may take over all documents, to be looked at after them. Unbounded without. */
  readonly budget?: WorkBudget;
}

interface Context extends MatchOptions {
  readonly budget: WorkBudget;
}

/**
 * Compiles a condition to a function that tells whether a document meets it. Documents are given as filters see
 * them: `id`, `type`, attributes and relationships side by side.
 */
export function compileMatcher(
  condition: Condition,
  options: MatchOptions = {},
): (document: Fields) => boolean {
  return compile(condition, { budget: workBudget(Infinity), ...options });
}

function compile(condition: Condition, options: Context): Predicate {
  switch (condition.op) {
    case 'and': {
      const { tests, rest } = compileEqualities(condition.conditions);
      return every([...tests, ...rest.map((each) => compile(each, options))]);
    }
    case 'or':
      return some(mergeAlternatives(condition.conditions).map((each) => compile(each, options)));
    case 'nor':
      return not(some(mergeAlternatives(condition.conditions).map((each) => compile(each, options))));
    case 'not':
      return not(compile(condition.condition, options));
    case 'text':
      return textTest(condition.search, options);
    case 'exists': {
      const present = compileWalk(condition.path, 'array', isPresent);
      return condition.exists ? present : not(present);
    }
    case 'elemMatch':
    case 'size':
      return compileWalk(condition.path, 'array', leafTest(condition, options));
    case 'eq':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
    case 'in':
    case 'regex':
    case 'type':
    case 'mod':
    case 'geoIntersects':
    case 'geoWithin':
    case 'near':
      return compileWalk(condition.path, 'items and array', leafTest(condition, options));
  }
}

type Leaf = Exclude<Extract<Condition, { readonly path: Path }>, { readonly op: 'exists' }>;

/** The test of one value that a path reaches. */
function leafTest(condition: Leaf, options: Context): Predicate {
  switch (condition.op) {
    case 'eq':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return compareTest(condition.op, condition.value);
    case 'in':
      return some([
        ...(condition.values.length > 0 ? [memberTest(condition.values)] : []),
        ...condition.patterns.map((pattern) => stringTest(pattern, options)),
      ]);
    case 'regex':
      return stringTest(condition, options);
    case 'type':
      return kindTest(condition.kinds);
    case 'mod':
      return modTest(condition.divisor, condition.remainder);
    case 'size':
      return (value) => value !== undefined && isList(value) && value.length === condition.size;
    case 'elemMatch':
      return elementTest(compile(condition.condition, options), condition.among);
    case 'geoIntersects':
    case 'geoWithin':
    case 'near':
      return geoTest(condition);
  }
}

function isPresent(value: Value | undefined): boolean {
  return value !== undefined;
}

function kindTest(kinds: readonly Kind[]): Predicate {
  const wanted = new Set(kinds);
  return (value) => value !== undefined && wanted.has(kindOf(value));
}

function stringTest(pattern: Pattern, { budget }: Context): Predicate {
  const test = patternTest(pattern, budget);
  return (value) => typeof value === 'string' && test(value);
}

/** Some element meets the condition; an array among the elements counts as an object of its positions. */
function elementTest(test: Predicate, among: 'all' | 'objects'): Predicate {
  return (value) => {
    if (value === undefined || !isList(value)) return false;
    for (const each of value) {
      if ((among === 'all' || isList(each) || isFields(each)) && test(each)) return true;
    }
    return false;
  };
}

function textTest(search: string, options: MatchOptions): Predicate {
  const matches = options.text?.(search);
  // A caller that passes text conditions without saying how they are decided is at fault, not a client.
  if (matches === undefined) throw new Error('A matcher of $text needs the option text.');
  return (subject) => subject !== undefined && isFields(subject) && matches(subject);
}

function every(tests: readonly Predicate[]): Predicate {
  const [first, second] = tests;
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  if (tests.length === 2) return (subject) => first(subject) && second(subject);
  return (subject) => {
    for (const test of tests) if (!test(subject)) return false;
    return true;
  };
}

function some(tests: readonly Predicate[]): Predicate {
  const [first, second] = tests;
  if (first === undefined) return () => false;
  if (second === undefined) return first;
  if (tests.length === 2) return (subject) => first(subject) || second(subject);
  return (subject) => {
    for (const test of tests) if (test(subject)) return true;
    return false;
  };
}

function not(test: Predicate): Predicate {
  return (subject) => !test(subject);
}
