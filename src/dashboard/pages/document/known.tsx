/** Controls of the fields that a schema describes, where a form has no others; and values as one line of text. */
import { useEffect, useId, useState } from 'preact/hooks';
import type { Json } from '../../../client/values.ts';
import { Checks, type Ties } from '../../parts/fields/form.tsx';
import { bare, isItems, isSame } from '../../parts/fields/json.ts';
import { textOf } from '../../parts/fields/kinds.ts';
import { Line, ScalarControl, type ControlProps } from './controls.tsx';
import { readExactly } from './draft.ts';
import type { Shape } from './shape.ts';
import { useForm } from './value-row.tsx';

/** How a value is a line of text, and what a line says: undefined where it says nothing. */
interface Language {
  readonly placeholder: string;
  readonly shown: (value: Json) => string;
  readonly said: (text: string) => Json | undefined;
}

export const FILTER: Language = {
  placeholder: '{"author.id": "$$viewer.id"}',
  shown: (value) => bare(JSON.stringify(value)),
  said: (text) => {
    const said = readExactly(text);
    return 'value' in said ? said.value : undefined;
  },
};

/** Texts without blanks. */
const TEXTS: Language = {
  placeholder: 'separated by spaces',
  shown: (value) => (isItems(value) ? value.map(textOf).join(' ') : ''),
  said: (text) => text.split(/\s+/).filter((each) => each !== ''),
};

export interface SaidLineProps extends Language {
  readonly ties: Ties;
  readonly isReadOnly?: boolean;
  readonly value: Json | undefined;
  readonly onValue: (value: Json | undefined) => void;
}

/** A value as a line of text. What does not read is told, and leaves the value as it was. */
export function SaidLine({
  ties,
  isReadOnly = false,
  placeholder,
  value,
  shown,
  said,
  onValue,
}: SaidLineProps) {
  const [text, setText] = useState(value === undefined ? '' : shown(value));
  const isBroken = text.trim() !== '' && said(text) === undefined;
  const { onBroken } = useForm();
  const id = useId();
  useEffect(() => {
    onBroken(id, isBroken);
    return () => onBroken(id, false);
  }, [id, isBroken]);
  // A draft that comes back, or a conflict, brings another value.
  useEffect(() => {
    if (!isBroken && !isSame(said(text), value)) setText(value === undefined ? '' : shown(value));
  }, [value]);
  return (
    <>
      <Line
        ties={isBroken ? { ...ties, 'aria-invalid': true, 'aria-describedby': `${ties.id}-broken` } : ties}
        class="mono"
        isReadOnly={isReadOnly}
        placeholder={placeholder}
        text={text}
        onText={(next) => {
          setText(next);
          const read = said(next);
          if (next.trim() === '') onValue(undefined);
          else if (read !== undefined) onValue(read);
        }}
      />
      {isBroken && (
        <p class="field-error" id={`${ties.id}-broken`}>
          This is not valid JSON.
        </p>
      )}
    </>
  );
}

interface KnownControlProps extends ControlProps {
  readonly field: Shape['fields'] extends ReadonlyMap<string, infer Field> ? Field : never;
  readonly isUnset: boolean;
}

/** A text that is empty says that the field goes. */
export function KnownControl({ field: { kind, format, options }, isUnset, ...control }: KnownControlProps) {
  const { ties, label, isReadOnly, value, onValue } = control;
  const line = { ties, isReadOnly, value: isUnset ? undefined : value };
  const onLine = (next: Json | undefined) => onValue(next ?? '');
  if (format === 'filter') return <SaidLine {...FILTER} {...line} onValue={onLine} />;
  if (options !== undefined)
    return (
      <Checks
        legend={<span class="visually-hidden">{label}</span>}
        options={options.map(textOf)}
        chosen={isItems(value) ? value.map(textOf) : []}
        onChosen={onValue}
      />
    );
  if (kind === 'array') return <SaidLine {...TEXTS} {...line} onValue={onLine} />;
  if (kind !== 'number') return <ScalarControl {...control} format={format} />;
  return (
    <Line
      {...{ ties, isReadOnly }}
      class="number"
      text={isUnset ? '' : textOf(value)}
      onText={(text) =>
        onValue(text.trim() === '' || !Number.isFinite(Number(text)) ? text.trim() : Number(text))
      }
    />
  );
}
