/** Makes the steps of a tree. */
import { bodiesOf, Lengths } from '../analysis/lengths.ts';
import { VERTICAL } from '../pcre/sets.ts';
import { someNode, type CharSet, type Condition, type Look, type Node } from '../tree.ts';
import { CodeSet, rangesOf } from '../unicode/code-set.ts';
import { anchorStep, keep } from './assertions.ts';
import { grapheme, greedyRun, lazyRun, linebreak, oneOf, text } from './characters.ts';
import * as control from './control.ts';
import type { Loop } from './control.ts';
import { Assembly, type Label, type Program } from './program.ts';
import { backreference, call, endOfGroup, firstSet, isCalled, leave } from './references.ts';
import { FRAME } from './machine.ts';

export interface CompileOptions {
  readonly groups: number;
  /** The match must take the whole subject. */
  readonly whole: boolean;
  readonly dialect: 'pcre' | 'ecma';
  readonly mayBeEmpty: 'always' | 'not-at-start' | 'never';
}

type Repeat = Extract<Node, { kind: 'repeat' }>;
type OneCharacter = CharSet | Extract<Node, { kind: 'literal' }>;
type VerbNode = Extract<Node, { kind: 'verb' }>;

/** What lies around a node: the way it is read, and what verbs refer to. */
interface Around {
  /** From its end to its start, as ECMAScript reads the body of a lookbehind. */
  readonly back: boolean;
  /** The end of the lookaround that it is in. */
  readonly lookEnd: Label | null;
  /** The groups that are open, up to that lookaround. */
  readonly open: readonly number[];
  /** The register of the alternative that it is in. */
  readonly alternative: number | null;
  /** The unit with which what follows must begin, or -1. */
  readonly follow: number;
}

export function compile(tree: Node, options: CompileOptions): Program {
  const compiler = new Compiler(tree, options);
  compiler.all();
  return { steps: compiler.out.steps, registers: compiler.out.registers };
}

class Compiler {
  readonly out: Assembly;
  readonly #tree: Node;
  readonly #options: CompileOptions;
  readonly #ecma: boolean;
  readonly #lengths: Lengths;
  /** Where groups that are called begin. */
  readonly #entries = new Map<number, Label>();
  readonly #sets = new Map<string, CodeSet>();
  readonly #marks = new Map<string, number>();

  constructor(tree: Node, options: CompileOptions) {
    this.#tree = tree;
    this.#options = options;
    this.#ecma = options.dialect === 'ecma';
    this.#lengths = new Lengths(tree);
    this.out = new Assembly(options.groups);
    const bodies = bodiesOf(tree);
    someNode(tree, (node) => {
      const group = node.kind === 'call' ? (node.groups[0] ?? 0) : undefined;
      if (group !== undefined && bodies.has(group)) this.#entries.set(group, this.out.label());
      return false;
    });
  }

