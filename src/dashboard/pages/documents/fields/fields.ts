/** The fields of a type as far as they are known: those that documents have shown, and those that a schema names. */
import type { Resource } from '../../../../client/transport.ts';
import type { Json } from '../../../../client/values.ts';
import { kindOf, type Kind } from './kinds.ts';

interface Field {
  readonly name: string;
  readonly kind: Kind;
  /** Values that were seen, as JSON texts; a few are enough to complete from. */
  readonly seen: ReadonlySet<string>;
}

export type Fields = ReadonlyMap<string, Field>;

export const NO_FIELDS: Fields = new Map();

/** How many values of a field are remembered, and of how many characters at most. */
const REMEMBERED = 40;
const SHORT = 60;

/** The fields with what more documents show. */
export function withDocuments(fields: Fields, documents: readonly Resource[]): Fields {
  const all = new Map(fields);
  for (const { attributes = {}, relationships = {} } of documents) {
    for (const [name, value] of Object.entries(attributes)) note(all, name, kindOf(value), value);
    for (const name of Object.keys(relationships)) note(all, name, 'link', undefined);
  }
  return all;
}

/** The fields with those that others name: what documents show says more of a kind. */
export function withNames(fields: Fields, named: readonly (readonly [string, Kind])[]): Fields {
  const all = new Map(fields);
  for (const [name, kind] of named) {
    const known = all.get(name);
    if (known === undefined) all.set(name, { name, kind, seen: new Set() });
    else if (known.kind === 'null') all.set(name, { ...known, kind });
  }
  return all;
}

function note(all: Map<string, Field>, name: string, kind: Kind, value: Json | undefined): void {
  const known = all.get(name);
  // `null` says nothing of the kind; later documents do not change what the first have shown.
  const isBetter = known === undefined || (known.kind === 'null' && kind !== 'null');
  const seen = known?.seen ?? new Set<string>();
  const text = isScalar(value) ? JSON.stringify(value) : undefined;
  const isNew = text !== undefined && text.length <= SHORT && seen.size < REMEMBERED && !seen.has(text);
  if (!isBetter && !isNew) return;
  all.set(name, {
    name,
    kind: isBetter ? kind : known.kind,
    seen: isNew ? new Set([...seen, text]) : seen,
  });
}

function isScalar(value: Json | undefined): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
