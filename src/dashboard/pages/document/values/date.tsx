/** A date, exact to the millisecond, in the zone of this browser or in UTC. What is stored is always shown below. */
import { signal } from '@preact/signals';
import type { TargetedEvent } from 'preact';
import { isoOf, textOf, wrap } from './kinds.ts';
import type { ControlProps } from './props.ts';

const LOCAL = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** One choice for all dates: two zones side by side mislead. */
const zone = signal<'local' | 'utc'>(isUtc() ? 'utc' : 'local');

export function DateControl({ value, onValue, label, ties, isReadOnly }: ControlProps) {
  const iso = isoOf(value);
  // What no control for dates can show is written as text.
  const isPlain = iso !== undefined && !/^\d{4}-/.test(iso);
  const isTyped = isPlain || (iso === undefined && textOf(value) !== '');
  const noteId = `${ties.id}-zone`;
  const described = [ties['aria-describedby'], noteId].filter(Boolean).join(' ');
  const set = (text: string) => {
    onValue(wrap('date', text));
  };
  return (
    <div class="date">
      {isTyped ? (
        <input
          {...ties}
          aria-describedby={described}
          class="mono"
          type="text"
          readOnly={isReadOnly}
          value={textOf(value)}
          onInput={({ currentTarget }: TargetedEvent<HTMLInputElement>) => {
            set(currentTarget.value);
          }}
        />
      ) : (
        <input
          {...ties}
          aria-describedby={described}
          type="datetime-local"
          step="0.001"
          readOnly={isReadOnly}
          value={iso === undefined ? '' : shownIn(zone.value, iso)}
          onInput={({ currentTarget }: TargetedEvent<HTMLInputElement>) => {
            set(readIn(zone.value, currentTarget.value));
          }}
        />
      )}
      <select
        aria-label={`Zone of ${label}`}
        value={zone.value}
        onChange={({ currentTarget }) => {
          zone.value = currentTarget.value === 'utc' ? 'utc' : 'local';
        }}
      >
        <option value="local">{LOCAL} (here)</option>
        <option value="utc">UTC</option>
      </select>
      <code class="hint" id={noteId}>
        {iso ?? 'No date yet'}
      </code>
    </div>
  );
}

/** `2026-05-04T12:00:00.000`, as the control takes it. */
function shownIn(where: 'local' | 'utc', iso: string): string {
  if (where === 'utc') return iso.slice(0, -1);
  const date = new Date(iso);
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, -1);
}

/** The moment as ISO 8601 in UTC; empty while the control is not filled. */
function readIn(where: 'local' | 'utc', text: string): string {
  const date = new Date(text === '' ? NaN : where === 'utc' ? `${text}Z` : text);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

function isUtc(): boolean {
  return new Date(2026, 0).getTimezoneOffset() === 0 && new Date(2026, 6).getTimezoneOffset() === 0;
}
