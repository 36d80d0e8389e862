/**
 * A matcher of patterns that is slow and plainly right: each construct is a generator of all the ways in which it can
 * match, the preferred ones first, and a sequence tries the rest after each of them. Written from PCRE2's manual, for
 * comparison with the engine; it must share nothing with it.
 */
import type { PatternMatch } from './match.ts';
import { childrenOf, lengthOf, NOTHING, type Condition, type Look, type Tree } from './tree.ts';

/** Positions count code points. */
interface Span {
  readonly from: number;
  readonly to: number;
}

interface State {
  readonly at: number;
  /** Where the match begins: elsewhere than it was looked for, after \K. */
  readonly start: number;
  /** By number of group; there is no group 0. */
  readonly groups: readonly (Span | undefined)[];
}

/** What holds for a part of the tree, as it is reached. */
interface Place {
  readonly fold: boolean;
  /** Calls that are active, the last one first. */
  readonly calls: readonly { readonly group: number; readonly at: number }[];
}

export type Answer =
  | { readonly kind: 'match'; readonly match: PatternMatch }
  | { readonly kind: 'none' }
  /** It would take more steps than a test has time for. */
  | { readonly kind: 'long' }
  /** A group calls itself where it stands: an error for PCRE. */
  | { readonly kind: 'endless' };

class Given extends Error {
  readonly kind: 'long' | 'endless';

  constructor(kind: 'long' | 'endless') {
    super(kind);
    this.kind = kind;
  }
}

const MOST_STEPS = 20_000;
const MOST_CALLS = 30;

/** The first match at or after `from`; positions count UTF-16 units. */
export function naiveMatch(tree: Tree, subject: string, from = 0): Answer {
  return answered(() => new Naive(tree, subject, Array.from(subject.slice(0, from)).length).find());
}

/** A match of the whole subject. */
export function naiveFullMatch(tree: Tree, subject: string): Answer {
  return answered(() => new Naive(tree, subject, 0).findWhole());
}

function answered(find: () => PatternMatch | undefined): Answer {
  try {
    const match = find();
    return match ? { kind: 'match', match } : { kind: 'none' };
  } catch (error) {
    if (error instanceof Given) return { kind: error.kind };
    throw error;
  }
}

class Naive {
  readonly #tree: Tree;
  readonly #text: readonly string[];
  readonly #from: number;
  /** The first group of each number, with whether it stands where case does not count. */
  readonly #bodies = new Map<number, { readonly tree: Tree; readonly fold: boolean }>();
  #steps = 0;

  constructor(tree: Tree, subject: string, from: number) {
    this.#tree = tree;
    this.#text = Array.from(subject);
    this.#from = from;
    this.#bodies.set(0, { tree, fold: false });
    this.#collect(tree, false);
  }

