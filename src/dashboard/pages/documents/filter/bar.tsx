/**
 * The filter bar: conditions as they are typed, completed from what is known of the type.
 * What the service says of a condition stands below it.
 */
import { useId, useRef, useState } from 'preact/hooks';
import { IconButton } from '../../../parts/button.tsx';
import { Icon } from '../../../parts/icons.tsx';
import { stringIn } from '../../../parts/fields/json.ts';
import { errorsOf, placeOf } from '../../../parts/problems.tsx';
import { useSlashFor } from '../../../parts/slash.ts';
import { withNames, type Fields } from '../fields.ts';
import type { Condition } from '../view.ts';
import {
  conditionsOf,
  editedCondition,
  isCondition,
  partsOf,
  shownCondition,
  suggestions,
  type Suggestion,
} from './condition.ts';

interface FilterBarProps {
  readonly fields: Fields;
  readonly conditions: readonly Condition[];
  readonly onConditions: (conditions: readonly Condition[]) => void;
  /** What the service has refused, if that is what the conditions met with. */
  readonly error: unknown;
  /** Told when it gets the focus: then it is time to know all names. */
  readonly onFocus: () => void;
}

/** A line of text with a list of what may come next: arrows choose, Tab and Enter take, Escape closes. */
export function FilterBar({ fields: known, conditions, onConditions, error, onFocus }: FilterBarProps) {
  const fields = useNamed(known, conditions);
  const [text, setText] = useState('');
  /** Whether somebody has pressed Enter before there was a value. */
  const [isLacking, setLacking] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useSlashFor(input);
  const isFirst = conditions.length === 0;
  const offered = isOpen ? suggestions(text, fields) : [];
  const chosen = offered[active];

  const write = (next: string, opens: boolean) => {
    setText(next);
    setLacking(false);
    setActive(-1);
    setOpen(opens);
  };
  const add = (typed: string) => {
    if (isCondition(typed, fields)) {
      onConditions([...conditions, ...conditionsOf(typed, fields)]);
      write('', false);
      return;
    }
    // The name of a field alone: its operators come next.
    write(fields.has(typed.trim()) ? `${typed.trim()} ` : text, false);
    setLacking(partsOf(`${typed.trim()} `, fields)?.operator !== undefined);
  };
  const drop = (at: number) => {
    onConditions(conditions.toSpliced(at, 1));
    input.current?.focus();
  };
  const edit = (at: number) => {
    const condition = conditions[at];
    if (condition === undefined) return;
    write(editedCondition(condition, fields), isOpen);
    drop(at);
  };
  const take = ({ text: next, isWhole }: Suggestion) => {
    if (isWhole) add(next);
    else write(next, true);
    input.current?.focus();
  };
  const step = (by: number) => {
    setOpen(true);
    if (offered.length > 0)
      setActive((at) => (at + by + offered.length + (at < 0 && by < 0 ? 1 : 0)) % offered.length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey } = event;
    const next = chosen ?? offered[0];
    if (key === 'ArrowDown') step(1);
    else if (key === 'ArrowUp') step(-1);
    else if (key === 'Enter') {
      if (chosen === undefined) add(text);
      else take(chosen);
    } else if (key === 'Tab' && text !== '' && next !== undefined && !shiftKey) take(next);
    else if (key === 'Escape' && isOpen) write(text, false);
    else if (key === 'Backspace' && text === '' && !isFirst) edit(conditions.length - 1);
    else return;
    event.preventDefault();
  };
  return (
    <div role="search">
      <div class="filter-box">
        <Icon name="search" />
        {conditions.map((condition, index) => {
          const faults = faultsOf(error, [condition]);
          const shown = shownCondition(condition);
          return (
            <span key={`${index} ${condition.field}`} class={faults.length > 0 ? 'chip wrong' : 'chip'}>
              <button
                type="button"
                class="chip-text"
                title={faults.length > 0 ? faults.join('\n') : `filter[${condition.field}]=${condition.text}`}
                aria-label={`Change the condition ${shown}`}
                onClick={() => edit(index)}
              >
                {shown}
              </button>
              <IconButton icon="close" label={`Remove the condition ${shown}`} onClick={() => drop(index)} />
            </span>
          );
        })}
        <span class="combobox">
          <input
            ref={input}
            type="text"
            role="combobox"
            aria-label="Filter"
            aria-autocomplete="list"
            aria-expanded={offered.length > 0}
            aria-controls={`${id}-list`}
            {...(chosen !== undefined && { 'aria-activedescendant': `${id}-${active}` })}
            autocomplete="off"
            spellcheck={false}
            placeholder={isFirst ? 'Filter: year >= 1990, words to find, or JSON  ( / )' : 'and…'}
            value={text}
            onInput={({ currentTarget }) => write(currentTarget.value, true)}
            onKeyDown={onKeyDown}
            onFocus={onFocus}
            onBlur={() => setOpen(false)}
          />
          <ul id={`${id}-list`} role="listbox" aria-label="What may come next" hidden={offered.length === 0}>
            {offered.map((each, index) => (
              <li
                key={each.label}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === active}
                // The line keeps the focus.
                onMouseDown={(event) => {
                  event.preventDefault();
                  take(each);
                }}
              >
                <span>{each.label}</span>
                <span class="soft">{each.says}</span>
              </li>
            ))}
          </ul>
        </span>
      </div>
      <div role="alert">
        {isLacking && <p class="field-error">Type a value to compare with.</p>}
        {faultsOf(error, conditions).map((fault) => (
          <p key={fault} class="field-error">
            {fault}
          </p>
        ))}
      </div>
    </div>
  );
}

/** What the service says of conditions. Two on one field share their parameter. */
function faultsOf(error: unknown, conditions: readonly Condition[]): readonly string[] {
  const names = new Set(conditions.map(({ field }) => `filter[${field}]`));
  return errorsOf(error)
    .filter((each) => names.has(placeOf(each)))
    .map(({ detail, title, meta }) => {
      const pointer = stringIn(meta?.['pointer']);
      return `${detail ?? title}${pointer && ` (at ${pointer})`}`;
    });
}

/** Whether an error is about conditions: these show it, and the page need not. */
export function isOfConditions(error: unknown, conditions: readonly Condition[]): boolean {
  return faultsOf(error, conditions).length > 0;
}

/** The fields with those of the conditions: what is changed in the bar stays a name, though no document may have it. */
function useNamed(known: Fields, conditions: readonly Condition[]): Fields {
  const names = useRef(new Set<string>());
  for (const { field } of conditions) if (field !== '*' && !field.endsWith('.id')) names.current.add(field);
  return withNames(
    known,
    [...names.current].map((name) => [name, 'null'] as const),
  );
}
