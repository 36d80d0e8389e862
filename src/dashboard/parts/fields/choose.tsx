/** A dialog that finds a document of a type: by a part of its name, by words where none has a name, or by its id. */
import { useEffect, useState } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import type { Link, Resource } from '../../../client/transport.ts';
import { list } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { titlesRead } from '../../session/titles.ts';
import { useTypeNames } from '../../session/types.ts';
import { Dialog } from './dialog.tsx';
import { SelectField, TextField } from './form.tsx';
import { literal } from './json.ts';
import { ID } from './kinds.ts';
import { filterOfIds, filterOfWords, nameFieldOf, nameOf } from './names.tsx';
import { Content } from '../page.tsx';

/** How many documents are offered. */
const OFFERED = 20;

interface ChooseProps {
  readonly title: string;
  /** The type that the search begins with. */
  readonly type: string;
  /** The types to choose from; without them any. */
  readonly types?: readonly (readonly [string, string])[];
  readonly onChoose: (link: Link, name: string) => void;
  readonly onClose: () => void;
}

export function Choose({ title, type: first, types, onChoose, onClose }: ChooseProps) {
  const [type, setType] = useState(first);
  const [text, setText] = useState('');
  const names = useTypeNames();
  const typed = useQuiet(`${type}\n${text}`);
  const found = useLoad((signal) => find(type, text.trim(), signal), [typed]);
  return (
    <Dialog title={title} wide onClose={onClose}>
      <div class="toolbar">
        {types === undefined ? (
          <TextField label="Type" value={type} onText={(next) => setType(next.trim())} suggestions={names} />
        ) : (
          <SelectField label="Kind" value={type} options={types} onValue={setType} />
        )}
        <TextField
          label="Search"
          value={text}
          onText={setText}
          autofocus
          placeholder="A part of a name, words, or an id"
        />
      </div>
      <Content of={found} what="documents">
        {(documents) => (
          <>
            {documents.length === 0 && (
              <p class="soft">{type === '' ? 'Choose a type.' : 'No documents match.'}</p>
            )}
            <ul class="found">
              {documents.slice(0, OFFERED).map((document) => {
                const name = nameOf(document);
                const choose = () => {
                  onChoose({ type: document.type, id: document.id }, name ?? document.id);
                  onClose();
                };
                return (
                  <li key={document.id}>
                    <button type="button" onClick={choose}>
                      <strong>{name ?? 'Without a name'}</strong> <code>{document.id}</code>
                    </button>
                  </li>
                );
              })}
            </ul>
            {documents.length > OFFERED && (
              <p class="soft">The first {OFFERED} are shown. Search for others.</p>
            )}
          </>
        )}
      </Content>
    </Dialog>
  );
}

async function find(type: string, text: string, signal: AbortSignal): Promise<readonly Resource[]> {
  if (type === '') return [];
  await titlesRead();
  const few = { 'page[limit]': String(OFFERED + 1), 'page[count]': 'false' };
  const { documents } = await list(pathOf(type), few, signal);
  if (text === '') return documents;
  const [field] = documents.flatMap((document) => nameFieldOf(document) ?? []);
  const found = await list(pathOf(type), { ...filterOf(type, field, text), ...few }, signal);
  return found.documents;
}

function filterOf(type: string, field: string | undefined, text: string): Readonly<Record<string, string>> {
  if (ID.test(text)) return { 'filter[id]': filterOfIds(type, [text]) };
  if (field === undefined) return { 'filter[*]': filterOfWords(text) };
  // A name may be a number.
  const numbers = Number.isFinite(Number(text)) ? [{ [field]: Number(text) }] : [];
  const part = { [field]: { $regex: literal(text), $options: 'i' } };
  return { 'filter[*]': JSON.stringify({ $or: [part, ...numbers] }) };
}

/** Milliseconds without a key before the service is asked. */
const QUIET = 200;

/** The value once nobody has changed it for a moment. */
export function useQuiet<T>(value: T, milliseconds = QUIET): T {
  const [quiet, setQuiet] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value]);
  return quiet;
}
