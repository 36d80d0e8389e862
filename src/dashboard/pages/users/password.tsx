/** A dialog that sets a password. What was typed goes to the service, and stays nowhere. */
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Problems } from '../../parts/problems.tsx';
import { useSubmit } from '../../parts/submit.ts';
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
  const { error, isBusy, submit } = useSubmit(async () => {
    await change(current, { password });
    tell(`${name} has a new password. All tokens have ended.`);
    onDone();
    onClose();
  });
  return (
    <Dialog title={`Set the password of ${name}`} onClose={onClose}>
      <form onSubmit={submit}>
        <div class="dialog-body">
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
          <Problems error={error} />
        </div>
        <footer>
          <button class="button" type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="button primary" type="submit" disabled={isBusy}>
            Set password
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
