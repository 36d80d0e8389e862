/** A draft that outlives a reload of its tab: it is offered again, until it is taken, saved or left. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { parsed } from '../../parts/fields/json.ts';
import { notify } from '../../parts/toasts.tsx';
import { application, DRAFTS, user } from '../../session/credentials.ts';
import type { Draft } from './draft.ts';
import type { ReadDocument } from './stored.ts';

interface StoredDraft {
  /** What was read before it was written: others may have changed it since. */
  readonly base: ReadDocument;
  readonly draft: Draft;
}

/** Undefined while nothing was changed; null while what was cannot be kept: then what was before is. */
export function useStoredDraft(type: string, id: string, now: StoredDraft | undefined | null) {
  const key = [DRAFTS, application.value?.id, user.value?.id, type, id].join('/');
  // What this page itself has stored: nobody else writes there.
  const [offered, setOffered] = useState(
    () => parsed(sessionStorage.getItem(key) ?? '') as StoredDraft | undefined,
  );
  const isStored = useRef(false);
  const forget = () => sessionStorage.removeItem(key);
  const recall = (stored: StoredDraft) => {
    sessionStorage.setItem(key, JSON.stringify(stored));
    setOffered(stored);
  };
  // Before it is seen: whoever reloads at once has it, too.
  useLayoutEffect(() => {
    if (now === undefined && isStored.current) forget();
    if (now !== null) isStored.current = now !== undefined;
    try {
      if (now) sessionStorage.setItem(key, JSON.stringify(now));
    } catch {
      // It is too large to be kept: it is lost by a reload, before which the browser asks.
      forget();
    }
  }, [now === null, now?.base, now?.draft]);
  // Whoever leaves it has been asked.
  useLayoutEffect(
    () => () => {
      if (isStored.current) forget();
    },
    [],
  );
  return { offered, answer: () => setOffered(undefined), forget, recall };
}

interface OfferedProps {
  readonly stored: ReturnType<typeof useStoredDraft>;
  readonly onTake: (stored: StoredDraft) => void;
}

export function Offered({ stored: { offered, answer, forget, recall }, onTake }: OfferedProps) {
  if (offered === undefined) return null;
  const take = () => {
    answer();
    onTake(offered);
  };
  const drop = () => {
    answer();
    forget();
    notify('The changes are forgotten.', () => recall(offered));
  };
  return (
    <p class="notice row" role="status">
      Changes that you did not save are still here. <Button onClick={take}>Restore them</Button>
      <Button onClick={drop}>Forget them</Button>
    </p>
  );
}
