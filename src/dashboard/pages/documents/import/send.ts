/** Documents of a file are made in lists of operations, in which each is refused alone, and unmade in the same way. */
import { ForedgeError, type ErrorObject } from '../../../../client/errors.ts';
import type { LineFault } from '../../../parts/line-faults.tsx';
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

/** Makes the documents; `tell` hears of each list. */
export async function make(
  type: string,
  ready: readonly Ready[],
  tell: (sent: Sent) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const batch of batchesOf(type, ready)) {
    for (let rest = batch; rest.length > 0;) {
      const lines = rest.map(({ line }) => line);
      const sent = await send(rest, signal);
      tell({
        made: sent.made.map((each) => ({ ...each, line: lines[each.line] ?? 0 })),
        refused: sent.refused.map((each) => ({ ...each, line: lines[each.line] ?? 0 })),
      });
      const told = new Set([...sent.made, ...sent.refused].map(({ line }) => line));
      rest = rest.filter((_, at) => !told.has(at));
    }
  }
}

interface Operation {
  readonly line: number;
  readonly body: object;
}

function* batchesOf(type: string, ready: readonly Ready[]): Generator<readonly Operation[]> {
  let batch: Operation[] = [];
  let units = 0;
  for (const { line, id, draft } of ready) {
    const body = { op: 'add', data: { type, ...(id !== undefined && { id }), ...sentOf(draft) } };
    const size = JSON.stringify(body).length;
    if (batch.length === AT_ONCE || (batch.length > 0 && units + size > UNITS)) {
      yield batch;
      [batch, units] = [[], 0];
    }
    batch.push({ line, body });
    units += size;
  }
  if (batch.length > 0) yield batch;
}

/** What became of the operations: here a line is a place in the list. Of a list that is refused as a whole, who is to blame. */
async function send(operations: readonly Operation[], signal: AbortSignal): Promise<Sent> {
  try {
    const results = await perform(
      operations.map(({ body }) => body),
      { isEach: true, signal },
    );
    const made: Made[] = [];
    const refused: LineFault[] = [];
    for (const [line, { data, meta = {} }] of results.entries()) {
      if (meta.errors === undefined) made.push({ line, id: data?.id, etag: meta.etag });
      else refused.push({ line, reason: meta.errors.map(reasonOf).join(' ') });
    }
    return { made, refused };
  } catch (error) {
    if (!(error instanceof ForedgeError)) throw error;
    const refused = error.errors.flatMap((each) => {
      const [, at] = /^\/atomic:operations\/(\d+)/.exec(each.source?.pointer ?? '') ?? [];
      return at === undefined ? [] : [{ line: Number(at), reason: reasonOf(each) }];
    });
    if (refused.length === 0) throw error;
    return { made: [], refused };
  }
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
  const known = made.filter(({ id }) => id !== undefined);
  const stays = made.filter(({ id }) => id === undefined);
  for (let at = 0; at < known.length; at += AT_ONCE) {
    const some = known.slice(at, at + AT_ONCE);
    const operations = some.map(({ id, etag }) => ({
      op: 'remove',
      ref: { type, id },
      meta: { 'if-match': etag },
    }));
    const results = await perform(operations, { isEach: true });
    stays.push(...some.filter((_, index) => results[index]?.meta?.errors !== undefined));
    tell([...stays, ...known.slice(at + AT_ONCE)]);
  }
}
