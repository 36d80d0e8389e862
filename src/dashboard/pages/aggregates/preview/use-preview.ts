/** What each stage of a pipeline makes of real data, looked at again a moment after the last change. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ForedgeError } from '../../../../client/errors.ts';
import type { Resource } from '../../../../client/transport.ts';
import type { Json } from '../../../../client/values.ts';
import { isItems, isMembers, type Members } from '../../document/values/kinds.ts';
import type { Fault } from '../../document/values/faults.ts';
import { Runner, type Seen } from './runner.ts';

/** Milliseconds without a change before the pipeline is run. */
const QUIET = 600;

export interface Preview {
  /** What goes in, and then what leaves each stage that is on; undefined where it was not reached. */
  readonly seen: readonly (Seen | undefined)[];
  readonly result: { readonly documents: readonly Resource[]; readonly count: number } | undefined;
  readonly error: unknown;
  /** The stage that the error is about, among those that are on. */
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

/** Runs what is written; nothing while `attributes` is undefined. */
export function usePreview(attributes: Members | undefined): Preview {
  const [preview, setPreview] = useState(NOTHING);
  const runner = useRef<Runner | undefined>(undefined);
  useEffect(() => {
    const closing = () => runner.current?.end();
    addEventListener('pagehide', closing);
    return () => {
      removeEventListener('pagehide', closing);
      closing();
    };
  }, []);
  const { 'output-type': _, ...wanted } = attributes ?? {};
  const text = JSON.stringify(wanted);
  useEffect(() => {
    if (attributes === undefined || wanted['input-type'] === '') return undefined;
    const control = new AbortController();
    const timer = setTimeout(() => {
      runner.current ??= new Runner();
      void steps(runner.current, wanted, control.signal, (next) => {
        if (!control.signal.aborted) setPreview(next);
      });
    }, QUIET);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [text, attributes === undefined]);
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

/** What the service says of places inside of a stage, for its editor. */
export function faultsInStage(error: unknown, stage: number): readonly Fault[] {
  if (!(error instanceof ForedgeError)) return [];
  const at = `/data/attributes/pipeline/${stage}`;
  return error.errors.flatMap(({ source, detail, title }) =>
    source?.pointer === at || source?.pointer?.startsWith(`${at}/`) === true
      ? [{ pointer: source.pointer.slice(at.length), message: detail ?? title }]
      : [],
  );
}
