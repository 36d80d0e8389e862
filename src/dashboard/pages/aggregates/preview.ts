/**
 * What each stage of a pipeline makes of real data, looked at again a moment after the last change. The service runs
 * what is stored, so a definition of its own name is stored for as long as the page is open: rights, limits and caches
 * are those of any aggregate.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ForedgeError } from '../../../client/errors.ts';
import { pathOf } from '../../../client/paths.ts';
import type { Json } from '../../../client/values.ts';
import { isItems, isMembers, stringIn, type Members } from '../../parts/fields/json.ts';
import { textOf } from '../../parts/fields/kinds.ts';
import { useQuiet } from '../../parts/fields/names.tsx';
import { useWindow } from '../../parts/window.ts';
import { change, create, list, remove, statusOf } from '../../session/service.ts';

export const AGGREGATES = 'core.aggregate';
/** What the types of outputs begin with. */
export const OUTPUTS = 'agt.';

/** What a stage is called: its one key. */
export function nameOfStage(stage: Json): string {
  const [name = ''] = isMembers(stage) ? Object.keys(stage) : [];
  return name;
}

/** A stage of each kind to begin with. */
export const TEMPLATES: Readonly<Record<string, Json>> = {
  filter: { field: { $exists: true } },
  project: { name: 1, total: { $add: ['$a', '$b'] } },
  group: { id: '$field', count: { $sum: 1 } },
  sort: '-count',
  limit: 10,
  skip: 10,
  sample: 10,
  unwind: '$field',
  bucket: { groupBy: '$field', boundaries: [0, 10, 100], default: 'other' },
  bucketAuto: { groupBy: '$field', buckets: 10 },
  setWindowFields: {
    sortBy: 'field',
    output: { sum: { $sum: '$field', window: { documents: ['unbounded', 'current'] } } },
  },
  output: { attributes: ['count'], relationships: [] },
};

/** What such definitions are called: whoever finds one that was left may delete it. */
export const PREVIEW = `${OUTPUTS}preview-`;

/** How many documents of a stage are shown, and how many outputs. */
const SHOWN = 8;
const OUTPUTS_SHOWN = 500;

export interface Seen {
  /** How many documents leave the stage. */
  readonly count: number;
  readonly documents: readonly Members[];
}

class Runner {
  readonly #name = `${PREVIEW}${crypto.randomUUID().replaceAll('-', '')}`;
  #id: string | undefined;
  /** What is being stored: the next change, and the deletion, come after it. */
  #stored: Promise<unknown> = Promise.resolve();

  /** What leaves the last of these stages: how many documents, and the first of them. */
  async look(definition: Members, stages: readonly Json[], signal: AbortSignal): Promise<Seen> {
    // One document holds them all, so that ids may repeat, as they do behind `unwind`.
    const gather = {
      group: {
        id: null,
        count: { $sum: 1 },
        documents: { $firstN: { n: SHOWN, input: '$$ROOT' } },
      },
    };
    await this.#store({ ...definition, pipeline: [...stages, gather] }, signal);
    const [gathered] = (await this.#read(1, signal)).documents;
    const { count = 0, documents = [] } = gathered?.attributes ?? {};
    return { count: Number(textOf(count)), documents: isItems(documents) ? documents.filter(isMembers) : [] };
  }

  /** What the whole pipeline makes. */
  async run(definition: Members, pipeline: readonly Json[], signal: AbortSignal) {
    await this.#store({ ...definition, pipeline }, signal);
    return this.#read(OUTPUTS_SHOWN, signal);
  }

  /** Deletes the definition. A page that closes cannot wait for what is being stored. */
  end(isClosing = false): void {
    if (isClosing) this.#remove();
    else void this.#stored.then(() => this.#remove());
  }

  #remove(): void {
    const id = this.#id;
    this.#id = undefined;
    if (id !== undefined) void remove({ type: AGGREGATES, id }).catch(() => undefined);
  }

