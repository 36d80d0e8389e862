/** The type that a pipeline reads: one of those that there are, or one that will be. */
import { useId } from 'preact/hooks';
import { Field } from '../../parts/field.tsx';
import { useLoad } from '../../session/load.ts';
import { readTypes } from '../../session/types.ts';

interface InputTypeProps {
  readonly value: string;
  readonly onValue: (type: string) => void;
}

export function InputType({ value, onValue }: InputTypeProps) {
  const list = useId();
  const { value: types } = useLoad(readTypes, []);
  return (
    <Field
      label="Input type"
      hint="The type whose documents the pipeline reads."
      control={(ties) => (
        <>
          <input
            {...ties}
            type="text"
            list={list}
            autocomplete="off"
            spellcheck={false}
            value={value}
            onInput={({ currentTarget }) => {
              onValue(currentTarget.value.trim());
            }}
          />
          <datalist id={list}>
            {[...(types ?? []).map(({ name }) => name), 'core.user', 'core.user-group'].map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    />
  );
}
