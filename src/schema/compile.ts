/** Checking documents against schemas: violations with their place in the request, bounded in work and number. */
import { placeOf } from '../domain/pointer.ts';
import { analyze, type Analysis } from './check.ts';
import type { Plain } from './plain.ts';
import { Translator, type Applied } from './validation/translate.ts';
import { Levels, violationsOf } from './validation/validation.ts';
import type { SchemaDocument } from './view.ts';
import type { Violation } from './validation/violations.ts';
import { Work } from './work.ts';

export type { Violation } from './validation/violations.ts';

export class CompiledSchema {
  readonly #root: Applied;
  readonly #levels: Levels;

  constructor(analysis: Analysis) {
    const translator = new Translator(analysis);
    this.#root = translator.follow('false', analysis.root);
    this.#levels = new Levels(translator);
  }

  /** Violations of the document, in the order of the schema's keywords; `work` may span several schemas. */
  validate(document: SchemaDocument, work?: Work): readonly Violation[] {
    return this.validateValue({ ...document }, work);
  }

  /** The same for any JSON. */
  validateValue(value: Plain, work: Work = new Work()): readonly Violation[] {
    return violationsOf(this.#levels, this.#root, work, value, placeOf('data'));
  }
}

/** Makes a schema that `checkSchema` found no fault with ready for checking. */
export function compileSchema(content: unknown): CompiledSchema {
  const { analysis, faults } = analyze(content);
  const [fault] = faults;
  if (fault !== undefined) throw new Error(`A schema in force has a fault: ${fault.detail}`);
  return new CompiledSchema(analysis);
}
