/** A dialog that makes a user or an external user. */
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Problems } from '../../parts/problems.tsx';
import { useSubmit } from '../../parts/submit.ts';
import { tell } from '../../parts/toasts.tsx';
import { create, USER, type PersonType } from './people.ts';

interface NewPersonProps {
  readonly type: PersonType;
  readonly onClose: () => void;
  readonly onMade: (id: string) => void;
}

export function NewPerson({ type, onClose, onMade }: NewPersonProps) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [name, setName] = useState('');
  const isUser = type === USER;
  const { error, isBusy, submit } = useSubmit(async () => {
    const named = name.trim() === '' ? {} : { name: name.trim() };
    const { id } = await create(type, isUser ? { username: username.trim(), password, ...named } : named);
    tell(`${isUser ? username.trim() : name.trim() || 'The external user'} was created.`);
    onClose();
    onMade(id);
  });
  return (
    <Dialog title={isUser ? 'New user' : 'New external user'} onClose={onClose}>
      <form onSubmit={submit}>
        <div class="dialog-body">
          {isUser && (
            <>
              <TextField
                label="User name"
                required
                autofocus
                value={username}
                onText={setUsername}
                hint="At least 3 letters, digits and _ - . @"
              />
              <TextField
                label="Password"
                type="password"
                required
                autocomplete="new-password"
                value={password}
                onText={setPassword}
                hint="At least 6 characters. It is stored as a hash."
              />
            </>
          )}
          <TextField
            label="Name"
            value={name}
            onText={setName}
            hint="Optional. Other attributes can be added once the user is there."
          />
          <Problems error={error} />
        </div>
        <footer>
          <button class="button" type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="button primary" type="submit" disabled={isBusy}>
            Create
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
