/** A dialog that finds one document: by its type, by words in it, by what a field holds, or by its id. */
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
import { filterOfIds, filterOfWords, nameOf } from './names.tsx';
import { Content } from '../page.tsx';

/** How many documents are offered. */
const OFFERED = 20;
/** In place of a field: words anywhere in the document. */
const ANY = '';

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
  const [field, setField] = useState<string>();
  const names = useTypeNames();
  const typed = useQuiet(`${type}\n${field ?? ''}\n${text}`);
  const found = useLoad((signal) => find(type, field, text.trim(), signal), [typed]);
  const { fields = [], field: searched = ANY } = found.value ?? {};
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
          placeholder="Words, a part of a field, or an id"
        />
        <SelectField
          label="In"
          value={field ?? searched}
          options={[[ANY, 'any text, by words'], ...fields]}
          onValue={setField}
        />
      </div>
      <Content of={found} what="documents">
        {({ documents }) => (
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

interface Found {
  readonly documents: readonly Resource[];
  /** Fields with text. */
  readonly fields: readonly string[];
  /** The one that was searched. */
  readonly field: string;
}

const NONE: Found = { documents: [], fields: [], field: ANY };

async function find(
  type: string,
  field: string | undefined,
  text: string,
  signal: AbortSignal,
): Promise<Found> {
  if (type === '') return NONE;
  await titlesRead();
  const few = { 'page[limit]': String(OFFERED + 1), 'page[count]': 'false' };
  const { documents: first } = await list(pathOf(type), few, signal);
  const fields = fieldsOf(first);
  const searched =
    field !== undefined && (field === ANY || fields.includes(field)) ? field : nameFieldOf(first);
  if (text === '') return { documents: first, fields, field: searched };
  const { documents } = await list(pathOf(type), { ...filterOf(type, searched, text), ...few }, signal);
  return { documents, fields, field: searched };
}

function filterOf(type: string, field: string, text: string): Readonly<Record<string, string>> {
  if (ID.test(text)) return { 'filter[id]': filterOfIds(type, [text]) };
  if (field === ANY) return { 'filter[*]': filterOfWords(text) };
  return { [`filter[${field}]`]: JSON.stringify({ $regex: literal(text), $options: 'i' }) };
}

function fieldsOf(documents: readonly Resource[]): readonly string[] {
  const names = documents.flatMap(({ attributes = {} }) =>
    Object.keys(attributes).filter((name) => typeof attributes[name] === 'string' && name !== 'password'),
  );
  return [...new Set(names)].sort();
}

/** The field that documents are called by, if they have one. */
function nameFieldOf(documents: readonly Resource[]): string {
  const named = documents.find((document) => nameOf(document) !== null);
  if (named === undefined) return ANY;
  const name = nameOf(named);
  return fieldsOf([named]).find((field) => named.attributes?.[field] === name) ?? ANY;
}

/** Milliseconds without a key before the service is asked. */
const QUIET = 200;

/** The value once nobody has changed it for a moment. */
export function useQuiet<T>(value: T): T {
  const [quiet, setQuiet] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(value), QUIET);
    return () => clearTimeout(timer);
  }, [value]);
  return quiet;
}
