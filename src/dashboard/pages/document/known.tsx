/** Controls of the fields that a schema describes, where a form has no others; and values as one line of text. */
import type { Json } from '../../../client/values.ts';
import { Checks, LineInput, type Ties } from '../../parts/fields/form.tsx';
import { bare, isItems } from '../../parts/fields/json.ts';
import { textOf } from '../../parts/fields/kinds.ts';
import { ScalarControl, type ControlProps } from './controls.tsx';
import { readExactly, type Said } from './draft.ts';
import type { Shape } from './shape.ts';
import { useText } from './value-row.tsx';

/** How a value is a line of text, and what a line says. */
interface Language {
  readonly placeholder: string;
  readonly shown: (value: Json) => string;
  readonly said: (text: string) => Said<Json>;
}

export const FILTER: Language = {
  placeholder: '{"author.id": "$$viewer.id"}',
  shown: (value) => bare(JSON.stringify(value)),
  said: readExactly,
};

/** Texts without blanks. */
const TEXTS: Language = {
  placeholder: 'separated by spaces',
  shown: (value) => (isItems(value) ? value.map(textOf).join(' ') : ''),
  said: (text) => ({ value: text.split(/\s+/).filter((each) => each !== '') }),
};

export interface SaidLineProps extends Language {
  readonly ties: Ties;
  readonly isReadOnly?: boolean;
  readonly value: Json | undefined;
  readonly onValue: (value: Json | undefined) => void;
}

/** A value as a line of text. What does not read is told, and leaves the value as it was. */
export function SaidLine({ ties, isReadOnly = false, placeholder, shown, said, ...of }: SaidLineProps) {
  const { text, onText, error } = useText<Json | undefined>({
    ...of,
    print: (value) => (value === undefined ? '' : shown(value)),
    read: (line) => (line.trim() === '' ? { value: undefined } : said(line)),
  });
  const isBroken = error !== undefined;
  return (
    <>
      <LineInput
        {...ties}
        {...(isBroken && { 'aria-invalid': true, 'aria-describedby': `${ties.id}-broken` })}
        class="mono"
        readOnly={isReadOnly}
        placeholder={placeholder}
        value={text}
        onText={onText}
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
    <LineInput
      {...ties}
      class="number"
      readOnly={isReadOnly}
      value={isUnset ? '' : textOf(value)}
      onText={(text) =>
        onValue(text.trim() === '' || !Number.isFinite(Number(text)) ? text.trim() : Number(text))
      }
    />
  );
}
