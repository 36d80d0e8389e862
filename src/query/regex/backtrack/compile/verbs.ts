/** Makes the steps of verbs. */
import type { Node } from '../../tree.ts';
import * as control from '../control.ts';
import { BARRIER, FRAME } from '../machine.ts';
import { leave } from '../references.ts';
import type { Around, Made } from './made.ts';

export function verbSteps(made: Made, { verb, name }: Extract<Node, { kind: 'verb' }>, around: Around): void {
  const { out } = made;
  const number = name === null ? -1 : (made.marks.get(name) ?? made.marks.size);
  if (name !== null) made.marks.set(name, number);
  if (verb === 'mark') {
    out.add((next) => control.mark(number, next));
    return;
  }
  if (verb === 'accept') {
    accept(made, around);
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

/** Ends the innermost construct at once: the lookaround around it, the current call, or the match. */
function accept(made: Made, around: Around): void {
  const { out } = made;
  for (const group of around.open) out.add((next) => control.close(group, around.back, next));
  const { lookEnd } = around;
  if (lookEnd) {
    out.add(() => control.jump(lookEnd));
    return;
  }
  const finish = control.finish(made.options.whole, made.options.mayBeEmpty);
  out.add(() => (m) => {
    if (m.get(FRAME) < 0) return finish(m);
    // PCRE2 does not go back into a call that ended so.
    m.cut(m.get(BARRIER));
    return leave(m);
  });
}

/** Whether a branch holds a `(*THEN)` outside of the alternatives and lookarounds in it. */
export function holdsThen(node: Node): boolean {
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
