/** PCRE2's syntax, read into a tree. Never throws: a refusal is a value. */
import { readPattern, type Cursor, type PatternReading } from '../syntax/cursor.ts';
import { Front, type ParsedPattern } from '../syntax/front.ts';
import { Lengths } from '../analysis/lengths.ts';
import { EMPTY, FAIL, setOfRanges, someNode, type Look, type Node } from '../tree.ts';
import { complement } from '../syntax/ranges.ts';
import { edgeOfWord, literal, readAtom, readPlainEscape, type Context } from './atoms.ts';
import { readClass } from './classes.ts';
import { readCondition } from './conditions.ts';
import type { Flags } from './flags.ts';
import { readLook, readOpening, type LookKind, type Opening } from './groups.ts';
import { readLeading, type Leading } from './leading.ts';
import { endOfComment, lineEnd, lineStart, notNewline } from './newlines.ts';
import { References } from '../syntax/references.ts';
import { readVerb } from './verbs.ts';

const MAX_COUNT = 65_535;

export function parsePattern(pattern: string, flags: Flags): PatternReading<ParsedPattern> {
  return readPattern(pattern, (cursor) => new Parser(cursor, flags).parse());
}

const QUOTED = /([^]*?)(?:\\E|$)/y;
const COMMENT = /\(\?#[^)]*(\)?)/y;
/** Blanks under option x: the characters of Unicode's Pattern_White_Space. */
const BLANKS = /[\t-\r \u0085\u200e\u200f\u2028\u2029]+/y;
const EMPTY_QUOTES = /(?:\\E|\\Q\\E)+/y;

class Parser extends Front {
  readonly #references: References;
  readonly #leading: Leading;
  readonly #lookbehinds: { readonly look: Look; readonly start: number }[] = [];
  #flags: Flags;
  /** Whether the pattern asks for CR or LF itself. */
  #namesBreak = false;
  /** Where the branches of the group being read number their groups anew: from this number on, up to that one. */
  #reset: { readonly from: number; to: number } | null = null;

  constructor(cursor: Cursor, flags: Flags) {
    super(cursor);
    this.#references = new References(cursor);
    this.#leading = readLeading(cursor);
    this.#flags = { ...flags, ucp: this.#leading.ucp };
  }

  parse(): ParsedPattern {
    const tree = this.whole();
    this.#references.finish();
    const lengths = new Lengths(tree);
    for (const { look, start } of this.#lookbehinds) {
      const { max } = lengths.of(look.body);
      if (max === Infinity) this.cursor.refuse('the length of a lookbehind has no limit', start);
      if (max > MAX_COUNT) this.cursor.refuse('a lookbehind is too long', start);
    }
    const { notEmpty, newlines } = this.#leading;
    return {
      tree,
      groups: this.#references.highest,
      dialect: 'pcre',
      mayBeEmpty: notEmpty,
      skipsCrLf: ['CRLF', 'ANYCRLF', 'ANY'].includes(newlines) && !this.#namesBreak,
    };
  }

  protected override items(): readonly Node[] {
    const { cursor } = this;
    if (cursor.eat('\\Q')) {
      const quoted = Array.from(cursor.scan(QUOTED)?.[1] ?? '', (char) => this.#literal(char));
      return quoted.map((item, index) => (index === quoted.length - 1 ? this.#quantified(item) : item));
    }
    const items = this.#item();
    return items.map((item, index) => (index === items.length - 1 ? this.#quantified(item) : item));
  }

  protected override nextBranch(): void {
    if (this.#reset === null) return;
    this.#reset.to = Math.max(this.#reset.to, this.#references.opened);
    this.#references.opened = this.#reset.from;
  }

  get #context(): Context {
    return { flags: this.#flags, leading: this.#leading, references: this.#references };
  }

  /** One item without its quantifier. None for options; the last of several is what a quantifier is for. */
  #item(): readonly Node[] {
    const { cursor } = this;
    if (this.atQuantifier()) cursor.refuse('a quantifier follows nothing that can be repeated');
    if (cursor.eat('[[:<:]]')) return edgeOfWord(true, this.#flags);
    if (cursor.eat('[[:>:]]')) return edgeOfWord(false, this.#flags);
    if (cursor.looksAt('[')) return [readClass(cursor, this.#flags)];
    const start = cursor.position;
    const char = cursor.take();
    const { newlines } = this.#leading;
    switch (char) {
      case '(':
        return this.#group(start);
      case '\\':
        return [this.#escape(start)];
      case '.':
        return [this.#flags.s ? setOfRanges(complement([])) : notNewline(newlines)];
      case '^':
        return [this.#flags.m ? lineStart(newlines) : { kind: 'anchor', anchor: 'start' }];
      case '$':
        return [lineEnd(newlines, this.#flags.m)];
      default:
        return [this.#literal(char)];
    }
  }

  #literal(char: string): Node {
    return this.#literalCode(char.codePointAt(0) ?? 0);
  }

  #literalCode(code: number): Node {
    if (code === 0x0d || code === 0x0a) this.#namesBreak = true;
    return literal(code, this.#flags);
  }

  #escape(start: number): Node {
    const { cursor } = this;
    if (cursor.done) cursor.refuse('a backslash ends the pattern', start);
    const atom = readAtom(cursor, this.#context, start) ?? readPlainEscape(cursor, this.#context, start);
    return typeof atom === 'number' ? this.#literalCode(atom) : atom;
  }

  #group(start: number): readonly Node[] {
    const { cursor } = this;
    const verb = readVerb(cursor);
    if (verb) return verb;
    const opening = readOpening(cursor, this.#flags, this.#references);
    switch (opening.kind) {
      case 'flags':
        this.#flags = opening.flags;
        return [];
      case 'call':
        return [{ kind: 'call', groups: opening.groups }];
      case 'backreference':
        return [{ kind: 'backreference', groups: opening.groups, fold: this.#flags.i }];
      case 'conditional':
        return [this.#within(start, null, () => this.#conditional(start))];
      case 'look':
        return [this.#within(start, null, () => this.#look(opening.look, start))];
      case 'atomic':
        return [this.#within(start, null, () => ({ kind: 'atomic', body: this.choice() }))];
      case 'reset': {
        const { opened } = this.#references;
        return [this.#within(start, { from: opened, to: opened }, () => this.#renumbered())];
      }
      case 'group':
        return [this.#within(start, null, () => this.#plain(opening, start))];
    }
  }

  /** Reads a group's inside and its end; options end with it. */
  #within(start: number, reset: { from: number; to: number } | null, read: () => Node): Node {
    const [flags, outer] = [this.#flags, this.#reset];
    this.#reset = reset;
    const node = this.nested(start, read);
    [this.#flags, this.#reset] = [flags, outer];
    return node;
  }

  #plain(opening: Extract<Opening, { kind: 'group' }>, start: number): Node {
    this.#flags = opening.flags;
    const number = opening.capture ? this.#references.open(opening.name, opening.flags.J, start) : null;
    return { kind: 'group', number, body: this.choice() };
  }

  #renumbered(): Node {
    const body = this.choice();
    this.#references.opened = Math.max(this.#reset?.to ?? 0, this.#references.opened);
    return { kind: 'group', number: null, body };
  }

  #look(kind: LookKind, start: number): Look {
    const body = this.choice();
    if (someNode(body, (node) => node.kind === 'keep'))
      this.cursor.refuse('\\K is not allowed in a lookaround', start);
    const look: Look = { kind: 'look', ...kind, body };
    if (look.behind) this.#lookbehinds.push({ look, start });
    return look;
  }

  /** The rest of a conditional, whose condition's parenthesis is open. */
  #conditional(start: number): Node {
    const { cursor } = this;
    const kind = readLook(cursor);
    if (kind) {
      if (!kind.atomic) cursor.refuse('a non-atomic lookaround is no condition', start);
      const look = this.#within(start, null, () => this.#look(kind, start));
      if (look.kind !== 'look') return look;
      const [yes, no] = this.#arms(start);
      return { kind: 'conditional', condition: { kind: 'look', look }, yes, no };
    }
    if (cursor.looksAt('?C')) cursor.refuse('a callout (?C…) is not supported', start);
    const { condition, define } = readCondition(cursor, this.#references);
    const [yes, no, both] = this.#arms(start);
    if (define && both) cursor.refuse('a definition (?(DEFINE)…) has one branch', start);
    return { kind: 'conditional', condition, yes, no };
  }

  #arms(start: number): readonly [yes: Node, no: Node, both: boolean] {
    const [yes = EMPTY, no, ...more] = this.branches();
    if (more.length > 0) this.cursor.refuse('a conditional has more than two branches', start);
    return [yes, no ?? EMPTY, no !== undefined];
  }

  /** The item with the quantifier that follows it, if one does. */
  #quantified(item: Node): Node {
    const { cursor } = this;
    this.skip();
    const found = this.quantifier();
    if (!found) return item;
    const { start, min, max } = found;
    if (!isRepeatable(item)) cursor.refuse('a quantifier follows nothing that can be repeated', start);
    if (Math.max(min, max ?? 0) > MAX_COUNT)
      cursor.refuse(`a repetition counts to more than ${MAX_COUNT}`, start);
    this.skip();
    const possessive = cursor.eat('+');
    const marked = !possessive && cursor.eat('?');
    // What takes no character is asked once.
    const counts = item.kind === 'look' ? { min: Math.min(min, 1), max: max === 0 ? 0 : 1 } : { min, max };
    const lazy = !possessive && marked !== this.#flags.U;
    const repeat: Node = { kind: 'repeat', body: item, ...counts, lazy };
    return possessive ? { kind: 'atomic', body: repeat } : repeat;
  }

  /** Steps over comments, empty quotations and, with option x, white space. */
  protected override skip(): void {
    const { cursor } = this;
    for (;;) {
      const start = cursor.position;
      cursor.scan(EMPTY_QUOTES);
      if (this.#flags.x) this.#skipExtended();
      if (cursor.scan(COMMENT)?.[1] === '') cursor.refuse('the end of a comment (?#…) is missing', start);
      if (cursor.position === start) return;
    }
  }

  #skipExtended(): void {
    const { cursor } = this;
    cursor.scan(BLANKS);
    while (cursor.eat('#')) {
      cursor.skipPast(endOfComment(this.#leading.newlines));
      cursor.scan(BLANKS);
    }
  }
}

/** Whether a quantifier may follow in PCRE. Alternatives of their own, outside of a group, are an anchor's. */
function isRepeatable(item: Node): boolean {
  if (item === FAIL || item.kind === 'anchor' || item.kind === 'choice' || item.kind === 'keep') return false;
  return item.kind !== 'verb' || item.verb === 'accept';
}
