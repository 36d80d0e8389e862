/**
 * Patterns as trees of the tests' own: what the generator makes, the printer writes and the naive matcher matches, so
 * that no parser stands between them. It shares nothing with the trees of src/query/regex.
 */

export type Anchor =
  | '^'
  | '$'
  | '(?m:^)'
  | '(?m:$)'
  | '\\A'
  | '\\Z'
  | '\\z'
  | '\\b'
  | '\\B'
  | '\\G'
  | '\\K'
  | '(*FAIL)';

/** How a repetition that may go on is tried. */
export type Mode = 'greedy' | 'lazy' | 'possessive';

export interface Look {
  readonly kind: 'look';
  readonly behind: boolean;
  readonly negative: boolean;
  readonly body: Tree;
}

export type Condition =
  | { readonly kind: 'set'; readonly group: number }
  /** Whether some call is active; of this group where one is named. */
  | { readonly kind: 'called'; readonly group: number | undefined }
  | Look;

/**
 * Numbers of groups are settled by `numbered`: the generator only says a wish, any natural number. `writing` chooses
 * among the ways to write the same thing.
 */
export type Tree =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'set'; readonly negated: boolean; readonly chars: readonly string[] }
  | { readonly kind: 'dot' }
  | { readonly kind: 'linebreak' }
  | { readonly kind: 'anchor'; readonly anchor: Anchor }
  | { readonly kind: 'sequence'; readonly items: readonly Tree[] }
  | { readonly kind: 'choice'; readonly branches: readonly Tree[] }
  /** A choice each of whose branches numbers its groups anew. */
  | { readonly kind: 'reset'; readonly branches: readonly Tree[] }
  | { readonly kind: 'capture'; readonly number: number; readonly named: boolean; readonly body: Tree }
  /** The body in either case. */
  | { readonly kind: 'fold'; readonly body: Tree }
  | {
      readonly kind: 'repeat';
      readonly body: Tree;
      readonly min: number;
      readonly max: number | null;
      readonly mode: Mode;
    }
  | Look
  | { readonly kind: 'atomic'; readonly body: Tree }
  | { readonly kind: 'backreference'; readonly group: number; readonly writing: number }
  /** Group 0 is the whole pattern. */
  | { readonly kind: 'call'; readonly group: number; readonly writing: number }
  | {
      readonly kind: 'condition';
      readonly test: Condition;
      readonly yes: Tree;
      readonly no: Tree | undefined;
    }
  /** Groups that are there to be called only. */
  | { readonly kind: 'define'; readonly body: Tree };

export const NOTHING: Tree = { kind: 'sequence', items: [] };

/** What stands in a node, in the order of writing. */
export function childrenOf(tree: Tree): readonly Tree[] {
  switch (tree.kind) {
    case 'sequence':
      return tree.items;
    case 'choice':
    case 'reset':
      return tree.branches;
    case 'capture':
    case 'fold':
    case 'repeat':
    case 'look':
    case 'atomic':
    case 'define':
      return [tree.body];
    case 'condition':
      return [...(tree.test.kind === 'look' ? [tree.test] : []), tree.yes, ...(tree.no ? [tree.no] : [])];
    case 'char':
    case 'set':
    case 'dot':
    case 'linebreak':
    case 'anchor':
    case 'backreference':
    case 'call':
      return [];
  }
}

/** How many groups the tree numbers; in a reset, as many as the branch that numbers most. */
export function groupsOf(tree: Tree): number {
  const counts = childrenOf(tree).map(groupsOf);
  if (tree.kind === 'reset') return Math.max(0, ...counts);
  return counts.reduce((sum, count) => sum + count, Number(tree.kind === 'capture'));
}

/** The tree with groups numbered in the order of their parentheses, and wishes turned into groups that there are. */
export function numbered(tree: Tree): Tree {
  return settled(tree, 0, groupsOf(tree), new Map());
}

/** `before`: groups numbered so far. `named`: whether a number has a name, the same for all groups of the number. */
function settled(tree: Tree, before: number, groups: number, named: Map<number, boolean>): Tree {
  const inner = (body: Tree, first = before): Tree => settled(body, first, groups, named);
  const inTurn = (bodies: readonly Tree[]): Tree[] => {
    let at = before;
    return bodies.map((body) => {
      const done = inner(body, at);
      at += groupsOf(body);
      return done;
    });
  };
  switch (tree.kind) {
    case 'sequence':
      return { ...tree, items: inTurn(tree.items) };
    case 'choice':
      return { ...tree, branches: inTurn(tree.branches) };
    case 'reset':
      return { ...tree, branches: tree.branches.map((branch) => inner(branch)) };
    case 'capture': {
      const number = before + 1;
      const name = named.get(number) ?? tree.named;
      named.set(number, name);
      return { ...tree, number, named: name, body: inner(tree.body, number) };
    }
    case 'fold':
    case 'repeat':
    case 'look':
    case 'atomic':
    case 'define':
      return { ...tree, body: inner(tree.body) };
    case 'backreference':
      return groups === 0 ? NOTHING : { ...tree, group: 1 + (tree.group % groups) };
    case 'call':
      return called(tree, groups);
    case 'condition':
      return condition(tree, before, groups, inner);
    case 'char':
    case 'set':
    case 'dot':
    case 'linebreak':
    case 'anchor':
      return tree;
  }
}

/** Calls of the whole are rarer than others: most never end. */
function called(tree: Extract<Tree, { readonly kind: 'call' }>, groups: number): Tree {
  if (tree.group % 5 === 0) return { ...tree, group: 0 };
  return groups === 0 ? NOTHING : { ...tree, group: 1 + (tree.group % groups) };
}

function condition(
  tree: Extract<Tree, { readonly kind: 'condition' }>,
  before: number,
  groups: number,
  inner: (body: Tree, first: number) => Tree,
): Tree {
  const { test } = tree;
  const inTest = test.kind === 'look' ? groupsOf(test) : 0;
  const yes = inner(tree.yes, before + inTest);
  const no = tree.no && inner(tree.no, before + inTest + groupsOf(tree.yes));
  if (test.kind === 'look') {
    return { ...tree, test: { ...test, body: inner(test.body, before) }, yes, no };
  }
  // Without groups there is none to ask for, but calls of the whole.
  if (groups === 0) return { ...tree, test: { kind: 'called', group: undefined }, yes, no };
  const group = test.group === undefined ? undefined : 1 + (test.group % groups);
  return {
    ...tree,
    test: test.kind === 'set' ? { kind: 'set', group: group ?? 1 } : { ...test, group },
    yes,
    no,
  };
}

/** How many characters each match of a branch of a lookbehind has. */
export function lengthOf(tree: Tree): number {
  switch (tree.kind) {
    case 'char':
    case 'set':
    case 'dot':
      return 1;
    case 'sequence':
      return tree.items.reduce((sum, item) => sum + lengthOf(item), 0);
    case 'choice':
    case 'reset':
      return lengthOf(tree.branches[0] ?? NOTHING);
    case 'capture':
    case 'fold':
    case 'atomic':
      return lengthOf(tree.body);
    case 'repeat':
      return tree.min * lengthOf(tree.body);
    default:
      return 0;
  }
}
