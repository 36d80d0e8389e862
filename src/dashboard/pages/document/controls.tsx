/** Controls for values: text, numbers of all kinds, dates, yes and no, one of a few, places. */
import type { ComponentChildren, TargetedEvent, TargetedKeyboardEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { Json } from '../../../client/values.ts';
import { Button } from '../../parts/button.tsx';
import { Field, LineInput, Select, type Ties } from '../../parts/fields/form.tsx';
import { isItems, isMembers, isSame } from '../../parts/fields/json.ts';
import { isoOf, kindOf, textOf, wrap } from '../../parts/fields/kinds.ts';
import { Content } from '../../parts/page.tsx';
import { useLoad } from '../../session/service.ts';
import { useText } from './value-row.tsx';

export interface ControlProps {
  readonly value: Json;
  readonly onValue: (value: Json) => void;
  /** The name of the control, where no label stands for it. */
  readonly label: string;
  readonly ties: Ties;
  readonly isReadOnly: boolean;
  /** Of a string, as a schema names it; `lines` for one that has several. */
  readonly format?: string | undefined;
}

export function ScalarControl(props: ControlProps) {
  const { value, onValue, ties, isReadOnly } = props;
  const kind = kindOf(value);
  switch (kind) {
    case 'string':
      return <StringControl {...props} />;
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
            onChange={({ currentTarget }) => onValue(currentTarget.checked)}
          />
          <code>{textOf(value)}</code>
        </span>
      );
    case 'date':
      return <DateControl {...props} />;
    case 'long':
    case 'decimal':
    case 'id':
      return (
        <LineInput
          {...ties}
          class={kind === 'id' ? 'mono' : 'number'}
          readOnly={isReadOnly}
          value={textOf(value)}
          onText={(text) => onValue(wrap(kind, text.trim()))}
        />
      );
    default:
      return <input {...ties} class="mono soft" type="text" readOnly value="null" title="null" />;
  }
}

/** Which keys a telephone shows. */
const MODES: Readonly<Record<string, 'email' | 'url'>> = { email: 'email', uri: 'url' };

/** A string in the input of its format, where that can show it. */
function StringControl(props: ControlProps) {
  const { value, onValue, ties, isReadOnly, label, format = '' } = props;
  const text = textOf(value);
  const input = (type: 'date' | 'color', { id }: Partial<Ties>) => (
    <input
      {...(id === undefined ? { 'aria-label': `${label} as a ${type}` } : ties)}
      type={type}
      disabled={isReadOnly}
      value={text}
      onInput={({ currentTarget }: TargetedEvent<HTMLInputElement>) => onValue(currentTarget.value)}
    />
  );
  if (format === 'date' && /^(\d{4}-\d\d-\d\d)?$/.test(text)) return input('date', ties);
  const line = (mode: 'text' | 'email' | 'url') => (
    <LineInput {...ties} class="mono" inputMode={mode} readOnly={isReadOnly} value={text} onText={onValue} />
  );
  if (format === 'color')
    return (
      <div class="row together">
        {input('color', {})}
        {line('text')}
      </div>
    );
  if (format === 'markdown') return <MarkdownControl {...props} />;
  const mode = MODES[format];
  return mode === undefined || text.includes('\n') ? <TextControl {...props} /> : line(mode);
}

/** A text grows with its lines. Enter sends the form while it has one; Shift and Enter begin the next. */
function TextControl({ value, onValue, ties, isReadOnly, format }: ControlProps) {
  const text = textOf(value);
  const isOneLine = format !== 'lines' && !text.includes('\n');
  return (
    <textarea
      {...ties}
      class="grows"
      rows={rowsOf(text)}
      spellcheck={false}
      readOnly={isReadOnly}
      value={text}
      onKeyDown={(event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
        if (event.key !== 'Enter' || event.shiftKey || event.isComposing || !isOneLine) return;
        event.preventDefault();
        event.currentTarget.form?.requestSubmit();
      }}
      onInput={({ currentTarget }: TargetedEvent<HTMLTextAreaElement>) => onValue(currentTarget.value)}
    />
  );
}

/** A long text, and how it reads where somebody asks for that. */
function MarkdownControl(props: ControlProps) {
  const [isShown, setShown] = useState(false);
  const label = `Preview of ${props.label}`;
  const part = useLoad(async () => (isShown ? import('../../parts/markdown.tsx') : null), [isShown]);
  return (
    <div class="stack">
      <TextControl {...props} format="lines" />
      <Button look="link" label={label} pressed={isShown} onClick={() => setShown(!isShown)}>
        Preview
      </Button>
      {isShown && (
        <section class="card" aria-label={label}>
          <Content of={part} what="the preview">
            {(loaded) => loaded && <loaded.Markdown text={textOf(props.value)} />}
          </Content>
        </section>
      )}
    </div>
  );
}

/** For browsers whose fields do not grow by themselves. */
function rowsOf(text: string): number {
  const lines = text.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / 90), 0);
  return Math.min(lines, 16);
}

