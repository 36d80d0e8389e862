/** One value in a table: short, with all of it as the title. Text of documents is never anything but text. */
import type { Link, Resource } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { isItems, member } from '../../parts/fields/json.ts';
import { geometryIn, kindOf, NUMERIC, unwrapped } from '../../parts/fields/kinds.ts';
import { keyOfLink, nameOf, wayToLink } from '../../parts/fields/names.tsx';
import { countText, cut, Time } from '../../parts/words.tsx';
import { linksOf } from '../document/draft.ts';

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
  const known = name.startsWith('$') ? provenanceOf(document, name) : member(document.attributes, name);
  return known === undefined ? <span class="visually-hidden">not set</span> : <Value value={known} />;
}

/** `$created` and `$updated`, which stand in `meta` as ISO dates. */
function provenanceOf({ meta }: Resource, name: string): Json | undefined {
  const value = member<Json | undefined>(meta, name.slice(1));
  return typeof value === 'string' ? { $date: value } : value;
}

export function Value({ value }: { readonly value: Json }) {
  if (value === null) return <span class="null">null</span>;
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
  if (links.length === 0) return <span class="null">{data === null ? 'null' : 'none'}</span>;
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
