/**
 * The documents of a table: page after page by cursor, never more than a page at a time. What was loaded stays, so
 * that scrolling back asks nothing.
 */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ForedgeError, type ErrorObject } from '../../../client/errors.ts';
import { pathOf } from '../../../client/paths.ts';
import type { Answer, Resource } from '../../../client/transport.ts';
import { ask } from '../../session/service.ts';
import { listOf } from '../../session/answers.ts';

/** Documents of a page; where they are so large that an answer cannot hold as many, of a smaller one. */
const SIZES = [100, 10, 1] as const;

/** Milliseconds between two looks of a table that follows changes. */
const EVERY = 3_000;

interface Loaded {
  /** The list that the documents are of: with another one, they are what was shown before. */
  readonly of: string;
  readonly documents: readonly Resource[];
  /** Those of the last page that came. */
  readonly fresh: readonly Resource[];
  /** How many match; undefined until the first page is there. */
  readonly count: number | undefined;
  readonly next: string | null;
  readonly warnings: readonly ErrorObject[];
  /** Of the first page. */
  readonly etag: string | undefined;
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
  const size = useRef<number>(SIZES[0]);
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
      () => firstPage(type, query, size, own.signal),
      begun,
      // What was shown is not what was asked for.
      (last) => ({ ...last, documents: [], count: undefined, next: null }),
    );
    return () => {
      own.abort();
    };
  }, [asked, turn]);

  /** The first page of the list: it stands in the place of what was shown. */
  const begun = (answer: Answer): Loaded => {
    const first = pageIn(answer, asked);
    known.current = new Set(first.documents.map(({ id }) => id));
    return first;
  };

  /** Runs one request at a time; what is overtaken changes nothing. */
  const take = async (
    own: AbortController,
    load: () => Promise<Answer>,
    then: (answer: Answer, last: Loaded) => Loaded,
    failed = (last: Loaded) => last,
  ) => {
    busy.current = true;
    try {
      const answer = await load();
      if (!own.signal.aborted) setLoaded(then(answer, latest.current));
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
    const after = new URLSearchParams(query);
    after.append('page[after]', next);
    // The first page has counted.
    after.append('page[count]', 'false');
    void take(
      control.current,
      () => page(type, after, size, control.current.signal),
      (answer, last) => {
        const { documents, next: following } = pageIn(answer, asked);
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
        () => firstPage(type, query, size, own.signal, etag),
        (answer, last) =>
          documents.length > size.current ? { ...last, hasChanged: true, etag: answer.etag } : begun(answer),
      );
    };
    const timer = setInterval(look, EVERY);
    return () => {
      clearInterval(timer);
    };
  }, [follows, asked]);

  return { ...loaded, loadMore, reload };
}

type Size = { current: number };

function firstPage(
  type: string,
  query: string,
  size: Size,
  signal: AbortSignal,
  etag?: string,
): Promise<Answer> {
  const parameters = new URLSearchParams(query);
  parameters.append('page[after]', '');
  return page(type, parameters, size, signal, etag);
}

/** A page, of fewer documents where so many are too large for one answer. */
async function page(
  type: string,
  parameters: URLSearchParams,
  size: Size,
  signal: AbortSignal,
  etag?: string,
): Promise<Answer> {
  for (;;) {
    parameters.set('page[size]', String(size.current));
    try {
      return await ask('GET', pathOf(type), {
        query: parameters.toString(),
        signal,
        ...(etag !== undefined && { headers: { 'if-none-match': etag } }),
      });
    } catch (error) {
      const smaller = SIZES.find((each) => each < size.current);
      if (!(error instanceof ForedgeError) || error.code !== 'answer-too-large' || smaller === undefined) {
        throw error;
      }
      size.current = smaller;
    }
  }
}

function pageIn(answer: Answer, of: string): Loaded {
  const { body, etag } = answer;
  const next = body.links?.next;
  const documents = listOf(answer.body);
  return {
    ...NOTHING,
    of,
    documents,
    fresh: documents,
    count: body.meta?.count,
    next: next === null || next === undefined ? null : new URL(next).searchParams.get('page[after]'),
    warnings: body.meta?.warnings ?? [],
    etag,
    isLoading: false,
  };
}
