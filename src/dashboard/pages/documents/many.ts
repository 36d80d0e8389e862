/**
 * Work on many documents: lists of operations, each all or none (docs/operations.md). All that match a filter are found
 * page by page first, so that any key can do it that may do it to each.
 */
import { pathOf, requestKey } from '../../../client/paths.ts';
import type { Answer, Link, OperationResult, Resource } from '../../../client/transport.ts';
import { chunksOf } from '../../parts/fields/json.ts';
import { documentsIn } from '../../parts/words.tsx';
import { ask, pagesOf } from '../../session/service.ts';
import { draftOf, sentOf } from '../document/draft.ts';
import { hasHistory, notifyUndo, UNDONE, undoneText, type Tags } from '../document/versions.ts';

const ATOMIC = 'https://jsonapi.org/ext/atomic';
/** Operations of a list: fewer than the service takes, so that a list is soon done. */
const AT_ONCE = 500;
/** Characters of a list, or of the lines of an import. */
const UNITS = 2 * 1024 * 1024;
/** Documents of a page of those that match. */
const PAGE = 1_000;

/** The operation that does something to a document. */
export type Work = (link: Link) => object;

export const removal: Work = (ref) => ({ op: 'remove', ref });

/** Sends a list of operations: all or none of them, or each that is not refused. */
export async function perform(
  operations: readonly object[],
  isEach?: 'each',
): Promise<readonly OperationResult[]> {
  return (await sendList(operations, isEach)).body['atomic:results'] ?? [];
}

function sendList(operations: readonly object[], isEach?: 'each'): Promise<Answer> {
  return ask('POST', '/operations', {
    body: { ...(isEach && { meta: { atomic: false } }), 'atomic:operations': operations },
    extension: ATOMIC,
    headers: { 'idempotency-key': requestKey() },
  });
}

/** What is sent together: as many as the service takes at a time, and no more than `isApart` says. */
export function* batchesOf<Item>(
  items: readonly Item[],
  unitsOf: (item: Item) => number,
  isApart = (_: Item, batch: readonly Item[]) => batch.length === AT_ONCE,
): Generator<readonly Item[]> {
  let batch: Item[] = [];
  let units = 0;
  for (const item of items) {
    const size = unitsOf(item);
    if (batch.length > 0 && (units + size > UNITS || isApart(item, batch))) {
      yield batch;
      [batch, units] = [[], 0];
    }
    batch.push(item);
    units += size;
  }
  if (batch.length > 0) yield batch;
}

export interface BulkTarget {
  readonly type: string;
  /** The parameters of the list whose documents are meant, where `ids` is null. */
  readonly query: string;
  readonly ids: readonly string[] | null;
  /** How many that are, as far as the table knows. */
  readonly amount: number;
}

/** Does the work; `onDone` is told how many are done, after each list. */
export async function workOn(
  { type, query, ids }: BulkTarget,
  work: Work,
  onDone: (done: number) => void,
): Promise<Tags> {
  const all = ids === null ? [] : [...ids];
  if (ids === null)
    for await (const documents of allOf(type, `${query}&fields[${type}]=`))
      all.push(...documents.map(({ id }) => id));
  const written = new Map<string, string | undefined>();
  for (const some of chunksOf(all, AT_ONCE)) {
    const { body, etag } = await sendList(some.map((id) => work({ type, id })));
    // The tag of the answer is good for each document, also for one that it has deleted.
    for (const [index, id] of some.entries())
      written.set(id, body['atomic:results']?.[index]?.meta?.etag ?? etag);
    onDone(written.size);
  }
  return written;
}

/** All that match, page by page; `query` has the parameters of the list but those of pages. */
export async function* allOf(type: string, query: string) {
  const parameters = new URLSearchParams(query);
  parameters.set('page[size]', String(PAGE));
  for await (const { documents } of pagesOf(pathOf(type), parameters, new AbortController().signal))
    yield documents;
}

/** A document of an import, with a tag that holds until somebody changes it. */
export interface Made extends Link {
  readonly etag: string | undefined;
}

/** Offers to delete what an import has made, of types that have a history: the trash has it then. */
export async function notifyOfImport(made: readonly Made[]): Promise<void> {
  const left: (readonly Made[])[] = [];
  for (const [type, all] of Map.groupBy(made, (each) => each.type))
    if (all.every(({ etag }) => etag !== undefined) && (await hasHistory(type))) left.push(all);
  const count = left.flat().length;
  if (count === 0 || count > UNDONE) return;
  notifyUndo(`${documentsIn(count)} imported`, async () => {
    const results: OperationResult[] = [];
    for (const all of left) {
      const removals = all.map(({ etag, ...ref }) => ({ ...removal(ref), meta: { 'if-match': etag } }));
      results.push(...(await perform(removals, 'each')));
    }
    return undoneText(
      'deleted',
      results.map(({ meta }) => meta?.errors?.[0]),
    );
  });
}

/** One document on a line of a JSON file, as it could be sent to another application: without the links of answers. */
export function lineOf(document: Resource): string {
  const { type, id } = document;
  return JSON.stringify({ type, id, ...sentOf(draftOf(document)) });
}
