/** The draft as JSON. */
import { useEffect, useState } from 'preact/hooks';
import { JsonEditor } from '../../editor/json-editor.tsx';
import { draftOfText, isSame, textOfDraft, type Draft } from './draft.ts';
import { useForm } from './values/context.ts';

interface JsonViewProps {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
}

export function JsonView({ draft, onDraft }: JsonViewProps) {
  const { faults, isReadOnly, onBroken } = useForm();
  const [text, setText] = useState(() => textOfDraft(draft));
  const [error, setError] = useState<string>();
  const tellBroken = (message: string | undefined) => {
    setError(message);
    onBroken('', message);
  };
  useEffect(() => {
    const said = draftOfText(text);
    if ('error' in said || isSame(said, draft)) return;
    // It was changed elsewhere: discarded, or saved.
    setText(textOfDraft(draft));
  }, [draft]);
  useEffect(
    () => () => {
      onBroken('', undefined);
    },
    [],
  );
  return (
    <div class="json-view">
      <JsonEditor
        label="The document as JSON"
        text={text}
        isReadOnly={isReadOnly}
        marks={faults}
        onText={(next) => {
          setText(next);
          const said = draftOfText(next);
          tellBroken('error' in said ? said.error : undefined);
          if (!('error' in said) && !isSame(said, draft)) onDraft(said);
        }}
      />
      {error !== undefined && <p class="field-error">{error}</p>}
      <p class="hint">
        Dates, longs, decimals and object ids stand in wrappers: <code>{'{"$date": "…"}'}</code>,{' '}
        <code>{'{"$numberLong": "…"}'}</code>, <code>{'{"$numberDecimal": "…"}'}</code>,{' '}
        <code>{'{"$oid": "…"}'}</code>.
      </p>
    </div>
  );
}