function NumberControl({ value, onValue, ties, isReadOnly }: ControlProps) {
  const { text, onText } = useText<Json>({
    ...{ value, onValue },
    print: (number) => (Number.isNaN(number) ? '' : textOf(number)),
    read: (line) => ({ value: numberOf(line) }),
  });
  return <LineInput {...ties} class="number" readOnly={isReadOnly} value={text} onText={onText} />;
}

/** The number that a text says. What says none is NaN, which is told as wrong and never sent. */
function numberOf(text: string): number {
  const number = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(text) ? Number(text) : NaN;
  return Number.isFinite(number) ? number : NaN;
}

/** A date, exact to the millisecond, in the zone of this browser. What is stored, in UTC, is shown beside it. */
function DateControl({ value, onValue, ties, isReadOnly }: ControlProps) {
  const iso = isoOf(value);
  // What no control for dates can show is written as text.
  const isTyped = textOf(value) !== '' && !/^\d{4}-/.test(iso ?? '');
  const noteId = `${ties.id}-zone`;
  const described = {
    ...ties,
    'aria-describedby': [ties['aria-describedby'], noteId].filter(Boolean).join(' '),
  };
  const set = (text: string) => onValue(wrap('date', text));
  return (
    <div class="row date">
      {isTyped ? (
        <LineInput {...described} class="mono" readOnly={isReadOnly} value={textOf(value)} onText={set} />
      ) : (
        <input
          {...described}
          type="datetime-local"
          step="0.001"
          readOnly={isReadOnly}
          value={iso === undefined ? '' : localOf(iso)}
          onInput={({ currentTarget }: TargetedEvent<HTMLInputElement>) => set(momentOf(currentTarget.value))}
        />
      )}
      <code class="hint" id={noteId}>
        {iso ?? 'No date yet'}
      </code>
    </div>
  );
}

/** `2026-05-04T12:00:00.000`, as the control takes it. */
function localOf(iso: string): string {
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, -1);
}

/** The moment as ISO 8601 in UTC; empty while the control is not filled. */
function momentOf(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

interface ChoiceControlProps extends ControlProps {
  readonly choices: readonly Json[];
  readonly isUnset: boolean;
  /** Whether it can be emptied again. */
  readonly mayGo: boolean;
}

/** One of the values of an `enum`. A stored value that is none of them stays until another is chosen. */
export function ChoiceControl({ choices, isUnset, mayGo, ...props }: ChoiceControlProps) {
  const { value, onValue, ties, isReadOnly } = props;
  const at = isUnset ? -1 : choices.findIndex((choice) => isSame(choice, value));
  const none = ['-1', mayGo ? 'Not set' : isUnset ? 'Choose…' : textOf(value)] as const;
  const options = choices.map(
    (choice, index) => [String(index), choice === null ? 'null' : textOf(choice)] as const,
  );
  return (
    <Select
      {...ties}
      disabled={isReadOnly}
      value={String(at)}
      options={at === -1 || mayGo ? [none, ...options] : options}
      onValue={(chosen) => onValue(choices[Number(chosen)] ?? (mayGo ? '' : null))}
    />
  );
}

/** GeoJSON. A point is two numbers; other geometries are JSON in their place. */
export function Place(props: ControlProps & { readonly asText: ComponentChildren }) {
  const { value, onValue, label, asText } = props;
  const { asJson, toggle } = useAsJson(label, 'numbers');
  const position = positionOf(value);
  const set = (longitude: Json, latitude: Json) => {
    if (isMembers(value) && isItems(value['coordinates']))
      onValue({ ...value, coordinates: [longitude, latitude, ...value['coordinates'].slice(2)] });
  };
  const degrees = (name: string, number: Json, onNumber: (number: Json) => void) => (
    <Field
      label={name}
      control={(ties) => <ScalarControl {...props} value={number} onValue={onNumber} ties={ties} />}
    />
  );
  return (
    <div class="stack">
      {position !== undefined && toggle}
      {position === undefined || asJson ? (
        asText
      ) : (
        <div class="across">
          {degrees('Longitude', position[0], (longitude) => set(longitude, position[1]))}
          {degrees('Latitude', position[1], (latitude) => set(position[0], latitude))}
        </div>
      )}
    </div>
  );
}

function positionOf(value: Json): readonly [Json, Json] | undefined {
  if (!isMembers(value) || value['type'] !== 'Point') return undefined;
  const { coordinates } = value;
  if (!isItems(coordinates)) return undefined;
  const [longitude, latitude] = coordinates;
  return typeof longitude === 'number' && typeof latitude === 'number' ? [longitude, latitude] : undefined;
}

/** Whether a value is shown as JSON, and the button that shows it the other way. */
export function useAsJson(label: string, others: 'fields' | 'numbers', first = false) {
  const [asJson, setAsJson] = useState(first);
  const next = asJson ? others : 'JSON';
  const toggle = (
    <Button look="link" label={`${label} as ${next}`} onClick={() => setAsJson(!asJson)}>
      As {next}
    </Button>
  );
  return { asJson, toggle };
}
