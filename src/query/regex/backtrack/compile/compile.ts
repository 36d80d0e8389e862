/** Makes the steps of a tree. */
import { recall } from '../../../../domain/caching/recall.ts';
import { firstSetOf, setOf } from '../../analysis/first.ts';
import { bodiesOf, Lengths } from '../../analysis/lengths.ts';
import { choiceOf, someNode, type Node, type OneCharacter, type Condition, type Look } from '../../tree.ts';
import { complement } from '../../syntax/ranges.ts';
import { CodeSet } from '../../unicode/code-set.ts';
import { anchorStep, keep } from '../assertions.ts';
import { grapheme, greedyRun, linebreak, oneOf, text } from '../characters.ts';
import * as control from '../control.ts';
import { Assembly, type Label, type Program } from '../program.ts';
import { backreference, call, endOfGroup, firstSet, isCalled } from '../references.ts';
import { atomic, repeat } from './loops.ts';
import type { Around, CompileOptions, Made } from './made.ts';
import { holdsThen, verbSteps } from './verbs.ts';

/** `memo`: the program notes where it was, which only trees of a `memoSize` allow. */
export function compile(tree: Node, options: CompileOptions, memo: boolean): Program {
  const compiler = new Compiler(tree, options, memo);
  compiler.all();
  const { out } = compiler;
  return { steps: out.steps, registers: out.registers, slots: out.slots };
}

class Compiler implements Made {
  readonly out: Assembly;
  readonly options: CompileOptions;
  readonly ecma: boolean;
  readonly memo: boolean;
  readonly lengths: Lengths;
  readonly marks = new Map<string, number>();
  readonly #tree: Node;
  /** Where groups that are called begin. */
  readonly #entries = new Map<number, Label>();
  /** Made once, however often a repetition is written out. */
  readonly #sets = new Map<OneCharacter, CodeSet>();
  readonly #firsts = new Map<readonly Node[], readonly (CodeSet | null)[]>();

  constructor(tree: Node, options: CompileOptions, memo: boolean) {
    this.#tree = tree;
    this.options = options;
    this.memo = memo;
    this.ecma = options.dialect === 'ecma';
    this.lengths = new Lengths(tree);
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
    this.node(this.#tree, { back: false, lookEnd: null, open: [], alternative: null, follow: -1, turns: [] });
    if (recursion) out.add((next) => endOfGroup(0, next));
    out.add(() => control.finish(this.options.whole, this.options.mayBeEmpty));
  }

  node(node: Node, around: Around): void {
    const { out } = this;
    const { back } = around;
    switch (node.kind) {
      case 'literal':
      case 'set':
        out.add((next) =>
          node.kind === 'literal'
            ? text(String.fromCodePoint(node.code), back, next)
            : oneOf(node.set, back, next),
        );
        return;
      case 'anchor':
        out.add((next) => anchorStep(node.anchor, next));
        return;
      case 'linebreak':
        out.add((next) => linebreak(node.set, next));
        this.once(around);
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
        repeat(this, node, around);
        return;
      case 'atomic':
        atomic(this, node.body, around);
        return;
      case 'look':
        look(this, node, null);
        return;
      case 'backreference': {
        const options = { fold: node.fold, back, unsetIsEmpty: this.ecma };
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
        conditional(this, node.condition, node.yes, node.no, around);
        return;
      case 'keep':
        out.add(keep);
        return;
      case 'verb':
        verbSteps(this, node, around);
        return;
    }
  }

  setOf(node: OneCharacter): CodeSet {
    return recall(this.#sets, node, () => setOf(node));
  }

  once({ turns }: Around): void {
    if (!this.memo) return;
    const slot = this.out.slot(turns);
    this.out.add((next) => control.once(slot, next));
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
      if (item) this.node(item, { ...around, follow: around.back ? -1 : unitOf(order[index + 1]) });
    }
  }

  #choice(branches: readonly Node[], around: Around): void {
    const { out } = this;
    const end = out.label();
    // Conditions and lookarounds hold their own (*THEN).
    const register = branches.some(holdsThen) ? out.take(1) : null;
    const firsts = recall(this.#firsts, branches, () =>
      branches.map((_, index) => this.#firstOf(branches.slice(index + 1))),
    );
    for (const [index, branch] of branches.entries()) {
      const other = out.label();
      const isLast = index === branches.length - 1;
      const set = firsts[index];
      if (!isLast) out.add((next) => (set ? control.splitAt(set, other, next) : control.split(other, next)));
      if (register !== null) out.add((next) => control.beginAtomic(register, next));
      this.node(branch, { ...around, alternative: register ?? around.alternative, follow: -1 });
      if (isLast) break;
      out.add(() => control.jump(end));
      out.place(other);
    }
    out.place(end);
    this.once(around);
  }

  /** The characters with which all of the alternatives begin, where a program in linear time has few of them. */
  #firstOf(branches: readonly Node[]): CodeSet | null {
    if (!this.memo || branches.length === 0 || branches.length > MOST_BRANCHES) return null;
    return firstSetOf(choiceOf(branches));
  }

  #group(number: number | null, body: Node, around: Around): void {
    const { out } = this;
    if (number === null) {
      this.node(body, around);
      return;
    }
    const entry = this.#entries.get(number);
    // Of groups that share a number the first is the one that is called.
    if (entry?.at === -1) out.place(entry);
    out.add((next) => control.open(number, next));
    this.node(body, { ...around, open: [number, ...around.open], follow: -1 });
    out.add((next) => control.close(number, around.back, next));
    if (entry) out.add((next) => endOfGroup(number, next));
  }
}

