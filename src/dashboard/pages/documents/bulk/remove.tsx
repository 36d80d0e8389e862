/** Asks before many documents are deleted: it says how many, and all that match need the name of their type as well. */
import { useState } from 'preact/hooks';
import { Confirm } from '../../../parts/dialog.tsx';
import { countText } from '../../../parts/numbers.ts';
import { documentsIn, useAmount, workOn, type Target } from './target.ts';

interface RemoveManyProps {
  readonly target: Target;
  readonly onClose: () => void;
  readonly onDone: (words: string) => void;
}

export function RemoveMany({ target, onClose, onDone }: RemoveManyProps) {
  const [done, setDone] = useState(0);
  const amount = useAmount(target);
  const words = documentsIn(amount);
  const remove = async () => {
    const count = await workOn(target, { does: 'remove' }, setDone);
    onDone(`${documentsIn(count)} deleted`);
  };
  return (
    <Confirm
      title={`Delete ${words}?`}
      action={`Delete ${words}`}
      {...(target.ids === null && { typed: target.type })}
      onClose={onClose}
      onConfirm={remove}
    >
      <p>
        {target.ids === null && 'These are all that match the filter now. '}
        They are gone for everybody. Links that point to them stay, and lead nowhere.
      </p>
      {done > 0 && (
        <p role="status">
          {countText(done)} of {countText(amount)} done
        </p>
      )}
    </Confirm>
  );
}
