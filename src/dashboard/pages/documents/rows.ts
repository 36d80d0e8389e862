/**
 * The documents of a table: page after page by cursor, never more than a page at a time. What was loaded stays, so
 * that scrolling back asks nothing.
 */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
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

export interface Rows extends Loaded {
  readonly loadMore: () => void;
  readonly reload: () => void;
}

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
export function useRows(type: string, query: string, follows: boolean): Rows {
  const [loaded, setLoaded] = useState(NOTHING);
  const [turn, setTurn] = useState(0);
  const control = useRef(new AbortController());
  const size = useRef({ most: SIZE });
  const busy = useRef(false);
  const asked = `${type}?${query}`;
  const latest = useRef(loaded);
  latest.current = loaded;
  /** The ids that are loaded. */
  const known = useRef(new Set<string>());

  useEffect(() => {
    const own = new AbortController();
    control.current = own;
    // What was shown stays until the new page is there.
    setLoaded((last) => ({ ...last, isLoading: true, error: undefined, hasChanged: false }));
    void take(
      own,
      () => readPage('', own),
      begun,
      // What was shown is not what was asked for.
      (last) => ({ ...last, documents: [], count: undefined, next: null }),
    );
    return () => {
      own.abort();
    };
  }, [asked, turn]);

  /** A page of the list, from a cursor on. */
  const readPage = (
    after: string,
    { signal }: AbortController,
    more: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) =>
    fitting(size.current, (count) => {
      const parameters = new URLSearchParams(query);
      const added = { ...more, 'page[after]': after, 'page[size]': String(count) };
      for (const [name, text] of Object.entries(added)) parameters.append(name, text);
      return list(pathOf(type), parameters, signal, headers);
    });

  /** The first page of the list: it stands in the place of what was shown. */
  const begun = (first: Listed): Loaded => {
    known.current = new Set(first.documents.map(({ id }) => id));
    return { ...NOTHING, ...first, of: asked, fresh: first.documents, isLoading: false };
  };

  /** Runs one request at a time; what is overtaken changes nothing. */
  const take = async (
    own: AbortController,
    load: () => Promise<Listed>,
    then: (page: Listed, last: Loaded) => Loaded,
    failed = (last: Loaded) => last,
  ) => {
    busy.current = true;
    try {
      const page = await load();
      if (!own.signal.aborted) setLoaded(then(page, latest.current));
    } catch (error) {
      if (own.signal.aborted) return;
      const isUnchanged = error instanceof ForedgeError && error.status === 304;
      setLoaded((last) => ({
        ...(isUnchanged ? last : { ...failed(last), error }),
        isLoading: false,
      }));
    } finally {
      if (control.current === own) busy.current = false;
    }
  };

  const loadMore = useCallback(() => {
    const { next, error } = loaded;
    if (busy.current || next === null || error !== undefined) return;
    setLoaded((last) => ({ ...last, isLoading: true }));
    void take(
      control.current,
      // The first page has counted.
      () => readPage(next, control.current, { 'page[count]': 'false' }),
      ({ documents, next: following }, last) => {
        // A document that has moved behind the cursor meanwhile comes again: it is shown once.
        const fresh = documents.filter(({ id }) => !known.current.has(id));
        for (const { id } of fresh) known.current.add(id);
        return {
          ...last,
          documents: [...last.documents, ...fresh],
          fresh,
          next: following,
          isLoading: false,
        };
      },
    );
  }, [loaded, type, query]);

  const reload = useCallback(() => {
    setTurn((count) => count + 1);
  }, []);

  useEffect(() => {
    if (!follows) return undefined;
    const look = () => {
      const { etag, documents } = latest.current;
      if (document.hidden || busy.current || etag === undefined) return;
      const own = control.current;
      void take(
        own,
        () => readPage('', own, {}, { 'if-none-match': etag }),
        (first, last) =>
          documents.length > size.current.most
            ? { ...last, hasChanged: true, etag: first.etag }
            : begun(first),
      );
    };
    const timer = setInterval(look, EVERY);
    return () => {
      clearInterval(timer);
    };
  }, [follows, asked]);

  return { ...loaded, loadMore, reload };
}
