/** `$regexMatch`, `$regexFind`, `$regexFindAll`. Positions count code points. */
import { LIMITS, WORK } from '../../domain/limits.ts';
import { Lru } from '../../domain/caching/lru.ts';
import type { Fields } from '../../domain/values/values.ts';
import type { WorkBudget } from '../../domain/work/work.ts';
import { compileOf } from '../query/patterns.ts';
import { isNullish, type Frame } from '../core/expression.ts';
import { exceed, stop, type Meter, type Operand } from '../core/meter.ts';
import { sizeAt } from '../core/text.ts';
import {
  named,
  REQUIRED,
  stringOf,
  type Checks,
  type Names,
  type Operator,
  type Operators,
} from '../core/operator.ts';
import { recall } from '../../domain/caching/recall.ts';

type Search = Extract<ReturnType<typeof compileOf>, { readonly ok: true }>['pattern'];
type Found = NonNullable<ReturnType<Search['find']>>;

const NAMES: Names = { input: REQUIRED, regex: REQUIRED, options: '' };

/** An operator on a subject and its compiled pattern; `none` is the answer where one of them is null. */
function searching(
  none: () => Operand,
  search: (subject: string, pattern: Search, frame: Frame) => Operand,
): Operator {
  return named(
    NAMES,
    ([input, regex, options], frame, name) => {
      const letters = lettersOf(options, name);
      const pattern = isNullish(regex) ? undefined : compiled(regex, letters, frame.meter, name);
      if (isNullish(input)) return none();
      const subject = stringOf(input, name, 'a string as input');
      return pattern === undefined ? none() : search(subject, pattern, frame);
    },
    { checks: CHECKS },
  );
}

function lettersOf(options: Operand, name: string): string {
  return isNullish(options) ? '' : stringOf(options, name, 'a string as options');
}

const CHECKS: Checks = {
  regex: (regex, name, { meter }, { options }) =>
    isNullish(options) || compiled(regex, lettersOf(options, name), meter, name),
  options: (options, name, { meter }, { regex }) =>
    isNullish(regex) && compiled('', lettersOf(options, name), meter, name),
};

/** A search within the work that is left. One that needs more ends the run: it must not pass for no match. */
function within<T>({ meter }: Frame, { source }: Search, search: (budget: WorkBudget) => T): T {
  const budget = meter.part(WORK.search);
  const result = search(budget);
  if (budget.exceeded) exceed(`The pattern ${JSON.stringify(source)} takes too much work on a text.`);
  return result;
}

/** The patterns that a run has compiled, so that each is paid for once. */
const PAID = new WeakMap<Meter, Lru<string, Search>>();
const REMEMBERED = 32;
/** Compiling takes about as long as this many steps for each character and each instruction. */
const STEPS_TO_COMPILE = 100;

function compiled(regex: Operand, letters: string, meter: Meter, name: string): Search {
  const text = stringOf(regex, name, 'a string as regex');
  const paid = recall(PAID, meter, () => new Lru<string, Search>(REMEMBERED));
  return recall(paid, `${letters}/${text}`, () => {
    meter.spend(STEPS_TO_COMPILE * (Math.min(text.length, 2 * LIMITS.regexPattern) + 1));
    const result = compileOf({ pattern: text, options: letters });
    if (!result.ok) return stop(`${name} cannot use the pattern: ${result.reason}.`);
    meter.spend(STEPS_TO_COMPILE * result.pattern.size);
    return result.pattern;
  });
}

function matchAt(subject: string, found: Found, index: number): Fields {
  return {
    match: subject.slice(found.index, found.end),
    idx: index,
    captures: found.captures.map((capture) => capture ?? null),
  };
}

function findAll(subject: string, pattern: Search, frame: Frame): Operand {
  const matches: Fields[] = [];
  let from = 0;
  let points = 0;
  let counted = 0;
  // An empty subject may match. After the last character of any other subject, the search ends.
  do {
    const start = from;
    const found = within(frame, pattern, (budget) => pattern.find(subject, start, budget));
    if (found === undefined) break;
    points += codePoints(subject, counted, found.index);
    counted = found.index;
    matches.push(frame.meter.admit(matchAt(subject, found, points)));
    // After an empty match the search continues after the next character.
    from = found.end > found.index ? found.end : found.index + sizeAt(subject, found.index);
  } while (from < subject.length);
  return matches;
}

function codePoints(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += sizeAt(text, at)) count += 1;
  return count;
}

export const REGEX: Operators = {
  $regexMatch: searching(
    () => false,
    (subject, pattern, frame) => within(frame, pattern, (budget) => pattern.test(subject, budget)),
  ),
  $regexFind: searching(
    () => null,
    (subject, pattern, frame) => {
      const found = within(frame, pattern, (budget) => pattern.find(subject, 0, budget));
      return found === undefined ? null : matchAt(subject, found, codePoints(subject, 0, found.index));
    },
  ),
  $regexFindAll: searching(() => [], findAll),
};
