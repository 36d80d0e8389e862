/** Adds a field: its name, and the kind that its value begins with. */
import { useState } from 'preact/hooks';
import { TextField } from '../../../parts/field.tsx';
import { SelectField } from '../../../parts/select.tsx';
import type { Json } from '../../../../client/values.ts';
import { converted, KINDS, type Kind } from './kinds.ts';

interface AddFieldProps {
  readonly faultOf: (name: string) => string | undefined;
  readonly onAdd: (name: string, value: Json) => void;
}

export function AddField({ faultOf, onAdd }: AddFieldProps) {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Kind>('string');
  const fault = name === '' ? undefined : faultOf(name);
  const add = () => {
    if (faultOf(name) !== undefined) return;
    onAdd(name, converted(kind === 'string' ? '' : null, kind));
    setName('');
    setOpen(false);
  };
  if (!isOpen)
    return (
      <button
        class="link"
        type="button"
        onClick={() => {
          setOpen(true);
        }}
      >
        Add a field
      </button>
    );
  return (
    // It stands inside of the form of the document, so it is none itself.
    <div
      class="add-field"
      role="group"
      aria-label="A new field"
      onKeyDown={(event) => {
        if (event.key === 'Escape') setOpen(false);
        if (event.key !== 'Enter') return;
        event.preventDefault();
        add();
      }}
    >
      <TextField label="Name" value={name} onText={setName} error={fault} autofocus />
      <SelectField label="Kind" value={kind} options={KINDS.map((each) => [each, each])} onValue={setKind} />
      <button class="button" type="button" disabled={faultOf(name) !== undefined} onClick={add}>
        Add
      </button>
    </div>
  );
}
