/** A value as JSON in its place in a form. */
import { useEffect, useState } from 'preact/hooks';
import type { Json } from '../../../../client/values.ts';
import { JsonEditor } from '../../../editor/json-editor.tsx';
import { isSame, printed, readExactly } from '../draft.ts';
import { useForm } from './context.ts';
import type { PartsProps } from './props.ts';

export function InPlace({
  value,
  onValue,
  label,
  pointer,
  isReadOnly,
}: Pick<PartsProps, 'value' | 'onValue' | 'label' | 'pointer' | 'isReadOnly'>) {
  const { faults, onBroken } = useForm();
  const [text, setText] = useState(() => printed(value));
  useEffect(() => {
    // What was changed elsewhere; what was typed here says the same as the value.
    const said = readExactly(text);
    if ('json' in said && !isSame(said.json, value)) setText(printed(value));
  }, [value]);
  useEffect(
    () => () => {
      onBroken(pointer, undefined);
    },
    [pointer],
  );
  return (
    <JsonEditor
      label={`${label} as JSON`}
      text={text}
      isReadOnly={isReadOnly}
      marks={faults
        .filter((fault) => fault.pointer.startsWith(`${pointer}/`) || fault.pointer === pointer)
        .map((fault) => ({ ...fault, pointer: fault.pointer.slice(pointer.length) }))}
      onText={(next) => {
        setText(next);
        const said = readExactly(next);
        onBroken(pointer, 'json' in said ? undefined : said.error);
        // What JSON.parse has made is JSON.
        if ('json' in said) onValue(said.json as Json);
      }}
    />
  );
}
