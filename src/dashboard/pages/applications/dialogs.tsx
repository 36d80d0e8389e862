/** What the operator is asked about an application before it is made, renamed, deleted or had back. */
import { useState } from 'preact/hooks';
import { CodeBlock } from '../../parts/copy.tsx';
import { Confirm, Dialog, FormDialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { tell } from '../../parts/toasts.tsx';
import { askAsOperator, pathOfApplications } from '../../session/service.ts';
import { changeApplication, createApplication, type ApplicationRow } from './applications.ts';

export type Asked =
  | { readonly what: 'create' }
  | { readonly what: 'rename' | 'delete' | 'undelete'; readonly row: ApplicationRow };

interface DialogsProps {
  readonly asked: Asked;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function ApplicationDialogs({ asked, onClose, onDone }: DialogsProps) {
  if (asked.what === 'create') return <Create onClose={onClose} onDone={onDone} />;
  const { row } = asked;
  if (asked.what === 'rename') return <Rename row={row} onClose={onClose} onDone={onDone} />;
  const deletion = pathOfApplications(row.id, 'deletion');
  if (asked.what === 'delete') {
    return (
      <Confirm
        title={`Delete ${row.name}`}
        action="Delete the application"
        typed={row.name}
        onClose={onClose}
        onConfirm={async () => {
          await askAsOperator('POST', deletion);
          tell(`${row.name} was deleted.`);
          onDone();
        }}
      >
        <p>
          From now on none of its keys is known. Its documents are kept for some days, and until then you can
          have it back as it was.
        </p>
      </Confirm>
    );
  }
  return (
    <Confirm
      title={`Have ${row.name} back`}
      action="Have it back"
      onClose={onClose}
      onConfirm={async () => {
        await askAsOperator('DELETE', deletion);
        tell(`${row.name} is back.`);
        onDone();
      }}
    >
      <p>All of it will be as it was, its keys included.</p>
    </Confirm>
  );
}

function Rename({ row, onClose, onDone }: { readonly row: ApplicationRow } & Omit<DialogsProps, 'asked'>) {
  const [name, setName] = useState(row.name);
  const submit = async () => {
    await changeApplication(row.id, { name });
    onDone();
    onClose();
  };
  return (
    <FormDialog title={`Rename ${row.name}`} action="Rename" onClose={onClose} onSubmit={submit}>
      <TextField label="Name" required value={name} onText={setName} />
    </FormDialog>
  );
}

function Create({ onClose, onDone }: Omit<DialogsProps, 'asked'>) {
  const [name, setName] = useState('');
  const [placement, setPlacement] = useState('');
  const [made, setMade] = useState<ApplicationRow>();
  const submit = async () => {
    setMade(await createApplication(name, placement));
    onDone();
  };
  if (made !== undefined) {
    return (
      <Dialog title={`${made.name} is made`} onClose={onClose}>
        <div class="dialog-body">
          <p>Its id goes with every request. Open the application to make its first API key.</p>
          <CodeBlock text={made.id} label="Id of the application" />
        </div>
        <footer>
          <button class="button primary" type="button" onClick={onClose}>
            Done
          </button>
        </footer>
      </Dialog>
    );
  }
  return (
    <FormDialog title="New application" action="Create" onClose={onClose} onSubmit={submit}>
      <TextField label="Name" required value={name} onText={setName} />
      <TextField
        label="Placement"
        value={placement}
        onText={setPlacement}
        hint="A jurisdiction such as eu, or a region such as weur. Empty: near its clients. It stays for ever."
      />
    </FormDialog>
  );
}
