/** How many existing documents a schema would refuse: all of them are read, page by page, and looked at here. */
import { pathOf } from '../../../../client/paths.ts';
import type { Resource } from '../../../../client/transport.ts';
import { draftOf } from '../../document/draft.ts';
import { shownToSchemas } from '../../document/check/shown.ts';
import type { Fault } from '../../document/values/faults.ts';
import { listOf } from '../../../session/answers.ts';
import { ask, BASE } from '../../../session/service.ts';
import type { Found, Looked } from './worker.ts';

/** How many documents a request brings. */
const SIZE = 500;
/** How many failing documents are shown. */
export const SHOWN = 100;
/** Milliseconds that one page may take to be looked at. */
const PATIENCE = 20_000;

export interface Failing {
  readonly document: Resource;
  readonly faults: readonly Fault[];
}

export interface Progress {
  /** How many documents there are, as far as known. */
  readonly total: number | undefined;
  readonly seen: number;
  readonly failing: number;
  /** The first of these. */
  readonly shown: readonly Failing[];
  readonly isDone: boolean;
}

const NOTHING_SEEN: Progress = { total: undefined, seen: 0, failing: 0, shown: [], isDone: false };

/** Looks at all documents of a type, and tells how far it is after each page. */
export async function countFailing(
  type: string,
  schema: unknown,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  const worker = new Worker(`${BASE}/assets/dashboard-counter.js`, { type: 'module' });
  try {
    let progress = NOTHING_SEEN;
    let after: string | undefined = '';
    while (after !== undefined) {
      const page = await readPage(type, after, progress.seen === 0, signal);
      const found = await looked(
        worker,
        { schema, shown: page.documents.map((each) => shownToSchemas(draftOf(each))) },
        signal,
      );
      const failing = page.documents.flatMap((document, index) => {
        const faults = found[index] ?? [];
        return faults.length === 0 ? [] : [{ document, faults }];
      });
      after = page.next;
      progress = {
        total: page.total ?? progress.total,
        seen: progress.seen + page.documents.length,
        failing: progress.failing + failing.length,
        shown: [...progress.shown, ...failing].slice(0, SHOWN),
        isDone: after === undefined,
      };
      onProgress(progress);
    }
  } finally {
    worker.terminate();
  }
}

async function readPage(type: string, after: string, isFirst: boolean, signal: AbortSignal) {
  const query = new URLSearchParams({ 'page[size]': String(SIZE), 'page[after]': after });
  if (!isFirst) query.set('page[count]', 'false');
  const { body } = await ask('GET', pathOf(type), { query: query.toString(), signal });
  const next = body.links?.next ?? null;
  return {
    documents: listOf(body),
    total: body.meta?.count,
    next: next === null ? undefined : (new URL(next).searchParams.get('page[after]') ?? undefined),
  };
}

function looked(worker: Worker, question: Looked, signal: AbortSignal): Promise<Exclude<Found, null>> {
  return new Promise((resolve, reject) => {
    const control = new AbortController();
    const settle = (settling: () => void) => {
      control.abort();
      settling();
    };
    const timer = setTimeout(() => {
      settle(() => {
        reject(
          new Error(
            'The schema takes too long here: a pattern of it may be slow. The service bounds its own work.',
          ),
        );
      });
    }, PATIENCE);
    control.signal.addEventListener('abort', () => {
      clearTimeout(timer);
    });
    signal.addEventListener(
      'abort',
      () => {
        settle(() => {
          reject(new DOMException('It was stopped.', 'AbortError'));
        });
      },
      { signal: control.signal },
    );
    worker.addEventListener(
      'message',
      ({ data }: MessageEvent<Found>) => {
        settle(() => {
          if (data === null)
            reject(new Error('This browser cannot read the schema. Save it to hear what the service says.'));
          else resolve(data);
        });
      },
      { signal: control.signal },
    );
    worker.postMessage(question);
  });
}
