/** A dialog that asks for the name of a group. */
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Problems } from '../../parts/problems.tsx';
import { useSubmit } from '../../parts/submit.ts';

interface NameDialogProps {
  readonly title: string;
  readonly action: string;
  readonly first: string;
  readonly onClose: () => void;
  readonly onName: (name: string) => Promise<void>;
}

export function NameDialog({ title, action, first, onClose, onName }: NameDialogProps) {
  const [name, setName] = useState(first);
  const { error, isBusy, submit } = useSubmit(async () => {
    await onName(name.trim());
    onClose();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        <div class="dialog-body">
          <TextField label="Name" required autofocus value={name} onText={setName} />
          <Problems error={error} />
        </div>
        <footer>
          <button class="button" type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="button primary" type="submit" disabled={isBusy}>
            {action}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
