/** A dialog that finds one document: by its type, by words in it, by what a field holds, or by its id. */
import { useEffect, useId, useState } from 'preact/hooks';
import { pathOf } from '../../../../client/paths.ts';
import type { Link, Resource } from '../../../../client/transport.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { Field, TextField } from '../../../parts/field.tsx';
import { Loading } from '../../../parts/page.tsx';
import { Problems } from '../../../parts/problems.tsx';
import { SelectField } from '../../../parts/select.tsx';
import { listOf } from '../../../session/answers.ts';
import { useLoad } from '../../../session/load.ts';
import { ask } from '../../../session/service.ts';
import { readTypes } from '../../../session/types.ts';
import { filterOfIds, nameOf } from './names.ts';

/** How many documents are offered. */
const OFFERED = 20;
/** Milliseconds without a key before the service is asked. */
const QUIET = 200;
const ID = /^[0-9a-f]{24}$/i;
/** In place of a field: words anywhere in the document. */
const ANY = '';

/** Types that can always be linked to. */
const PEOPLE = ['core.user', 'core.user-group', 'core.external-user'] as const;

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
  const asked = useQuiet(`${type}\n${field ?? ''}\n${text}`);
  const { value, error } = useLoad((signal) => find(type, field, text.trim(), signal), [asked]);
  const found = type === '' ? [] : (value?.documents ?? []);
  const fields = value?.fields ?? [];
  return (
    <Dialog title={title} wide onClose={onClose}>
      <div class="dialog-body">
        <div class="choose-bar">
          {types === undefined ? (
            <AnyType type={type} onType={setType} />
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
            value={field ?? value?.field ?? ANY}
            options={[[ANY, 'any text, by words'], ...fields.map((each) => [each, each] as const)]}
            onValue={setField}
          />
        </div>
        <Problems error={error} />
        {value === undefined && error === undefined && <Loading what="documents" />}
        {value !== undefined && found.length === 0 && <p class="soft">No document of this type matches.</p>}
        <ul class="found">
          {found.map((document) => (
            <li key={document.id}>
              <button
                type="button"
                onClick={() => {
                  onChoose({ type: document.type, id: document.id }, nameOf(document) ?? document.id);
                }}
              >
                <strong>{nameOf(document) ?? 'Without a name'}</strong> <code>{document.id}</code>
              </button>
            </li>
          ))}
        </ul>
        {value?.isMore === true && <p class="soft">The first {OFFERED} are shown: search for others.</p>}
      </div>
    </Dialog>
  );
}

function AnyType({ type, onType }: { readonly type: string; readonly onType: (type: string) => void }) {
  const list = useId();
  const { value: types } = useLoad(readTypes, []);
  return (
    <Field
      label="Type"
      control={(ties) => (
        <>
          <input
            {...ties}
            type="text"
            list={list}
            autocomplete="off"
            value={type}
            onInput={({ currentTarget }) => {
              onType(currentTarget.value.trim());
            }}
          />
          <datalist id={list}>
            {[...(types ?? []).map(({ name }) => name), ...PEOPLE].map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    />
  );
}

interface Found {
  readonly documents: readonly Resource[];
  readonly isMore: boolean;
  /** Fields with text. */
  readonly fields: readonly string[];
  /** The one that was searched. */
  readonly field: string;
}

async function find(
  type: string,
  field: string | undefined,
  text: string,
  signal: AbortSignal,
): Promise<Found | undefined> {
  if (type === '') return undefined;
  const first = await list(type, {}, signal);
  const fields = fieldsOf(first);
  const names = nameFieldOf(first);
  const searched = field !== undefined && (field === ANY || fields.includes(field)) ? field : names;
  const documents = text === '' ? first : await list(type, filterOf(type, searched, text), signal);
  return {
    documents: documents.slice(0, OFFERED),
    isMore: documents.length > OFFERED,
    fields,
    field: searched,
  };
}

async function list(
  type: string,
  filter: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<readonly Resource[]> {
  const query = new URLSearchParams({
    ...filter,
    'page[limit]': String(OFFERED + 1),
    'page[count]': 'false',
  });
  return listOf((await ask('GET', pathOf(type), { query: query.toString(), signal })).body);
}

function filterOf(type: string, field: string, text: string): Readonly<Record<string, string>> {
  if (ID.test(text)) return { 'filter[id]': filterOfIds(type, [text]) };
  if (field === ANY) return { 'filter[*]': JSON.stringify({ $text: { $search: text } }) };
  return {
    [`filter[${field}]`]: JSON.stringify({
      $regex: text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`),
      $options: 'i',
    }),
  };
}

function fieldsOf(documents: readonly Resource[]): readonly string[] {
  const names = documents.flatMap(({ attributes = {} }) =>
    Object.keys(attributes).filter((name) => typeof attributes[name] === 'string' && name !== 'password'),
  );
  return [...new Set(names)].sort();
}

/** The field that documents are called by, if they have one. */
function nameFieldOf(documents: readonly Resource[]): string {
  const [named] = documents.filter((document) => nameOf(document) !== null);
  if (named === undefined) return ANY;
  const name = nameOf(named);
  return fieldsOf([named]).find((field) => named.attributes?.[field] === name) ?? ANY;
}

/** The value once nobody has changed it for a moment. */
function useQuiet(value: string): string {
  const [quiet, setQuiet] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => {
      setQuiet(value);
    }, QUIET);
    return () => {
      clearTimeout(timer);
    };
  }, [value]);
  return quiet;
}
