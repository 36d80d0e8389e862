/** The attributes of a person as JSON, without the password: that is set elsewhere, and shown nowhere. */
import { useState } from 'preact/hooks';
import type { Json } from '../../../client/values.ts';
import { JsonEditor } from '../../editor/json-editor.tsx';
import { errorsOf, Problems } from '../../parts/problems.tsx';
import { useSubmit } from '../../parts/submit.ts';
import { tell } from '../../parts/toasts.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { change, type Current } from './people.ts';

const BEFORE = '/data/attributes';

export function AttributesCard({
  current,
  onSaved,
}: {
  readonly current: Current;
  readonly onSaved: () => Promise<void>;
}) {
  const shown = withoutPassword(current.document.attributes ?? {});
  const stored = JSON.stringify(shown, null, 2);
  const [text, setText] = useState(stored);
  const { error, isBusy, submit } = useSubmit(async () => {
    const attributes = parsed(text);
    const changed = Object.entries(attributes).filter(
      ([name, value]) => JSON.stringify(shown[name]) !== JSON.stringify(value),
    );
    const removed = Object.keys(shown).filter((name) => !Object.hasOwn(attributes, name));
    await change(current, Object.fromEntries(changed), removed);
    await onSaved();
    tell('Saved. All tokens of this user have ended.');
  });
  const marks =
    error === undefined
      ? []
      : errorsOf(error).flatMap(({ source, detail, title }) =>
          source?.pointer?.startsWith(BEFORE) === true
            ? [{ pointer: source.pointer.slice(BEFORE.length), message: detail ?? title }]
            : [],
        );
  const isDirty = text !== stored;
  return (
    <form class="card" aria-label="Attributes" onSubmit={submit}>
      <Unsaved isDirty={isDirty} what="This user" />
      <header class="card-head">
        <h2>Attributes</h2>
        <button class="button primary" type="submit" disabled={isBusy || !isDirty}>
          Save
        </button>
      </header>
      <JsonEditor label="Attributes as JSON" text={text} isReadOnly={isBusy} onText={setText} marks={marks} />
      <p class="hint">Whatever is changed here ends the tokens of the user: they log in again.</p>
      <Problems error={error} />
    </form>
  );
}

function withoutPassword(attributes: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => name !== 'password'));
}

function parsed(text: string): Readonly<Record<string, Json>> {
  const json = JSON.parse(text) as Json;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new TypeError('Attributes are a JSON object.');
  }
  return json as Readonly<Record<string, Json>>;
}
