/**
 * Checks a document against one schema, one value and one schema at a time. The library judges the value and names the
 * schemas that apply to its members and items; these follow when the library is off the stack. So depth, work and the
 * number of violations are bounded for any schema.
 */
import { pointerOf, type Place } from '../../domain/pointer.ts';
import { Level } from './level.ts';
import { SCHEMA_LIMITS } from '../limits.ts';
import type { Plain, PlainObject } from '../plain.ts';
import type { Applier, AppliedAt } from './applier.ts';
import { Question } from './question.ts';
import type { Applied, Translator } from './translate.ts';
import { NONE, SOME, type Violation } from './violations.ts';
import { TooMuch, type Work } from '../work.ts';
import { recall } from '../../domain/caching/recall.ts';

export class Levels {
  readonly translator: Translator;
  readonly #levels = new Map<PlainObject, Level>();

  constructor(translator: Translator) {
    this.translator = translator;
  }

  of(schema: PlainObject): Level {
    return recall(this.#levels, schema, () => new Level(schema, this.translator));
  }
}

class Validation implements Applier {
  readonly levels: Levels;
  readonly translator: Translator;
  readonly work: Work;

  constructor(levels: Levels, work: Work) {
    this.levels = levels;
    this.translator = levels.translator;
    this.work = work;
  }

  apply({ target, as }: Applied, at: AppliedAt): readonly Violation[] {
    this.work.spend(1);
    if (target === true) return NONE;
    if (target === false) {
      return at.silent
        ? SOME
        : [{ pointer: pointerOf(at.place), keyword: as, detail: 'Nothing may be here.' }];
    }
    this.work.enter();
    const violations = new Question(this, this.levels.of(target), at).run();
    this.work.leave();
    return violations;
  }
}

/** Violations of a value; a check that takes too much work is one violation. */
export function violationsOf(
  levels: Levels,
  root: Applied,
  work: Work,
  value: Plain,
  place: Place,
): readonly Violation[] {
  work.start();
  try {
    const at = { value, place, silent: false, seen: undefined };
    return new Validation(levels, work).apply(root, at).slice(0, SCHEMA_LIMITS.reported);
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    return [{ pointer: pointerOf(place), keyword: '$schema', detail: error.message }];
  }
}
