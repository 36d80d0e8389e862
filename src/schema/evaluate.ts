/**
 * One check of a document against one schema. Keywords are small functions in tables; this is what they share: where
 * violations go, what has been looked at, and the way into the schemas they hold.
 */
import { pointerOf, type Place } from '../domain/pointer.ts';
import type { Analysis } from './check.ts';
import { ARRAY_KEYWORDS } from './keywords/arrays.ts';
import { LOGIC_KEYWORDS } from './keywords/logic.ts';
import { OBJECT_KEYWORDS } from './keywords/objects.ts';
import { VALUE_KEYWORDS } from './keywords/values.ts';
import { keywordOf, refStandsAlone } from './keywords.ts';
import { SCHEMA_LIMITS } from './limits.ts';
import { isObject, memberOf, type Plain, type PlainObject } from './plain.ts';
import type { Target } from './references.ts';
import { REFERENCES } from './walk.ts';
import { TooMuch, type Work } from './work.ts';

export interface Violation {
  /** A JSON pointer into the request document. */
  readonly pointer: string;
  readonly keyword: string;
  /** A sentence. */
  readonly detail: string;
}

/** Members and elements of a value that some keyword has looked at, for the keywords of what is unevaluated. */
export class Seen {
  readonly names = new Set<string>();
  readonly items = new Set<number>();

  add(other: Seen): void {
    for (const name of other.names) this.names.add(name);
    for (const item of other.items) this.items.add(item);
  }
}

/** A schema at work on a value. */
export interface Check {
  readonly schema: PlainObject;
  readonly value: Plain;
  readonly place: Place;
  readonly seen: Seen;
  readonly evaluation: Evaluation;
  /** The value of another keyword beside this one. */
  readonly beside: (name: string) => Plain | undefined;
  readonly fail: (detail: string, place?: Place) => void;
}

/** What a keyword asks of a value. `argument` has the shape that the draft gives it (shapes.ts). */
export type KeywordCheck = (argument: Plain, check: Check) => void;
export type KeywordChecks = Readonly<Record<string, KeywordCheck>>;

const CHECKS: ReadonlyMap<string, KeywordCheck> = new Map(
  Object.entries({ ...VALUE_KEYWORDS, ...LOGIC_KEYWORDS, ...ARRAY_KEYWORDS, ...OBJECT_KEYWORDS }),
);

/** A keyword of a schema. */
interface Rule {
  readonly name: string;
  readonly argument: Plain;
  readonly check: KeywordCheck;
}

/** Keywords that need to know what the others have looked at. */
const LAST: ReadonlySet<string> = new Set(['unevaluatedItems', 'unevaluatedProperties']);

export class Evaluation {
  readonly analysis: Analysis;
  readonly work: Work;
  violations: readonly Violation[] = [];
  /** Violations found so far, told or not: an answer tells few, and a megabyte of JSON may hold many. */
  #found = 0;
  #told: Violation[] = [];
  #silent = false;
  /** What each schema asks, without what its draft does not know. */
  readonly #rules = new Map<PlainObject, readonly Rule[]>();

  constructor(analysis: Analysis, work: Work) {
    this.analysis = analysis;
    this.work = work;
  }

  run(value: Plain, place: Place): void {
    this.work.start();
    try {
      this.apply(this.analysis.root, value, place, new Seen(), 'false');
      this.violations = this.#told;
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
      this.violations = [{ pointer: pointerOf(place), keyword: '$schema', detail: error.message }];
    }
  }

  /** Applies a schema; true when the value satisfies it. `as` names a schema that is just `false`. */
  apply(target: Target, value: Plain, place: Place, seen: Seen, as: string): boolean {
    this.work.spend(1);
    const before = this.#found;
    if (target === false) this.#report(place, as, 'Nothing may be here.');
    else if (target !== true) {
      this.work.enter();
      this.#applyObject(target, value, place, seen);
      this.work.leave();
    }
    return this.#found === before;
  }

  /** Whether a value satisfies a schema, without a word about why not. */
  satisfies(target: Target, value: Plain, place: Place, seen: Seen): boolean {
    const [found, silent] = [this.#found, this.#silent];
    this.#silent = true;
    const valid = this.apply(target, value, place, seen, 'false');
    this.#found = found;
    this.#silent = silent;
    return valid;
  }

  #applyObject(schema: PlainObject, value: Plain, place: Place, seen: Seen): void {
    const own = new Seen();
    const targets = this.analysis.targets.get(schema) ?? {};
    for (const keyword of REFERENCES) {
      const target = targets[keyword];
      if (target !== undefined) this.apply(target, value, place, own, keyword);
    }
    const alone = refStandsAlone(this.analysis.draft) && targets['$ref'] !== undefined;
    if (!alone) for (const rule of this.#rulesOf(schema)) this.#keyword(rule, schema, value, place, own);
    // Each is copied here and perhaps once more by a keyword that puts schemas together.
    this.work.spend(own.names.size + own.items.size);
    seen.add(own);
  }

  #rulesOf(schema: PlainObject): readonly Rule[] {
    const known = this.#rules.get(schema);
    if (known) return known;
    const rules = Object.entries(schema).flatMap(([name, argument]) => {
      const check = CHECKS.get(name);
      // A keyword of another draft means nothing in this one.
      return check && keywordOf(this.analysis.draft, name) ? [{ name, argument, check }] : [];
    });
    const ordered = [
      ...rules.filter(({ name }) => !LAST.has(name)),
      ...rules.filter(({ name }) => LAST.has(name)),
    ];
    this.#rules.set(schema, ordered);
    return ordered;
  }

  #keyword(
    { name, argument, check }: Rule,
    schema: PlainObject,
    value: Plain,
    place: Place,
    seen: Seen,
  ): void {
    this.work.spend(1);
    check(argument, {
      schema,
      value,
      place,
      seen,
      evaluation: this,
      beside: (other) => memberOf(schema, other),
      fail: (detail, at = place) => {
        this.#report(at, name, detail);
      },
    });
  }

  /**
   * Gives up on a question that costs too much to answer, where a `no` could stand for a `yes`: inside of `not`, `if`
   * and their like. Elsewhere the keyword that asked reports a violation, and the document is refused anyway.
   */
  giveUpIfSilent(reason: string): void {
    if (this.#silent) throw new TooMuch(reason);
  }

  #report(place: Place, keyword: string, detail: string): void {
    this.#found += 1;
    if (this.#silent || this.#told.length >= SCHEMA_LIMITS.reported) return;
    const pointer = pointerOf(place);
    // Schemas that share a part find the same fault twice; it is one.
    const isTold = this.#told.some(
      (other) => other.pointer === pointer && other.keyword === keyword && other.detail === detail,
    );
    if (!isTold) this.#told.push({ pointer, keyword, detail });
  }
}

/** A keyword's argument where a schema stands. */
export function targetOf(argument: Plain): Target {
  return isObject(argument) || typeof argument === 'boolean' ? argument : true;
}
