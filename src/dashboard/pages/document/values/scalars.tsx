/** Controls for values without parts: text, numbers of all kinds, dates, yes and no. */
import type { TargetedEvent, TargetedKeyboardEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { DateControl } from './date.tsx';
import { kindOf, textOf, wrap, type Wrapped } from './kinds.ts';
import type { ControlProps } from './props.ts';

export function ScalarControl(props: ControlProps) {
  const { value, onValue, ties, isReadOnly } = props;
  const kind = kindOf(value);
  switch (kind) {
    case 'string':
      return <TextControl {...props} />;
    case 'number':
      return <NumberControl {...props} />;
    case 'boolean':
      return (
        <span class="check">
          <input
            {...ties}
            type="checkbox"
            checked={value === true}
            disabled={isReadOnly}
            onChange={({ currentTarget }) => {
              onValue(currentTarget.checked);
            }}
          />
          <code>{textOf(value)}</code>
        </span>
      );
    case 'date':
      return <DateControl {...props} />;
    case 'long':
    case 'decimal':
    case 'id':
      return <WrappedControl {...props} kind={kind} />;
    default:
      return (
        <input {...ties} class="mono soft" type="text" readOnly value="null" title="null is a value, too" />
      );
  }
}

/** A text grows with its lines. Enter sends the form while it has one; Shift and Enter begin the next. */
function TextControl({ value, onValue, ties, isReadOnly }: ControlProps) {
  const text = textOf(value);
  return (
    <textarea
      {...ties}
      class="grows"
      rows={rowsOf(text)}
      spellcheck={false}
      readOnly={isReadOnly}
      value={text}
      onKeyDown={(event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
        if (event.key !== 'Enter' || event.shiftKey || event.isComposing || text.includes('\n')) return;
        event.preventDefault();
        event.currentTarget.form?.requestSubmit();
      }}
      onInput={({ currentTarget }: TargetedEvent<HTMLTextAreaElement>) => {
        onValue(currentTarget.value);
      }}
    />
  );
}

/** For browsers whose fields do not grow by themselves. */
function rowsOf(text: string): number {
  const lines = text.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / 90), 0);
  return Math.min(lines, 16);
}

function NumberControl({ value, onValue, ties, isReadOnly }: ControlProps) {
  const [text, setText] = useState(textOf(value));
  useEffect(() => {
    if (!Object.is(numberOf(text), value)) setText(Number.isNaN(value) ? '' : textOf(value));
  }, [value]);
  return (
    <input
      {...ties}
      class="number"
      type="text"
      inputMode="decimal"
      autocomplete="off"
      readOnly={isReadOnly}
      value={text}
      onInput={({ currentTarget }: TargetedEvent<HTMLInputElement>) => {
        setText(currentTarget.value);
        onValue(numberOf(currentTarget.value));
      }}
    />
  );
}

/** The number that a text says. What says none is NaN, which is told as wrong and never sent. */
function numberOf(text: string): number {
  const number = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(text) ? Number(text) : NaN;
  return Number.isFinite(number) ? number : NaN;
}

function WrappedControl({
  value,
  onValue,
  ties,
  isReadOnly,
  kind,
}: ControlProps & { readonly kind: Exclude<Wrapped, 'date'> }) {
  return (
    <input
      {...ties}
      class={kind === 'id' ? 'mono' : 'number'}
      type="text"
      inputMode={kind === 'id' ? 'text' : 'decimal'}
      autocomplete="off"
      spellcheck={false}
      readOnly={isReadOnly}
      value={textOf(value)}
      onInput={({ currentTarget }: TargetedEvent<HTMLInputElement>) => {
        onValue(wrap(kind, currentTarget.value.trim()));
      }}
    />
  );
}
