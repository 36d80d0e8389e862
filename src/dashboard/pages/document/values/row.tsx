/** A field of a form: its name, its kind, its value in a control of that kind, and what is wrong with it. */
import type { ComponentType } from 'preact';
import { useId } from 'preact/hooks';
import type { Json } from '../../../../client/values.ts';
import { Icon } from '../../../parts/icons.tsx';
import { useForm } from './context.ts';
import { converted, KINDS, kindOf } from './kinds.ts';
import { Place } from './place.tsx';
import type { PartsProps } from './props.ts';
import { ScalarControl } from './scalars.tsx';

interface RowProps {
  /** How parts are shown, which have rows again. */
  readonly Parts: ComponentType<PartsProps>;
  /** What the field is called where it stands. */
  readonly name: string;
  readonly pointer: string;
  readonly value: Json;
  readonly onValue: (value: Json) => void;
  readonly onRemove: (() => void) | undefined;
  /** How many arrays and objects are around it. */
  readonly depth: number;
  readonly isChanged?: boolean;
}

export function Row({ Parts, name, pointer, value, onValue, onRemove, depth, isChanged = false }: RowProps) {
  const id = useId();
  const { faults, isReadOnly } = useForm();
  const mine = faults.filter((fault) => fault.pointer === pointer);
  const kind = kindOf(value);
  const shown = name === '' ? '(no name)' : name;
  const ties = {
    id,
    ...(mine.length > 0 && { 'aria-describedby': `${id}-faults`, 'aria-invalid': true }),
  };
  const control = { value, onValue, label: shown, ties, isReadOnly };
  const hasParts = kind === 'object' || kind === 'array' || kind === 'geometry';
  return (
    <div class={isChanged ? 'value-row changed' : 'value-row'}>
      <div class="value-name">
        {hasParts ? (
          <span id={`${id}-name`} class="value-label">
            {shown}
          </span>
        ) : (
          <label for={id} class="value-label">
            {shown}
          </label>
        )}
        <select
          class="kind"
          aria-label={`Kind of ${shown}`}
          value={kind}
          disabled={isReadOnly}
          onChange={({ currentTarget }) => {
            const chosen = KINDS.find((each) => each === currentTarget.value);
            if (chosen !== undefined && chosen !== kind) onValue(converted(value, chosen));
          }}
        >
          {KINDS.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </div>
      <div class="value-body">
        {hasParts ? (
          <div role="group" aria-labelledby={`${id}-name`}>
            {kind === 'geometry' ? (
              <Place {...control} pointer={pointer} />
            ) : (
              <Parts {...control} pointer={pointer} depth={depth} />
            )}
          </div>
        ) : (
          <ScalarControl {...control} />
        )}
        {mine.length > 0 && (
          <p class="field-error" id={`${id}-faults`}>
            {mine.map(({ message }) => message).join(' ')}
          </p>
        )}
      </div>
      {onRemove !== undefined && !isReadOnly && (
        <button class="bare" type="button" aria-label={`Remove ${shown}`} title="Remove" onClick={onRemove}>
          <Icon name="trash" />
        </button>
      )}
    </div>
  );
}
