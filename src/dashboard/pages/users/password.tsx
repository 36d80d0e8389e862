/** A dialog that sets a password. What was typed goes to the service, and stays nowhere. */
import { useState } from 'preact/hooks';
import { FormDialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { tell } from '../../parts/toasts.tsx';
import { change, type Current } from './people.ts';

interface PasswordDialogProps {
  readonly current: Current;
  readonly name: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function PasswordDialog({ current, name, onClose, onDone }: PasswordDialogProps) {
  const [password, setPassword] = useState('');
  const submit = async () => {
    await change(current, { password });
    tell(`${name} has a new password. All tokens have ended.`);
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title={`Set the password of ${name}`}
      action="Set password"
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        label="New password"
        type="password"
        required
        autofocus
        autocomplete="new-password"
        value={password}
        onText={setPassword}
        hint="At least 6 characters. Whoever is logged in as this user is logged out."
      />
    </FormDialog>
  );
}
