/** One value in a table: short, with all of it as the title; or being changed. Text of documents stays text. */
import { useRef } from 'preact/hooks';
import type { Link, Resource } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { errorsOf, waitOf } from '../../parts/button.tsx';
import { isItems, member } from '../../parts/fields/json.ts';
import {
  geometryIn,
  kindOf,
  NUMERIC,
  readAs,
  textOf,
  unwrapped,
  type KindName,
} from '../../parts/fields/kinds.ts';
import { keyOfLink, nameOf, wayToLink } from '../../parts/fields/names.tsx';
import { countText, cut, Time } from '../../parts/words.tsx';
import { change, read, statusOf, useLoad, type Stored } from '../../session/service.ts';
import { linksOf, READ_ONLY } from '../document/draft.ts';
import type { Fields } from './fields.ts';

/** Characters of a value that a cell holds, and that its title holds. */
const SHOWN = 120;
const TOLD = 1_000;
/** Links that a cell shows. */
const LINKS = 2;

interface CellProps {
  readonly document: Resource;
  readonly name: string;
  /** What links lead to, by link, as far as known. */
  readonly linked?: ReadonlyMap<string, Resource> | undefined;
}

/** The cell of a field: an attribute, a relationship, or nothing where the document has neither. */
export function Cell({ document, name, linked }: CellProps) {
  const relationship = member(document.relationships, name);
  if (relationship !== undefined) return <Links {...relationship} linked={linked} />;
  const known = name.startsWith('$') ? auditFieldOf(document, name) : member(document.attributes, name);
  return known === undefined ? <span class="visually-hidden">not set</span> : <Value value={known} />;
}

/** `$created` and `$updated`, which stand in `meta` as ISO dates. */
function auditFieldOf({ meta }: Resource, name: string): Json | undefined {
  const value = member<Json | undefined>(meta, name.slice(1));
  return typeof value === 'string' ? { $date: value } : value;
}

export function Value({ value }: { readonly value: Json }) {
  if (value === null) return <span class="null soft">null</span>;
  const special = unwrapped(value);
  if (special?.kind === 'date') return <Time iso={special.text} style="short" />;
  if (special !== undefined) return <span class={special.kind === 'id' ? 'mono' : ''}>{special.text}</span>;
  if (typeof value === 'string') return <Text text={value} />;
  const geometry = geometryIn(value);
  if (geometry !== undefined) return <Text text={geometry} title={JSON.stringify(value)} />;
  if (typeof value !== 'object') return <>{String(value)}</>;
  const text = JSON.stringify(value);
  return <Text class="mono" text={isItems(value) ? `${value.length}: ${text}` : text} title={text} />;
}

interface TextProps {
  readonly text: string;
  readonly title?: string;
  readonly class?: string;
}

function Text({ text, title = text, class: name = '' }: TextProps) {
  return (
    <span class={name} title={cut(title, TOLD)}>
      {cut(text, SHOWN)}
    </span>
  );
}

/** The links that cells of documents show. */
export function linksIn(documents: readonly Resource[], columns: readonly string[]): readonly Link[] {
  return documents.flatMap(({ relationships }) =>
    columns.flatMap((name) => linksOf(member(relationships, name)?.data ?? null).slice(0, LINKS)),
  );
}

type LinksProps = NonNullable<Resource['relationships']>[string] & Pick<CellProps, 'linked'>;

function Links({ data = null, linked }: LinksProps) {
  const links = linksOf(data);
  if (links.length === 0) return <span class="null soft">{data === null ? 'null' : 'none'}</span>;
  return (
    <>
      {links.slice(0, LINKS).map((link, index) => (
        <>
          {index > 0 && ', '}
          <a href={wayToLink(link)} title={`${link.type} ${link.id}`} tabIndex={-1}>
            {nameOf(linked?.get(keyOfLink(link)) ?? {}) ?? `${link.type} ${link.id.slice(-6)}`}
          </a>
        </>
      ))}
      {links.length > LINKS && <span class="soft"> and {countText(links.length - LINKS)} more</span>}
    </>
  );
}

/** Whether the values of a cell stand right-aligned. */
export function isNumeric({ attributes }: Resource, name: string): boolean {
  const value = member(attributes, name);
  return value !== undefined && NUMERIC.has(kindOf(value));
}

/** The kind that a cell is edited as; undefined for one that only the page of its document changes. */
export function kindToEdit(document: Resource, name: string, fields: Fields): KindName | undefined {
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
  readonly kind: KindName;
  /** Told how many cells to go on, and the document if it was changed, with the tag of that. */
  readonly onDone: (step: number, changed?: Stored) => void;
}

/** A value that is changed where it stands: Enter or Tab saves it, Escape leaves it as it was. */
export function CellEditor({ document, name, kind, onDone }: CellEditorProps) {
  const { value: stored } = useLoad((signal) => read(document, '', signal), []);
  const isDone = useRef(false);
  if (stored === undefined || stored === null) return null;
  const before = textOf(member(stored.document.attributes, name) ?? null);
  const save = async (text: string): Promise<Stored | undefined> => {
    if (text === before.replaceAll(LINES, '')) return undefined;
    const value = readAs(text, kind);
    if (value === undefined) throw new Error(`This is no ${kind}.`);
    const etag = await change(document, { attributes: { [name]: value } }, stored.etag);
    const now = await read(document);
    return { document: { ...document, ...(now !== null && { attributes: now.document.attributes }) }, etag };
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
  if (statusOf(error) === 412)
    return 'Somebody else has changed this document since. Press Escape, and edit it again.';
  return errorsOf(error)
    .map((each) => `${each.detail ?? each.title}${waitOf(each)}`)
    .join(' ');
}
