/** What has changed of an open document, whether it can be saved, and saving it: by a button or by Ctrl+S. */
import { Button } from '../../parts/button.tsx';
import type { Fault } from '../../parts/fields/json.ts';
import { useWindow } from '../../parts/window.ts';
import { Elapsed } from '../../parts/words.tsx';
import type { Open } from './stored.ts';

/** Ctrl+S or ⌘S saves, wherever the focus is. */
export function useSaveKey(save: () => void): void {
  useWindow('keydown', (event) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    save();
  });
}

const NAMED = 4;

interface SaveBarProps {
  readonly open: Open;
  readonly faults: readonly Fault[];
  readonly isNew: boolean;
  readonly canSave: boolean;
  readonly onSave: () => void;
}

export function SaveBar({ open, faults, isNew, canSave, onSave }: SaveBarProps) {
  const { changed, checked, isHindered, isDirty } = open;
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
      <Button
        look="primary"
        disabled={!canSave}
        aria-keyshortcuts="Control+S"
        title="Ctrl+S"
        onClick={onSave}
      >
        {isNew ? 'Create' : 'Save'}
      </Button>
    </div>
  );
}

function wordsOf({ schemas: { length: schemas } = [], isPartial }: SaveBarProps['open']['checked']) {
  if (isPartial) return 'Checked when you save.';
  if (schemas === 0) return '';
  return schemas === 1 ? 'Checked against its schema.' : `Checked against its ${schemas} schemas.`;
}