/** Of more alternatives, it costs more to know how they begin than it spares. */
const MOST_BRANCHES = 8;

function isPlain(node: Node | undefined): node is Extract<Node, { kind: 'literal' }> {
  return node?.kind === 'literal';
}

function unitOf(node: Node | undefined): number {
  return isPlain(node) ? String.fromCodePoint(node.code).charCodeAt(0) : -1;
}

/** `otherwise` is where a condition goes on that does not hold; a lookaround of its own fails then. */
function look(made: Made, look: Look, otherwise: Label | null): void {
  const { out } = made;
  const { negated, atomic } = look;
  const register = out.take(control.PER_LOOK);
  const [end, after] = [out.label(), out.label()];
  // Verbs act through a lookaround that is to hold, on the whole match.
  const confined = negated || otherwise !== null;
  const failing = negated ? after : otherwise;
  out.add((next) => control.beginLook(register, failing, confined, next));
  const back = look.behind && made.ecma;
  const alternative = holdsThen(look.body) ? out.take(1) : null;
  if (alternative !== null) out.add((next) => control.beginAtomic(alternative, next));
  const inside: Around = { back, lookEnd: end, open: [], alternative, follow: -1, turns: [] };
  if (look.behind && !back) behind(made, look.body, register, inside);
  else made.node(look.body, inside);
  out.place(end);
  const once = atomic || otherwise !== null;
  out.add(() => {
    if (!negated) return control.endLook(register, once, after);
    return otherwise === null ? control.refuteLook(register) : control.endLook(register, true, otherwise);
  });
  out.place(after);
}

const ANY = new CodeSet(complement([]));

/** PCRE goes back by the length of a branch and reads on from there, to where it began. */
function behind(made: Made, body: Node, register: number, around: Around): void {
  const { out } = made;
  const end = out.label();
  const branches = body.kind === 'choice' ? body.branches : [body];
  const alternative = branches.some(holdsThen) ? out.take(1) : null;
  for (const [index, branch] of branches.entries()) {
    const other = out.label();
    const isLast = index === branches.length - 1;
    if (!isLast) out.add((next) => control.split(other, next));
    if (alternative !== null) out.add((next) => control.beginAtomic(alternative, next));
    const { min, max } = made.lengths.of(branch);
    out.steps.push(...greedyRun(ANY, { min, max, back: true, follow: -1, slot: null }, out.here, false));
    made.node(branch, { ...around, alternative });
    out.add((next) => control.isBackAt(register, next));
    if (isLast) break;
    out.add(() => control.jump(end));
    out.place(other);
  }
  out.place(end);
}

function conditional(made: Made, condition: Condition, yes: Node, no: Node, around: Around): void {
  const { out } = made;
  const [otherwise, end] = [out.label(), out.label()];
  const inside = { ...around, follow: -1 };
  if (condition.kind === 'look') look(made, condition.look, otherwise);
  else out.add((next) => control.ask(questionOf(condition), otherwise, next));
  made.node(yes, inside);
  out.add(() => control.jump(end));
  out.place(otherwise);
  made.node(no, inside);
  out.place(end);
}

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
