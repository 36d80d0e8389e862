/** Asks before something is left that is not saved: by a click, by the way back, or by closing the tab. */
import { useLayoutEffect, useState } from 'preact/hooks';
import { keep } from '../route.ts';
import { FormDialog } from './fields/dialog.tsx';

export function Unsaved({ isDirty, what }: { readonly isDirty: boolean; readonly what: string }) {
  const [onward, setOnward] = useState<() => void>();
  // At once, and not after the next frame: what was just saved or discarded does not ask.
  useLayoutEffect(() => {
    if (!isDirty) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    const letGo = keep((next) => setOnward(() => next));
    return () => {
      removeEventListener('beforeunload', ask);
      letGo();
    };
  }, [isDirty]);
  if (onward === undefined) return null;
  return (
    <FormDialog
      title="Leave without saving?"
      action="Leave without saving"
      cancel="Stay"
      isDanger
      onClose={() => setOnward(undefined)}
      onSubmit={() => {
        onward();
        return Promise.resolve();
      }}
    >
      <p>{what} has unsaved changes.</p>
    </FormDialog>
  );
}
