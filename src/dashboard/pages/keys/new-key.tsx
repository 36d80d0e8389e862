/** A dialog that makes a key, and shows once what it is to be sent as. */
import { useState } from 'preact/hooks';
import { CodeBlock } from '../../parts/copy.tsx';
import { Dialog, FormDialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { SelectField } from '../../parts/select.tsx';
import { go, wayTo } from '../../route.ts';
import { createKey } from './keys.ts';
import { BEGINNINGS, type Beginning } from './permissions.ts';

const WORDS: readonly (readonly [Beginning, string])[] = [
  ['nothing', 'Nothing yet'],
  ['read', 'Read all documents'],
  ['users', 'What users who log in have rights to'],
  ['everything', 'Everything'],
];

export function NewKey({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [beginning, setBeginning] = useState<Beginning>('nothing');
  const [made, setMade] = useState<{ readonly id: string; readonly secureId: string }>();
  const submit = async () => {
    setMade(await createKey(name.trim(), BEGINNINGS[beginning]));
  };
  if (made !== undefined) {
    const open = () => {
      onClose();
      go(wayTo(['keys', made.id]));
    };
    return (
      <Dialog title={`The key ${name.trim()} was created`} onClose={open}>
        <div class="dialog-body">
          <SecureId text={made.secureId} />
        </div>
        <footer>
          <button class="button primary" type="button" onClick={open}>
            Edit its permissions
          </button>
        </footer>
      </Dialog>
    );
  }
  return (
    <FormDialog title="New API key" action="Create" onClose={onClose} onSubmit={submit}>
      <TextField
        label="Name"
        required
        autofocus
        value={name}
        onText={setName}
        hint="Whose key it is: website, import, …"
      />
      <SelectField label="It may" value={beginning} options={WORDS} onValue={setBeginning} />
    </FormDialog>
  );
}

export function SecureId({ text }: { readonly text: string }) {
  return (
    <>
      <p>
        Clients send this in the header <code>api-key</code>. Whoever has it has the key: keep it where only
        its client finds it.
      </p>
      <CodeBlock text={text} label="the secure-id" />
    </>
  );
}
