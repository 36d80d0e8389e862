/** The bar at the end of a document: what has changed, whether it can be saved, and saving it. */
import type { useDraft } from '../use-draft.ts';

interface SaveBarProps {
  readonly open: ReturnType<typeof useDraft>;
  readonly isNew: boolean;
  readonly canSave: boolean;
  readonly onSave: () => void;
}

/** How many changed fields are named. */
const NAMED = 4;

export function SaveBar({ open, isNew, canSave, onSave }: SaveBarProps) {
  const { changed, checked, faults, hindrances, isDirty } = open;
  const more = changed.length - NAMED;
  return (
    <div class="save-bar" role="region" aria-label="Saving">
      <p role="status">
        {changed.length === 0 ? (
          <span class="soft">{isDirty ? 'The JSON cannot be read yet.' : 'Nothing has changed.'}</span>
        ) : (
          <>
            Changed: <strong>{changed.slice(0, NAMED).join(', ')}</strong>
            {more > 0 && ` and ${more} more`}
          </>
        )}{' '}
        {faults.length + hindrances.length > 0 && (
          <span class="bad">
            {faults.length === 1 ? 'One thing is wrong.' : `${Math.max(faults.length, 1)} things are wrong.`}
          </span>
        )}{' '}
        <span class="soft">{wordsOf(checked)}</span>
      </p>
      {isDirty && (
        <button class="button" type="button" onClick={open.discard}>
          Discard
        </button>
      )}
      <button
        class="button primary"
        type="button"
        disabled={!canSave}
        aria-keyshortcuts="Control+S"
        title="Ctrl+S"
        onClick={onSave}
      >
        {isNew ? 'Make it' : 'Save'}
      </button>
    </div>
  );
}

function wordsOf({ schemas, isTooSlow }: SaveBarProps['open']['checked']): string {
  if (isTooSlow) return 'Its schemas take too long to check here: the service checks when you save.';
  if (schemas === undefined || schemas === 0) return '';
  return schemas === 1 ? 'Checked against its schema.' : `Checked against its ${schemas} schemas.`;
}
