/**
 * One schema at work on one value: asks the library, takes its verdicts, then looks at members and items through
 * `Applier`, when the library is off the stack.
 */
import { inside, pointerOf } from '../../domain/pointer.ts';
import type { Applier, AppliedAt } from './applier.ts';
import { ALL_DIFFERENT, choiceSchema, equalItems, keywordOf, mainSchema, type Match } from './asked.ts';
import { detailOf } from './details.ts';
import { Exact } from '../../domain/values/exact.ts';
import { isIntegral, type Num } from '../num.ts';
import { keyOfDocument } from '../keys.ts';
import type { Level } from './level.ts';
import { ask, type Answers, type LibrarySchema, type EvaluatedMembers } from './library.ts';
import { nameShown } from './names.ts';
import { matchesPattern } from './patterns.ts';
import { isNum, isObject, type Plain } from '../plain.ts';
import { relativeTo } from './relative.ts';
import { shownValue, shownWhole } from './shown.ts';
import type { Applied } from './translate.ts';
import { NONE, SOME, Violations, type Violation } from './violations.ts';
import { TooMuch, type Work } from '../work.ts';
import { isList, memberOf } from '../../domain/values/tree.ts';

const NO_VERDICTS: Record<string, boolean> = {};
const NOTHING_NOTED: (readonly [string, string])[] = [];
const NO_MATCHES: readonly Match[] = [];

export class Question implements Answers {
  readonly #applier: Applier;
  readonly #work: Work;
  readonly #level: Level;
  readonly #at: AppliedAt;
  readonly #own: EvaluatedMembers | undefined;
  #found: Violations | null = null;
  #valid = true;
  #noted: (readonly [keyword: string, token: string])[] = NOTHING_NOTED;
  /** The schemas that the library says apply to the value itself. */
  #applying: number[] = [];
  #isTooLong = false;

  constructor(applier: Applier, level: Level, at: AppliedAt) {
    this.#applier = applier;
    this.#work = applier.work;
    this.#level = level;
    this.#at = at;
    this.#own = at.seen === undefined && level.unevaluated === undefined ? undefined : newSeen();
  }

