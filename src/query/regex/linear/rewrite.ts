/**
 * Rewrites patterns that only look as if they needed backtracking. A simplified tree matches the same texts with the
 * same groups; a plan for a test only answers whether there is a match.
 */
import { firstOf, NOTHING, UNKNOWN, type First } from '../analysis/first.ts';
import { complement } from '../syntax/ranges.ts';
import { choiceOf, sequenceOf, setOfRanges, type Look, type Node } from '../tree.ts';
import { rangesOf } from '../unicode/code-set.ts';
import { isLinear } from './linear.ts';

/** A text matches when it matches the tree and every condition, but none that is negated. */
export interface TestPlan {
  readonly tree: Node;
  readonly conditions: readonly { readonly tree: Node; readonly negated: boolean }[];
}

/** The plan of a test that the linear engine can do; `null` when it cannot. */
export function planOfTest(tree: Node, whole: boolean): TestPlan | null {
  if (isLinear(tree)) return { tree, conditions: [] };
  const { rest, conditions } = whole || startsAtStart(tree) ? split(tree) : { rest: tree, conditions: [] };
  const simple = whole ? rest : withoutEdges(rest);
  return [simple, ...conditions.map((each) => each.tree)].every(isLinear)
    ? { tree: simple, conditions }
    : null;
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
    const other = setOfRanges(complement(rangesOf(body)));
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

/** The tree without what makes no difference to any match: atomic groups that nothing would go back into. */
export function simplify(node: Node, follow: First = NOTHING): Node {
  switch (node.kind) {
    case 'sequence':
      return sequenceOf(
        node.items.map((item, index) => simplify(item, followOf(node.items.slice(index + 1), follow))),
      );
    case 'choice':
      return { ...node, branches: node.branches.map((branch) => simplify(branch, follow)) };
    case 'group':
      return { ...node, body: simplify(node.body, follow) };
    case 'atomic':
      return isPlainRun(node.body, follow) ? node.body : node;
    default:
      return node;
  }
}

/** The characters that may follow, by the next item alone: that is enough for most. */
function followOf([next]: readonly Node[], outer: First): First {
  if (next === undefined) return outer;
  const first = firstOf(next);
  return first.nullable ? UNKNOWN : first;
}

/** Whether giving back characters of a run would be of no use: what follows begins with none of them. */
function isPlainRun(node: Node, follow: First): boolean {
  if (node.kind === 'set' || node.kind === 'literal') return true;
  if (node.kind !== 'repeat' || node.lazy) return false;
  const { body } = node;
  if (body.kind !== 'set' && body.kind !== 'literal') return false;
  if (follow.sets === null) return false;
  const ranges = [...follow.sets].flat();
  return !rangesOf(body).some(([low, high]) => ranges.some(([from, to]) => from <= high && low <= to));
}