  #store(definition: Members, signal: AbortSignal): Promise<void> {
    const storing = this.#stored.then(() => this.#put(definition, signal));
    this.#stored = storing.catch(() => undefined);
    return storing;
  }

  async #put(definition: Members, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const attributes = { parameters: {}, ...definition, 'output-type': this.#name };
    if (this.#id !== undefined) {
      try {
        await change({ type: AGGREGATES, id: this.#id }, { attributes });
        return;
      } catch (error) {
        // Somebody has cleared it away.
        if (statusOf(error) !== 404) throw error;
      }
    }
    this.#id = (await create(AGGREGATES, { attributes }))?.id;
  }

  async #read(size: number, signal: AbortSignal) {
    const { documents, count = documents.length } = await list(
      pathOf(this.#name),
      { 'page[size]': String(size) },
      signal,
    );
    return { type: this.#name, documents, count };
  }
}

/** Milliseconds without a change before the pipeline is run. */
const QUIET = 600;

export interface Preview {
  /** What goes in, and then what leaves each stage; undefined where it was not reached. */
  readonly seen: readonly (Seen | undefined)[];
  readonly result: Awaited<ReturnType<Runner['run']>> | undefined;
  readonly error: unknown;
  /** The stage that the error is about. */
  readonly errorAt: number | undefined;
  readonly isRunning: boolean;
}

const NOTHING: Preview = {
  seen: [],
  result: undefined,
  error: undefined,
  errorAt: undefined,
  isRunning: false,
};

/** Runs what is written. */
export function usePreview(attributes: Members): Preview {
  const [preview, setPreview] = useState(NOTHING);
  const runner = useRef<Runner | undefined>(undefined);
  useWindow('pagehide', () => runner.current?.end(true));
  useEffect(() => () => runner.current?.end(), []);
  const { 'output-type': _, ...wanted } = attributes;
  const text = useQuiet(JSON.stringify(wanted), QUIET);
  useEffect(() => {
    if (stringIn(wanted['input-type']) === '') return undefined;
    const control = new AbortController();
    runner.current ??= new Runner();
    void steps(runner.current, wanted, control.signal, (next) => {
      if (!control.signal.aborted) setPreview(next);
    });
    return () => control.abort();
  }, [text]);
  return preview;
}

/** One stage after the other: what is wrong is told at the first that fails. */
async function steps(
  runner: Runner,
  definition: Members,
  signal: AbortSignal,
  onStep: (preview: Preview) => void,
): Promise<void> {
  const { pipeline } = definition;
  const stages = isItems(pipeline) ? pipeline : [];
  const seen: Seen[] = [];
  try {
    for (const count of stages.keys()) await step(count);
    if (!isOutput(stages.at(-1))) await step(stages.length);
    onStep({ ...NOTHING, seen, isRunning: true });
    const result = await runner.run(definition, stages, signal);
    onStep({ ...NOTHING, seen, result });
  } catch (error) {
    onStep({ ...NOTHING, seen, error, errorAt: stageOfError(error, seen.length, stages) });
  }

  /** Looks at what leaves the first `count` stages. */
  async function step(count: number): Promise<void> {
    onStep({ ...NOTHING, seen: [...seen], isRunning: true });
    seen.push(await runner.look(definition, stages.slice(0, count), signal));
  }
}

function isOutput(stage: Json | undefined): boolean {
  return isMembers(stage) && Object.hasOwn(stage, 'output');
}

/** The stage that the service names; undefined for what is about the result as a whole. */
function stageOfError(error: unknown, reached: number, stages: readonly Json[]): number | undefined {
  if (!(error instanceof ForedgeError)) return undefined;
  const [first] = error.errors;
  const [, named] = /\/pipeline\/(\d+)/.exec(first?.source?.pointer ?? '') ?? [];
  if (named !== undefined) return Number(named);
  const isResult = reached > stages.length || (reached === stages.length && isOutput(stages.at(-1)));
  const stage = first?.meta?.['stage'];
  if (stage === undefined || (isResult && !isOutput(stages.at(-1)))) return undefined;
  // The last one is the preview's own.
  return Math.min(Number(stage), Math.max(reached, 1) - 1);
}
