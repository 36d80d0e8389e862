/**
 * A list that is shown page by page: what has come so far, and a way to more. Pages come by cursor, one at a time; by
 * offset, where the list begins at a later document. What was loaded stays, so that scrolling back asks nothing.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Resource } from '../../client/transport.ts';
import { fitting, list, statusOf, useLoad, type Listed, type Query } from './service.ts';

/** Milliseconds between two looks of a list that follows changes. */
const EVERY = 3_000;

interface Shown extends Listed {
  /** The list that the documents are of: with another one, they are what was shown before. */
  readonly of: string;
  /** Those of the last page that came. */
  readonly fresh: readonly Resource[];
}

const NOTHING: Shown = {
  of: '',
  documents: [],
  fresh: [],
  count: undefined,
  next: null,
  warnings: [],
  etag: undefined,
};

interface PagesOptions {
  /** Documents of a page, unless they are so large that an answer cannot hold as many. */
  readonly size?: number;
  /** How many documents stand before the first one that is shown. */
  readonly from?: number;
  /** Looks again every few seconds. */
  readonly follows?: boolean;
  /** Another value lists anew. */
  readonly turn?: unknown;
}

export type Pages = ReturnType<typeof usePages>;

/** `query` has the parameters but those of pages. */
export function usePages(path: string, query: Query, options: PagesOptions = {}) {
  const { size: most = 50, from = 0, follows = false, turn } = options;
  const of = `${path}?${new URLSearchParams(query).toString()} ${from} ${String(turn)}`;
  const size = useRef({ most });
  const [shown, setShown] = useState<Shown>(NOTHING);
  const [cursor, setCursor] = useState({ of, after: '' });
  const [hasChanged, setChanged] = useState(false);
  // A cursor is one of its own list, and of its last showing.
  const after = cursor.of === of ? cursor.after : '';
  const isFirst = after === '';
  useEffect(() => setCursor({ of, after: '' }), [of]);
  const read = (after: string, isCounted: boolean, signal: AbortSignal, etag?: string) =>
    fitting(size.current, (count) => {
      const parameters = new URLSearchParams(query);
      parameters.append(
        from === 0 ? 'page[after]' : 'page[offset]',
        after === '' && from > 0 ? String(from) : after,
      );
      parameters.append(from === 0 ? 'page[size]' : 'page[limit]', String(count));
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
        if (isFirst) return { ...page, of, fresh: page.documents };
        // A document that has moved behind the cursor meanwhile comes again: it is shown once.
        const known = new Set(last.documents.map(({ id }) => id));
        const fresh = page.documents.filter(({ id }) => !known.has(id));
        return { ...last, documents: [...last.documents, ...fresh], fresh, next: page.next };
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
    value: isFailed ? undefined : loaded.value && shown.documents,
    /** Whether documents have changed of which more than a page is shown. */
    hasChanged,
    more:
      shown.next === null
        ? null
        : () => {
            if (!isLoading && error === undefined && shown.next !== null)
              setCursor({ of, after: shown.next });
          },
    /** Shows a document as it has become. */
    replace: (changed: Resource) =>
      setShown((last) => ({
        ...last,
        documents: last.documents.map((each) => (each.id === changed.id ? changed : each)),
      })),
    reload: () => {
      setCursor({ of, after: '' });
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
      const isUnchanged = await read('', true, control.signal, etag).then(
        () => false,
        (cause: unknown) => statusOf(cause) === 304,
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
