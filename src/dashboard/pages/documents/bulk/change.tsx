/** One field of many documents gets one value, or goes. */
import { useId, useState } from 'preact/hooks';
import { FormDialog } from '../../../parts/dialog.tsx';
import { TextField } from '../../../parts/field.tsx';
import { countText } from '../../../parts/numbers.ts';
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
  const names = useId();
  const amount = useAmount(target);
  const kind = fields.get(field)?.kind ?? 'null';
  const json = textOfValue(value.trim(), kind);
  const change = async () => {
    const work = goes ? ({ does: 'unset', field } as const) : ({ does: 'set', field, json } as const);
    const count = await workOn(target, work, setDone);
    onClose();
    onDone(`${documentsIn(count)} changed`);
  };
  return (
    <FormDialog
      title={`Change ${documentsIn(amount)}`}
      action={`Change ${documentsIn(amount)}`}
      isReady={field !== ''}
      onClose={onClose}
      onSubmit={change}
    >
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
    </FormDialog>
  );
}
