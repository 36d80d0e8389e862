/** Forms: a field has a label, a control, a hint, and what is wrong with its value. A form may be given as data. */
import type { AllHTMLAttributes, ComponentChildren, Ref } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Button } from '../button.tsx';

interface FieldProps {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
}

/** What ties a control to its label, its hint and its error. */
export interface Ties {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: boolean;
}

/** A control of any sort with a label: `control` puts the ties on it. */
export function Field({
  label,
  hint,
  error,
  control,
}: FieldProps & { readonly control: (ties: Ties) => ComponentChildren }) {
  const id = useId();
  const notes = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {control({
        id,
        ...(notes.length > 0 && { 'aria-describedby': notes.join(' ') }),
        ...(error !== undefined && { 'aria-invalid': true }),
      })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

interface InputProps extends Omit<
  AllHTMLAttributes<HTMLInputElement>,
  'label' | 'onInput' | 'type' | 'value'
> {
  readonly ref?: Ref<HTMLInputElement>;
  readonly type?: 'text' | 'password';
  readonly value: string;
  readonly onText: (text: string) => void;
}

/** A line of text alone, which the browser neither fills in nor corrects. A telephone shows digits for a number. */
export function LineInput({ onText, ...input }: InputProps) {
  const inputMode = input.class === 'number' ? 'decimal' : 'text';
  // The types of elements want to know whether it has a list.
  const attributes: object = { type: 'text', inputMode, autocomplete: 'off', spellcheck: false, ...input };
  return <input {...attributes} onInput={({ currentTarget }) => onText(currentTarget.value)} />;
}

interface TextFieldProps extends FieldProps, Omit<InputProps, 'ref'> {
  /** What may be meant: it is offered, and anything else may be typed. */
  readonly suggestions?: readonly string[] | undefined;
}

/** A line of text. `onText` is told every change. */
export function TextField(props: TextFieldProps) {
  const { label, hint, error, suggestions, ...input } = props;
  const control = (ties: Ties) => {
    if (suggestions === undefined) return <LineInput {...input} {...ties} />;
    const list = `${ties.id}-list`;
    return (
      <>
        <LineInput list={list} {...input} {...ties} />
        <datalist id={list}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      </>
    );
  };
  return <Field label={label} hint={hint} error={error} control={control} />;
}

interface LineFormProps {
  readonly label: string;
  readonly action: string;
  readonly onLine: (line: string) => void;
}

/** A line alone with a button: what was sent, and was not empty, makes room for the next. */
export function LineForm({ label, action, onLine }: LineFormProps) {
  const [text, setText] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    if (text.trim() !== '') onLine(text.trim());
    setText('');
  };
  return (
    <form class="row together" onSubmit={submit}>
      <LineInput value={text} aria-label={label} placeholder={label} onText={setText} />
      <Button>{action}</Button>
    </form>
  );
}

/** Each value, perhaps with the words that stand for it. */
type Options<Value extends string> = readonly (Value | readonly [Value, string])[];

interface SelectProps<Value extends string> {
  readonly value: Value;
  readonly options: Options<Value>;
  readonly onValue: (value: Value) => void;
}

interface BareSelectProps<Value extends string> extends SelectProps<Value>, Partial<Ties> {
  readonly class?: string;
  readonly 'aria-label'?: string;
  readonly title?: string;
  readonly disabled?: boolean;
}

/** A choice out of a few, where no label stands beside it. */
export function Select<Value extends string>({ options, onValue, ...select }: BareSelectProps<Value>) {
  const pairs = options.map((each) => (typeof each === 'string' ? ([each, each] as const) : each));
  return (
    <select
      {...select}
      onChange={({ currentTarget }) => {
        const chosen = pairs.find(([each]) => each === currentTarget.value);
        if (chosen !== undefined) onValue(chosen[0]);
      }}
    >
      {pairs.map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </select>
  );
}

/** A choice out of a few. */
export function SelectField<Value extends string>(props: SelectProps<Value> & FieldProps) {
  const { value, options, onValue, ...field } = props;
  const select = { value, options, onValue };
  return <Field {...field} control={(ties) => <Select {...ties} {...select} />} />;
}

interface CheckProps {
  readonly checked: boolean;
  readonly onChecked: (checked: boolean) => void;
  /** What programs are told, where the words alone say too little. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

export function Check({ checked, onChecked, label, children }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={({ currentTarget }) => onChecked(currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  );
}

interface ChecksProps<Value extends string> {
  readonly legend: ComponentChildren;
  readonly options: readonly Value[];
  /** What an option is called, if it is not by its value. */
  readonly words?: (option: Value) => string;
  readonly chosen: readonly string[];
  /** The chosen ones, in the order of the options. */
  readonly onChosen: (chosen: readonly Value[]) => void;
}

/** Any of a few. */
export function Checks<Value extends string>(props: ChecksProps<Value>) {
  const { legend, options, words, chosen, onChosen } = props;
  return (
    <fieldset class="row">
      <legend>{legend}</legend>
      {options.map((option) => (
        <Check
          key={option}
          checked={chosen.includes(option)}
          onChecked={(isOn) =>
            onChosen(options.filter((each) => (each === option ? isOn : chosen.includes(each))))
          }
        >
          {words?.(option) ?? option}
        </Check>
      ))}
    </fieldset>
  );
}

/** A field as data. Its value is text; a flag that is on is `true`. */
export interface FieldOf<Name extends string>
  extends FieldProps, Pick<InputProps, 'autocomplete' | 'autofocus' | 'placeholder' | 'required'> {
  readonly name: Name;
  readonly kind?: 'text' | 'password' | 'flag' | 'choice';
  readonly first?: string | undefined;
  /** Of a choice. */
  readonly options?: Options<string>;
  /** The flag without which the field is not shown. */
  readonly under?: NoInfer<Name>;
}

type Values<Name extends string> = Readonly<Record<Name, string>>;

/** The controls of fields, and what was entered. */
export function useFields<Name extends string>(fields: readonly FieldOf<Name>[]) {
  const [changed, setChanged] = useState<Partial<Values<Name>>>({});
  // Every name is there.
  const values = Object.fromEntries(
    fields.map(({ name, first = '' }) => [name, changed[name] ?? first]),
  ) as Values<Name>;
  const controls = fields.map((field) => {
    const { name, under } = field;
    const isShown = under === undefined || values[under] === 'true';
    const onText = (text: string) => setChanged({ ...changed, [name]: text });
    return isShown && <DataField key={name} field={field} value={values[name]} onText={onText} />;
  });
  return { values, controls };
}

interface DataFieldProps {
  readonly field: FieldOf<string>;
  readonly value: string;
  readonly onText: (text: string) => void;
}

function DataField({ field, value, onText }: DataFieldProps) {
  const { kind = 'text', options = [], first: _, under: __, ...input } = field;
  const { label, hint } = input;
  if (kind === 'choice')
    return <SelectField label={label} hint={hint} value={value} options={options} onValue={onText} />;
  if (kind === 'flag')
    return (
      <Check checked={value === 'true'} onChecked={(isOn) => onText(isOn ? 'true' : '')}>
        {label}
      </Check>
    );
  return <TextField {...input} type={kind} value={value} onText={onText} />;
}
