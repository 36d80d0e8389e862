/** Bracket classes of ECMA-262. A hyphen that makes no range is one of their characters. */
import type { Cursor } from '../syntax/cursor.ts';
import type { CharSet, Part, Range } from '../tree.ts';
import { readClassEscape } from './escapes.ts';

/** Reads a class; the cursor is after its opening bracket. */
export function readClass(cursor: Cursor): CharSet {
  const negated = cursor.eat('^');
  const ranges: Range[] = [];
  const parts: Part[] = [];
  while (!cursor.eat(']')) {
    if (cursor.done) cursor.refuse('the closing ] of a bracket class is missing');
    const first = readMember(cursor);
    const hyphen = cursor.position;
    if (typeof first === 'number' && cursor.eat('-') && !cursor.looksAt(']')) {
      const last = readMember(cursor);
      if (typeof last === 'number') {
        ranges.push([first, last]);
        continue;
      }
    }
    cursor.position = hyphen;
    if (typeof first === 'number') ranges.push([first, first]);
    else parts.push(first);
  }
  if (ranges.length > 0) parts.push({ kind: 'ranges', ranges });
  return { kind: 'set', negated, parts };
}

function readMember(cursor: Cursor): number | Part {
  return cursor.eat('\\') ? readClassEscape(cursor) : (cursor.take().codePointAt(0) ?? 0);
}
