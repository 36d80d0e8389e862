/** One field of many documents gets one value, or goes. */
import { useId, useState } from 'preact/hooks';
import { Dialog } from '../../../parts/dialog.tsx';
import { TextField } from '../../../parts/field.tsx';
import { countText } from '../../../parts/numbers.ts';
import { Problems } from '../../../parts/problems.tsx';
import type { Fields } from '../fields/fields.ts';
import { textOfValue } from '../filter/condition.ts';
import { documentsIn, useAmount, workOn, type Target } from './target.ts';

interface ChangeManyProps {
  readonly target: Target;
  readonly fields: Fields;
  readonly onClose: () => void;
  readonly onDone: (words: string) => void;
}

export function ChangeMany({ target, fields, onClose, onDone }: ChangeManyProps) {
  const [field, setField] = useState('');
  const [value, setValue] = useState('');
  const [goes, setGoes] = useState(false);
  const [done, setDone] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const names = useId();
  const amount = useAmount(target);
  const kind = fields.get(field)?.kind ?? 'null';
  const json = textOfValue(value.trim(), kind);
  const change = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const work = goes ? ({ does: 'unset', field } as const) : ({ does: 'set', field, json } as const);
      const count = await workOn(target, work, setDone);
      onClose();
      onDone(`${documentsIn(count)} changed`);
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };
  return (
    <Dialog title={`Change ${documentsIn(amount)}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void change();
        }}
      >
        <div class="dialog-body">
          <TextField label="Field" required value={field} onText={setField} list={names} autofocus />
          <datalist id={names}>
            {[...fields.values()]
              .filter((each) => each.kind !== 'link')
              .map((each) => (
                <option key={each.name} value={each.name} />
              ))}
          </datalist>
          <label class="check">
            <input
              type="checkbox"
              checked={goes}
              onChange={({ currentTarget }) => {
                setGoes(currentTarget.checked);
              }}
            />
            Remove the field
          </label>
          {!goes && (
            <TextField
              label="New value"
              value={value}
              onText={setValue}
              hint={
                <>
                  It is stored as <code>{json}</code>. JSON stays what it is; other text is a string.
                </>
              }
            />
          )}
          {done > 0 && (
            <p role="status">
              {countText(done)} of {countText(amount)} done
            </p>
          )}
          <Problems error={error} />
        </div>
        <footer>
          <button class="button" type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="button primary" type="submit" disabled={isBusy || field === ''}>
            Change {documentsIn(amount)}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
