/** A choice out of a few, with a label. */
import { Field } from './field.tsx';

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  /** Each value with the words that stand for it. */
  readonly options: readonly (readonly [Value, string])[];
  readonly onValue: (value: Value) => void;
  readonly disabled?: boolean;
}

export function SelectField<Value extends string>({
  label,
  value,
  options,
  onValue,
  disabled = false,
}: SelectProps<Value>) {
  return (
    <Field
      label={label}
      control={(ties) => (
        <select
          {...ties}
          value={value}
          disabled={disabled}
          onChange={({ currentTarget }) => {
            const chosen = options.find(([each]) => each === currentTarget.value);
            if (chosen !== undefined) onValue(chosen[0]);
          }}
        >
          {options.map(([each, words]) => (
            <option key={each} value={each}>
              {words}
            </option>
          ))}
        </select>
      )}
    />
  );
}
