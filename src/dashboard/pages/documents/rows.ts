/**
 * The documents of a table: page after page by cursor, never more than a page at a time. What was loaded stays, so
 * that scrolling back asks nothing.
 */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ForedgeError, type ErrorObject } from '../../../client/errors.ts';
import { pathOf } from '../../../client/paths.ts';
import type { Answer, Resource } from '../../../client/transport.ts';
import { documentsOf } from '../../parts/json.ts';
import { ask } from '../../session/service.ts';

/** Documents of a page; where they are so large that an answer cannot hold as many, of a smaller one. */
const SIZES = [100, 10, 1] as const;

/** Milliseconds between two looks of a table that follows changes. */
const EVERY = 3_000;

interface Loaded {
  readonly documents: readonly Resource[];
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
  documents: [],
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
  const shown = useRef(asked);

  useEffect(() => {
    const own = new AbortController();
    control.current.abort();
    control.current = own;
    // What was shown of the same list stays until the next page is there.
    const isSame = shown.current === asked;
    shown.current = asked;
    setLoaded((last) => (isSame ? { ...last, isLoading: true, error: undefined } : NOTHING));
    void take(
      own,
      () => firstPage(type, query, size, own.signal),
      (answer) => pageIn(answer),
    );
  }, [asked, turn]);

  /** Runs one request at a time; what is overtaken changes nothing. */
  const take = async (
    own: AbortController,
    load: () => Promise<Answer>,
    then: (answer: Answer, last: Loaded) => Loaded,
  ) => {
    busy.current = true;
    try {
      const answer = await load();
      if (!own.signal.aborted) setLoaded((last) => then(answer, last));
    } catch (error) {
      if (own.signal.aborted) return;
      const isUnchanged = error instanceof ForedgeError && error.status === 304;
      setLoaded((last) => ({ ...last, isLoading: false, ...(!isUnchanged && { error }) }));
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
        const { documents, next: following } = pageIn(answer);
        return { ...last, documents: joined(last.documents, documents), next: following, isLoading: false };
      },
    );
  }, [loaded, type, query]);

  const reload = useCallback(() => {
    setTurn((count) => count + 1);
  }, []);

  const latest = useRef(loaded);
  latest.current = loaded;
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
          documents.length > size.current ? { ...last, hasChanged: true, etag: answer.etag } : pageIn(answer),
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

function pageIn(answer: Answer): Loaded {
  const { body, etag } = answer;
  const next = body.links?.next;
  return {
    ...NOTHING,
    documents: documentsOf(answer),
    count: body.meta?.count,
    next: next === null || next === undefined ? null : new URL(next).searchParams.get('page[after]'),
    warnings: body.meta?.warnings ?? [],
    etag,
    isLoading: false,
  };
}

/** A document that has moved behind the cursor meanwhile comes again: it is shown once. */
function joined(before: readonly Resource[], after: readonly Resource[]): readonly Resource[] {
  const known = new Set(before.map(({ id }) => id));
  return [...before, ...after.filter(({ id }) => !known.has(id))];
}
