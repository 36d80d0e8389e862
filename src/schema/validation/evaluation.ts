/**
 * Checks a document against one schema: its keywords, in their order, then the schemas in them. Depth, work and the
 * number of violations are bounded for any schema.
 */
import { recall } from '../../domain/caching/recall.ts';
import { pointerOf, type Place } from '../../domain/pointer.ts';
import { isList, memberOf } from '../../domain/values/tree.ts';
import { WorkBudget } from '../../domain/work/work.ts';
import { compileEcma, isCompiledEcma } from '../../query/regex/pattern.ts';
import type { Analysis } from '../check.ts';
import { keywordOf, refStandsAlone } from '../keywords.ts';
import { SCHEMA_LIMITS } from '../limits.ts';
import { isObject, type Plain, type PlainObject } from '../plain.ts';
import type { Target } from '../references.ts';
import { REFERENCES } from '../walk.ts';
import { TooMuch, type Work } from '../work.ts';
import { OF_ITEMS } from './arrays.ts';
import { OF_SCHEMAS } from './logic.ts';
import { OF_MEMBERS } from './objects.ts';
import { all, type Applied, type At, type Keywords, type Rule, type Run, type Seen } from './rule.ts';
import { OF_VALUES } from './values.ts';

const KEYWORDS: Keywords = { ...OF_VALUES, ...OF_SCHEMAS, ...OF_ITEMS, ...OF_MEMBERS };

export interface Violation {
  /** A JSON pointer into the request document. */
  readonly pointer: string;
  readonly keyword: string;
  /** A sentence. */
  readonly detail: string;
}

/** A schema that is ready for values. */
interface Ready {
  readonly rules: readonly Rule[];
  /** The same for whoever asks for no violations: what looks at the value alone comes first. */
  readonly quick: readonly Rule[];
  /** Whether it asks what its other keywords have looked at. */
  readonly sees: boolean;
  /** Steps that asking takes at least. */
  readonly weight: number;
}

/** The schemas in one, made ready when they are first asked. */
export class Schemas {
  readonly #analysis: Analysis;
  readonly #ready = new Map<PlainObject, Ready>();

  constructor(analysis: Analysis) {
    this.#analysis = analysis;
  }

  of(schema: PlainObject): Ready {
    return recall(this.#ready, schema, () => this.#make(schema));
  }

  /** The schema in an argument, after following references that it only consists of. */
  follow(argument: Plain | undefined, keyword: string): Applied {
    let target: Target = isObject(argument) || typeof argument === 'boolean' ? argument : true;
    let as = keyword;
    // References that lead back to themselves are refused when a schema is written.
    while (isObject(target) && this.#keywords(target).length === 0) {
      const references = this.#references(target);
      if (references.length > 1) break;
      // What asks for nothing is as good as true.
      [as, target] = references[0] ?? [as, true];
    }
    return { target, as };
  }

  #references(schema: PlainObject): (readonly [string, Target])[] {
    const targets = this.#analysis.targets.get(schema) ?? {};
    return REFERENCES.flatMap((keyword) => {
      const target = targets[keyword];
      return target === undefined ? [] : [[keyword, target] as const];
    });
  }

  /** What a schema asks in its draft: references first, and last what is unevaluated. */
  #keywords(schema: PlainObject): readonly string[] {
    const { draft, targets } = this.#analysis;
    if (refStandsAlone(draft) && targets.has(schema)) return [];
    const names = Object.keys(schema).filter(
      (name) => Object.hasOwn(KEYWORDS, name) && keywordOf(draft, name),
    );
    return [...names.filter((name) => !isLast(name)), ...names.filter(isLast)];
  }

  #make(schema: PlainObject): Ready {
    const { draft } = this.#analysis;
    const rules: Rule[] = this.#references(schema).map(([keyword, target]) => {
      const applied = this.follow(target, keyword);
      return (at, run) => run.apply(applied, at);
    });
    const quick: Rule[] = [];
    let weight: number = SCHEMA_LIMITS.schemaWork;
    const names = this.#keywords(schema);
    for (const name of names) {
      const argument = memberOf(schema, name) ?? null;
      const rule = KEYWORDS[name]?.(argument, {
        name,
        draft,
        beside: (other) => memberOf(schema, other),
        schema: (each, as = name) => this.follow(each, as),
      });
      if (rule === undefined) continue;
      weight += 1 + weightOf(name, argument);
      rules.push(rule);
      if (keywordOf(draft, name)?.holder === undefined) quick.push(rule);
    }
    const others = rules.filter((rule) => !quick.includes(rule));
    return { rules, quick: [...quick, ...others], sees: names.some(isLast), weight };
  }
}

