/** A parsed pattern of any dialect: a tree with all options resolved: readers need none. Plain data, never changed. */
import { recall } from '../../domain/caching/recall.ts';
import type { Range } from './syntax/ranges.ts';
import { CodeSet } from './unicode/code-set.ts';

/** One character out of a set. */
export interface CharSet {
  readonly kind: 'set';
  readonly set: CodeSet;
}

/** A character, which is never more than one of the subject's. */
export type OneCharacter = CharSet | { readonly kind: 'literal'; readonly code: number };

export type Anchor =
  | 'start'
  /** After a newline, or at the start; never at the end of the subject after its last newline. */
  | 'line-start'
  | 'end'
  /** At the end, or before a newline that ends the subject. */
  | 'soft-end'
  | 'line-end'
  | 'boundary'
  | 'not-boundary'
  /** `\G`: where the search began. */
  | 'search-start';

/** Some groups by their numbers: several where they share a name. Complete once the pattern is read. */
export type Groups = readonly number[];

/** `(?=…)`, `(?!…)`, `(?<=…)`, `(?<!…)`. A non-atomic one may be entered again for another way to hold. */
export interface Look {
  readonly kind: 'look';
  readonly behind: boolean;
  readonly negated: boolean;
  readonly atomic: boolean;
  readonly body: Node;
}

export type Condition =
  | { readonly kind: 'set'; readonly groups: Groups }
  /** Whether a call of one of the groups is under way, 0 for the whole pattern; `null` for any call. */
  | { readonly kind: 'called'; readonly groups: Groups | null }
  | { readonly kind: 'look'; readonly look: Look }
  /** Known when the pattern was read; never true of a definition. */
  | { readonly kind: 'known'; readonly holds: boolean };

export type Verb = 'accept' | 'commit' | 'prune' | 'skip' | 'then' | 'mark';

export type Node =
  | OneCharacter
  | { readonly kind: 'anchor'; readonly anchor: Anchor }
  /** `\R`: one line break, of which CR LF is a single one. */
  | { readonly kind: 'linebreak'; readonly set: CodeSet }
  /** `\X`: what is seen as one character. */
  | { readonly kind: 'grapheme' }
  | { readonly kind: 'sequence'; readonly items: readonly Node[] }
  /** At least two branches. */
  | { readonly kind: 'choice'; readonly branches: readonly Node[] }
  /** `number` is that of a capturing group. */
  | { readonly kind: 'group'; readonly number: number | null; readonly body: Node }
  /** `max` is `null` without an upper bound. */
  | {
      readonly kind: 'repeat';
      readonly body: Node;
      readonly min: number;
      readonly max: number | null;
      readonly lazy: boolean;
    }
  /** Once it has matched, it matches in no other way. Possessive quantifiers are this around a repetition. */
  | { readonly kind: 'atomic'; readonly body: Node }
  | Look
  /** The text of the first group that is set. `fold`: in either case. */
  | { readonly kind: 'backreference'; readonly groups: Groups; readonly fold: boolean }
  /** The body of a group, as a subroutine; of the whole pattern for 0. */
  | { readonly kind: 'call'; readonly groups: Groups }
  | { readonly kind: 'conditional'; readonly condition: Condition; readonly yes: Node; readonly no: Node }
  /** `\K`: the match begins here. */
  | { readonly kind: 'keep' }
  | { readonly kind: 'verb'; readonly verb: Verb; readonly name: string | null };

/** The nodes right inside of a node, in the order in which they are written. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'sequence':
      return node.items;
    case 'choice':
      return node.branches;
    case 'group':
    case 'repeat':
    case 'atomic':
    case 'look':
      return [node.body];
    case 'conditional':
      return node.condition.kind === 'look' ? [node.condition.look, node.yes, node.no] : [node.yes, node.no];
    default:
      return [];
  }
}

/** Whether the node or one anywhere inside of it is such. */
export function someNode(node: Node, test: (node: Node) => boolean): boolean {
  return test(node) || childrenOf(node).some((child) => someNode(child, test));
}

/** One of the nodes where there is one, else all of them in a row. */
export function sequenceOf(items: readonly Node[]): Node {
  const [only, ...others] = items;
  return only && others.length === 0 ? only : { kind: 'sequence', items };
}

/** The only branch, or a choice. */
export function choiceOf(branches: readonly Node[]): Node {
  const [only, ...others] = branches;
  return only && others.length === 0 ? only : { kind: 'choice', branches };
}

/** The sets that have a name: one for all its uses. */
const sets = new WeakMap<readonly Range[], CharSet>();

export function setOfRanges(ranges: readonly Range[]): CharSet {
  return recall(sets, ranges, () => ({ kind: 'set', set: new CodeSet(ranges) }));
}

/** Nodes that match nothing, and only the empty text. */
export const FAIL: Node = setOfRanges([]);
export const EMPTY: Node = { kind: 'sequence', items: [] };

export function lookAt(body: Node, { behind = false, negated = false, atomic = true } = {}): Look {
  return { kind: 'look', behind, negated, atomic, body };
}
