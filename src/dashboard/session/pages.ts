/**
 * A list that is shown page by page: what has come so far, and a way to more. Pages come by cursor, one at a time. What was
 * loaded stays, so that scrolling back asks nothing.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ForedgeError } from '../../client/errors.ts';
import type { Resource } from '../../client/transport.ts';
import { fitting, list, type Listed, type Query } from './documents.ts';
import { useLoad } from './load.ts';

/** Milliseconds between two looks of a list that follows changes. */
const EVERY = 3_000;

/** Where a page begins: behind a cursor, or behind so many documents. */
type Start = string | number;

interface Shown extends Omit<Listed, 'next'> {
  readonly next: Start | null;
  /** The list that the documents are of: with another one, they are what was shown before. */
  readonly of: string;
  /** Those of the last page that came. */
  readonly fresh: readonly Resource[];
  /** How many documents of the list stand before them. */
  readonly from: number;
}

const NOTHING: Shown = {
  of: '',
  from: 0,
  documents: [],
  fresh: [],
  count: undefined,
  next: null,
  warnings: [],
  etag: undefined,
};

const BEGINNING = { after: '' as Start, isFirst: true };

interface PagesOptions {
  /** Documents of a page, unless they are so large that an answer cannot hold as many. */
  readonly size?: number;
  /** Looks again every few seconds. */
  readonly follows?: boolean;
  /** Another value lists anew. */
  readonly turn?: unknown;
}

export type Pages = ReturnType<typeof usePages>;

/** `query` has the parameters but those of pages. */
export function usePages(path: string, query: Query, options: PagesOptions = {}) {
  const { size: most = 50, follows = false, turn } = options;
  const of = `${path}?${new URLSearchParams(query).toString()} ${String(turn)}`;
  const size = useRef({ most });
  const [shown, setShown] = useState<Shown>(NOTHING);
  const [cursor, setCursor] = useState({ of, ...BEGINNING });
  const [hasChanged, setChanged] = useState(false);
  // A cursor is one of its own list, and of its last showing.
  const { after, isFirst } = cursor.of === of ? cursor : BEGINNING;
  useEffect(() => setCursor({ of, ...BEGINNING }), [of]);
  const read = (start: Start, isCounted: boolean, signal: AbortSignal, etag?: string) =>
    fitting(size.current, (count) => {
      const parameters = new URLSearchParams(query);
      const isPlace = typeof start === 'number';
      parameters.append(isPlace ? 'page[offset]' : 'page[after]', String(start));
      parameters.append(isPlace ? 'page[limit]' : 'page[size]', String(count));
      if (!isCounted) parameters.append('page[count]', 'false');
      return list(path, parameters, signal, etag === undefined ? {} : { 'if-none-match': etag });
    });
  // What was shown stays until the new page is there.
  const loaded = useLoad(
    async (signal) => {
      if (isFirst) setChanged(false);
      // The first page counts.
      const page = await read(after, isFirst, signal);
      setShown((last) => {
        const from = typeof after === 'number' ? after : 0;
        const end = from + page.documents.length;
        // Only pages by cursor name the next one.
        const isMore = from > 0 && end < (page.count ?? last.count ?? 0);
        const next = isMore ? end : page.next;
        if (isFirst) return { ...page, of, from, next, fresh: page.documents };
        // A document that has moved behind the cursor meanwhile comes again: it is shown once.
        const known = new Set(last.documents.map(({ id }) => id));
        const fresh = page.documents.filter(({ id }) => !known.has(id));
        return { ...last, documents: [...last.documents, ...fresh], fresh, next };
      });
      return page;
    },
    [of, after],
  );
  const { error, isLoading } = loaded;
  const isFailed = error !== undefined && isFirst;
  const pages = {
    // What was shown is not what was asked for.
    ...(isFailed ? NOTHING : shown),
    ...loaded,
    value: isFailed ? undefined : loaded.value,
    /** Whether documents have changed of which more than a page is shown. */
    hasChanged,
    more:
      shown.next === null
        ? null
        : () => {
            if (!isLoading && error === undefined && shown.next !== null)
              setCursor({ of, after: shown.next, isFirst: false });
          },
    /** Shows the list from a place on. */
    begin: (at: number) => setCursor({ of, after: at === 0 ? '' : at, isFirst: true }),
    /** Shows a document as it has become. */
    replace: (changed: Resource) =>
      setShown((last) => ({
        ...last,
        documents: last.documents.map((each) => (each.id === changed.id ? changed : each)),
      })),
    reload: () => {
      setCursor({ of, ...BEGINNING });
      loaded.reload();
    },
  };
  const latest = useRef(pages);
  latest.current = pages;
  useEffect(() => {
    if (!follows) return undefined;
    const control = new AbortController();
    const look = async () => {
      const { etag, documents, ...now } = latest.current;
      if (document.hidden || now.isLoading || now.hasChanged || etag === undefined) return;
      const isUnchanged = await read(now.from || '', true, control.signal, etag).then(
        () => false,
        (cause: unknown) => cause instanceof ForedgeError && cause.status === 304,
      );
      if (isUnchanged || control.signal.aborted) return;
      if (documents.length > size.current.most) setChanged(true);
      else latest.current.reload();
    };
    const timer = setInterval(() => void look(), EVERY);
    return () => {
      control.abort();
      clearInterval(timer);
    };
  }, [follows, of]);
  return pages;
}
