/** One value in a table: short, with all of it as the title. Text of documents is never anything but text. */
import type { Resource } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { isItems, member } from '../../parts/fields/json.ts';
import { geometryIn, kindOf, NUMERIC, unwrapped } from '../../parts/fields/kinds.ts';
import { countText, cut, Time } from '../../parts/words.tsx';
import { wayTo } from '../../route.ts';
import { linksOf } from '../document/draft.ts';

/** Characters of a value that a cell holds, and that its title holds. */
const SHOWN = 120;
const TOLD = 1_000;
/** Links that a cell shows. */
const LINKS = 2;

/** The cell of a field: an attribute, a relationship, or nothing where the document has neither. */
export function Cell({ document, name }: { readonly document: Resource; readonly name: string }) {
  const relationship = member(document.relationships, name);
  if (relationship !== undefined) return <Links {...relationship} />;
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

function Links({ data = null }: NonNullable<Resource['relationships']>[string]) {
  const links = linksOf(data);
  if (links.length === 0) return <span class="null">{data === null ? 'null' : 'none'}</span>;
  return (
    <>
      {links.slice(0, LINKS).map(({ type, id }, index) => (
        <>
          {index > 0 && ', '}
          <a href={wayTo(['documents', type, id])} title={`${type} ${id}`} tabIndex={-1}>
            {type} {id.slice(-6)}
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
