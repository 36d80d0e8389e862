/** Something that is written as JSON, and saved as a whole: what is wrong stands at its place in the text. */
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

interface JsonFormProps {
  /** Of the form, and of its editor. */
  readonly label: string;
  readonly editorLabel: string;
  /** As in "This schema has changes that are not saved". */
  readonly what: string;
  /** What is stored. Whoever shows another state gives the form another key. */
  readonly first: string;
  /** What is written; without it the form knows it alone. */
  readonly state?: readonly [string, (text: string) => void];
  /** Where the body of the request has the JSON. */
  readonly pointer: string;
  readonly check?: (text: string) => readonly Fault[];
  readonly complete?: EditorSettings['complete'];
  readonly hint: ComponentChildren;
  /** There is nothing stored yet: it can be saved as it is, and nothing can be discarded. */
  readonly isNew?: boolean;
  /** Gives the words for what was done. */
  readonly onSave: (text: string) => Promise<string>;
}

export function JsonForm(props: JsonFormProps) {
  const { first, state, check, isNew = false, onSave } = props;
  const own = useState(first);
  const [text, setText] = state ?? own;
  const { error, isBusy, submit } = useSubmit(async () => notify(await onSave(text)));
  const isDirty = text !== first;
  return (
    <form aria-label={props.label} class="stack" onSubmit={submit}>
      <Unsaved isDirty={isDirty} what={props.what} />
      <JsonEditor
        label={props.editorLabel}
        text={text}
        isReadOnly={isBusy}
        onText={setText}
        marks={[...(check?.(text) ?? []), ...faultsBelow(error, props.pointer)]}
        complete={props.complete}
      />
      <p class="hint">{props.hint}</p>
      <Problems error={error} />
      <p class="save-bar">
        <Button look="primary" disabled={isBusy || !(isDirty || isNew)}>
          {isNew ? 'Create' : 'Save'}
        </Button>
        {isDirty && !isNew && (
          <Button
            onClick={() => {
              setText(first);
              notify('Changes discarded.', () => setText(text));
            }}
          >
            Discard changes
          </Button>
        )}
      </p>
    </form>
  );
}
