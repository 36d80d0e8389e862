/** What documents are called, for people read names and not ids; and a dialog that finds one by its name. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import type { Link, Resource } from '../../../client/transport.ts';
import { wayTo } from '../../route.ts';
import { list, useLoad } from '../../session/service.ts';
import { titleOf, titlesRead, useTypeNames } from '../../session/types.ts';
import { Content } from '../page.tsx';
import { Dialog } from './dialog.tsx';
import { SelectField, TextField } from './form.tsx';
import { chunksOf, literal, member } from './json.ts';
import { ID, textOf } from './kinds.ts';

/** Attributes that documents are called by, the best first. */
const NAMES = ['username', 'name', 'title', 'label', 'subject', 'code', 'slug', 'email'] as const;
/** What people, groups, keys and files are called by. */
const CALLED = ['username', 'name', 'email'] as const;
/** How many documents one request asks for. */
const TOGETHER = 100;

type Called = Pick<Resource, 'attributes'> & Partial<Link>;

/** The attribute that it is called by: what the settings of the type say, else the best of the usual ones. */
function nameFieldOf({ type, attributes = {} }: Called): string | undefined {
  return [titleOf(type) ?? [], NAMES].flat().find((name) => {
    const value = attributes[name];
    return (typeof value === 'string' && value !== '') || typeof value === 'number';
  });
}

/** Null where no attribute is a name. */
export function nameOf(document: Called): string | null {
  const field = nameFieldOf(document);
  return field === undefined ? null : textOf(document.attributes?.[field] ?? null);
}

export function calledOf(document: Called): string {
  return nameOf(document) ?? 'Without a name';
}

export function keyOfLink({ type, id }: Link): string {
  return `${type}/${id}`;
}

export function fieldsOfNames(type: string): Readonly<Record<string, string>> {
  return { [`fields[${type}]`]: [...NAMES, titleOf(type) ?? []].flat().join() };
}

/** A filter on ids. Those of aggregates are strings; those of stored documents are object ids. */
export function filterOfIds(type: string, ids: readonly string[]): string {
  return JSON.stringify({ $in: type.startsWith('agt.') ? ids : ids.map((id) => ({ $oid: id })) });
}

/** A filter on words that needs all of them. What has quotes or excludes (`-word`) says itself what it means. */
export function filterOfWords(words: string): string {
  const all =
    /"|(^|\s)-/.test(words) || /^[\p{L}\p{M}\p{N}_]*$/u.test(words)
      ? words
      : words
          .split(/\s+/)
          .map((word) => `"${word}"`)
          .join(' ');
  return JSON.stringify({ $text: { $search: all } });
}

/** A filter on a part of what people, groups, keys and files are called by, or on an id. */
export function filterOfName(text: string): string {
  if (ID.test(text)) return JSON.stringify({ id: { $oid: text } });
  const part = { $regex: literal(text), $options: 'i' };
  return JSON.stringify({ $or: CALLED.map((name) => ({ [name]: part })) });
}

/** Documents by link. One that is missing was deleted, or may not be read by whoever asks. */
type Names = ReadonlyMap<string, Resource>;
const NO_NAMES: Names = new Map();

/** Looks up what the links lead to, some hundred at a time. */
export function useNames(links: readonly Link[]): Names {
  const wanted = useMemo(() => [...new Set(links.map(keyOfLink))].sort().join('\n'), [links]);
  return useLoad((signal) => lookUp(links, signal), [wanted]).value ?? NO_NAMES;
}

let asked: Link[] = [];
let coming: Promise<Names> | undefined;

/** What a link leads to. Those that are drawn together are asked for together. */
async function documentAt(link: Link | undefined): Promise<Resource | undefined> {
  if (link === undefined) return undefined;
  asked.push(link);
  coming ??= Promise.resolve().then(() => {
    const links = asked;
    [asked, coming] = [[], undefined];
    return lookUp(links);
  });
  return (await coming).get(keyOfLink(link));
}

async function lookUp(links: readonly Link[], signal?: AbortSignal): Promise<Names> {
  if (links.length === 0) return new Map();
  await titlesRead();
  const byType = Map.groupBy(
    new Map(links.map((link) => [keyOfLink(link), link])).values(),
    ({ type }) => type,
  );
  const lists = await Promise.all(
    [...byType].flatMap(([type, group]) =>
      chunksOf(group, TOGETHER).map((some) => readNames(type, some, signal)),
    ),
  );
  return new Map(lists.flat().map((document) => [keyOfLink(document), document]));
}

/** A type whose list may not be read has no names. */
async function readNames(type: string, links: readonly Link[], signal: AbortSignal | undefined) {
  const query = {
    'filter[id]': filterOfIds(
      type,
      links.map(({ id }) => id),
    ),
    'page[size]': String(TOGETHER),
    'page[count]': 'false',
    ...fieldsOfNames(type),
  };
  return list(pathOf(type), query, signal).then(
    ({ documents }) => documents,
    () => [],
  );
}

/** Where all documents of a type are, and the words for all and for one. */
interface TypeWords {
  readonly steps: readonly string[];
  readonly all: string;
  readonly what: string;
}

/** Of the types that have pages of their own. */
const OWN_TYPES: Readonly<Record<string, TypeWords>> = {
  'core.user': { steps: ['users', 'core.user'], all: 'Users', what: 'user' },
  'core.external-user': {
    steps: ['users', 'core.external-user'],
    all: 'External users',
    what: 'external user',
  },
  'core.user-group': { steps: ['groups'], all: 'Groups', what: 'group' },
  'core.api-key': { steps: ['keys'], all: 'API keys', what: 'key' },
  'core.webhook': { steps: ['webhooks'], all: 'Webhooks', what: 'webhook' },
  'core.schema': { steps: ['schemas'], all: 'Schemas', what: 'schema' },
  'core.type': { steps: ['schemas', 'settings'], all: 'Schemas', what: 'type' },
  'core.aggregate': { steps: ['aggregates'], all: 'Aggregates', what: 'aggregate' },
  'core.application': { steps: ['applications'], all: 'Applications', what: 'application' },
  'core.mail-template': { steps: ['templates'], all: 'Mail templates', what: 'template' },
  'core.account-settings': { steps: ['accounts'], all: 'Accounts', what: 'setting' },
  'core.identity-provider': { steps: ['providers'], all: 'Identity providers', what: 'provider' },
};

export function wordsOfType(type: string): TypeWords {
  return member(OWN_TYPES, type) ?? { steps: ['documents', type], all: type, what: 'document' };
}

/** The page of what a link leads to. */
export function wayToLink({ type, id }: Link): string {
  return wayTo([...wordsOfType(type).steps, id]);
}

/** A link, if there is one, by the name of what it leads to. What is not shown is said so. */
export function Linked({ link }: { readonly link: Link | undefined }) {
  const { value: document, isLoading } = useLoad(() => documentAt(link), [link && keyOfLink(link)]);
  if (link === undefined) return null;
  return (
    <span class="linked wrap">
      <a href={wayToLink(link)} title={`${link.type} ${link.id}`}>
        {(document && nameOf(document)) ?? <code>{link.id}</code>}
      </a>
      <span class="soft">{link.type}</span>
      {document === undefined && !isLoading && <span class="tag">deleted or no access</span>}
    </span>
  );
}

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

/** Finds a document of a type: by a part of its name, by words where none has a name, or by its id. */
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