  find(): PatternMatch | undefined {
    for (let at = this.#from; at <= this.#text.length; at += 1) {
      const found = first(this.#waysFrom(at));
      if (found) return this.#told(found);
    }
    return undefined;
  }

  findWhole(): PatternMatch | undefined {
    for (const way of this.#waysFrom(0)) if (way.at === this.#text.length) return this.#told(way);
    return undefined;
  }

  #waysFrom(at: number): Generator<State> {
    return this.#ways(this.#tree, { at, start: at, groups: [] }, { fold: false, calls: [] });
  }

  #told({ start, at, groups }: State): PatternMatch {
    const units = (count: number): number => this.#text.slice(0, count).join('').length;
    const captures = Array.from({ length: Math.max(...this.#bodies.keys()) }, (_, index) => {
      const group = groups[index + 1];
      return group && this.#text.slice(group.from, group.to).join('');
    });
    // A call in a lookahead may move the start behind the end.
    return { index: units(Math.min(start, at)), end: units(at), captures };
  }

  #collect(tree: Tree, fold: boolean): void {
    if (tree.kind === 'capture' && !this.#bodies.has(tree.number))
      this.#bodies.set(tree.number, { tree, fold });
    for (const child of childrenOf(tree)) this.#collect(child, fold || tree.kind === 'fold');
  }

  *#ways(tree: Tree, state: State, place: Place): Generator<State> {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) throw new Given('long');
    switch (tree.kind) {
      case 'char':
        yield* this.#one(state, (char) => same(char, tree.char, place.fold));
        break;
      case 'set':
        yield* this.#one(
          state,
          (char) => tree.chars.some((one) => same(char, one, place.fold)) !== tree.negated,
        );
        break;
      case 'dot':
        yield* this.#one(state, (char) => char !== '\n');
        break;
      case 'linebreak': {
        const pair = this.#text[state.at] === '\r' && this.#text[state.at + 1] === '\n';
        if (pair) yield { ...state, at: state.at + 2 };
        else yield* this.#one(state, (char) => char === '\n' || char === '\r');
        break;
      }
      case 'anchor':
        if (tree.anchor === '\\K') yield { ...state, start: state.at };
        else if (this.#holds(tree.anchor, state.at)) yield state;
        break;
      case 'sequence':
        yield* this.#inTurn(tree.items, state, place);
        break;
      case 'choice':
      case 'reset':
        for (const branch of tree.branches) yield* this.#ways(branch, state, place);
        break;
      case 'capture':
        for (const next of this.#ways(tree.body, state, place)) {
          const groups = [...next.groups];
          groups[tree.number] = { from: state.at, to: next.at };
          yield { ...next, groups };
        }
        break;
      case 'fold':
        yield* this.#ways(tree.body, state, { ...place, fold: true });
        break;
      case 'repeat':
        if (tree.mode === 'possessive') yield* once(this.#turns(tree, 0, state, place));
        else yield* this.#turns(tree, 0, state, place);
        break;
      case 'look': {
        const seen = this.#seen(tree, state, place);
        if (tree.negative && !seen) yield state;
        // A call in it may have moved the start of the match.
        if (!tree.negative && seen) yield { ...seen, at: state.at };
        break;
      }
      case 'atomic':
        yield* once(this.#ways(tree.body, state, place));
        break;
      case 'backreference':
        yield* this.#again(tree.group, state, place);
        break;
      case 'call':
        yield* this.#call(tree.group, state, place);
        break;
      case 'condition': {
        const { holds, then } = this.#decided(tree.test, state, place);
        yield* this.#ways((holds ? tree.yes : tree.no) ?? NOTHING, then, place);
        break;
      }
      case 'define':
        yield state;
        break;
    }
  }

  *#one(state: State, takes: (char: string) => boolean): Generator<State> {
    const char = this.#text[state.at];
    if (char !== undefined && takes(char)) yield { ...state, at: state.at + 1 };
  }

  *#inTurn(items: readonly Tree[], state: State, place: Place): Generator<State> {
    const [item, ...rest] = items;
    if (!item) yield state;
    else for (const next of this.#ways(item, state, place)) yield* this.#inTurn(rest, next, place);
  }

  #holds(anchor: string, at: number): boolean {
    const { length } = this.#text;
    const word = (index: number): boolean => /\w/.test(this.#text[index] ?? '');
    const boundary = word(at - 1) !== word(at);
    switch (anchor) {
      case '^':
      case '\\A':
        return at === 0;
      case '(?m:^)':
        return at === 0 || (this.#text[at - 1] === '\n' && at < length);
      case '$':
      case '\\Z':
        return at === length || (at === length - 1 && this.#text[at] === '\n');
      case '(?m:$)':
        return at === length || this.#text[at] === '\n';
      case '\\z':
        return at === length;
      case '\\G':
        return at === this.#from;
      case '\\b':
        return boundary;
      case '\\B':
        return !boundary;
      default:
        return false;
    }
  }

  /** After so many turns: another one, or none, as the mode prefers. */
  *#turns(
    tree: Extract<Tree, { readonly kind: 'repeat' }>,
    done: number,
    state: State,
    place: Place,
  ): Generator<State> {
    const enough = done >= tree.min;
    if (enough && tree.mode === 'lazy') yield state;
    if (tree.max === null || done < tree.max) yield* this.#turn(tree, done, state, place);
    if (enough && tree.mode !== 'lazy') yield state;
  }

  *#turn(
    tree: Extract<Tree, { readonly kind: 'repeat' }>,
    done: number,
    state: State,
    place: Place,
  ): Generator<State> {
    for (const next of this.#ways(tree.body, state, place)) {
      const empty = next.at === state.at;
      // After an empty turn, PCRE has had enough of a loop without bound; one with a bound is written out, and each of
      // its turns may be empty.
      if (empty && tree.max === null && done + 1 >= tree.min) yield next;
      else yield* this.#turns(tree, done + 1, next, place);
    }
  }

  /** The first way in which the body of a lookaround matches. */
  #seen({ behind, body }: Look, state: State, place: Place): State | undefined {
    if (!behind) return first(this.#ways(body, state, place));
    // PCRE steps back by the length of a branch, then looks ahead.
    for (const branch of body.kind === 'choice' ? body.branches : [body]) {
      const from = { ...state, at: state.at - lengthOf(branch) };
      const seen = from.at < 0 ? undefined : first(this.#ways(branch, from, place));
      if (seen) return seen;
    }
    return undefined;
  }

  *#again(group: number, state: State, place: Place): Generator<State> {
    const span = state.groups[group];
    if (!span) return;
    const told = this.#text.slice(span.from, span.to);
    const text = this.#text.slice(state.at, state.at + told.length);
    const isTold = told.every((char, index) => same(char, text[index] ?? '', place.fold));
    if (isTold && text.length === told.length) yield { ...state, at: state.at + told.length };
  }

  *#call(group: number, state: State, place: Place): Generator<State> {
    const active = place.calls.some((call) => call.group === group && call.at === state.at);
    if (active) throw new Given('endless');
    if (place.calls.length >= MOST_CALLS) throw new Given('long');
    const body = this.#bodies.get(group);
    if (!body) return;
    const inside: Place = { ...place, fold: body.fold, calls: [{ group, at: state.at }, ...place.calls] };
    const ways = this.#ways(body.tree, state, inside);
    // PCRE2 (10.42) enters a call of the whole pattern once only, whatever its manual says; one of a group again.
    for (const next of group === 0 ? once(ways) : ways) yield { ...next, groups: state.groups };
  }

  /** Whether the condition holds, and what it leaves behind: captures of a lookaround, even of a negative one. */
  #decided(test: Condition, state: State, place: Place): { holds: boolean; then: State } {
    if (test.kind === 'set') return { holds: state.groups[test.group] !== undefined, then: state };
    if (test.kind === 'called') {
      const [last] = place.calls;
      return { holds: last !== undefined && (test.group ?? last.group) === last.group, then: state };
    }
    const seen = this.#seen(test, state, place);
    return { holds: (seen !== undefined) !== test.negative, then: seen ? { ...seen, at: state.at } : state };
  }
}

function first(ways: Generator<State>): State | undefined {
  for (const way of ways) return way;
  return undefined;
}

function* once(ways: Generator<State>): Generator<State> {
  const way = first(ways);
  if (way) yield way;
}

function same(one: string, other: string, fold: boolean): boolean {
  return one === other || (fold && one.toLowerCase() === other.toLowerCase());
}
