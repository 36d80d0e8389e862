/** One value in a table: short, with all of it as the title. Text of documents is never anything but text. */
import type { Resource } from '../../../../client/transport.ts';
import type { Json } from '../../../../client/values.ts';
import { countText } from '../../../parts/numbers.ts';
import { wayTo } from '../../../route.ts';
import { geometryIn, isArray, kindOf, NUMERIC, unwrapped } from '../fields/kinds.ts';

/** Characters of a value that a cell holds, and that its title holds. */
const SHOWN = 120;
const TOLD = 1_000;
/** Links that a cell shows. */
const LINKS = 2;

type Linkage = NonNullable<Resource['relationships']>[string]['data'];

/** The cell of a field: an attribute, a relationship, or nothing where the document has neither. */
export function Cell({ document, name }: { readonly document: Resource; readonly name: string }) {
  const relationship = ownOf(document.relationships, name);
  if (relationship !== undefined) return <Links data={relationship.data} />;
  const known = name.startsWith('$') ? provenanceOf(document, name) : ownOf(document.attributes, name);
  return known === undefined ? <span class="visually-hidden">not there</span> : <Shown value={known} />;
}

function ownOf<Value>(of: { readonly [name: string]: Value } | undefined, name: string): Value | undefined {
  return of !== undefined && Object.hasOwn(of, name) ? of[name] : undefined;
}

/** `$created` and `$updated`, which stand in `meta` as ISO dates. */
function provenanceOf({ meta }: Resource, name: string): Json | undefined {
  const value = ownOf<Json | undefined>(meta, name.slice(1));
  return typeof value === 'string' ? { $date: value } : value;
}

function Shown({ value }: { readonly value: Json }) {
  if (value === null) return <span class="null">null</span>;
  const special = unwrapped(value);
  if (special?.kind === 'date') return <Moment iso={special.text} />;
  if (special !== undefined) return <span class={special.kind === 'id' ? 'mono' : ''}>{special.text}</span>;
  if (typeof value === 'string') return <Text text={value} />;
  const geometry = geometryIn(value);
  if (geometry !== undefined) return <Text text={geometry} title={JSON.stringify(value)} />;
  if (typeof value !== 'object') return <>{String(value)}</>;
  const text = JSON.stringify(value);
  return <Text class="mono" text={isArray(value) ? `${value.length}: ${text}` : text} title={text} />;
}

function Text({
  text,
  title = text,
  class: name = '',
}: {
  readonly text: string;
  readonly title?: string;
  readonly class?: string;
}) {
  return (
    <span class={name} title={cut(title, TOLD)}>
      {cut(text, SHOWN)}
    </span>
  );
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

const ZONED = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** In the zone of whoever looks; the title is the date as it is stored. */
function Moment({ iso }: { readonly iso: string }) {
  const date = new Date(iso);
  // Years of more than four digits are dates, too.
  const shown = Number.isNaN(date.getTime()) ? iso : ZONED.format(date);
  return (
    <time dateTime={iso} title={iso}>
      {shown}
    </time>
  );
}

function Links({ data }: { readonly data: Linkage }) {
  if (data === null || data === undefined) return <span class="null">null</span>;
  const links = isList(data) ? data : [data];
  if (links.length === 0) return <span class="null">none</span>;
  return (
    <>
      {links.slice(0, LINKS).map(({ type, id }, index) => (
        <>
          {index > 0 && ', '}
          <a
            href={wayTo(['documents', type, id])}
            title={`${type} ${id}`}
            tabIndex={-1}
            onClick={(event) => {
              event.stopPropagation();
            }}
          >
            {type} {id.slice(-6)}
          </a>
        </>
      ))}
      {links.length > LINKS && <span class="soft"> and {countText(links.length - LINKS)} more</span>}
    </>
  );
}

function isList(data: NonNullable<Linkage>): data is Extract<Linkage, readonly unknown[]> {
  return Array.isArray(data);
}

/** Whether the values of a cell stand right-aligned. */
export function isNumeric({ attributes }: Resource, name: string): boolean {
  const value = ownOf(attributes, name);
  if (value === undefined) return false;
  return NUMERIC.has(kindOf(value));
}
