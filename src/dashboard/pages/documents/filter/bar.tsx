/**
 * The filter bar: conditions as they are typed, completed from what is known of the type.
 * What the service says of a condition stands below it.
 */
import { useRef, useState } from 'preact/hooks';
import { IconButton } from '../../../parts/button.tsx';
import { Icon } from '../../../parts/icons.tsx';
import { errorsOf, placeOf } from '../../../parts/problems.tsx';
import { useSlashFor } from '../../../parts/slash.ts';
import { withNames, type Fields } from '../fields.ts';
import type { Condition } from '../view.ts';
import { Combobox } from './combobox.tsx';
import { conditionsOf, editedCondition, partsOf, shownCondition } from './condition.ts';
import { isCondition } from './suggest.ts';

interface FilterBarProps {
  readonly fields: Fields;
  readonly conditions: readonly Condition[];
  readonly onConditions: (conditions: readonly Condition[]) => void;
  /** What the service has refused, if that is what the conditions met with. */
  readonly error: unknown;
  /** Told when it gets the focus: then it is time to know all names. */
  readonly onFocus: () => void;
}

export function FilterBar({ fields: known, conditions, onConditions, error, onFocus }: FilterBarProps) {
  const fields = useNamed(known, conditions);
  const [text, write] = useState('');
  /** Whether somebody has pressed Enter before there was a value. */
  const [isLacking, setLacking] = useState(false);
  const setText = (next: string) => {
    write(next);
    setLacking(false);
  };
  const input = useRef<HTMLInputElement>(null);
  useSlashFor(input);

  const add = (typed: string) => {
    if (!isCondition(typed, fields)) {
      // The name of a field alone: its operators come next.
      if (fields.has(typed.trim())) setText(`${typed.trim()} `);
      setLacking(partsOf(`${typed.trim()} `, fields)?.operator !== undefined);
      return;
    }
    onConditions([...conditions, ...conditionsOf(typed, fields)]);
    setText('');
  };
  const drop = (at: number) => {
    onConditions(conditions.filter((_, index) => index !== at));
    input.current?.focus();
  };
  const edit = (at: number) => {
    const condition = conditions[at];
    if (condition === undefined) return;
    setText(editedCondition(condition, fields));
    drop(at);
  };
  return (
    <div role="search">
      <div class="filter-box">
        <Icon name="search" />
        {conditions.map((condition, index) => (
          <Chip
            key={`${index} ${condition.field}`}
            condition={condition}
            faults={faultsOf(error, condition)}
            onEdit={() => {
              edit(index);
            }}
            onDrop={() => {
              drop(index);
            }}
          />
        ))}
        <Combobox
          input={input}
          text={text}
          fields={fields}
          isFirst={conditions.length === 0}
          onText={setText}
          onWhole={add}
          onFocus={onFocus}
          onBack={() => {
            edit(conditions.length - 1);
          }}
        />
      </div>
      <div role="alert">
        {isLacking && <p class="field-error">Type a value to compare with.</p>}
        {faultsOf(error, undefined, conditions).map((fault) => (
          <p key={fault} class="field-error">
            {fault}
          </p>
        ))}
      </div>
    </div>
  );
}

interface ChipProps {
  readonly condition: Condition;
  readonly faults: readonly string[];
  readonly onEdit: () => void;
  readonly onDrop: () => void;
}

function Chip({ condition, faults, onEdit, onDrop }: ChipProps) {
  const shown = shownCondition(condition);
  return (
    <span class={faults.length > 0 ? 'chip wrong' : 'chip'}>
      <button
        type="button"
        class="chip-text"
        title={faults.length > 0 ? faults.join('\n') : `filter[${condition.field}]=${condition.text}`}
        aria-label={`Change the condition ${shown}`}
        onClick={onEdit}
      >
        {shown}
      </button>
      <IconButton icon="close" label={`Remove the condition ${shown}`} onClick={onDrop} />
    </span>
  );
}

/** What the service says of a condition, or of any of `among`. Two conditions on one field share their parameter. */
function faultsOf(
  error: unknown,
  condition: Condition | undefined,
  among: readonly Condition[] = [],
): readonly string[] {
  const names = new Set(
    (condition === undefined ? among : [condition]).map(({ field }) => `filter[${field}]`),
  );
  return errorsOf(error)
    .filter((each) => names.has(placeOf(each)))
    .map(({ detail, title, meta }) => {
      const pointer = meta?.['pointer'];
      const at = typeof pointer === 'string' && pointer !== '' ? ` (at ${pointer})` : '';
      return `${detail ?? title}${at}`;
    });
}

/** Whether an error is about conditions: these show it, and the page need not. */
export function isOfConditions(error: unknown, conditions: readonly Condition[]): boolean {
  return error !== undefined && faultsOf(error, undefined, conditions).length > 0;
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
