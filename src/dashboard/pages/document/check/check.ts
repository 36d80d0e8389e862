/** The schemas of a type, and what they say of a draft while it is written. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { pathOf } from '../../../../client/paths.ts';
import type { Fault } from '../../../parts/json.ts';
import { list } from '../../../session/documents.ts';
import { useLoad } from '../../../session/load.ts';
import type { Draft } from '../draft.ts';
import { shownToSchemas } from './shown.ts';
import { SchemaThread } from './thread.ts';

/** Milliseconds after which a check is given up: the service checks anyway, within a budget of its own. */
const PATIENCE = 2_000;
/** How many schemas of one type are asked for. */
const SCHEMAS = 100;

export interface Checked {
  readonly faults: readonly Fault[];
  /** The schemas of the type; undefined where they may not be read. */
  readonly schemas: readonly unknown[] | undefined;
  readonly isTooSlow: boolean;
}

export function useSchemas(type: string, draft: Draft): Checked {
  const { value: schemas } = useLoad((signal) => readSchemas(type, signal), [type]);
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const [isTooSlow, setTooSlow] = useState(false);
  const thread = useRef<SchemaThread | undefined>(undefined);
  const latest = useRef(draft);
  latest.current = draft;
  const isBusy = useRef(false);
  /** One question at a time, about the latest draft only. */
  const check = async (asked: SchemaThread, all: readonly unknown[]) => {
    if (isBusy.current) return;
    isBusy.current = true;
    for (let seen: Draft | undefined; seen !== latest.current;) {
      seen = latest.current;
      const [found = []] = await asked.check({ schemas: all, documents: [shownToSchemas(seen)] }, PATIENCE);
      if (seen === latest.current) setFaults(found.flatMap((each) => each ?? []));
    }
    isBusy.current = false;
  };
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
    check(current, schemas).catch(() => {
      // What has ended with the page is not slow.
      if (thread.current !== current) return;
      thread.current = undefined;
      setTooSlow(true);
      setFaults([]);
    });
  }, [draft, schemas]);
  return { faults, schemas, isTooSlow };
}

/** Whoever may not read schemas saves, and is told by the service. */
export async function readSchemas(type: string, signal: AbortSignal): Promise<readonly unknown[]> {
  const query = {
    'filter[target]': JSON.stringify(type),
    'fields[core.schema]': 'content',
    'page[size]': String(SCHEMAS),
  };
  const { documents } = await list(pathOf('core.schema'), query, signal);
  return documents.map(({ attributes }) => attributes?.['content']);
}
