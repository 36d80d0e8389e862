/**
 * A pipeline that groups, in parts. Each part is made of one segment of the documents; all parts together give exactly
 * the result of one run over all documents.
 */
import { decodeText, encodeText } from '../domain/values/codec.ts';
import type { Frame } from '../operators/core/expression.ts';
import { DEFAULT_BUDGET, Meter, Stop, type Budget } from '../operators/core/meter.ts';
import { Flow } from '../operators/stages/flow.ts';
import type { GroupTable } from '../operators/stages/groups.ts';
import { frameOf, type GroupParts, type Start } from '../operators/stages/stage.ts';
import type { Placed, ReadPipeline } from './read.ts';
import { PipelineRun, type RunOptions } from './run.ts';

/** Groups of a segment of documents, and about how many bytes they take. */
export interface PipelinePart {
  readonly table: GroupTable;
  readonly held: number;
}

/** More bytes than this are never held for a UTF-16 unit of what they are packed as. */
const HELD_FOR_UNIT = 64;

/** No expression of such a pipeline asks for either. */
const CONSTANT: Pick<RunOptions, 'now' | 'random'> = { now: new Date(0), random: () => 0 };

export class PipelineParts {
  readonly #stages: readonly Placed[];
  readonly #at: number;
  readonly #last: number;
  readonly #parts: GroupParts;

  constructor({ stages, last }: Pick<ReadPipeline, 'stages' | 'last'>, at: number, parts: GroupParts) {
    this.#stages = stages;
    this.#at = at;
    this.#last = last;
    this.#parts = parts;
  }

  /** Begins a run that takes documents into a new table, and has no outputs, within some work and bytes. */
  begin(work: number, held: number) {
    const table = this.#parts.table();
    const stages = [...this.#stages.slice(0, this.#at), this.#group(this.#parts.into(table))];
    return { run: this.#run(stages, { work, held: Math.min(held, DEFAULT_BUDGET.held) }), table };
  }

  /** Parts of segments in a row, as one part; null where it would not be exact, or too large. */
  join(parts: Iterable<PipelinePart>): PipelinePart | null {
    const table = this.#parts.table();
    return within((meter, frame) => {
      for (const part of parts) if (!table.join(part.table, frame)) return null;
      return { table, held: meter.held };
    });
  }

  /** A part as a text that can be stored; null where it is not exact, or would be longer than `most`. */
  pack({ table, held }: PipelinePart, most: number): string | null {
    // What is far too large is not even tried: nobody else would run meanwhile.
    const packed = held > HELD_FOR_UNIT * most ? undefined : table.packed();
    if (packed === undefined) return null;
    const text = encodeText(packed);
    return text.length > most ? null : text;
  }

  /** The part that was packed; null where it was not one of this pipeline, or is too large. */
  unpack(text: string): PipelinePart | null {
    const table = this.#parts.table();
    return within((meter, frame) =>
      table.unpack(decodeText(text), frame) ? { table, held: meter.held } : null,
    );
  }

  /** Begins the run of what follows on the groups of all documents. */
  end({ table }: PipelinePart): PipelineRun {
    const stages = [this.#group(this.#parts.outOf(table)), ...this.#stages.slice(this.#at + 1)];
    return this.#run(stages, {});
  }

  #group(start: Start): Placed {
    const { index = 0 } = this.#stages[this.#at] ?? {};
    return { index, stage: { kind: 'step', start } };
  }

  #run(stages: readonly Placed[], budget: Partial<Pick<Budget, 'work' | 'held'>>): PipelineRun {
    return new PipelineRun(stages, this.#last, { budget: { ...DEFAULT_BUDGET, ...budget }, ...CONSTANT });
  }
}

/** The result within the bounds of a run; null beyond them. */
function within(make: (meter: Meter, frame: Frame) => PipelinePart | null): PipelinePart | null {
  const meter = new Meter(DEFAULT_BUDGET);
  try {
    return make(meter, frameOf({ meter, flow: Flow.free(), ...CONSTANT }));
  } catch (error) {
    if (error instanceof Stop) return null;
    throw error;
  }
}

/** Null for a pipeline that cannot be made in parts. */
export function partsOf(read: ReadPipeline): PipelineParts | null {
  const at = read.stages.findIndex(({ stage }) => stage.kind !== 'step' || stage.streams !== true);
  const stage = read.stages[at]?.stage;
  const parts = stage?.kind === 'step' ? stage.groups?.parts : null;
  return read.changing || !parts ? null : new PipelineParts(read, at, parts);
}
