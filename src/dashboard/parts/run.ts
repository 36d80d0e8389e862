/** Something that is done on a click or by a form: it is busy meanwhile, and has why it was refused. */
import { useEffect, useRef, useState } from 'preact/hooks';

export function useRun<Arguments extends readonly unknown[]>(work: (...given: Arguments) => Promise<void>) {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const run = (...given: Arguments) => {
    setBusy(true);
    setError(undefined);
    work(...given)
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return { error, isBusy, run, setError };
}

export function useSubmit(send: () => Promise<void>) {
  const { run, ...state } = useRun(send);
  const submit = (event?: Event) => {
    event?.preventDefault();
    run();
  };
  return { ...state, submit };
}

/** The same for what takes a while: it tells how far it is, and can be stopped. It stops when its page is left. */
export function useWork<Progress>(
  work: (report: (progress: Progress | undefined) => void, signal: AbortSignal) => Promise<void>,
) {
  const [progress, setProgress] = useState<Progress>();
  const control = useRef(new AbortController());
  const stop = () => control.current.abort();
  useEffect(() => stop, []);
  const { error, isBusy, run } = useRun(async () => {
    const own = new AbortController();
    control.current = own;
    setProgress(undefined);
    await work(setProgress, own.signal).catch((cause: unknown) => {
      throw own.signal.aborted ? new Error('It was stopped.') : cause;
    });
  });
  return { progress, error, isBusy, run, stop };
}