const isLast = (name: string): boolean => name.startsWith('unevaluated');

/** Values that are compared are paid for when they are; the schema of an argument pays for itself. */
function weightOf(name: string, argument: Plain): number {
  if (name === 'enum' || name === 'const') return 0;
  if (isList(argument)) return argument.length;
  if (!isObject(argument)) return 0;
  const sizes = Object.values(argument).map((each) => 1 + (isList(each) ? each.length : 0));
  return sizes.reduce((sum, size) => sum + size, 0);
}

export class Evaluation implements Run {
  readonly work: Work;
  readonly #schemas: Schemas;
  readonly #told: Violation[] = [];
  #isSilent = false;

  constructor(schemas: Schemas, work: Work) {
    this.#schemas = schemas;
    this.work = work;
  }

  /** Violations of a value; a check that takes too much work is one violation. */
  violations(root: Applied, value: Plain, place: Place): readonly Violation[] {
    this.work.start();
    try {
      this.apply(root, { value, place, seen: null });
      return this.#told;
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
      return [{ pointer: pointerOf(place), keyword: '$schema', detail: error.message }];
    }
  }

  get isFull(): boolean {
    return this.#isSilent || this.#told.length >= SCHEMA_LIMITS.reported;
  }

  apply({ target, as }: Applied, at: At): boolean {
    this.work.spend(1);
    if (target === true) return true;
    if (target === false) return this.fail(at.place, as, () => 'Nothing may be here.');
    this.work.enter();
    const holds = this.#check(this.#schemas.of(target), at);
    this.work.leave();
    return holds;
  }

  satisfies(applied: Applied, at: At): boolean {
    const before = this.#isSilent;
    this.#isSilent = true;
    const seen: Seen | null = at.seen && new Set();
    const holds = this.apply(applied, { ...at, seen });
    this.#isSilent = before;
    if (holds) this.#add(seen, at.seen);
    return holds;
  }

  matches(pattern: string, text: string): boolean | undefined {
    const isNew = !isCompiledEcma(pattern);
    const compiled = compileEcma(pattern);
    // A schema of many patterns drives them out of those that are kept, again and again.
    if (isNew && compiled.ok) this.work.spend(compiled.pattern.size * SCHEMA_LIMITS.compiling);
    if (!compiled.ok) return undefined;
    const budget = new WorkBudget(SCHEMA_LIMITS.patternWork);
    const matches = compiled.pattern.test(text, budget);
    const { exceeded, left } = budget;
    this.work.spendUnits(exceeded ? SCHEMA_LIMITS.patternWork : SCHEMA_LIMITS.patternWork - left);
    this.work.spend(10);
    if (!exceeded) return matches;
    // It must not let a document pass, where a `no` could mean a `yes`.
    if (this.#isSilent) throw new TooMuch('A string of the document is too long for a pattern of a schema.');
    return undefined;
  }

  fail(place: Place, keyword: string, sentence: () => string): false {
    if (this.isFull) return false;
    this.work.spend(SCHEMA_LIMITS.memberWork);
    const violation = { pointer: pointerOf(place), keyword, detail: sentence() };
    // Schemas that share a part find the same fault twice; it is one.
    if (!this.#told.some((other) => isSame(other, violation))) this.#told.push(violation);
    return false;
  }

  #check({ rules, quick, sees, weight }: Ready, at: At): boolean {
    this.work.spend(weight);
    const own: Seen | null = at.seen === null && !sees ? null : new Set();
    const here = own === at.seen ? at : { ...at, seen: own };
    const holds = all(this, this.#isSilent ? quick : rules, (rule) => rule(here, this));
    this.#add(own, at.seen);
    return holds;
  }

  #add(seen: Seen | null, to: Seen | null): void {
    if (seen === null || to === null) return;
    // Each is copied here and perhaps once more by a keyword that puts schemas together.
    this.work.spend(seen.size);
    for (const each of seen) to.add(each);
  }
}

function isSame(a: Violation, b: Violation): boolean {
  return a.pointer === b.pointer && a.keyword === b.keyword && a.detail === b.detail;
}
