/** A value that is changed where it stands in the table: Enter or Tab saves it, Escape leaves it as it was. */
import { useRef } from 'preact/hooks';
import { ForedgeError } from '../../../client/errors.ts';
import type { Resource } from '../../../client/transport.ts';
import { member } from '../../parts/fields/json.ts';
import { kindOf, readAs, textOf, type Kind } from '../../parts/fields/kinds.ts';
import { errorsOf } from '../../parts/problems.tsx';
import { change, read } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { READ_ONLY } from '../document/draft.ts';
import type { Fields } from './fields.ts';

/** The kind that a cell is edited as; undefined for one that only the page of its document changes. */
export function kindToEdit(document: Resource, name: string, fields: Fields): Kind | undefined {
  const { type, attributes, relationships } = document;
  if (READ_ONLY.test(type) || name.startsWith('$') || member(relationships, name) !== undefined)
    return undefined;
  const value = member(attributes, name) ?? null;
  const kind = value === null ? (fields.get(name)?.kind ?? 'string') : kindOf(value);
  if (kind === 'null') return 'string';
  // What edits has one line.
  const isLong = textOf(value).search(LINES) >= 0;
  return isLong || kind === 'link' || /^(geometry|object|array)$/.test(kind) ? undefined : kind;
}

const LINES = /[\r\n]/g;

interface CellEditorProps {
  readonly document: Resource;
  readonly name: string;
  readonly kind: Kind;
  /** Told how many cells to go on, and the document if it was changed. */
  readonly onDone: (step: number, changed?: Resource) => void;
}

export function CellEditor({ document, name, kind, onDone }: CellEditorProps) {
  const { value: stored } = useLoad((signal) => read(document, '', signal), []);
  const isDone = useRef(false);
  if (stored === undefined || stored === null) return null;
  const before = textOf(member(stored.document.attributes, name) ?? null);
  const save = async (text: string): Promise<Resource | undefined> => {
    if (text === before.replaceAll(LINES, '')) return undefined;
    const value = readAs(text, kind);
    if (value === undefined) throw new Error(`This is no ${kind}.`);
    await change(document, { attributes: { [name]: value } }, stored.etag);
    const now = await read(document);
    return { ...document, ...(now !== null && { attributes: now.document.attributes }) };
  };
  const done = (input: HTMLInputElement, step: number) => {
    if (isDone.current) return;
    isDone.current = true;
    save(input.value).then(
      (changed) => onDone(step, changed),
      (error: unknown) => {
        isDone.current = false;
        input.setCustomValidity(wordsOf(error));
        input.reportValidity();
      },
    );
  };
  return (
    <input
      type="text"
      class="cell-editor"
      aria-label={`${name} of ${document.id}`}
      autocomplete="off"
      spellcheck={false}
      defaultValue={before}
      ref={(input) => {
        if (input?.ownerDocument.activeElement !== input) input?.focus();
      }}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onInput={({ currentTarget }) => currentTarget.setCustomValidity('')}
      onBlur={({ currentTarget }) => done(currentTarget, NaN)}
      onKeyDown={(event) => {
        const { key, shiftKey, currentTarget } = event;
        if (key === 'Enter') done(currentTarget, 0);
        else if (key === 'Tab') done(currentTarget, shiftKey ? -1 : 1);
        else if (key === 'Escape') {
          isDone.current = true;
          onDone(0);
        } else return;
        event.preventDefault();
      }}
    />
  );
}

function wordsOf(error: unknown): string {
  if (error instanceof ForedgeError && error.status === 412)
    return 'Somebody else has changed this document since. Press Escape, and edit it again.';
  return errorsOf(error)
    .map(({ title, detail = title }) => detail)
    .join(' ');
}
