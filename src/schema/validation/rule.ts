/** What keywords and their schemas are, ready for values. */
import type { Place } from '../../domain/pointer.ts';
import type { Draft } from '../drafts.ts';
import type { Plain } from '../plain.ts';
import type { Target } from '../references.ts';
import type { Work } from '../work.ts';

/** The names of members and the indexes of items that a schema has looked at. */
export type Seen = Set<string | number>;

/** A value that a schema is asked about. */
export interface At {
  readonly value: Plain;
  readonly place: Place;
  /** For the keywords of what is unevaluated; null where nothing asks. */
  readonly seen: Seen | null;
}

/** A schema, and the keyword that a violation names where it is `false`. */
export interface Applied {
  readonly target: Target;
  readonly as: string;
}

/** One check of a document. */
export interface Run {
  readonly work: Work;
  /** Whether a value satisfies a schema; violations are reported. */
  readonly apply: (applied: Applied, at: At) => boolean;
  /** The same without reports. What it looks at is seen only if it holds. */
  readonly satisfies: (applied: Applied, at: At) => boolean;
  /** Whether a text matches a pattern; undefined where it is too long to find out. */
  readonly matches: (pattern: string, text: string) => boolean | undefined;
  /** Whether no more violations are reported. */
  readonly isFull: boolean;
  /** Reports a violation. */
  readonly fail: (place: Place, keyword: string, detail: () => string) => false;
}

/** Whether a value satisfies a keyword. */
export type Rule = (at: At, run: Run) => boolean;

/** The schema that a keyword is read in. */
export interface Own {
  /** Of the keyword. */
  readonly name: string;
  readonly draft: Draft;
  /** The argument of another keyword. */
  readonly beside: (name: string) => Plain | undefined;
  /** A schema in the argument. */
  readonly schema: (argument: Plain | undefined, as?: string) => Applied;
}

/** A keyword with its argument, which has the shape that the draft gives it (shapes.ts); undefined where it asks nothing. */
export type Keyword = (argument: Plain, own: Own) => Rule | undefined;
export type Keywords = Readonly<Record<string, Keyword>>;

/** A keyword that looks at the value alone. */
export function assertion<Argument extends Plain>(
  prepare: (argument: Plain, own: Own) => Argument | undefined,
  holds: (value: Plain, argument: Argument, work: Work) => boolean,
  sentence: (argument: Argument) => string,
): Keyword {
  return (given, own) => {
    const argument = prepare(given, own);
    if (argument === undefined) return undefined;
    // Of a large argument, it is not made for each violation.
    let made: string | undefined;
    const detail = () => (made ??= sentence(argument));
    return ({ value, place }, run) => holds(value, argument, run.work) || run.fail(place, own.name, detail);
  };
}

/** Whether all of some hold; those behind one that does not are asked as long as violations are reported. */
export function all<T>(run: Run, list: Iterable<T>, holds: (each: T) => boolean): boolean {
  let valid = true;
  for (const each of list) {
    if (holds(each)) continue;
    valid = false;
    if (run.isFull) break;
  }
  return valid;
}
