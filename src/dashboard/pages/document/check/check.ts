/** The schemas of a type, and what they say of a draft while it is written. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Fault } from '../../../parts/fields/json.ts';
import { useLoad } from '../../../session/load.ts';
import { BASE } from '../../../session/service.ts';
import { shownToSchemas, type Draft } from '../draft.ts';
import { readSchemas } from '../shape.ts';
import type { Found, Question } from './worker.ts';

/** Milliseconds after which a check is given up: the service checks anyway, within a budget of its own. */
const PATIENCE = 2_000;

/** The schemas are undefined where they may not be read, or documents of the type have none. */
export function useSchemas(type: string, draft: Draft, hasSome: boolean) {
  const { value: schemas } = useLoad(
    async (signal) => (hasSome ? readSchemas(type, signal) : undefined),
    [type],
  );
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const [isTooSlow, setTooSlow] = useState(false);
  const thread = useRef<SchemaThread | undefined>(undefined);
  const latest = useRef(draft);
  latest.current = draft;
  const pending = useRef(Promise.resolve());
  useEffect(() => {
    if (schemas === undefined || schemas.length === 0) return undefined;
    const started = new SchemaThread();
    thread.current = started;
    return () => {
      thread.current = undefined;
      started.end();
    };
  }, [schemas]);
  useEffect(() => {
    const { current } = thread;
    if (schemas === undefined || current === undefined) return;
    // One question at a time, about the latest draft only.
    const check = async () => {
      if (latest.current !== draft || thread.current !== current) return;
      const [found = []] = await current.check({ schemas, documents: [shownToSchemas(draft)] }, PATIENCE);
      if (latest.current === draft) setFaults(found.flatMap((each) => each ?? []));
    };
    pending.current = pending.current.then(check).catch(() => {
      // What has ended with the page is not slow.
      if (thread.current !== current) return;
      thread.current = undefined;
      setTooSlow(true);
      setFaults([]);
    });
  }, [draft, schemas]);
  return { faults, schemas, isTooSlow };
}

/** The thread that checks documents against schemas. It answers one question after the other. */
export class SchemaThread {
  readonly #worker = new Worker(`${BASE}/assets/dashboard-checker.js`, { type: 'module' });
  #fail: (cause: Error) => void = () => undefined;

  /** What takes longer than so many milliseconds is given up, and the thread with it. */
  check(question: Question, patience: number): Promise<Found> {
    const { promise, resolve, reject } = Promise.withResolvers<Found>();
    const timer = setTimeout(
      () =>
        this.end(
          'The schema takes too long here: a pattern of it may be slow. The service bounds its own work.',
        ),
      patience,
    );
    this.#fail = reject;
    this.#worker.onmessage = ({ data }: MessageEvent<Found>) => resolve(data);
    this.#worker.postMessage(question);
    return promise.finally(() => clearTimeout(timer));
  }

  end(why = 'It was stopped.'): void {
    this.#worker.terminate();
    this.#fail(new Error(why));
  }
}
