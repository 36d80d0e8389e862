/** What a page loads: while it loads, what came, or why not. A load that is overtaken by another one is cut off. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Loaded<T> {
  /** What came last: it stays while the next load is under way. */
  readonly value: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Loads at once, again whenever one of `on` changes, and when `reload` is called. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, on: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({
    value: undefined,
    error: undefined,
    isLoading: true,
  });
  const [turn, setTurn] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const control = new AbortController();
    setState(({ value }) => ({ value, error: undefined, isLoading: true }));
    latest.current(control.signal).then(
      (value) => {
        if (!control.signal.aborted) setState({ value, error: undefined, isLoading: false });
      },
      (error: unknown) => {
        if (!control.signal.aborted) setState(({ value }) => ({ value, error, isLoading: false }));
      },
    );
    return () => control.abort();
  }, [...on, turn]);
  const reload = useCallback(() => setTurn((count) => count + 1), []);
  return { ...state, reload };
}
