/** Keywords that put schemas together: all, any, one, none, if. */
import { Seen, targetOf, type KeywordChecks } from '../evaluate.ts';
import { isArray, type Plain } from '../plain.ts';

function schemasOf(argument: Plain): readonly Plain[] {
  return isArray(argument) ? argument : [];
}

export const LOGIC_KEYWORDS: KeywordChecks = {
  allOf: (argument, { value, place, seen, evaluation }) => {
    for (const each of schemasOf(argument)) evaluation.apply(targetOf(each), value, place, seen, 'allOf');
  },
  anyOf: (argument, { value, place, seen, evaluation, fail }) => {
    let some = false;
    // All are tried, not just until one fits: each tells what it has looked at.
    for (const each of schemasOf(argument)) {
      const own = new Seen();
      if (!evaluation.satisfies(targetOf(each), value, place, own)) continue;
      some = true;
      seen.add(own);
    }
    if (!some) fail('The value must satisfy at least one of the schemas of anyOf.');
  },
  oneOf: (argument, { value, place, seen, evaluation, fail }) => {
    let satisfied = 0;
    for (const each of schemasOf(argument)) {
      const own = new Seen();
      if (!evaluation.satisfies(targetOf(each), value, place, own)) continue;
      satisfied += 1;
      seen.add(own);
    }
    if (satisfied !== 1) fail(`The value must satisfy one schema of oneOf, not ${satisfied}.`);
  },
  not: (argument, { value, place, evaluation, fail }) => {
    if (evaluation.satisfies(targetOf(argument), value, place, new Seen())) {
      fail('The value must not satisfy the schema of not.');
    }
  },
  if: (argument, { value, place, seen, evaluation, beside }) => {
    const own = new Seen();
    const holds = evaluation.satisfies(targetOf(argument), value, place, own);
    if (holds) seen.add(own);
    const branch = beside(holds ? 'then' : 'else');
    if (branch !== undefined) evaluation.apply(targetOf(branch), value, place, seen, holds ? 'then' : 'else');
  },
};
