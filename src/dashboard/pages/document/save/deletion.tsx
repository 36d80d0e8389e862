/**
 * A deletion that is held back for some seconds: a deleted document cannot have its id, its rights and what links to it
 * again, so undo comes before. Whoever leaves the page means it: it is sent then.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../../parts/icons.tsx';
import { keep } from '../../../route.ts';

/** Milliseconds. */
const HELD_BACK = 10_000;

interface DeletionProps {
  readonly what: string;
  readonly onUndo: () => void;
  /** Sends it. A failure is shown by whoever is asked. */
  readonly onDelete: () => Promise<boolean>;
  /** Goes to where the document is not missed. */
  readonly onDone: () => void;
}

export function Deletion({ what, onUndo, onDelete, onDone }: DeletionProps) {
  const isSent = useRef(false);
  const send = async (onward: () => void) => {
    if (isSent.current) return;
    isSent.current = true;
    if (await onDelete()) onward();
  };
  const latest = useRef(send);
  latest.current = send;
  // Before it is seen: whoever leaves at once means it, too.
  useLayoutEffect(() => {
    const timer = setTimeout(() => {
      letGo();
      void latest.current(onDone);
    }, HELD_BACK);
    const letGo = keep((onward) => {
      letGo();
      void latest.current(onward);
    });
    const closing = () => {
      void latest.current(() => undefined);
    };
    addEventListener('pagehide', closing);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', closing);
      letGo();
    };
  }, []);
  return (
    <div class="notice bad" role="alert">
      <Icon name="trash" />
      <p class="deletion">
        <span>
          {what} is deleted in {HELD_BACK / 1_000} seconds, or when you leave this page.
        </span>
        <button class="button" type="button" onClick={onUndo}>
          Undo
        </button>
        <button
          class="button danger"
          type="button"
          onClick={() => {
            void send(onDone);
          }}
        >
          Delete now
        </button>
      </p>
    </div>
  );
}
