/** A place in the text of a pattern. All parts of the parser read through it, and give up only through it. */
import { LIMITS } from '../../../domain/limits.ts';

/** Why a pattern is refused. Thrown inside the parser only; `readPattern` turns it into a value. */
class Refusal extends Error {}

/** What a pattern was read into, or why it was refused, for the middle of a sentence. */
export type PatternReading<T> =
  | { readonly ok: true; readonly read: T }
  | { readonly ok: false; readonly reason: string };

/** Reads the text of a pattern of any dialect. Never throws: a refusal is a value. */
export function readPattern<T>(pattern: string, read: (cursor: Cursor) => T): PatternReading<T> {
  const most = LIMITS.regexPattern;
  if (pattern.length > 2 * most || (pattern.length > most && Array.from(pattern).length > most))
    return { ok: false, reason: `the pattern has more than ${most} characters` };
  if (!pattern.isWellFormed())
    return { ok: false, reason: 'the pattern is not valid Unicode: it has half a surrogate pair' };
  try {
    return { ok: true, read: read(new Cursor(pattern)) };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, reason: error.message };
    throw error;
  }
}

export class Cursor {
  readonly text: string;
  /** In UTF-16 units, as are all positions. */
  position = 0;

  constructor(text: string) {
    this.text = text;
  }

  get done(): boolean {
    return this.position >= this.text.length;
  }

  /** The next character (a whole code point), empty at the end. */
  get next(): string {
    const code = this.text.codePointAt(this.position);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  looksAt(text: string): boolean {
    return this.text.startsWith(text, this.position);
  }

  eat(text: string): boolean {
    if (!this.looksAt(text)) return false;
    this.position += text.length;
    return true;
  }

  /** Steps over the next character and returns it; empty at the end. */
  take(): string {
    const next = this.next;
    this.position += next.length;
    return next;
  }

  /** Steps over what a sticky expression matches here. */
  scan(expression: RegExp): RegExpExecArray | undefined {
    const found = this.peek(expression);
    if (found) this.position += found[0].length;
    return found;
  }

  /** The match of a sticky expression here, without a step. */
  peek(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.position;
    return expression.exec(this.text) ?? undefined;
  }

  /** Steps past the next place that an expression with the flag g matches, which must match at the end at least. */
  skipPast(expression: RegExp): void {
    expression.lastIndex = this.position;
    const found = expression.exec(this.text);
    this.position = found ? found.index + found[0].length : this.text.length;
  }

  refuse(reason: string, position = this.position): never {
    throw new Refusal(`${reason} (at position ${position})`);
  }

  /** For a fault of which nobody says where it is. */
  refuseAll(reason: string): never {
    throw new Refusal(reason);
  }
}
