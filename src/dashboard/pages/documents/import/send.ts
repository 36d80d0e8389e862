/**
 * What an import asks of the service. Documents are made in lists of operations, in which each is refused alone, and
 * unmade in the same way; what they link to is found before.
 */
import { ForedgeError, type ErrorObject } from '../../../../client/errors.ts';
import { pathOf, requestKey } from '../../../../client/paths.ts';
import type { Link, OperationResult } from '../../../../client/transport.ts';
import { errorsOf } from '../../../parts/button.tsx';
import { chunksOf, linkIn, member } from '../../../parts/fields/json.ts';
import { textOf } from '../../../parts/fields/kinds.ts';
import { ask, documentIn, pagesOf, remove } from '../../../session/service.ts';
import { sentOf } from '../../document/draft.ts';
import { batchesOf, perform } from '../many.ts';
import { keyOfTarget, partsOf, type Column, type Ready, type Targets } from './columns.ts';
import type { ImportRow } from './rows.ts';

interface Item {
  readonly line: number;
  readonly operation:
    | { readonly op: 'add'; readonly data: { readonly type: string } }
    | {
        readonly op: 'remove';
        readonly ref: Link;
        readonly meta: { readonly 'if-match': string | undefined };
      };
}

export interface Outcome {
  readonly line: number;
  /** Of the document. Whoever may not see it knows none. */
  readonly id: string | undefined;
  readonly etag: string | undefined;
  /** Why it was refused, if it was. */
  readonly errors: readonly ErrorObject[] | undefined;
}

export function additions(type: string, ready: readonly Ready[]): readonly Item[] {
  return ready.map(({ line, id, draft }) => {
    const data = { type, ...(id !== undefined && { id }), ...sentOf(draft) };
    return { line, operation: { op: 'add', data } };
  });
}

/** Deletes what was made, unless somebody has changed it since. */
export function removals(type: string, made: readonly Outcome[]): readonly Item[] {
  return made.flatMap(({ line, id, etag }) => {
    const meta = { 'if-match': etag };
    return id === undefined ? [] : [{ line, operation: { op: 'remove', ref: { type, id }, meta } }];
  });
}

/** `tell` hears of each list. What was sent is awaited also where it is stopped: it can be undone. */
export async function send(
  items: readonly Item[],
  report: (outcomes: readonly Outcome[]) => void,
  signal?: AbortSignal,
): Promise<void> {
  for (const batch of batchesOf(items, (item) => JSON.stringify(item).length)) {
    signal?.throwIfAborted();
    const outcomes: Outcome[] = [];
    try {
      await performEach(batch, ({ data, meta = {} }, { line }) => {
        outcomes.push({ line, id: data?.id, etag: meta.etag, errors: meta.errors });
      });
    } finally {
      report(outcomes);
    }
  }
}

/** Requests that are under way at a time. */
const TOGETHER = 8;

type Note = (result: OperationResult, item: Item) => void;

/**
 * A list that is refused as a whole, as of a key that permits no lists, is sent one by one; where a request fails then,
 * what the others came to is noted before.
 */
async function performEach(items: readonly Item[], note: Note): Promise<void> {
  const noteAll = (some: readonly Item[], results: readonly (OperationResult | undefined)[]) => {
    for (const [at, item] of some.entries()) if (results[at] !== undefined) note(results[at], item);
  };
  try {
    const operations = items.map(({ operation }) => operation);
    noteAll(items, await perform(operations, 'each'));
    return;
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  for (const [at, some] of chunksOf(items, TOGETHER).entries()) {
    const sent = await Promise.allSettled(some.map(alone));
    const results = sent.map((each) => (each.status === 'fulfilled' ? each.value : undefined));
    // Where none of the first may be, none may.
    if (at === 0 && results.every((each) => each?.meta?.errors?.[0]?.code === 'forbidden'))
      throw new ForedgeError(403, results[0]?.meta?.errors ?? []);
    noteAll(some, results);
    for (const each of sent) if (each.status === 'rejected') throw each.reason;
  }
}

async function alone({ operation }: Item): Promise<OperationResult> {
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
    if (isRefusal(error)) return { meta: { errors: errorsOf(error) } };
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

const SOUGHT = 50;

/** What links lead to whose values are no ids: documents are found by a field. */
export async function findTargets(
  rows: readonly ImportRow[],
  columns: readonly Column[],
  signal: AbortSignal,
): Promise<Targets> {
  const targets = new Map<string, readonly string[]>();
  for (const { name, becomes, type, by } of columns) {
    if (becomes !== 'link' || by === '' || type === '') continue;
    const values = rows
      .flatMap(({ values: all }) => all.get(name) ?? [])
      .flatMap((value) => partsOf(value, by));
    const texts = [...new Set(values.filter((value) => linkIn(value) === undefined).map(textOf))];
    for (const some of chunksOf(texts, SOUGHT)) {
      const query = {
        [`filter[${by}]`]: filterOf(some),
        [`fields[${type}]`]: by,
        'page[size]': '1000',
      };
      for await (const { documents } of pagesOf(pathOf(type), query, signal)) {
        for (const { id, attributes } of documents) {
          const key = keyOfTarget(type, by, textOf(member(attributes, by) ?? null));
          targets.set(key, [...(targets.get(key) ?? []), id]);
        }
      }
    }
  }
  return targets;
}

/** What may be a number is looked for as one too. */
function filterOf(texts: readonly string[]): string {
  return JSON.stringify({
    $in: [...texts, ...texts.filter((text) => /^-?\d{1,15}$/.test(text)).map(Number)],
  });
}
