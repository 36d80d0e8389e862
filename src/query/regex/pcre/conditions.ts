/** Reads the condition of `(?(…)yes|no)`: a group, a call, the version, or a lookaround. */
import type { Cursor } from '../syntax/cursor.ts';
import type { Condition } from '../tree.ts';
import { validName } from './groups.ts';
import type { References } from '../syntax/references.ts';

const NUMBER = /([+-]?\d+)\)/y;
const CALLED = /R(?:(\d+)|&([^)]*))?\)/y;
const DEFINE = /DEFINE\)/y;
const VERSION = /VERSION(>?)=(\d+)(?:\.(\d+))?\)/y;
const NAME = /(?:<([^>]*)>|'([^']*)'|(\w[^)]*))\)/y;

/** The version of PCRE2 whose syntax this is. */
const [MAJOR, MINOR] = [10, 42];

/** A condition that is no lookaround, and whether it makes a definition of the group. */
export interface ReadCondition {
  readonly condition: Condition;
  readonly define: boolean;
}

/** Reads a condition and its closing parenthesis; the cursor is after the opening one. */
export function readCondition(cursor: Cursor, references: References): ReadCondition {
  const start = cursor.position;
  const number = cursor.scan(NUMBER)?.[1];
  if (number !== undefined) return asks({ kind: 'set', groups: references.numbered(number, start) });
  const called = cursor.scan(CALLED);
  if (called) return asks(readCalled(called, cursor, references, start));
  if (cursor.scan(DEFINE)) return { condition: { kind: 'known', holds: false }, define: true };
  const version = cursor.scan(VERSION);
  if (version) return asks({ kind: 'known', holds: isVersion(version) });
  const named = cursor.scan(NAME);
  if (!named) return cursor.refuse('the condition is not known', start);
  const name = validName(cursor, named[1] ?? named[2] ?? named[3], start);
  return asks({ kind: 'set', groups: references.named(name, start) });
}

/** `R` is a call, unless a group has that name. */
function readCalled(
  [written, number, name]: RegExpExecArray,
  cursor: Cursor,
  references: References,
  start: number,
): Condition {
  if (name !== undefined) {
    return { kind: 'called', groups: references.named(validName(cursor, name, start), start) };
  }
  const own = written.slice(0, -1);
  if (!references.mayBeName(own)) {
    return { kind: 'called', groups: number === undefined ? null : references.numbered(number, start) };
  }
  return { kind: 'set', groups: references.named(own, start) };
}

function isVersion([, least, major, minor = '0']: RegExpExecArray): boolean {
  const version = Number(major) * 100 + Number(minor.padEnd(2, '0'));
  return least === '>' ? MAJOR * 100 + MINOR >= version : MAJOR * 100 + MINOR === version;
}

function asks(condition: Condition): ReadCondition {
  return { condition, define: false };
}
