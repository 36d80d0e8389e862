/** What is saved as a whole; and such a thing as JSON, where what is wrong stands at its place in the text. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { JsonEditor } from '../../editor/json-editor.tsx';
import type { EditorSettings } from '../../editor/mount.ts';
import { Button } from '../button.tsx';
import type { Fault } from './json.ts';
import { faultsBelow, Problems } from '../problems.tsx';
import { useSubmit } from '../run.ts';
import { notify } from '../toasts.tsx';
import { Unsaved } from '../unsaved.tsx';

interface Saved {
  readonly label: string;
  /** As in "This schema has unsaved changes". */
  readonly what: string;
  /** There is nothing stored yet: it can be saved as it is, and nothing can be discarded. */
  readonly isNew?: boolean;
}

interface SaveFormProps extends Saved {
  readonly class?: string;
  readonly isDirty: boolean;
  /** Gives the words for what was done. */
  readonly onSave: () => Promise<string>;
  /** Gives what takes it back. */
  readonly onDiscard: () => () => void;
  /** What is written, with why it was refused, and whether it is being saved. */
  readonly children: (error: unknown, isBusy: boolean) => ComponentChildren;
}

export function SaveForm(props: SaveFormProps) {
  const { label, what, isNew = false, class: name = '', isDirty, onSave, onDiscard, children } = props;
  const { error, isBusy, submit } = useSubmit(async () => notify(await onSave()));
  return (
    <form aria-label={label} class={`stack ${name}`} onSubmit={submit}>
      <Unsaved isDirty={isDirty} what={what} />
      {children(error, isBusy)}
      <Problems error={error} />
      <p class="save-bar">
        <Button look="primary" disabled={isBusy || !(isDirty || isNew)}>
          {isNew ? 'Create' : 'Save'}
        </Button>
        {isDirty && !isNew && (
          <Button onClick={() => notify('Changes discarded.', onDiscard())}>Discard changes</Button>
        )}
      </p>
    </form>
  );
}

interface JsonFormProps extends Saved {
  readonly editorLabel: string;
  /** What is stored. Whoever shows another state gives the form another key. */
  readonly first: string;
  /** What is written; without it the form knows it alone. */
  readonly state?: readonly [string, (text: string) => void];
  /** Where the body of the request has the JSON. */
  readonly pointer: string;
  readonly check?: (text: string) => readonly Fault[];
  readonly complete?: EditorSettings['complete'];
  readonly hint: ComponentChildren;
  readonly onSave: (text: string) => Promise<string>;
}

export function JsonForm(props: JsonFormProps) {
  const { first, state, check, hint, onSave, ...form } = props;
  const own = useState(first);
  const [text, setText] = state ?? own;
  return (
    <SaveForm
      {...form}
      isDirty={text !== first}
      onSave={() => onSave(text)}
      onDiscard={() => {
        setText(first);
        return () => setText(text);
      }}
    >
      {(error, isBusy) => (
        <>
          <JsonEditor
            label={props.editorLabel}
            text={text}
            isReadOnly={isBusy}
            onText={setText}
            marks={[...(check?.(text) ?? []), ...faultsBelow(error, props.pointer)]}
            complete={props.complete}
          />
          <p class="hint">{hint}</p>
        </>
      )}
    </SaveForm>
  );
}
