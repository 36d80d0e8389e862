/** The fields of a type that are known: documents have shown them, or schemas name them. */
import type { Resource } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { isItems, isMembers } from '../../parts/fields/json.ts';
import { kindOf, type KindName } from '../../parts/fields/kinds.ts';
import { readShape } from '../document/shape.ts';

/** `null` for what nobody has seen yet. */
export type FieldKind = KindName | 'link';

interface Field {
  readonly name: string;
  readonly kind: FieldKind;
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
    for (const [name, value] of Object.entries(attributes)) noteAll(all, name, value, 0);
    for (const name of Object.keys(relationships)) note(all, name, 'link', undefined);
  }
  return all;
}

/** The fields with those that others name: what documents show says more of a kind. */
export function withNames(fields: Fields, named: readonly Named[]): Fields {
  const all = new Map(fields);
  for (const [name, kind] of named) note(all, name, kind, undefined);
  return all;
}

/** How deep the members of objects are known, and how many items of an array are looked at. */
const DEPTH = 3;
const ITEMS = 3;

/** A value, and the members in it, by their paths. */
function noteAll(all: Map<string, Field>, path: string, value: Json, depth: number): void {
  const kind = kindOf(value);
  note(all, path, kind, value);
  if (depth === DEPTH) return;
  const objects = kind === 'array' && isItems(value) ? value.slice(0, ITEMS) : [value];
  for (const object of objects) {
    if (!isMembers(object) || kindOf(object) !== 'object') continue;
    for (const [name, each] of Object.entries(object)) noteAll(all, `${path}.${name}`, each, depth + 1);
  }
}

/** The names of the fields that documents have, and not of what is in them. */
export function topNames(fields: Fields): readonly string[] {
  return [...fields.keys()].filter((name) => !name.includes('.'));
}

function note(all: Map<string, Field>, name: string, kind: FieldKind, value: Json | undefined): void {
  const known = all.get(name);
  // `null` says nothing of the kind; later documents do not change what the first have shown.
  const isBetter = known === undefined || (known.kind === 'null' && kind !== 'null');
  const seen = known?.seen ?? new Set<string>();
  const text =
    value !== undefined && /^(string|number|boolean)$/.test(kind) ? JSON.stringify(value) : undefined;
  const isNew = text !== undefined && text.length <= SHORT && seen.size < REMEMBERED && !seen.has(text);
  if (!isBetter && !isNew) return;
  all.set(name, {
    name,
    kind: isBetter ? kind : known.kind,
    seen: isNew ? new Set([...seen, text]) : seen,
  });
}

type Named = readonly [name: string, kind: FieldKind];

/** Names of fields, as far as schemas and the latest documents say them. */
export async function namedFields(type: string): Promise<readonly Named[]> {
  const { fields, links } = await readShape(type);
  const plain = [...fields.values()].filter(({ name }) => !name.split('.').includes('*'));
  return [
    ...plain.map(({ name, kind, isKnown }): Named => [name, isKnown ? kind : 'null']),
    ...[...links.keys()].map((name): Named => [name, 'link']),
  ];
}
