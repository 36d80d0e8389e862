/** Keeping what was written: it is saved by a button or by Ctrl+S, or offered again after a reload. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button, notify } from '../../parts/button.tsx';
import { parsed, type Fault } from '../../parts/fields/json.ts';
import { useWindow } from '../../parts/window.ts';
import { Elapsed } from '../../parts/words.tsx';
import { application, DRAFTS, user } from '../../session/credentials.ts';
import type { Draft } from './draft.ts';
import type { Open, ReadDocument } from './stored.ts';

/** Ctrl+S or ⌘S saves, wherever the focus is. */
export function useSaveKey(save: () => void): void {
  useWindow('keydown', (event) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    save();
  });
}

const NAMED = 4;

export function SaveBar({ open, faults }: { readonly open: Open; readonly faults: readonly Fault[] }) {
  const { changed, checked, isHindered, isDirty, isNew, canSave, save } = open;
  const more = changed.length - NAMED;
  return (
    <div class="save-bar" role="region" aria-label="Saving">
      <p role="status" class="wrap">
        {changed.length === 0 ? (
          <span class="soft">{isDirty ? 'This is not valid JSON.' : 'No changes.'}</span>
        ) : (
          <>
            Changed: <strong>{changed.slice(0, NAMED).join(', ')}</strong>
            {more > 0 && ` and ${more} more`}
          </>
        )}{' '}
        {(faults.length > 0 || isHindered) && (
          <span class="bad">
            {faults.length === 1 ? '1 error.' : `${Math.max(faults.length, 1)} errors.`}
          </span>
        )}{' '}
        <span class="soft">{wordsOf(checked)}</span>
      </p>
      <Elapsed isBusy={open.isBusy} />
      {isDirty && <Button onClick={open.discard}>Discard</Button>}
      <Button look="primary" disabled={!canSave} aria-keyshortcuts="Control+S" title="Ctrl+S" onClick={save}>
        {isNew ? 'Create' : 'Save'}
      </Button>
    </div>
  );
}

function wordsOf({ schemas: { length: schemas } = [], isPartial }: Open['checked']) {
  if (isPartial) return 'Checked when you save.';
  if (schemas === 0) return '';
  return schemas === 1 ? 'Checked against its schema.' : `Checked against its ${schemas} schemas.`;
}

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
