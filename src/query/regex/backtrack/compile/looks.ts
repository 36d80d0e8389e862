/** Makes the steps of lookarounds and conditionals. */
import type { Condition, Look, Node } from '../../tree.ts';
import * as control from '../control.ts';
import type { Label } from '../program.ts';
import { firstSet, isCalled } from '../references.ts';
import type { Around, Made } from './made.ts';
import { holdsThen } from './verbs.ts';

/** `otherwise` is where a condition goes on that does not hold; a lookaround of its own fails then. */
export function look(made: Made, look: Look, otherwise: Label | null): void {
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
    out.steps.push(...control.goBack(min, max, out.here));
    made.node(branch, { ...around, alternative });
    out.add((next) => control.isBackAt(register, next));
    if (isLast) break;
    out.add(() => control.jump(end));
    out.place(other);
  }
  out.place(end);
}

export function conditional(made: Made, condition: Condition, yes: Node, no: Node, around: Around): void {
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
