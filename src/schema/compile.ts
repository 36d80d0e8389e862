/** Checking documents against schemas: violations with their place in the request, bounded in work and number. */
import { placeOf } from '../domain/pointer.ts';
import { analyze, type Analysis } from './check.ts';
import { Evaluation, type Violation } from './evaluate.ts';
import { Work } from './work.ts';
import type { SchemaDocument } from './view.ts';

export type { Violation } from './evaluate.ts';

export class CompiledSchema {
  readonly #analysis: Analysis;

  constructor(analysis: Analysis) {
    this.#analysis = analysis;
  }

  /** What in the document the schema refuses, in the order of the schema's keywords; `work` may span several schemas. */
  validate(document: SchemaDocument, work: Work = new Work()): readonly Violation[] {
    const evaluation = new Evaluation(this.#analysis, work);
    evaluation.run({ ...document }, placeOf('data'));
    return evaluation.violations;
  }
}

/** Makes a schema that `checkSchema` found no fault with ready for checking. */
export function compileSchema(content: unknown): CompiledSchema {
  const { analysis, faults } = analyze(content);
  const [fault] = faults;
  if (fault !== undefined) throw new Error(`A schema in force has a fault: ${fault.detail}`);
  return new CompiledSchema(analysis);
}
