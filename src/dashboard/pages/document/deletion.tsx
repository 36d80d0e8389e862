/**
 * A deletion that is held back for some seconds: a deleted document cannot have its id, its rights and what links to it
 * again, so undo comes before. Whoever leaves the page means it: it is sent then.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Link } from '../../../client/transport.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icons.tsx';
import { go, keep, replaceWith, wayTo } from '../../route.ts';
import { remove } from '../../session/documents.ts';
import { tellOf } from './versions.ts';

/** Milliseconds. */
const HELD_BACK = 10_000;

interface DeletionProps {
  readonly what: string;
  readonly link: Link;
  readonly etag: string | undefined;
  /** Nothing is deleted: somebody has undone it, or it has failed. */
  readonly onUndo: (error?: unknown) => void;
  /** Where the document is not missed. */
  readonly steps: readonly string[];
}

export function Deletion({ what, link, etag, onUndo, steps }: DeletionProps) {
  const isSent = useRef(false);
  const send = async (onward: () => void) => {
    if (isSent.current) return;
    isSent.current = true;
    try {
      await remove(link, etag);
    } catch (cause) {
      onUndo(cause);
      return;
    }
    void tellOf(`${what} was deleted.`, link.type, [link.id], () => {
      go(wayTo(['documents', link.type, link.id]));
    });
    onward();
  };
  const done = () => {
    replaceWith(wayTo(steps));
  };
  const latest = useRef(send);
  latest.current = send;
  // Before it is seen: whoever leaves at once means it, too.
  useLayoutEffect(() => {
    const timer = setTimeout(() => {
      letGo();
      void latest.current(done);
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
      <p class="row">
        <span>
          {what} is deleted in {HELD_BACK / 1_000} seconds, or when you leave this page.
        </span>
        <Button
          onClick={() => {
            onUndo();
          }}
        >
          Undo
        </Button>
        <Button
          look="danger"
          onClick={() => {
            void send(done);
          }}
        >
          Delete now
        </Button>
      </p>
    </div>
  );
}
