/** A form that sends: it is busy meanwhile, and has why it was refused. */
import { useState } from 'preact/hooks';

export function useSubmit(send: () => Promise<void>) {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = (event?: Event) => {
    event?.preventDefault();
    setBusy(true);
    setError(undefined);
    send()
      .catch(setError)
      .finally(() => {
        setBusy(false);
      });
  };
  return { error, isBusy, submit };
}
