/** Fields of forms: a label, a control, a hint, and what is wrong with what was entered. */
import type { ComponentChildren, TargetedEvent } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
}

/** What ties a control to its label, its hint and its error. */
interface Ties {
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

/** What else a line of text may say. */
interface Input {
  readonly name?: string;
  readonly type?: 'text' | 'password';
  readonly required?: boolean;
  readonly autofocus?: boolean;
  readonly autocomplete?: 'username' | 'current-password' | 'new-password';
  readonly placeholder?: string;
  readonly disabled?: boolean;
  /** The id of a `datalist` with what may be meant. */
  readonly list?: string;
}

/** A line of text. `onText` is told every change. */
export function TextField({
  label,
  hint,
  error,
  value,
  onText,
  type = 'text',
  autocomplete,
  ...input
}: FieldProps & Input & { readonly value: string; readonly onText: (text: string) => void }) {
  return (
    <Field
      label={label}
      {...(hint !== undefined && { hint })}
      {...(error !== undefined && { error })}
      control={(ties) => {
        const common = {
          ...input,
          ...ties,
          autocomplete: autocomplete ?? 'off',
          spellcheck: false,
          value,
          onInput: ({ currentTarget }: TargetedEvent<HTMLInputElement>) => {
            onText(currentTarget.value);
          },
        };
        return type === 'password' ? (
          <input type="password" {...common} />
        ) : (
          <input type="text" {...common} />
        );
      }}
    />
  );
}
