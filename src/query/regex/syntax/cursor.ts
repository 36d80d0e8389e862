/** A place in the text of a pattern. All parts of the parser read through it, and give up only through it. */

/** Why a pattern is refused. Thrown inside the parser only; `parsePattern` turns it into a value. */
export class Refusal extends Error {
  readonly position: number;

  constructor(reason: string, position: number) {
    super(reason);
    this.position = position;
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
    throw new Refusal(reason, position);
  }
}
