/**
 * What a pattern is after parsing: a small tree in which every option is already resolved, so that nothing that
 * reads it needs to know which options were in force where. Plain data, never changed once made.
 */

/** Code points, both ends included. */
export type Range = readonly [low: number, high: number];

/** A piece of a character set: code points that are known here, or a Unicode property that the engine knows. */
export type Part =
  | { readonly kind: 'ranges'; readonly ranges: readonly Range[] }
  /** `name` is a category or script as the engine spells it. */
  | { readonly kind: 'property'; readonly name: string; readonly negated: boolean };

/** One character out of the union of the parts, or out of everything else. */
export interface CharSet {
  readonly kind: 'set';
  readonly negated: boolean;
  readonly parts: readonly Part[];
}

export type Anchor =
  | 'start'
  /** After a newline, or at the start; never at the end of the subject after its last newline. */
  | 'line-start'
  | 'end'
  /** At the end, or before a newline that ends the subject. */
  | 'soft-end'
  | 'line-end'
  | 'boundary'
  | 'not-boundary';

export type Node =
  /** `fold`: in either case. */
  | { readonly kind: 'literal'; readonly code: number; readonly fold: boolean }
  | CharSet
  | { readonly kind: 'anchor'; readonly anchor: Anchor }
  /** `\R`: one line break, of which CR LF is a single one. */
  | { readonly kind: 'linebreak' }
  | { readonly kind: 'sequence'; readonly items: readonly Node[] }
  /** At least two branches. */
  | { readonly kind: 'choice'; readonly branches: readonly Node[] }
  | { readonly kind: 'group'; readonly capture: boolean; readonly body: Node }
  /** `max` is `null` without an upper bound. */
  | {
      readonly kind: 'repeat';
      readonly body: Node;
      readonly min: number;
      readonly max: number | null;
      readonly lazy: boolean;
    };

/** Whether some anchor of this kind stands anywhere in the tree. */
export function hasAnchor(node: Node, anchor: Anchor): boolean {
  switch (node.kind) {
    case 'literal':
    case 'set':
    case 'linebreak':
      return false;
    case 'anchor':
      return node.anchor === anchor;
    case 'sequence':
      return node.items.some((item) => hasAnchor(item, anchor));
    case 'choice':
      return node.branches.some((branch) => hasAnchor(branch, anchor));
    case 'group':
    case 'repeat':
      return hasAnchor(node.body, anchor);
  }
}
