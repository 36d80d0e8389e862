/** Stores the documents of a file by lists of operations, as whoever looks: rights, rules and schemas hold. */
import { ForedgeError } from '../../../../client/errors.ts';
import { requestKey } from '../../../../client/paths.ts';
import { ATOMIC } from '../many.ts';
import { ask } from '../../../session/service.ts';
import type { Fault, Planned } from './plan.ts';

/** Operations of a list, and characters. */
const AT_ONCE = 200;
const UNITS = 400_000;

export interface Outcome {
  readonly made: readonly string[];
  readonly faults: readonly Fault[];
}

/** `tell` hears what has come of it so far, also where it is stopped or breaks off. A document that is refused keeps no other out. */
export async function store(
  type: string,
  documents: readonly Planned[],
  tell: (outcome: Outcome) => void,
  signal: AbortSignal,
): Promise<void> {
  const made: string[] = [];
  const faults: Fault[] = [];
  for (const batch of batchesOf(documents)) {
    let rest = batch;
    while (rest.length > 0) {
      signal.throwIfAborted();
      const sent = await send(type, rest, signal);
      made.push(...sent.made);
      for (const [at, reason] of sent.refused) faults.push({ line: rest[at]?.line ?? 0, reason });
      rest = sent.refused.size === 0 ? [] : rest.filter((_, at) => !sent.refused.has(at));
      tell({ made: [...made], faults: [...faults] });
    }
  }
}

function* batchesOf(documents: readonly Planned[]): Generator<readonly Planned[]> {
  let batch: Planned[] = [];
  let units = 0;
  for (const each of documents) {
    const size = JSON.stringify(each.document).length;
    if (batch.length > 0 && (batch.length >= AT_ONCE || units + size > UNITS)) {
      yield batch;
      batch = [];
      units = 0;
    }
    batch.push(each);
    units += size;
  }
  if (batch.length > 0) yield batch;
}

/** All of them, or none: then those that are refused, by their places. */
async function send(type: string, documents: readonly Planned[], signal: AbortSignal) {
  const operations = documents.map(({ document }) => ({ op: 'add', data: { type, ...document } }));
  try {
    const { body } = await ask('POST', '/operations', {
      ...{ body: { 'atomic:operations': operations }, extension: ATOMIC, signal },
      headers: { 'idempotency-key': requestKey() },
    });
    const results = body['atomic:results'] ?? [];
    return { made: results.flatMap(({ data }) => data?.id ?? []), refused: new Map<number, string>() };
  } catch (error) {
    const refused = refusedIn(error);
    if (refused.size === 0) throw error;
    return { made: [], refused };
  }
}

function refusedIn(error: unknown): Map<number, string> {
  const refused = new Map<number, string>();
  for (const { title, detail, source } of error instanceof ForedgeError ? error.errors : []) {
    const [, at, inside = ''] = /^\/atomic:operations\/(\d+)(.*)$/.exec(source?.pointer ?? '') ?? [];
    if (at === undefined || refused.has(Number(at))) continue;
    const field = inside.replace(/^\/data\/(?:attributes|relationships)\//, '').replace(/\/data.*$/, '');
    refused.set(Number(at), `${field === '' || field.startsWith('/') ? '' : `${field}: `}${detail ?? title}`);
  }
  return refused;
}
