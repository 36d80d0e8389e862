/** Patterns with lookarounds at their edges as several without, for a test: it only tells whether there is a match. */
import { complement } from '../syntax/ranges.ts';
import { choiceOf, sequenceOf, setOfRanges, type Look, type Node } from '../tree.ts';
import { setOf } from './first.ts';
import { memoSize } from './memo-size.ts';

/** A text matches when it matches the tree and every condition, but none that is negated. */
export interface TestPlan {
  readonly tree: Node;
  readonly conditions: readonly { readonly tree: Node; readonly negated: boolean }[];
}

/** The plan of a test in linear time; `null` where there is none. */
export function planOfTest(tree: Node, whole: boolean): TestPlan | null {
  if (isLinear(tree)) return { tree, conditions: [] };
  const { rest, conditions } = whole || startsAtStart(tree) ? split(tree) : { rest: tree, conditions: [] };
  const simple = whole ? rest : withoutEdges(rest);
  return [simple, ...conditions.map((each) => each.tree)].every(isLinear)
    ? { tree: simple, conditions }
    : null;
}

function isLinear(tree: Node): boolean {
  return memoSize(tree) !== undefined;
}

function startsAtStart(tree: Node): boolean {
  const [first] = itemsOf(tree);
  return first?.kind === 'anchor' && first.anchor === 'start';
}

/** The lookaheads at the start of the subject, which are patterns of their own, and the rest. */
function split(tree: Node): { readonly rest: Node; readonly conditions: TestPlan['conditions'] } {
  const items = itemsOf(tree);
  const from = startsAtStart(tree) ? 1 : 0;
  let to = from;
  while (isAhead(items[to])) to += 1;
  const conditions = items
    .slice(from, to)
    .flatMap((item) => (item.kind === 'look' ? { tree: anchored(item.body), negated: item.negated } : []));
  return { rest: sequenceOf([...items.slice(0, from), ...items.slice(to)]), conditions };
}

function isAhead(node: Node | undefined): boolean {
  return node?.kind === 'look' && !node.behind;
}

function anchored(body: Node): Node {
  return sequenceOf([
    { kind: 'anchor', anchor: 'start' },
    { kind: 'group', number: null, body },
  ]);
}

/** For a test, what a lookaround at an edge of the match looks at may as well be taken. */
function withoutEdges(tree: Node): Node {
  if (tree.kind === 'choice') return choiceOf(tree.branches.map(withoutEdges));
  const items = itemsOf(tree);
  const [first, last] = [items.at(0), items.at(-1)];
  const taken = (look: Look): Node | null => {
    if (!look.negated) return { kind: 'group', number: null, body: look.body };
    const { body } = look;
    if (body.kind !== 'set' && body.kind !== 'literal') return null;
    const other = setOfRanges(complement(setOf(body).ranges));
    const edge: Node = { kind: 'anchor', anchor: look.behind ? 'start' : 'end' };
    return { kind: 'group', number: null, body: choiceOf([edge, other]) };
  };
  if (first?.kind === 'look' && first.behind) {
    const node = taken(first);
    return node === null ? tree : withoutEdges(sequenceOf([node, ...items.slice(1)]));
  }
  if (last?.kind === 'look' && !last.behind) {
    const node = taken(last);
    return node === null ? tree : sequenceOf([...items.slice(0, -1), node]);
  }
  return tree;
}

function itemsOf(tree: Node): readonly Node[] {
  return tree.kind === 'sequence' ? tree.items : [tree];
}
