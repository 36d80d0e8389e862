/** The schemas of a type, and what they say of a draft while it is written. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { pathOf } from '../../../../client/paths.ts';
import { listOf } from '../../../session/answers.ts';
import { ask, BASE } from '../../../session/service.ts';
import { useLoad } from '../../../session/load.ts';
import type { Draft } from '../draft.ts';
import type { Fault } from '../values/faults.ts';
import { shownToSchemas } from './shown.ts';
import type { Question, Verdict } from './worker.ts';

/** Milliseconds after which a check is given up: the service checks anyway, within a budget of its own. */
const PATIENCE = 2_000;
/** How many schemas of one type are asked for. */
const SCHEMAS = 100;

interface Checked {
  readonly faults: readonly Fault[];
  /** How many schemas the type has; undefined where they may not be read. */
  readonly schemas: number | undefined;
  readonly isTooSlow: boolean;
}

export function useSchemas(type: string, draft: Draft): Checked {
  const { value: schemas } = useLoad((signal) => readSchemas(type, signal), [type]);
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const [isTooSlow, setTooSlow] = useState(false);
  const checker = useRef<Checker | undefined>(undefined);
  useEffect(() => {
    if (schemas === undefined || schemas.length === 0) return undefined;
    const started = new Checker(schemas, setFaults, () => {
      setTooSlow(true);
      setFaults([]);
    });
    checker.current = started;
    return () => {
      started.end();
    };
  }, [schemas]);
  useEffect(() => {
    checker.current?.check(shownToSchemas(draft));
  }, [draft, schemas]);
  return { faults, schemas: schemas?.length, isTooSlow };
}

/** Whoever may not read schemas saves, and is told by the service. */
async function readSchemas(type: string, signal: AbortSignal): Promise<readonly unknown[]> {
  const query = new URLSearchParams({
    'filter[target]': JSON.stringify(type),
    'fields[core.schema]': 'content',
    'page[size]': String(SCHEMAS),
  });
  const { body } = await ask('GET', pathOf('core.schema'), { query: query.toString(), signal });
  return listOf(body).map(({ attributes }) => attributes?.['content']);
}

/** One thread, asked for the latest draft only. */
class Checker {
  readonly #schemas: readonly unknown[];
  readonly #onFaults: (faults: readonly Fault[]) => void;
  readonly #onTooSlow: () => void;
  readonly #worker: Worker;
  #turn = 0;
  #isBusy = false;
  #waiting: { readonly shown: unknown } | undefined;
  #alarm: ReturnType<typeof setTimeout> | undefined;

  constructor(
    schemas: readonly unknown[],
    onFaults: (faults: readonly Fault[]) => void,
    onTooSlow: () => void,
  ) {
    this.#schemas = schemas;
    this.#onFaults = onFaults;
    this.#onTooSlow = onTooSlow;
    this.#worker = new Worker(`${BASE}/assets/dashboard-checker.js`, { type: 'module' });
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Verdict>) => {
      this.#answered(data);
    });
  }

  check(shown: unknown): void {
    this.#waiting = { shown };
    if (!this.#isBusy) this.#next();
  }

  end(): void {
    clearTimeout(this.#alarm);
    this.#worker.terminate();
  }

  #next(): void {
    if (this.#waiting === undefined) return;
    const question: Question = { turn: (this.#turn += 1), schemas: this.#schemas, ...this.#waiting };
    this.#waiting = undefined;
    this.#isBusy = true;
    this.#worker.postMessage(question);
    this.#alarm = setTimeout(() => {
      this.end();
      this.#onTooSlow();
    }, PATIENCE);
  }

  #answered({ turn, faults }: Verdict): void {
    if (turn !== this.#turn) return;
    clearTimeout(this.#alarm);
    this.#isBusy = false;
    if (this.#waiting === undefined) this.#onFaults(faults);
    this.#next();
  }
}