  all(): void {
    const { out } = this;
    const recursion = this.#entries.get(0);
    if (recursion) out.place(recursion);
    this.#node(this.#tree, { back: false, lookEnd: null, open: [], alternative: null, follow: -1 });
    if (recursion) out.add((next) => endOfGroup(0, next));
    out.add(() => control.finish(this.#options.whole, this.#options.mayBeEmpty));
  }

  #node(node: Node, around: Around): void {
    const { out } = this;
    const { back } = around;
    switch (node.kind) {
      case 'literal':
      case 'set':
        out.add((next) =>
          node.kind === 'literal' && !node.fold
            ? text(String.fromCodePoint(node.code), back, next)
            : oneOf(this.#setOf(node), back, next),
        );
        return;
      case 'anchor':
        out.add((next) => anchorStep(node.anchor, next));
        return;
      case 'linebreak':
        out.add((next) => linebreak(node.ascii ? ASCII_BREAKS : BREAKS, next));
        return;
      case 'grapheme':
        out.add(grapheme);
        return;
      case 'sequence':
        this.#sequence(node.items, around);
        return;
      case 'choice':
        this.#choice(node.branches, around);
        return;
      case 'group':
        this.#group(node.number, node.body, around);
        return;
      case 'repeat':
        this.#repeat(node, around);
        return;
      case 'atomic':
        this.#atomic(node.body, around);
        return;
      case 'look':
        this.#look(node, null);
        return;
      case 'backreference': {
        const options = { fold: node.fold, back, unsetIsEmpty: this.#ecma };
        out.add((next) => backreference(node.groups, options, next));
        return;
      }
      case 'call': {
        const group = node.groups[0] ?? 0;
        const entry = this.#entries.get(group);
        if (entry === undefined) return;
        // PCRE2 10.42 does not go back into a recursion of the whole pattern, as it does into groups.
        const register = group === 0 ? out.take(1) : -1;
        if (register >= 0) out.add((next) => control.beginAtomic(register, next));
        out.add((next) => call(group, entry, next));
        if (register >= 0) out.add((next) => control.endAtomic(register, next));
        return;
      }
      case 'conditional':
        this.#conditional(node.condition, node.yes, node.no, around);
        return;
      case 'keep':
        out.add(keep);
        return;
      case 'verb':
        this.#verb(node, around);
        return;
    }
  }

  #setOf(node: OneCharacter): CodeSet {
    const key = JSON.stringify(node);
    let set = this.#sets.get(key);
    if (set === undefined) {
      set = new CodeSet(rangesOf(node));
      this.#sets.set(key, set);
    }
    return set;
  }

  /** Plain characters in a row are one text. */
  #sequence(items: readonly Node[], around: Around): void {
    const order = around.back ? items.toReversed() : items;
    for (let index = 0; index < order.length; index += 1) {
      let wanted = '';
      for (let item = order[index]; isPlain(item); item = order[(index += 1)]) {
        const char = String.fromCodePoint(item.code);
        wanted = around.back ? char + wanted : wanted + char;
      }
      if (wanted !== '') this.out.add((next) => text(wanted, around.back, next));
      const item = order[index];
      if (item) this.#node(item, { ...around, follow: around.back ? -1 : unitOf(order[index + 1]) });
    }
  }

  #choice(branches: readonly Node[], around: Around): void {
    const { out } = this;
    const end = out.label();
    // Conditions and lookarounds hold their own (*THEN).
    const register = branches.some(holdsThen) ? out.take(1) : null;
    for (const [index, branch] of branches.entries()) {
      const other = out.label();
      const isLast = index === branches.length - 1;
      if (!isLast) out.add((next) => control.split(other, next));
      if (register !== null) out.add((next) => control.beginAtomic(register, next));
      this.#node(branch, { ...around, alternative: register ?? around.alternative, follow: -1 });
      if (isLast) break;
      out.add(() => control.jump(end));
      out.place(other);
    }
    out.place(end);
  }

