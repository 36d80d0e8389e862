/** Asks before something is left that is not saved: by a click, by the way back, or by closing the tab. */
import { useLayoutEffect, useState } from 'preact/hooks';
import { keep } from '../route.ts';
import { Dialog } from './dialog.tsx';

export function Unsaved({ isDirty, what }: { readonly isDirty: boolean; readonly what: string }) {
  const [onward, setOnward] = useState<() => void>();
  // At once, and not after the next frame: what was just saved or discarded does not ask.
  useLayoutEffect(() => {
    if (!isDirty) return undefined;
    const ask = (event: BeforeUnloadEvent) => {
      event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    const letGo = keep((next) => {
      setOnward(() => next);
    });
    return () => {
      removeEventListener('beforeunload', ask);
      letGo();
    };
  }, [isDirty]);
  if (onward === undefined) return null;
  const stay = () => {
    setOnward(undefined);
  };
  return (
    <Dialog title="Leave without saving?" onClose={stay}>
      <div class="dialog-body">
        <p>{what} has changes that are not saved. They are lost if you leave.</p>
      </div>
      <footer>
        <button class="button" type="button" onClick={stay}>
          Stay
        </button>
        <button
          class="button danger"
          type="button"
          onClick={() => {
            stay();
            onward();
          }}
        >
          Leave without saving
        </button>
      </footer>
    </Dialog>
  );
}