  run(): readonly Violation[] {
    const { value, silent, seen } = this.#at;
    const level = this.#level;
    this.#work.spend(level.weight);
    const verdicts = this.#verdicts();
    const matches = this.#matchesOfNames();
    this.#askMain(matches, verdicts);
    this.#askBounds();
    this.#askChoices();
    this.#askItems();
    if (this.#isOver()) return SOME;
    this.#visitNoted(matches);
    this.#visitInPlace();
    if (level.unevaluated !== undefined && (isList(value) || isObject(value))) {
      this.#ask(level.unevaluated, shownWhole(value, this.#work), { seen: this.#own });
      this.#visitNoted(matches);
    }
    if (seen && this.#own) {
      // Each is copied here and perhaps once more by a keyword that puts schemas together.
      this.#work.spend(Object.keys(this.#own).length);
      Object.assign(seen, this.#own);
    }
    if (this.#valid) return NONE;
    return silent || this.#found === null ? SOME : this.#found.inOrder();
  }

  matches(pattern: number, text: string): boolean {
    const source = this.#applier.translator.patterns[pattern] ?? '';
    const matches = this.#matches(source, text);
    this.#isTooLong ||= matches === undefined;
    return matches === true;
  }

  note(keyword: string, token: string): void {
    if (this.#noted === NOTHING_NOTED) this.#noted = [];
    this.#noted.push([keyword, token]);
  }

  spend(steps: number): void {
    this.#work.spend(steps);
  }

  /** Whether it is known that the value is wrong, and that is all that is asked. */
  #isOver(): boolean {
    return !this.#valid && this.#at.silent;
  }

  /** A text that is too long must not let a document pass, where a `no` could mean a `yes`. */
  #matches(pattern: string, text: string): boolean | undefined {
    const matches = matchesPattern(pattern, text, this.#work);
    if (matches === undefined && this.#at.silent)
      throw new TooMuch('A string of the document is too long for a pattern of a schema.');
    return matches;
  }

  /** The verdicts of the schemas that apply to the value itself, for the library. */
  #verdicts(): Record<string, boolean> {
    if (this.#level.inPlace.length === 0) return NO_VERDICTS;
    const verdicts: Record<string, boolean> = {};
    this.#level.inPlace.forEach((applied, index) => {
      if (applied.when === 'first') {
        const seen = this.#own && newSeen();
        verdicts[index] = this.#applier.apply(applied, { ...this.#at, silent: true, seen }) === NONE;
        if (verdicts[index] && applied.keyword !== 'not') this.#saw(seen);
      } else if (applied.when === 'always') {
        verdicts[index] = this.#applies(index);
      } else {
        // Asked for only where it applies.
        Object.defineProperty(verdicts, index, { get: () => this.#applies(index) });
      }
    });
    return verdicts;
  }

  #applies(index: number): true {
    this.#applying.push(index);
    return true;
  }

  #saw(seen: EvaluatedMembers | undefined): void {
    if (this.#own && seen) Object.assign(this.#own, seen);
  }

  #askMain(matches: readonly Match[], verdicts: Record<string, boolean>): void {
    const { value } = this.#at;
    const level = this.#level;
    const seen = this.#own;
    if (this.#isRelative(value)) {
      this.#ask(level.type, isIntegral(value) ? 1 : 0.5, { verdicts, seen });
      return;
    }
    if (typeof value === 'string' && level.readsText) this.#work.spend(value.length / 16);
    this.#ask(mainSchema(level, matches), shownValue(value, level, this.#work), { verdicts, seen });
  }

  /** Whether the value must be compared digit by digit. */
  #isRelative(value: Plain): value is Num {
    return isNum(value) && (value instanceof Exact || this.#level.hasExactBound);
  }

  /** Numbers that no double shows. */
  #askBounds(): void {
    const { value } = this.#at;
    const { bounds, main } = this.#level;
    if (!this.#isRelative(value)) return;
    for (const [name, argument] of bounds) {
      if (!isNum(argument)) continue;
      const { schema, instance } = relativeTo(name, argument, value, main);
      this.#ask(schema, instance);
    }
  }

  /** Values compared by their keys. */
  #askChoices(): void {
    const { value } = this.#at;
    for (const [name, argument, inMain] of this.#level.choices) {
      if (inMain && !this.#isRelative(value)) continue;
      if (this.#isOver()) return;
      const key = keyOfDocument(value, this.#work);
      this.#ask(choiceSchema(name, argument, key), key);
    }
  }

  #askItems(): void {
    const { value, place } = this.#at;
    const { unique, contains } = this.#level;
    if (!isList(value) || this.#isOver()) return;
    if (unique) this.#ask(ALL_DIFFERENT, equalItems(value, this.#work));
    if (contains === undefined || this.#isOver()) return;
    const counts2020 = this.#applier.translator.draft >= 2020;
    const found: number[] = [];
    value.forEach((item, index) => {
      const at = {
        value: item,
        place: inside(place, index),
        silent: true,
        seen: undefined,
      };
      if (this.#applier.apply(contains.applied, at) !== NONE) return;
      found.push(index);
      if (this.#own && counts2020) this.#own[index] = true;
    });
    this.#ask(contains.schema, found);
  }

  #ask(
    schema: LibrarySchema,
    instance: unknown,
    more: { readonly verdicts?: Record<string, boolean>; readonly seen?: EvaluatedMembers | undefined } = {},
  ): void {
    const { draft } = this.#applier.translator;
    const { verdicts = NO_VERDICTS, seen } = more;
    const units = ask({ instance, schema, draft, verdicts, seen }, this);
    if (units.length === 0) return;
    this.#valid = false;
    if (this.#at.silent) return;
    const pointer = pointerOf(this.#at.place);
    for (const { keyword: name, keywordLocation, error } of units) {
      // Only violations of the value itself: schemas inside of its keywords report their own.
      const steps = keywordLocation.split('/');
      if (steps.length !== 2 && name !== 'format') continue;
      const keyword = keywordOf(name, steps.length === 2, this.#level);
      const detail =
        keyword === 'pattern' && this.#isTooLong
          ? 'The string is too long for the pattern.'
          : detailOf(keyword, this.#level, error);
      if (detail !== undefined) this.#report(keyword, [{ pointer, keyword, detail }]);
    }
  }

  /** The members whose names match patterns, and the schema of each pattern, in the order of the patterns. */
  #matchesOfNames(): readonly Match[] {
    const { value, place } = this.#at;
    if (!isObject(value) || this.#level.patterns.length === 0) return NO_MATCHES;
    const found: Match[] = [];
    for (const [pattern, applied] of this.#level.patterns) {
      for (const name of Object.keys(value)) {
        const matches = this.#matches(this.#applier.translator.patterns[pattern] ?? '', name);
        if (matches === true) found.push({ name, applied });
        if (matches !== undefined) continue;
        const pointer = pointerOf(inside(place, name));
        const detail = 'A name is too long for a pattern.';
        this.#fail('patternProperties', [{ pointer, keyword: 'patternProperties', detail }]);
      }
    }
    return found;
  }

  /** Whether the document is refused, and enough violations of this keyword are known. */
  #isFull(keyword: string): boolean {
    return this.#found?.isFull(this.#level.rank(keyword)) === true;
  }

  #report(keyword: string, violations: readonly Violation[]): void {
    this.#found ??= new Violations();
    this.#found.add(this.#level.rank(keyword), violations);
  }

  #fail(keyword: string, violations: readonly Violation[]): void {
    if (violations === NONE) return;
    this.#valid = false;
    if (!this.#at.silent) this.#report(keyword, violations);
  }

  /** Applies the schemas that the library says apply to members and items. */
  #visitNoted(matches: readonly Match[]): void {
    const noted = this.#noted;
    this.#noted = NOTHING_NOTED;
    const members = new Set<string>();
    for (const [keyword, token] of noted) {
      if (this.#isOver()) return;
      const key = isList(this.#at.value) ? Number(token) : nameShown(token);
      if (keyword !== 'patternProperties') this.#visit(keyword, this.#level.child(keyword, key), key);
      if (matches.length > 0 && keyword.endsWith('roperties')) members.add(String(key));
    }
    for (const { name, applied } of matches) {
      if (this.#isOver()) return;
      if (members.has(name)) this.#visit('patternProperties', applied, name);
    }
  }

  #visit(keyword: string, applied: Applied, key: string | number): void {
    const { value, place, silent } = this.#at;
    if (this.#isFull(keyword)) return;
    const child = keyword === 'propertyNames' ? String(key) : childOf(value, key);
    const at = { value: child, place: inside(place, key), silent, seen: undefined };
    this.#fail(keyword, this.#applier.apply(applied, at));
  }

  #visitInPlace(): void {
    for (const index of this.#applying) {
      const applied = this.#level.inPlace[index];
      if (this.#isOver() || applied === undefined) return;
      if (this.#isFull(applied.keyword)) continue;
      this.#fail(applied.keyword, this.#applier.apply(applied, { ...this.#at, seen: this.#own }));
    }
  }
}

function newSeen(): EvaluatedMembers {
  return Object.create(null) as EvaluatedMembers;
}

function childOf(value: Plain, key: string | number): Plain {
  if (isList(value)) return value[Number(key)] ?? null;
  return (isObject(value) ? memberOf(value, String(key)) : undefined) ?? null;
}
