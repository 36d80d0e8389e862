/** A row of a document: a name, the kind of its value, the value, what is wrong with it. New ones are added by name. */
import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { Editor, EditorSettings } from '../../editor/mount.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { TextField } from '../../parts/fields/form.tsx';
import { faultsIn, isSame, type Fault } from '../../parts/fields/json.ts';
import { countText } from '../../parts/words.tsx';
import type { Said } from './draft.ts';
import { shapeFrom, type Shape } from './shape.ts';

/** What all controls of a document share, however deep they stand. */
interface FormContext {
  readonly faults: readonly Fault[];
  readonly isReadOnly: boolean;
  readonly shape: Shape;
  /** Whether the fields that are known are all that may be there. */
  readonly isFixed: boolean;
  /** Whether fields are shown that the document does not have. */
  readonly isNew: boolean;
  /** Told whether the text of a control does not read. */
  readonly onBroken: (control: string, isBroken: boolean) => void;
}

export const FormContext = createContext<FormContext>({
  faults: [],
  isReadOnly: false,
  shape: shapeFrom(),
  isFixed: false,
  isNew: false,
  onBroken: () => undefined,
});

export const useForm = () => useContext(FormContext);

interface ValueRowProps {
  readonly name: string;
  /** The id of the control that the name is for; without it the row is a group of that name. */
  readonly control?: string | undefined;
  readonly isChanged?: boolean;
  readonly isRequired?: boolean;
  readonly hint?: string | undefined;
  /** What stands below the name. */
  readonly kind: ComponentChildren;
  readonly faults?: readonly Fault[];
  readonly onRemove?: (() => void) | undefined;
  readonly children: ComponentChildren;
}

export function ValueRow(props: ValueRowProps) {
  const { name, control, hint, kind, faults = [], onRemove, children } = props;
  const { isReadOnly } = useForm();
  return (
    <div
      class={props.isChanged === true ? 'value-row changed' : 'value-row'}
      {...(control === undefined && { role: 'group', 'aria-label': name })}
    >
      <div class="value-name row">
        {control === undefined ? (
          <span class="value-label">{name}</span>
        ) : (
          <label for={control} class="value-label">
            {name}
          </label>
        )}
        {props.isRequired === true && <span class="soft">required</span>}
        {kind}
      </div>
      <div class="value-body">
        {children}
        {hint !== undefined && <p class="hint">{hint}</p>}
        {faults.length > 0 && (
          <p class="field-error" id={`${control ?? name}-faults`}>
            {faults.map(({ message }) => message).join(' ')}
          </p>
        )}
      </div>
      {onRemove !== undefined && !isReadOnly && (
        <IconButton icon="trash" label={`Remove ${name}`} onClick={onRemove} />
      )}
    </div>
  );
}

interface AddNamedProps<Choice> {
  /** As in "Add a field". */
  readonly what: string;
  readonly faultOf: (name: string) => string | undefined;
  /** What it can be added as; Enter takes the first. */
  readonly choices: readonly (readonly [string, Choice])[];
  readonly onAdd: (name: string, choice: Choice) => void;
  readonly children?: ComponentChildren;
}

export function AddNamed<Choice>({ what, faultOf, choices, onAdd, children }: AddNamedProps<Choice>) {
  const [name, setName] = useState<string>();
  if (name === undefined)
    return (
      <Button look="link" onClick={() => setName('')}>
        Add a {what}
      </Button>
    );
  const fault = faultOf(name);
  const add = (choice: Choice) => {
    if (fault !== undefined) return;
    onAdd(name, choice);
    setName(undefined);
  };
  return (
    // It stands inside of the form of the document, so it is none itself.
    <div
      class="toolbar"
      role="group"
      aria-label={`A new ${what}`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setName(undefined);
        if (event.key !== 'Enter' || event.target instanceof HTMLButtonElement) return;
        event.preventDefault();
        const [first] = choices;
        if (first !== undefined) add(first[1]);
      }}
    >
      <TextField
        label="Name"
        value={name}
        onText={setName}
        error={name === '' ? undefined : fault}
        autofocus
      />
      {children}
      {choices.map(([words, choice]) => (
        <Button key={words} disabled={fault !== undefined} onClick={() => add(choice)}>
          {words}
        </Button>
      ))}
    </div>
  );
}

/** The first of many, and a button that shows all. */
export function useFirst<T>(all: readonly T[], most: number, what = '') {
  const [showsAll, setShowsAll] = useState(false);
  const showAll = () => setShowsAll(true);
  const more = all.length > most && !showsAll && (
    <Button look="link" onClick={showAll}>
      Show all {countText(all.length)} {what}
    </Button>
  );
  return { shown: showsAll ? all : all.slice(0, most), more, showAll };
}

interface Written<T> {
  readonly value: T;
  readonly print: (value: T) => string;
  readonly read: (text: string) => Said<T>;
  readonly onValue: (value: T) => void;
  /** Told of a text that was not typed here, for a control that has its text by itself. */
  readonly onOther?: (text: string) => void;
}

/** A value as a text that is typed: it becomes the value as soon as it reads, and the other way round. */
export function useText<T>({ value, print, read, onValue, onOther }: Written<T>) {
  const { onBroken } = useForm();
  // Its place may change, while it stays the same.
  const id = useId();
  const [text, setText] = useState(() => print(value));
  const said = useMemo(() => read(text), [text]);
  useEffect(() => {
    // It was changed elsewhere: discarded, or saved. What was typed here says the same as the value.
    if (!('value' in said) || isSame(said.value, value)) return;
    const other = print(value);
    setText(other);
    onOther?.(other);
  }, [value]);
  useEffect(() => () => onBroken(id, false), [id]);
  const onText = (next: string) => {
    setText(next);
    const now = read(next);
    onBroken(id, 'error' in now);
    if ('value' in now && !isSame(now.value, value)) onValue(now.value);
  };
  return { text, onText, error: 'error' in said ? said.error : undefined };
}

interface BoundJsonProps<T> extends Omit<Written<T>, 'onOther'> {
  readonly label: string;
  /** The place of the value in the document. */
  readonly pointer: string;
  readonly complete?: EditorSettings['complete'];
}

/** A value as JSON in an editor, which is loaded when the first one is shown; what does not read is told below. */
export function BoundJson<T>({ label, pointer, complete, ...of }: BoundJsonProps<T>) {
  const form = useForm();
  const { isReadOnly } = form;
  const faults = faultsIn(form.faults, pointer);
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | undefined>(undefined);
  const { text, onText, error } = useText({ ...of, onOther: (next) => editor.current?.setText(next) });
  const latest = useRef<EditorSettings>({ label, text, isReadOnly, faults, complete, onText });
  latest.current = { label, text, isReadOnly, faults, complete, onText };
  useEffect(() => {
    let isGone = false;
    void import('../../editor/mount.ts').then(({ mountEditor }) => {
      if (!isGone && host.current) editor.current = mountEditor(host.current, () => latest.current);
    });
    return () => {
      isGone = true;
      editor.current?.destroy();
    };
  }, []);
  useEffect(() => editor.current?.set(isReadOnly, label), [isReadOnly, label]);
  useEffect(() => editor.current?.lint(), [JSON.stringify(faults)]);
  return (
    <>
      <div class="editor" ref={host} />
      {error !== undefined && <p class="field-error">{error}</p>}
    </>
  );
}
