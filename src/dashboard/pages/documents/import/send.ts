/** Documents of a file are made in lists of operations, in which each is refused alone, and unmade in the same way. */
import { ForedgeError, type ErrorObject } from '../../../../client/errors.ts';
import { pathOf, requestKey } from '../../../../client/paths.ts';
import type { Link, OperationResult } from '../../../../client/transport.ts';
import type { LineFault } from '../../../parts/json.ts';
import { documentIn, remove } from '../../../session/documents.ts';
import { ask } from '../../../session/service.ts';
import { sentOf } from '../../document/draft.ts';
import { perform } from '../many.ts';
import type { Ready } from './drafts.ts';

/** A document that was made. Whoever may not see it knows no id. */
export interface Made {
  readonly line: number;
  readonly id: string | undefined;
  readonly etag: string | undefined;
}

interface Sent {
  readonly made: readonly Made[];
  readonly refused: readonly LineFault[];
}

/** Operations of a list, and characters: fewer than the service takes, so that a list is soon done. */
const AT_ONCE = 500;
const UNITS = 2 * 1024 * 1024;

/** Makes the documents; `tell` hears of each list. What was sent is awaited also where it is stopped: it can be undone. */
export async function make(
  type: string,
  ready: readonly Ready[],
  tell: (sent: Sent) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const batch of batchesOf(type, ready)) {
    signal.throwIfAborted();
    const made: Made[] = [];
    const refused: LineFault[] = [];
    const note: Note = ({ data, meta = {} }, at) => {
      const line = batch[at]?.line ?? 0;
      if (meta.errors === undefined) made.push({ line, id: data?.id, etag: meta.etag });
      else refused.push({ line, reason: meta.errors.map(reasonOf).join(' ') });
    };
    try {
      await performEach(
        batch.map(({ operation }) => operation),
        note,
      );
    } finally {
      tell({ made, refused });
    }
  }
}

type Operation =
  | { readonly op: 'add'; readonly data: { readonly type: string } }
  | { readonly op: 'remove'; readonly ref: Link; readonly meta: { readonly 'if-match': string | undefined } };

interface Item {
  readonly line: number;
  readonly operation: Operation;
}

function* batchesOf(type: string, ready: readonly Ready[]): Generator<readonly Item[]> {
  let batch: Item[] = [];
  let units = 0;
  for (const { line, id, draft } of ready) {
    const data = { type, ...(id !== undefined && { id }), ...sentOf(draft) };
    const size = JSON.stringify(data).length;
    if (batch.length === AT_ONCE || (batch.length > 0 && units + size > UNITS)) {
      yield batch;
      [batch, units] = [[], 0];
    }
    batch.push({ line, operation: { op: 'add', data } });
    units += size;
  }
  if (batch.length > 0) yield batch;
}

/** Requests that are under way at a time. */
const TOGETHER = 8;

/** Hears what became of an operation, by its place. */
type Note = (result: OperationResult, at: number) => void;

/**
 * A list that is refused as a whole, as of a key that permits no lists, is sent one by one; where a request fails then,
 * what the others came to is noted before.
 */
async function performEach(operations: readonly Operation[], note: Note): Promise<void> {
  try {
    (await perform(operations, { isEach: true })).forEach(note);
    return;
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  for (let at = 0; at < operations.length; at += TOGETHER) {
    const sent = await Promise.allSettled(operations.slice(at, at + TOGETHER).map(alone));
    const results = sent.map((each) => (each.status === 'fulfilled' ? each.value : undefined));
    const [first] = results;
    // Where none of the first may be, none may.
    if (at === 0 && results.every((each) => each?.meta?.errors?.[0]?.code === 'forbidden'))
      throw new ForedgeError(403, first?.meta?.errors ?? []);
    for (const [index, each] of results.entries()) if (each !== undefined) note(each, at + index);
    for (const each of sent) if (each.status === 'rejected') throw each.reason;
  }
}

async function alone(operation: Operation): Promise<OperationResult> {
  try {
    if (operation.op === 'remove') {
      await remove(operation.ref, operation.meta['if-match']);
      return {};
    }
    const { data } = operation;
    const headers = { 'idempotency-key': requestKey() };
    const answer = await ask('POST', pathOf(data.type), { body: { data }, headers });
    return { data: documentIn(answer), meta: answer.etag === undefined ? {} : { etag: answer.etag } };
  } catch (error) {
    if (isRefusal(error)) return { meta: { errors: error.errors } };
    throw error;
  }
}

/** Not that of somebody who must log in again, or wait. */
function isRefusal(error: unknown): error is ForedgeError {
  return (
    error instanceof ForedgeError &&
    error.status >= 400 &&
    error.status < 500 &&
    ![401, 429].includes(error.status)
  );
}

/** What is wrong, and with which field. */
function reasonOf({ title, detail = title, source }: ErrorObject): string {
  const [, place = ''] = /\/data\/(?:attributes|relationships)\/(.*)$/.exec(source?.pointer ?? '') ?? [];
  const field = place.replace(/\/data(?:\/.*)?$/, '').replaceAll('/', '.');
  return field === '' ? detail : `${field}: ${detail}`;
}

/** Deletes what was made, unless somebody has changed it since; `tell` hears after each list what is left. */
export async function unmake(
  type: string,
  made: readonly Made[],
  tell: (left: readonly Made[]) => void,
): Promise<void> {
  const stays: Made[] = [];
  for (let at = 0; at < made.length; at += AT_ONCE) {
    const some = made.slice(at, at + AT_ONCE);
    const known = some.flatMap(({ id, etag, line }) => (id === undefined ? [] : [{ id, etag, line }]));
    const gone = new Set<number>();
    const operations = known.map(
      ({ id, etag }) => ({ op: 'remove', ref: { type, id }, meta: { 'if-match': etag } }) as const,
    );
    try {
      await performEach(operations, ({ meta }, index) => {
        const line = known[index]?.line;
        if (meta?.errors === undefined && line !== undefined) gone.add(line);
      });
    } finally {
      stays.push(...some.filter(({ line }) => !gone.has(line)));
      tell([...stays, ...made.slice(at + AT_ONCE)]);
    }
  }
}
