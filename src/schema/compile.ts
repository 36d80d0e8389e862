/**
 * Checks documents against a schema, one value and one schema at a time. The library judges the value and names the
 * schemas that apply to its members and items; these follow when the library is off the stack. So depth, work and the
 * number of violations are bounded for any schema, and each violation has its place in the request.
 */
import { recall } from '../domain/caching/recall.ts';
import { placeOf, pointerOf } from '../domain/pointer.ts';
import { analyze, type Analysis } from './check.ts';
import { SCHEMA_LIMITS } from './limits.ts';
import type { Plain, PlainObject } from './plain.ts';
import type { AppliedAt, Applier } from './validation/applier.ts';
import { Level } from './validation/level.ts';
import { Question } from './validation/question.ts';
import { Translator, type Applied } from './validation/translate.ts';
import type { SchemaDocument } from './view.ts';
import { NONE, SOME, type Violation } from './validation/violations.ts';
import { TooMuch, Work } from './work.ts';

export type { Violation } from './validation/violations.ts';

export class CompiledSchema {
  readonly #translator: Translator;
  readonly #root: Applied;
  readonly #levels = new Map<PlainObject, Level>();

  constructor(analysis: Analysis) {
    this.#translator = new Translator(analysis);
    this.#root = this.#translator.follow('false', analysis.root);
  }

  /** Violations of the document, in the order of the schema's keywords; `work` may span several schemas. */
  validate(document: SchemaDocument, work?: Work): readonly Violation[] {
    return this.validateValue({ ...document }, work);
  }

  /** The same for any JSON. A check that takes too much work is one violation. */
  validateValue(value: Plain, work: Work = new Work()): readonly Violation[] {
    const place = placeOf('data');
    const at = { value, place, silent: false, seen: undefined };
    const applier: Applier = {
      translator: this.#translator,
      work,
      apply: (applied, each) => this.#apply(applier, applied, each),
    };
    work.start();
    try {
      return applier.apply(this.#root, at).slice(0, SCHEMA_LIMITS.reported);
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
      return [{ pointer: pointerOf(place), keyword: '$schema', detail: error.message }];
    }
  }

  #apply(applier: Applier, { target, as }: Applied, at: AppliedAt): readonly Violation[] {
    const { translator, work } = applier;
    work.spend(1);
    if (target === true) return NONE;
    if (target === false) {
      return at.silent
        ? SOME
        : [{ pointer: pointerOf(at.place), keyword: as, detail: 'Nothing may be here.' }];
    }
    const level = recall(this.#levels, target, () => new Level(target, translator));
    work.enter();
    const violations = new Question(applier, level, at).run();
    work.leave();
    return violations;
  }
}

/** Makes a schema that `checkSchema` found no fault with ready for checking. */
export function compileSchema(content: unknown): CompiledSchema {
  const { analysis, faults } = analyze(content);
  const [fault] = faults;
  if (fault !== undefined) throw new Error(`A schema in force has a fault: ${fault.detail}`);
  return new CompiledSchema(analysis);
}