  #group(number: number | null, body: Node, around: Around): void {
    const { out } = this;
    if (number === null) {
      this.#node(body, around);
      return;
    }
    const entry = this.#entries.get(number);
    // Of groups that share a number the first is the one that is called.
    if (entry?.at === -1) out.place(entry);
    out.add((next) => control.open(number, next));
    this.#node(body, { ...around, open: [number, ...around.open], follow: -1 });
    out.add((next) => control.close(number, around.back, next));
    if (entry) out.add((next) => endOfGroup(number, next));
  }

  #repeat(node: Repeat, around: Around): void {
    const { out } = this;
    const { body, min, lazy } = node;
    const max = node.max ?? Infinity;
    if (isOneCharacter(body)) {
      this.#run(body, node, around, false);
      return;
    }
    if (max === 0) {
      // It may still be called.
      const end = out.label();
      out.add(() => control.jump(end));
      this.#node(body, { ...around, follow: -1 });
      out.place(end);
      return;
    }
    const inside = { ...around, follow: -1 };
    if (min === 1 && max === 1) this.#node(body, inside);
    else if (min === 0 && max === 1 && !this.#ecma) this.#optional(body, lazy, inside);
    else if (max === Infinity && min <= 1 && !this.#ecma) this.#endless(body, min, lazy, inside);
    else this.#counted(body, { min, max, lazy }, inside);
  }

  #run(body: OneCharacter, { min, max, lazy }: Repeat, around: Around, possessive: boolean): void {
    const options = { min, max: max ?? Infinity, back: around.back, follow: around.follow };
    const { steps } = this.out;
    const at = steps.length;
    const set = this.#setOf(body);
    steps.push(
      ...(lazy && !possessive ? lazyRun(set, options, at) : greedyRun(set, options, at, possessive)),
    );
  }

  #optional(body: Node, lazy: boolean, around: Around): void {
    const { out } = this;
    const end = out.label();
    out.add((next) => (lazy ? control.splitAway : control.split)(end, next));
    this.#node(body, around);
    out.place(end);
  }

  /** `*` and `+`: a turn that takes nothing is the last. */
  #endless(body: Node, min: number, lazy: boolean, around: Around): void {
    const { out } = this;
    const [again, exit] = [out.label(), out.label()];
    if (min === 0) out.add((next) => (lazy ? control.splitAway : control.split)(exit, next));
    out.place(again);
    const mayTakeNothing = this.#lengths.of(body).min === 0;
    const register = mayTakeNothing ? out.take(1) : -1;
    if (mayTakeNothing) out.add((next) => control.enter(register, [], next));
    this.#node(body, around);
    if (mayTakeNothing) out.add((next) => control.leaveWhenEmpty(register, exit, next));
    out.add((next) => (lazy ? control.split(again, next) : control.splitAway(again, next)));
    out.place(exit);
  }

  #counted(body: Node, counts: Omit<Loop, 'count'>, around: Around): void {
    const { out } = this;
    const register = out.take(2);
    const loop = { ...counts, count: register };
    const [again, exit] = [out.label(), out.label()];
    const unset = this.#ecma ? groupsIn(body) : [];
    out.add((next) => control.count(register, next));
    out.place(again);
    out.add((next) => control.turn(loop, exit, next));
    out.add((next) => control.countTurn(register, next));
    out.add((next) => control.enter(register + 1, unset, next));
    this.#node(body, around);
    // In PCRE the turns up to a bound are written out one after the other, and may each take nothing.
    if (this.#ecma || counts.max === Infinity) {
      const whenEmpty = this.#ecma ? null : exit;
      out.add((next) => control.afterTurn(loop, register + 1, whenEmpty, next));
    }
    out.add(() => control.jump(again));
    out.place(exit);
  }

  #atomic(body: Node, around: Around): void {
    const { out } = this;
    if (body.kind === 'repeat' && isOneCharacter(body.body) && !body.lazy) {
      this.#run(body.body, body, around, true);
      return;
    }
    const register = out.take(1);
    out.add((next) => control.beginAtomic(register, next));
    this.#node(body, { ...around, follow: -1 });
    out.add((next) => control.endAtomic(register, next));
  }

  /** `otherwise` is where a condition goes on that does not hold; a lookaround of its own fails then. */
  #look(look: Look, otherwise: Label | null): void {
    const { out } = this;
    const { negated, atomic } = look;
    const register = out.take(control.PER_LOOK);
    const [end, after] = [out.label(), out.label()];
    // Verbs act through a lookaround that is to hold, on the whole match.
    const confined = negated || otherwise !== null;
    const failing = negated ? after : otherwise;
    out.add((next) => control.beginLook(register, failing, confined, next));
    const back = look.behind && this.#ecma;
    const alternative = holdsThen(look.body) ? out.take(1) : null;
    if (alternative !== null) out.add((next) => control.beginAtomic(alternative, next));
    const inside: Around = { back, lookEnd: end, open: [], alternative, follow: -1 };
    if (look.behind && !back) this.#behind(look.body, register, inside);
    else this.#node(look.body, inside);
    out.place(end);
    const once = atomic || otherwise !== null;
    out.add(() => {
      if (!negated) return control.endLook(register, once, after);
      return otherwise === null ? control.refuteLook(register) : control.endLook(register, true, otherwise);
    });
    out.place(after);
  }

  /** PCRE goes back by the length of a branch and reads on from there, to where it began. */
  #behind(body: Node, register: number, around: Around): void {
    const { out } = this;
    const end = out.label();
    const branches = body.kind === 'choice' ? body.branches : [body];
    const alternative = branches.some(holdsThen) ? out.take(1) : null;
    for (const [index, branch] of branches.entries()) {
      const other = out.label();
      const isLast = index === branches.length - 1;
      if (!isLast) out.add((next) => control.split(other, next));
      if (alternative !== null) out.add((next) => control.beginAtomic(alternative, next));
      const { min, max } = this.#lengths.of(branch);
      out.steps.push(...control.goBack(min, max, out.here));
      this.#node(branch, { ...around, alternative });
      out.add((next) => control.isBackAt(register, next));
      if (isLast) break;
      out.add(() => control.jump(end));
      out.place(other);
    }
    out.place(end);
  }

  #conditional(condition: Condition, yes: Node, no: Node, around: Around): void {
    const { out } = this;
    const [otherwise, end] = [out.label(), out.label()];
    const inside = { ...around, follow: -1 };
    if (condition.kind === 'look') this.#look(condition.look, otherwise);
    else out.add((next) => control.ask(questionOf(condition), otherwise, next));
    this.#node(yes, inside);
    out.add(() => control.jump(end));
    out.place(otherwise);
    this.#node(no, inside);
    out.place(end);
  }

  #verb({ verb, name }: VerbNode, around: Around): void {
    const { out } = this;
    const number = name === null ? -1 : (this.#marks.get(name) ?? this.#marks.size);
    if (name !== null) this.#marks.set(name, number);
    if (verb === 'mark') {
      out.add((next) => control.mark(number, next));
      return;
    }
    if (verb === 'accept') {
      this.#accept(around);
      return;
    }
    const over = out.label();
    out.add((next) => control.splitAway(over, next));
    if (verb === 'then' && around.alternative !== null) {
      const register = around.alternative;
      out.add(() => control.nextAlternative(register));
    } else if (verb === 'commit') out.add(() => control.abandon(() => null));
    else if (verb === 'skip') {
      out.add(() => control.abandon((m) => (name === null ? m.position : control.markAt(m, number))));
    } else out.add(() => control.abandon(() => -1));
    out.place(over);
  }

  /** Ends what is innermost at once: the lookaround that it stands in, the call under way, or the match. */
  #accept(around: Around): void {
    const { out } = this;
    for (const group of around.open) out.add((next) => control.close(group, around.back, next));
    const { lookEnd } = around;
    if (lookEnd) {
      out.add(() => control.jump(lookEnd));
      return;
    }
    const finish = control.finish(this.#options.whole, this.#options.mayBeEmpty);
    out.add(() => (m) => (m.get(FRAME) >= 0 ? leave(m) : finish(m)));
  }
}

