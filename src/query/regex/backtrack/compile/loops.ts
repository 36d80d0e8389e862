/** Makes the steps of repetitions and atomic groups. */
import { someNode, type Node, type OneCharacter } from '../../tree.ts';
import { greedyRun, lazyRun } from '../characters.ts';
import * as control from '../control.ts';
import type { Loop } from '../control.ts';
import type { Around, Made } from './made.ts';
type Counts = Omit<Loop, 'count'>;

export function repeat(made: Made, node: Extract<Node, { kind: 'repeat' }>, around: Around): void {
  const { out } = made;
  const { body, min, lazy } = node;
  const max = node.max ?? Infinity;
  if (isOneCharacter(body)) {
    run(made, body, { min, max, lazy }, around, false);
    return;
  }
  if (max === 0) {
    // It may still be called.
    const end = out.label();
    out.add(() => control.jump(end));
    made.node(body, { ...around, follow: -1 });
    out.place(end);
    return;
  }
  const inside = { ...around, follow: -1 };
  if (made.memo) writtenOut(made, body, { min, max, lazy }, inside);
  else if (min === 1 && max === 1) made.node(body, inside);
  else if (min === 0 && max === 1 && !made.ecma) optional(made, body, lazy, inside);
  else if (max === Infinity && min <= 1 && !made.ecma) endless(made, body, min, lazy, inside);
  else counted(made, body, { min, max, lazy }, inside);
}

function run(
  made: Made,
  body: OneCharacter,
  { min, max, lazy }: Counts,
  around: Around,
  possessive: boolean,
): void {
  const { memo, out } = made;
  if (memo && max === Infinity && min > 0) {
    run(made, body, { min, max: min, lazy: false }, { ...around, follow: -1 }, true);
    run(made, body, { min: 0, max, lazy }, around, possessive);
    return;
  }
  const slot = memo ? out.slot(around.turns) : null;
  const options = { min, max, back: around.back, follow: around.follow, slot };
  const at = out.here;
  const set = made.setOf(body);
  out.steps.push(
    ...(lazy && !possessive ? lazyRun(set, options, at) : greedyRun(set, options, at, possessive)),
  );
  if (max !== Infinity && max > min) made.once(around);
}

/** Turns one after the other, as many as there may be: a step that notes where it was knows of no counts. */
function writtenOut(made: Made, body: Node, { min, max, lazy }: Counts, around: Around): void {
  const { out } = made;
  const first = max === Infinity ? Math.max(0, min - 1) : min;
  for (let turn = 0; turn < first; turn += 1) made.node(body, around);
  if (max === Infinity) {
    endless(made, body, Math.min(min, 1), lazy, around);
    return;
  }
  const end = out.label();
  for (let turn = min; turn < max; turn += 1) {
    out.add((next) => (lazy ? control.splitAway : control.split)(end, next));
    made.node(body, around);
  }
  out.place(end);
  if (max > min) made.once(around);
}

function optional(made: Made, body: Node, lazy: boolean, around: Around): void {
  const { out } = made;
  const end = out.label();
  out.add((next) => (lazy ? control.splitAway : control.split)(end, next));
  made.node(body, around);
  out.place(end);
}

/** `*` and `+`: a turn that takes nothing is the last. */
function endless(made: Made, body: Node, min: number, lazy: boolean, around: Around): void {
  const { out } = made;
  const [again, exit] = [out.label(), out.label()];
  if (min === 0) out.add((next) => (lazy ? control.splitAway : control.split)(exit, next));
  out.place(again);
  made.once(around);
  const mayTakeNothing = made.lengths.of(body).min === 0;
  const register = mayTakeNothing ? out.take(1) : -1;
  if (mayTakeNothing) out.add((next) => control.enter(register, [], next));
  made.node(body, { ...around, turns: mayTakeNothing ? [register, ...around.turns] : around.turns });
  if (mayTakeNothing) out.add((next) => control.leaveWhenEmpty(register, exit, next));
  out.add((next) => (lazy ? control.split(again, next) : control.splitAway(again, next)));
  out.place(exit);
  made.once(around);
}

function counted(made: Made, body: Node, counts: Counts, around: Around): void {
  const { out } = made;
  const register = out.take(2);
  const loop = { ...counts, count: register };
  const [again, exit] = [out.label(), out.label()];
  const unset = made.ecma ? groupsIn(body) : [];
  out.add((next) => control.count(register, next));
  out.place(again);
  out.add((next) => control.turn(loop, exit, next));
  out.add((next) => control.countTurn(register, next));
  out.add((next) => control.enter(register + 1, unset, next));
  made.node(body, around);
  // In PCRE the turns up to a bound are written out one after the other, and may each take nothing.
  if (made.ecma || counts.max === Infinity) {
    const whenEmpty = made.ecma ? null : exit;
    out.add((next) => control.afterTurn(loop, register + 1, whenEmpty, next));
  }
  out.add(() => control.jump(again));
  out.place(exit);
}

export function atomic(made: Made, body: Node, around: Around): void {
  const { out } = made;
  if (body.kind === 'repeat' && isOneCharacter(body.body) && !body.lazy) {
    const { min, max } = body;
    run(made, body.body, { min, max: max ?? Infinity, lazy: false }, around, true);
    return;
  }
  if (isOneCharacter(body)) {
    made.node(body, around);
    return;
  }
  const register = out.take(1);
  out.add((next) => control.beginAtomic(register, next));
  made.node(body, { ...around, follow: -1 });
  out.add((next) => control.endAtomic(register, next));
}

function isOneCharacter(node: Node): node is OneCharacter {
  return node.kind === 'literal' || node.kind === 'set';
}

function groupsIn(node: Node): readonly number[] {
  const groups: number[] = [];
  someNode(node, (each) => {
    if (each.kind === 'group' && each.number !== null) groups.push(each.number);
    return false;
  });
  return groups;
}
