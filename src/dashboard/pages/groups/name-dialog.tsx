/** A dialog that asks for the name of a group. */
import { useState } from 'preact/hooks';
import { FormDialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';

interface NameDialogProps {
  readonly title: string;
  readonly action: string;
  readonly first: string;
  readonly onClose: () => void;
  readonly onName: (name: string) => Promise<void>;
}

export function NameDialog({ title, action, first, onClose, onName }: NameDialogProps) {
  const [name, setName] = useState(first);
  const submit = async () => {
    await onName(name.trim());
    onClose();
  };
  return (
    <FormDialog title={title} action={action} onClose={onClose} onSubmit={submit}>
      <TextField label="Name" required autofocus value={name} onText={setName} />
    </FormDialog>
  );
}
