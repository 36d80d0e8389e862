/** Where in a text of JSON a pointer (RFC 6901) leads: the value there, or the nearest one around it. */
import { ensureSyntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { parsed } from '../parts/fields/json.ts';

/** Milliseconds that reading a text may take. */
const PATIENCE = 200;

export function placeOf(state: EditorState, pointer: string): { readonly from: number; readonly to: number } {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const tree = ensureSyntaxTree(state, state.doc.length, PATIENCE);
  const node = tree?.topNode.firstChild ?? null;
  let place = node;
  for (const step of steps) {
    const next = place === null ? null : partOf(state, place, step);
    if (next === null) break;
    place = next;
  }
  if (place === null || place === node) return { from: 0, to: Math.min(1, state.doc.length) };
  return { from: place.from, to: place.to };
}

type Node = NonNullable<ReturnType<typeof ensureSyntaxTree>>['topNode'];

/** The value of a member, or an item. */
function partOf(state: EditorState, node: Node, step: string): Node | null {
  if (node.name === 'Array') {
    const items = childrenOf(node).filter(({ name }) => !/^[[\],]$/.test(name));
    return items[Number(step)] ?? null;
  }
  const member = childrenOf(node).find((child) => child.name === 'Property' && nameOf(state, child) === step);
  return member?.lastChild ?? null;
}

function nameOf(state: EditorState, property: Node): unknown {
  const name = property.getChild('PropertyName');
  return name === null ? undefined : parsed(state.sliceDoc(name.from, name.to));
}

function childrenOf(node: Node): readonly Node[] {
  const children: Node[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}
