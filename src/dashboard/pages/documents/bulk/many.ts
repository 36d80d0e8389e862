/**
 * Work on many documents: lists of operations, each all or none (docs/operations.md). All that match a filter are found
 * page by page first, so that any key can do it that may do it to each.
 */
import { pathOf, requestKey } from '../../../../client/paths.ts';
import { ask } from '../../../session/service.ts';
import { listOf } from '../../../session/answers.ts';

const ATOMIC = 'https://jsonapi.org/ext/atomic';
/** Operations of a list: fewer than the service takes, so that a list is soon done. */
const AT_ONCE = 500;
/** Documents of a page of those that match. */
const PAGE = 1_000;

/** What is to be done to each document. */
export type Work =
  | { readonly does: 'remove' }
  /** `json` is the value's JSON text, as it was typed. */
  | { readonly does: 'set'; readonly field: string; readonly json: string }
  | { readonly does: 'unset'; readonly field: string };

/** Does it to documents of a type. `onDone` is told how many are done, after each list. */
export async function doTo(
  type: string,
  ids: readonly string[],
  work: Work,
  onDone: (count: number) => void,
): Promise<void> {
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const operations = ids.slice(at, at + AT_ONCE).map((id) => operationOf(type, id, work));
    await ask('POST', '/operations', {
      body: { 'atomic:operations': operations },
      extension: ATOMIC,
      headers: { 'idempotency-key': requestKey() },
    });
    onDone(Math.min(at + AT_ONCE, ids.length));
  }
}

function operationOf(type: string, id: string, work: Work): object {
  if (work.does === 'remove') return { op: 'remove', ref: { type, id } };
  const data =
    work.does === 'set'
      ? { type, id, attributes: { [work.field]: JSON.parse(work.json) as unknown } }
      : { type, id, meta: { update: { $unset: { [work.field]: true } } } };
  return { op: 'update', data };
}

/** The ids of all that match; `query` has the parameters of the list but those of pages. */
export async function idsOfAll(type: string, query: string, signal: AbortSignal): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const documents of pagesOf(type, `${query}&fields[${type}]=`, signal)) {
    ids.push(...documents.map(({ id }) => id));
  }
  return ids;
}

/** All that match, page by page. */
export async function* pagesOf(type: string, query: string, signal: AbortSignal) {
  let after: string | null = '';
  while (after !== null) {
    const parameters = new URLSearchParams(query);
    parameters.set('page[after]', after);
    parameters.set('page[size]', String(PAGE));
    parameters.set('page[count]', 'false');
    const answer = await ask('GET', pathOf(type), { query: parameters.toString(), signal });
    yield listOf(answer.body);
    const next: string | null = answer.body.links?.next ?? null;
    after = next === null ? null : new URL(next).searchParams.get('page[after]');
  }
}

/** How many match now: what would be done, before it is. */
export async function countOfAll(type: string, query: string, signal: AbortSignal): Promise<number> {
  const { body } = await ask('GET', pathOf(type), {
    query: `${query}&page[limit]=1&fields[${type}]=`,
    signal,
  });
  return body.meta?.count ?? 0;
}
