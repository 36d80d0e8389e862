/** The characters with which a match of a part of a pattern may begin. */
import type { Node, OneCharacter } from '../tree.ts';
import { CodeSet } from '../unicode/code-set.ts';

interface First {
  /** Every match that takes a character begins with one of these sets; `null` where any may be. */
  readonly sets: ReadonlySet<CodeSet> | null;
  /** It may match without taking a character, as far as is known. */
  readonly nullable: boolean;
}

/** Of what takes no character. */
const NOTHING: First = { sets: new Set(), nullable: true };
/** Of what may be anything. */
const UNKNOWN: First = { sets: null, nullable: true };

export function setOf(node: OneCharacter): CodeSet {
  return node.kind === 'set' ? node.set : new CodeSet([[node.code, node.code]]);
}

/** The characters with which every match begins; null where one may be empty or begin with any. */
export function firstSetOf(tree: Node): CodeSet | null {
  const { sets, nullable } = firstOf(tree);
  return nullable || sets === null ? null : CodeSet.union(sets);
}

function firstOf(node: Node): First {
  switch (node.kind) {
    case 'literal':
    case 'set':
      return { sets: new Set([setOf(node)]), nullable: false };
    case 'linebreak':
      return { sets: new Set([node.set]), nullable: false };
    case 'grapheme':
      return { sets: null, nullable: false };
    case 'anchor':
    case 'look':
    case 'keep':
      return NOTHING;
    case 'verb':
      // Behind an (*ACCEPT) nothing need follow.
      return node.verb === 'accept' ? UNKNOWN : NOTHING;
    case 'sequence':
      return firstOfAll(node.items);
    case 'choice':
      return eitherOf(node.branches.map(firstOf));
    case 'group':
    case 'atomic':
      return firstOf(node.body);
    case 'repeat': {
      if (node.max === 0) return NOTHING;
      const body = firstOf(node.body);
      return { sets: body.sets, nullable: body.nullable || node.min === 0 };
    }
    case 'conditional':
      return eitherOf([firstOf(node.yes), firstOf(node.no)]);
    case 'backreference':
    case 'call':
      return UNKNOWN;
  }
}

/** Of nodes in a row. */
function firstOfAll(nodes: readonly Node[]): First {
  const firsts: First[] = [];
  for (const node of nodes) {
    const next = firstOf(node);
    firsts.push(next);
    if (!next.nullable || next.sets === null) break;
  }
  return { sets: union(firsts), nullable: firsts.every(({ nullable }) => nullable) };
}

function eitherOf(firsts: readonly First[]): First {
  return { sets: union(firsts), nullable: firsts.some(({ nullable }) => nullable) };
}

/** A property is one set for all its uses, so many uses do not make many sets. */
function union(firsts: readonly First[]): First['sets'] {
  const all = new Set<CodeSet>();
  for (const { sets } of firsts) {
    if (sets === null) return null;
    for (const set of sets) all.add(set);
  }
  return all;
}