const BREAKS = new CodeSet(VERTICAL);
const ASCII_BREAKS = new CodeSet([
  [0x0a, 0x0a],
  [0x0d, 0x0d],
]);

function questionOf(condition: Exclude<Condition, { kind: 'look' }>): Parameters<typeof control.ask>[0] {
  switch (condition.kind) {
    case 'known':
      return () => condition.holds;
    case 'set':
      return (m) => firstSet(m, condition.groups) > 0;
    case 'called':
      return (m) => isCalled(m, condition.groups);
  }
}

function isOneCharacter(node: Node): node is OneCharacter {
  return node.kind === 'literal' || node.kind === 'set';
}

function isPlain(node: Node | undefined): node is Extract<Node, { kind: 'literal' }> {
  return node?.kind === 'literal' && !node.fold;
}

/** The first unit of a plain character. */
function unitOf(node: Node | undefined): number {
  return isPlain(node) ? String.fromCodePoint(node.code).charCodeAt(0) : -1;
}

function groupsIn(node: Node): readonly number[] {
  const groups: number[] = [];
  someNode(node, (each) => {
    if (each.kind === 'group' && each.number !== null) groups.push(each.number);
    return false;
  });
  return groups;
}

/** Whether a `(*THEN)` stands in a branch, and in no alternatives or lookaround inside of it. */
function holdsThen(node: Node): boolean {
  if (node.kind === 'verb') return node.verb === 'then';
  if (node.kind === 'choice' || node.kind === 'look') return false;
  switch (node.kind) {
    case 'sequence':
      return node.items.some(holdsThen);
    case 'group':
    case 'repeat':
    case 'atomic':
      return holdsThen(node.body);
    case 'conditional':
      return holdsThen(node.yes) || holdsThen(node.no);
    default:
      return false;
  }
}
