/** Asks before something is left that is not saved: by a click, by the way back, or by closing the tab. */
import { useLayoutEffect, useState } from 'preact/hooks';
import { keep } from '../route.ts';
import { useWindow } from './window.ts';
import { FormDialog } from './fields/dialog.tsx';

export function Unsaved({ isDirty, what }: { readonly isDirty: boolean; readonly what: string }) {
  const [onward, setOnward] = useState<() => void>();
  useWindow('beforeunload', (event) => {
    if (isDirty) event.preventDefault();
  });
  // At once, and not after the next frame: what was just saved or discarded does not ask.
  useLayoutEffect(() => (isDirty ? keep((next) => setOnward(() => next)) : undefined), [isDirty]);
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
