/** With which characters a match of a part of a pattern may begin. */
import { VERTICAL } from '../pcre/sets.ts';
import type { Node, Range } from '../tree.ts';
import { rangesOf } from '../unicode/code-set.ts';

export interface First {
  /** Every match that takes a character begins with one of these; `null` where any may be. */
  readonly ranges: readonly Range[] | null;
  /** It may match without taking a character, as far as is known. */
  readonly nullable: boolean;
}

const NOTHING: First = { ranges: [], nullable: true };
const UNKNOWN: First = { ranges: null, nullable: true };

export function firstOf(node: Node): First {
  switch (node.kind) {
    case 'literal':
    case 'set':
      return { ranges: rangesOf(node), nullable: false };
    case 'linebreak':
      return { ranges: VERTICAL, nullable: false };
    case 'grapheme':
      return { ranges: null, nullable: false };
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
      return node.branches.map(firstOf).reduce(either);
    case 'group':
    case 'atomic':
      return firstOf(node.body);
    case 'repeat': {
      if (node.max === 0) return NOTHING;
      const body = firstOf(node.body);
      return { ranges: body.ranges, nullable: body.nullable || node.min === 0 };
    }
    case 'conditional':
      return either(firstOf(node.yes), firstOf(node.no));
    case 'backreference':
    case 'call':
      return UNKNOWN;
  }
}

/** Of nodes in a row. */
export function firstOfAll(nodes: readonly Node[]): First {
  let known = NOTHING;
  for (const node of nodes) {
    const next = firstOf(node);
    known = { ranges: union(known.ranges, next.ranges), nullable: next.nullable };
    if (!next.nullable || next.ranges === null) break;
  }
  return known;
}

/** Whether a match may begin with the character. */
export function mayBegin({ ranges }: First, code: number): boolean {
  return ranges === null || ranges.some(([low, high]) => low <= code && code <= high);
}

function either(one: First, other: First): First {
  return { ranges: union(one.ranges, other.ranges), nullable: one.nullable || other.nullable };
}

function union(one: First['ranges'], other: First['ranges']): First['ranges'] {
  return one === null || other === null ? null : [...one, ...other];
}
