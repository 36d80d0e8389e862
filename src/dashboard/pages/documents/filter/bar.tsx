/** The filter bar: conditions as they are typed, completed from what is known of the type. */
import { useId, useRef, useState } from 'preact/hooks';
import { IconButton, Opener } from '../../../parts/button.tsx';
import { LineInput } from '../../../parts/fields/form.tsx';
import { Icon } from '../../../parts/icons.tsx';
import { errorsOf } from '../../../parts/problems.tsx';
import { useSlashFor } from '../../../parts/slash.ts';
import { withNames, type Fields } from '../fields.ts';
import type { Condition } from '../view.ts';
import { shownCondition } from './condition.ts';
import { FilterForm } from './form.tsx';
import { conditionsOf, editedCondition, isCondition, partsOf, suggestions } from './typed.ts';

interface FilterBarProps {
  readonly fields: Fields;
  readonly conditions: readonly Condition[];
  readonly onConditions: (conditions: readonly Condition[]) => void;
  /** What the service has refused: the conditions that it is about are marked. */
  readonly error: unknown;
  /** Told when it gets the focus: then it is time to know all names. */
  readonly onFocus: () => void;
}

/** A line of text with what may come next, and the same as a form. */
export function FilterBar({ fields: known, conditions, onConditions, error, onFocus }: FilterBarProps) {
  const fields = useNamed(known, conditions);
  const [text, setText] = useState('');
  /** Whether somebody has pressed Enter before there was a value. */
  const [isLacking, setLacking] = useState(false);
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useSlashFor(input);
  const isFirst = conditions.length === 0;

  const write = (next: string) => {
    setText(next);
    setLacking(false);
  };
  const add = (typed: string) => {
    if (isCondition(typed, fields)) {
      onConditions([...conditions, ...conditionsOf(typed, fields)]);
      write('');
      return;
    }
    // The name of a field alone: its operators come next.
    write(fields.has(typed.trim()) ? `${typed.trim()} ` : text);
    setLacking(partsOf(`${typed.trim()} `, fields)?.operator !== undefined);
  };
  const drop = (at: number) => {
    onConditions(conditions.toSpliced(at, 1));
    input.current?.focus();
  };
  const edit = (at: number) => {
    const condition = conditions[at];
    if (condition === undefined) return;
    write(editedCondition(condition, fields));
    drop(at);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') add(text);
    else if (event.key === 'Backspace' && text === '' && !isFirst) edit(conditions.length - 1);
    else return;
    event.preventDefault();
  };
  return (
    <div role="search">
      <div class="filter-box">
        <Icon name="search" />
        {conditions.map((condition, index) => {
          const faults = faultsOf(error, condition);
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
        <LineInput
          ref={input}
          list={id}
          aria-label="Filter"
          placeholder={isFirst ? 'Filter: year >= 1990, words to find, or JSON  ( / )' : 'and…'}
          value={text}
          onText={write}
          onKeyDown={onKeyDown}
          onFocus={onFocus}
        />
        <datalist id={id}>
          {suggestions(text, fields).map(([value, says]) => (
            <option key={value} value={value} label={says} />
          ))}
        </datalist>
        <Opener
          look="link"
          icon="menu"
          dialog={(close) => (
            <FilterForm fields={fields} conditions={conditions} onConditions={onConditions} onClose={close} />
          )}
        >
          Form
        </Opener>
      </div>
      <div role="alert">{isLacking && <p class="field-error">Type a value to compare with.</p>}</div>
    </div>
  );
}

/** What the service says of a condition. Two on one field share their parameter. */
function faultsOf(error: unknown, { field }: Condition): readonly string[] {
  return errorsOf(error)
    .filter((each) => each.source?.parameter === `filter[${field}]`)
    .map(({ detail, title }) => detail ?? title);
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
