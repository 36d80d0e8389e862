/** A value as JSON in an editor: what is typed becomes the value as soon as it reads, and the other way round. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { JsonEditor } from '../../editor/json-editor.tsx';
import { isSame } from '../../parts/json.ts';
import type { Said } from './draft.ts';
import { useForm } from './value-row.tsx';

interface BoundJsonProps<T> {
  readonly label: string;
  readonly value: T;
  /** The place of the value in the document. */
  readonly pointer: string;
  readonly print: (value: T) => string;
  readonly read: (text: string) => Said<T>;
  readonly onValue: (value: T) => void;
  /** Whether what does not read is told below; the editor marks it anyway. */
  readonly isTold?: boolean;
}

export function BoundJson<T>({
  label,
  value,
  pointer,
  print,
  read,
  onValue,
  isTold = false,
}: BoundJsonProps<T>) {
  const { faults, isReadOnly, onBroken } = useForm();
  const [text, setText] = useState(() => print(value));
  const said = useMemo(() => read(text), [text]);
  const error = 'error' in said ? said.error : undefined;
  useEffect(() => {
    // It was changed elsewhere: discarded, or saved. What was typed here says the same as the value.
    if ('value' in said && !isSame(said.value, value)) setText(print(value));
  }, [value]);
  useEffect(
    () => () => {
      onBroken(pointer, undefined);
    },
    [pointer],
  );
  return (
    <>
      <JsonEditor
        label={label}
        text={text}
        isReadOnly={isReadOnly}
        marks={faults
          .filter((fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`))
          .map((fault) => ({ ...fault, pointer: fault.pointer.slice(pointer.length) }))}
        onText={(next) => {
          setText(next);
          const now = read(next);
          onBroken(pointer, 'error' in now ? now.error : undefined);
          if ('value' in now && !isSame(now.value, value)) onValue(now.value);
        }}
      />
      {isTold && error !== undefined && <p class="field-error">{error}</p>}
    </>
  );
}
