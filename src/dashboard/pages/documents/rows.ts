/**
 * The documents of a table, and which of them are selected. They come page after page by cursor, never more than a page
 * at a time. What was loaded stays, so that scrolling back asks nothing.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ForedgeError } from '../../../client/errors.ts';
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import { fitting, list, type Listed } from '../../session/documents.ts';

/** Documents of a page, unless they are so large that an answer cannot hold as many. */
const SIZE = 100;

/** Milliseconds between two looks of a table that follows changes. */
const EVERY = 3_000;

interface Loaded extends Listed {
  /** The list that the documents are of: with another one, they are what was shown before. */
  readonly of: string;
  /** Those of the last page that came. */
  readonly fresh: readonly Resource[];
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Whether documents have changed of which more than a page is shown. */
  readonly hasChanged: boolean;
}

export type Rows = ReturnType<typeof useRows>;

const NOTHING: Loaded = {
  of: '',
  documents: [],
  fresh: [],
  count: undefined,
  next: null,
  warnings: [],
  etag: undefined,
  error: undefined,
  isLoading: true,
  hasChanged: false,
};

/** `query` has the parameters but those of pages. With `follows` it looks again every few seconds. */
export function useRows(type: string, query: string, follows: boolean) {
  const [loaded, setLoaded] = useState(NOTHING);
  const [turn, setTurn] = useState(0);
  const control = useRef(new AbortController());
  const size = useRef({ most: SIZE });
  const isBusy = useRef(false);
  const asked = `${type}?${query}`;
  const latest = useRef(loaded);
  latest.current = loaded;

  /** Asks for the page from a cursor on, one at a time; what is overtaken changes nothing. */
  const take = async (
    after: string,
    then: (page: Listed, last: Loaded) => Loaded,
    etag?: string,
    failed = (last: Loaded) => last,
  ) => {
    const own = control.current;
    isBusy.current = true;
    try {
      const page = await fitting(size.current, (count) => {
        const parameters = new URLSearchParams(query);
        parameters.append('page[after]', after);
        parameters.append('page[size]', String(count));
        // The first page has counted.
        if (after !== '') parameters.append('page[count]', 'false');
        return list(
          pathOf(type),
          parameters,
          own.signal,
          etag === undefined ? {} : { 'if-none-match': etag },
        );
      });
      if (!own.signal.aborted) setLoaded(then(page, latest.current));
    } catch (error) {
      if (own.signal.aborted) return;
      const isUnchanged = error instanceof ForedgeError && error.status === 304;
      setLoaded((last) => ({ ...(isUnchanged ? last : { ...failed(last), error }), isLoading: false }));
    } finally {
      if (control.current === own) isBusy.current = false;
    }
  };

  /** The first page stands in the place of what was shown. */
  const begun = (first: Listed): Loaded => ({
    ...NOTHING,
    ...first,
    of: asked,
    fresh: first.documents,
    isLoading: false,
  });

  useEffect(() => {
    control.current = new AbortController();
    // What was shown stays until the new page is there.
    setLoaded((last) => ({ ...last, isLoading: true, error: undefined, hasChanged: false }));
    // What was shown is not what was asked for.
    void take('', begun, undefined, (last) => ({ ...last, documents: [], count: undefined, next: null }));
    return () => {
      control.current.abort();
    };
  }, [asked, turn]);

  useEffect(() => {
    if (!follows) return undefined;
    const look = () => {
      const { etag, documents } = latest.current;
      if (document.hidden || isBusy.current || etag === undefined) return;
      const changed = (first: Listed, last: Loaded) =>
        documents.length > size.current.most ? { ...last, hasChanged: true, etag: first.etag } : begun(first);
      void take('', changed, etag);
    };
    const timer = setInterval(look, EVERY);
    return () => {
      clearInterval(timer);
    };
  }, [follows, asked]);

  return {
    ...loaded,
    loadMore: () => {
      const { next, error } = loaded;
      if (isBusy.current || next === null || error !== undefined) return;
      setLoaded((last) => ({ ...last, isLoading: true }));
      void take(next, (page, last) => {
        // A document that has moved behind the cursor meanwhile comes again: it is shown once.
        const known = new Set(last.documents.map(({ id }) => id));
        const fresh = page.documents.filter(({ id }) => !known.has(id));
        return {
          ...last,
          documents: [...last.documents, ...fresh],
          fresh,
          next: page.next,
          isLoading: false,
        };
      });
    },
    reload: () => {
      setTurn((count) => count + 1);
    },
  };
}

interface Chosen {
  readonly ids: ReadonlySet<string>;
  /** True when all that match are meant, loaded or not. */
  readonly isAll: boolean;
}

const NONE: Chosen = { ids: new Set(), isAll: false };

export type Selection = ReturnType<typeof useSelection>;

/** Which documents are selected: some by their ids, or all that match. It begins anew with another list. */
export function useSelection(of: string) {
  const [chosen, setChosen] = useState(NONE);
  useEffect(() => {
    setChosen(NONE);
  }, [of]);
  const has = (id: string) => chosen.isAll || chosen.ids.has(id);
  const hasAll = (documents: readonly Resource[]) =>
    documents.length > 0 && documents.every(({ id }) => has(id));
  return {
    ...chosen,
    has,
    hasAll,
    toggle: (id: string) => {
      setChosen(({ ids }) => {
        const next = new Set(ids);
        if (!next.delete(id)) next.add(id);
        return { ids: next, isAll: false };
      });
    },
    toggleAll: (documents: readonly Resource[]) => {
      setChosen(hasAll(documents) ? NONE : { ids: new Set(documents.map(({ id }) => id)), isAll: false });
    },
    selectAll: () => {
      setChosen({ ...chosen, isAll: true });
    },
    clear: () => {
      setChosen(NONE);
    },
  };
}
