/** A control for a value that is one of a few: those of an `enum`. A stored value that is none of them stays until another is chosen. */
import type { Json } from '../../../client/values.ts';
import { isSame } from '../../parts/json.ts';
import { textOf } from '../../parts/kinds.ts';
import type { ControlProps } from './controls.tsx';

interface ChoiceProps extends ControlProps {
  readonly choices: readonly Json[];
  readonly isUnset: boolean;
}

export function ChoiceControl({ value, onValue, ties, isReadOnly, choices, isUnset }: ChoiceProps) {
  const at = isUnset ? -1 : choices.findIndex((choice) => isSame(choice, value));
  return (
    <select
      {...ties}
      disabled={isReadOnly}
      value={String(at)}
      onChange={({ currentTarget }) => {
        const chosen = choices[Number(currentTarget.value)];
        if (chosen !== undefined) onValue(chosen);
      }}
    >
      {at === -1 && <option value="-1">{isUnset ? 'Choose…' : textOf(value)}</option>}
      {choices.map((choice, index) => (
        <option key={index} value={String(index)}>
          {choice === null ? 'null' : textOf(choice)}
        </option>
      ))}
    </select>
  );
}
