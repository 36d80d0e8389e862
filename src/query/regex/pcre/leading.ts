/** Reads settings at the start of a pattern: `(*UCP)`, `(*CRLF)` and their kin. */
import type { CompileOptions } from '../backtrack/compile/made.ts';
import type { Cursor } from '../syntax/cursor.ts';
import { NEWLINES, type Newlines } from './newlines.ts';

export interface Leading {
  /** Sets are those of Unicode. */
  readonly ucp: boolean;
  /** What ends a line. */
  readonly newlines: Newlines;
  /** `\R` is CR, LF or CR LF. */
  readonly asciiBreaks: boolean;
  readonly notEmpty: CompileOptions['mayBeEmpty'];
}

const ITEM = /\(\*([A-Z_0-9]+)(?:=\d+)?\)/y;

/**
 * Text is Unicode here anyway; how PCRE speeds itself up means nothing here, and what a search may cost is decided
 * by the budgets of the service alone.
 */
const WITHOUT_MEANING: ReadonlySet<string> = new Set([
  ...['UTF', 'UTF8', 'NO_AUTO_POSSESS', 'NO_DOTSTAR_ANCHOR', 'NO_JIT', 'NO_START_OPT'],
  ...['LIMIT_DEPTH', 'LIMIT_HEAP', 'LIMIT_MATCH', 'LIMIT_RECURSION'],
]);

export function readLeading(cursor: Cursor): Leading {
  let leading: Leading = { ucp: false, newlines: 'LF', asciiBreaks: false, notEmpty: 'always' };
  for (;;) {
    const name = cursor.peek(ITEM)?.[1];
    const said = name === undefined ? undefined : meaningOf(name);
    if (said === undefined) return leading;
    // The stronger of two holds.
    const notEmpty = leading.notEmpty === 'never' ? leading.notEmpty : (said.notEmpty ?? leading.notEmpty);
    leading = { ...leading, ...said, notEmpty };
    cursor.scan(ITEM);
  }
}

function meaningOf(name: string): Partial<Leading> | undefined {
  if (WITHOUT_MEANING.has(name)) return {};
  const newlines = NEWLINES.find((each) => each === name);
  if (newlines !== undefined) return { newlines };
  switch (name) {
    case 'UCP':
      return { ucp: true };
    case 'BSR_ANYCRLF':
      return { asciiBreaks: true };
    case 'BSR_UNICODE':
      return { asciiBreaks: false };
    case 'NOTEMPTY':
      return { notEmpty: 'never' };
    case 'NOTEMPTY_ATSTART':
      return { notEmpty: 'not-at-start' };
    default:
      return undefined;
  }
}
