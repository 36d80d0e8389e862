/**
 * The documents of a table, and which of them are selected. They come page after page by cursor, never more than a page
 * at a time. What was loaded stays, so that scrolling back asks nothing.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ForedgeError } from '../../../client/errors.ts';
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import { fitting, list, type Listed } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';

/** Documents of a page, unless they are so large that an answer cannot hold as many. */
const SIZE = 100;

/** Milliseconds between two looks of a table that follows changes. */
const EVERY = 3_000;

interface Shown extends Omit<Listed, 'next'> {
  readonly next: Start | null;
  /** The list that the documents are of: with another one, they are what was shown before. */
  readonly of: string;
  /** Those of the last page that came. */
  readonly fresh: readonly Resource[];
  /** How many documents of the list stand before them. */
  readonly from: number;
}

/** Where a page begins: behind a cursor, or behind so many documents. */
type Start = string | number;

const BEGINNING = { after: '' as Start, isFirst: true };

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

export type Rows = ReturnType<typeof useRows>;

/** `query` has the parameters but those of pages. With `follows` it looks again every few seconds. */
export function useRows(type: string, query: string, follows: boolean) {
  const of = `${type}?${query}`;
  const size = useRef({ most: SIZE });
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
      return list(pathOf(type), parameters, signal, etag === undefined ? {} : { 'if-none-match': etag });
    });
  // What was shown stays until the new page is there.
  const { error, isLoading, reload } = useLoad(
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
    },
    [of, after],
  );
  const isFailed = error !== undefined && isFirst;
  const rows = {
    // What was shown is not what was asked for.
    ...(isFailed ? NOTHING : shown),
    error,
    isLoading,
    /** Whether documents have changed of which more than a page is shown. */
    hasChanged,
    loadMore: () => {
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
      reload();
    },
  };
  const latest = useRef(rows);
  latest.current = rows;
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
  return rows;
}

/** With `isAll` all that match are meant, loaded or not. */
const NONE: { readonly ids: ReadonlySet<string>; readonly isAll: boolean } = { ids: new Set(), isAll: false };

export type Selection = ReturnType<typeof useSelection>;

/** Which documents are selected: some by their ids, or all that match. It begins anew with another list. */
export function useSelection(of: string) {
  const [chosen, setChosen] = useState(NONE);
  useEffect(() => setChosen(NONE), [of]);
  const has = (id: string) => chosen.isAll || chosen.ids.has(id);
  const hasAll = (documents: readonly Resource[]) =>
    documents.length > 0 && documents.every(({ id }) => has(id));
  return {
    ...chosen,
    has,
    hasAll,
    toggle: (id: string) =>
      setChosen(({ ids }) => {
        const next = new Set(ids);
        if (!next.delete(id)) next.add(id);
        return { ids: next, isAll: false };
      }),
    toggleAll: (documents: readonly Resource[]) =>
      setChosen(hasAll(documents) ? NONE : { ids: new Set(documents.map(({ id }) => id)), isAll: false }),
    selectAll: () => setChosen({ ...chosen, isAll: true }),
    clear: () => setChosen(NONE),
  };
}
