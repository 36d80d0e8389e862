/** A dialog that makes a user or an external user. */
import { useState } from 'preact/hooks';
import { FormDialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
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
  const submit = async () => {
    const named = name.trim() === '' ? {} : { name: name.trim() };
    const { id } = await create(type, isUser ? { username: username.trim(), password, ...named } : named);
    tell(`${isUser ? username.trim() : name.trim() || 'The external user'} was created.`);
    onClose();
    onMade(id);
  };
  return (
    <FormDialog
      title={isUser ? 'New user' : 'New external user'}
      action="Create"
      onClose={onClose}
      onSubmit={submit}
    >
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
    </FormDialog>
  );
}
