/** Asks before something is left that is not saved: by a click, by the way back, or by closing the tab. */
import { useLayoutEffect, useState } from 'preact/hooks';
import { keep } from '../route.ts';
import { Button } from './button.tsx';
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
    <Dialog
      title="Leave without saving?"
      onClose={stay}
      footer={
        <>
          <Button onClick={stay}>Stay</Button>
          <Button
            look="danger"
            onClick={() => {
              stay();
              onward();
            }}
          >
            Leave without saving
          </Button>
        </>
      }
    >
      <p>{what} has unsaved changes.</p>
    </Dialog>
  );
}
