/**
 * Aggregate pipelines: checks a definition when it is written, and runs it over documents. Pure: the caller gives the
 * documents and takes the outputs.
 */
import type { Fields, Value } from '../domain/values/values.ts';
import type { Condition } from '../operators/filter/conditions.ts';
import { shapeOutput, type AggregateDocument } from './documents.ts';
import { DEFAULT_BUDGET } from '../operators/core/meter.ts';
import { narrowed } from './narrow.ts';
import { partsOf, type PipelineParts } from './parts.ts';
import { readDefinition, type Definition, type Fault, type ReadPipeline } from './read.ts';
import { PipelineRun, type Failure, type Result, type RunOptions } from './run.ts';

export type { AggregateDocument } from './documents.ts';
export type { Definition, Fault } from './read.ts';
export type { PipelinePart, PipelineParts } from './parts.ts';
export type { Failure, PipelineRun, Result, RunOptions } from './run.ts';

/** Everything that is wrong with a definition without looking at a document; empty when it can be stored. */
export function checkPipeline(definition: Definition): readonly Fault[] {
  return readDefinition(definition, new Map()).faults;
}

export type Compilation =
  | { readonly ok: true; readonly pipeline: CompiledPipeline }
  /** Only parameters that a request gave can be at fault when the definition was checked. */
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** A definition made ready to run. `parameters` replace the defaults of their names. */
export function compilePipeline(definition: Definition, parameters: ReadonlyMap<string, Value>): Compilation {
  const read = readDefinition(definition, parameters);
  return read.faults.length > 0
    ? { ok: false, faults: read.faults }
    : { ok: true, pipeline: new CompiledPipeline(read) };
}

export type Documents = { readonly ok: true; readonly documents: readonly AggregateDocument[] } | Failure;

type DocumentOrFailure = { readonly ok: true; readonly document: AggregateDocument } | Failure;

export class CompiledPipeline {
  readonly #read: ReadPipeline;

  constructor(read: ReadPipeline) {
    this.#read = read;
  }

  /**
   * The first `filter` stages as one condition, for the planner; null for all documents. A run takes only documents
   * that meet it, in the order of their ids.
   */
  get leading(): Condition | null {
    return this.#read.leading;
  }

  /** False when the same documents may give other outputs another time: `sample`, `$rand` and `$$NOW`. */
  get deterministic(): boolean {
    return !this.#read.changing;
  }

  /**
   * The fields of the input that the stages look at, `id` and `type` like others; null for all. What `leading` looks at
   * comes on top. Documents may have these alone, in any order but `id` and `type` last: the outputs are the same.
   */
  get fields(): ReadonlySet<string> | null {
    return this.#read.fields;
  }

  /** Whether the stages look at what the service knows of a document: then it must be among the fields. */
  get auditFields(): boolean {
    return this.#read.auditFields;
  }

  /** The pipeline that gives the outputs of these ids, and few others, in its order; null where only the whole does. */
  narrowed(ids: ReadonlySet<string>): CompiledPipeline | null {
    const read = narrowed(this.#read, ids);
    return read && new CompiledPipeline(read);
  }

  /** The same in parts, of segments of the documents; null where that is not the same. */
  get parts(): PipelineParts | null {
    return partsOf(this.#read);
  }

  /** Begins a run that is fed step by step. */
  start(options: Partial<RunOptions> = {}): PipelineRun {
    const { budget = DEFAULT_BUDGET, now = new Date(), random = Math.random } = options;
    return new PipelineRun(this.#read.stages, this.#read.last, { budget, now, random });
  }

  run(input: Iterable<Fields>, options: Partial<RunOptions> = {}): Result {
    const run = this.start(options);
    for (const document of input) if (run.push(document) === 'enough') break;
    return run.finish();
  }

  /** The outputs of a run as documents. Two of one id are a failure: no client could distinguish them. */
  documentsOf(outputs: readonly Fields[]): Documents {
    const documents: AggregateDocument[] = [];
    for (const shaped of this.eachDocumentOf(outputs)) {
      if (!shaped.ok) return shaped;
      documents.push(shaped.document);
    }
    return { ok: true, documents };
  }

  /** The same, one by one, for a caller that pauses between them. It ends with the first failure. */
  *eachDocumentOf(outputs: readonly Fields[]): Generator<DocumentOrFailure> {
    const ids = new Set<string>();
    for (const output of outputs) {
      const shaped = this.documentOf(output);
      yield shaped;
      if (!shaped.ok) return;
      const { id } = shaped.document;
      if (ids.has(id)) {
        yield this.#failure(`Two outputs have the id ${id.slice(0, 100)}: each needs one of its own.`);
        return;
      }
      ids.add(id);
    }
  }

  documentOf(output: Fields): DocumentOrFailure {
    const shaped = shapeOutput(output, this.#read.shape);
    return shaped.ok ? shaped : this.#failure(shaped.detail);
  }

  #failure(detail: string): Failure {
    return { ok: false, stage: this.#read.last, detail };
  }
}
