/**
 * What becomes of the columns of a file, guessed from what is known of the type, and from the values; and the documents
 * that rows become, or what is wrong with those that cannot be one. Pure.
 */
import type { Link } from '../../../../client/transport.ts';
import type { Json } from '../../../../client/values.ts';
import {
  isItems,
  isMembers,
  linkIn,
  member,
  withMember,
  type LineFault,
} from '../../../parts/fields/json.ts';
import { ID, kindOf, readAs, textOf, type KindName } from '../../../parts/fields/kinds.ts';
import { faultsOfMembers, readExactly, type Draft, type Linkage } from '../../document/draft.ts';
import type { ImportRow, Rows } from './rows.ts';

export interface Column {
  readonly name: string;
  readonly becomes: 'attribute' | 'link' | 'id' | 'nothing';
  /** Its name in documents; a dot leads into an object. */
  readonly field: string;
  /** Of an attribute; '' leaves it as it is in the file. */
  readonly kind: KindName | '';
  /** Of what a link leads to. */
  readonly type: string;
  /** The field that values of a link are found by; '' for ids. */
  readonly by: string;
  readonly isMany: boolean;
}

export interface KnownFields {
  readonly shape: {
    readonly fields: ReadonlyMap<string, { readonly kind: KindName }>;
    readonly links: ReadonlyMap<string, Pick<Column, 'name' | 'type' | 'isMany'>>;
  };
  readonly types: readonly string[];
  /** Whether clients choose the ids of the type's documents. */
  readonly hasOwnIds: boolean;
}

export function guessed(rows: Rows, known: KnownFields): readonly Column[] {
  return rows.names.map((name) => {
    const values = rows.rows.flatMap(({ values: all }) => all.get(name) ?? []);
    return columnOf(name, values, rows.isText, known);
  });
}

function columnOf(name: string, values: readonly Json[], isText: boolean, known: KnownFields): Column {
  const plain = { name, field: fieldFrom(name), kind: '', type: '', by: '', isMany: false } as const;
  if (name === 'id') return { ...plain, becomes: known.hasOwnIds ? 'id' : 'nothing' };
  if (name.startsWith('$')) return { ...plain, becomes: 'nothing' };
  const link = linkFrom(name, values, known);
  if (link !== undefined) return { ...plain, becomes: 'link', ...link };
  const field = known.shape.fields.get(name);
  const kinds = [...(field === undefined ? [] : [field.kind]), ...(isText ? [kindFrom(values)] : [])];
  const kind = kinds.find((each) => values.every((value) => valueAs(value, each) !== undefined));
  const isSo = !isText && values.every((value) => kindOf(value) === kind);
  return { ...plain, becomes: 'attribute', kind: isSo ? '' : (kind ?? '') };
}

/** A name that a field can have (docs/documents.md). Dots lead into an object where all of it is words. */
function fieldFrom(name: string): string {
  if (name === 'type') return 'kind';
  const words = name.split(/[,/[\]\p{Cc}\s]+/u).filter((word) => word !== '');
  const field = words.join(' ');
  return /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*$/u.test(field) ? field : field.replaceAll('.', '');
}

type LinkPart = Pick<Column, 'field' | 'type' | 'by' | 'isMany'>;

function linkFrom(
  name: string,
  values: readonly Json[],
  { shape, types }: KnownFields,
): LinkPart | undefined {
  const items = values.flatMap((value) => partsOf(value));
  const areIds = items.length > 0 && items.every((each) => linkIn(each) !== undefined || isId(each));
  const isMany = values.some((value) => isItems(value) || (areIds && partsOf(value).length > 1));
  const base = name.replace(/[._\s-]*ids?$/i, '') || name;
  const known = shape.links.get(name) ?? shape.links.get(base);
  if (known !== undefined) {
    return { field: known.name, type: known.type, by: areIds ? '' : 'name', isMany: isMany || known.isMany };
  }
  if (!areIds) return undefined;
  const named = types.find((type) => [base, `${base}s`, `${base}es`].includes(type));
  const type = items.map(linkIn).find((link) => link !== undefined)?.type ?? named;
  return type === undefined ? undefined : { field: base, type, by: '', isMany };
}

function isId(value: Json): boolean {
  return typeof value === 'string' && ID.test(value);
}

/** The links that a value names, by a field or by their ids: CSV has ids in one cell, as ours does. */
export function partsOf(value: Json, by = ''): readonly Json[] {
  if (isItems(value)) return value;
  if (typeof value !== 'string' || by !== '') return [value];
  const parts = value.split(/[\s,]+/).filter((part) => part !== '');
  return parts.every((part) => ID.test(part)) ? parts : [value];
}

const DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
/** What texts must look like to be more. A number with a zero before it, or that would lose digits, stays a text. */
const PATTERNS: readonly (readonly [KindName, RegExp])[] = [
  ['boolean', /^(?:true|false)$/],
  ['number', /^-?(?:0|(?!(?:\.?\d){16})[1-9]\d{0,14})(?:\.\d{1,15})?$/],
  ['long', /^-?[1-9]\d{0,18}$/],
  ['date', DATE],
];

/** The kind that all texts have. */
function kindFrom(values: readonly Json[]): KindName {
  const texts = values.map(String);
  const inside = new Set(
    texts.map((text) => jsonIn(text)).map((json) => (json === undefined ? undefined : kindOf(json))),
  );
  const [only] = inside;
  if (inside.size === 1 && only !== undefined) return only;
  const found = PATTERNS.find(([, pattern]) => texts.every((text) => pattern.test(text)));
  return texts.length === 0 ? 'string' : (found?.[0] ?? 'string');
}

/** An object or an array that a cell holds as JSON. */
function jsonIn(text: string): Json | undefined {
  const said = /^\s*[[{]/.test(text) ? readExactly(text) : undefined;
  return said !== undefined && 'value' in said && (isMembers(said.value) || isItems(said.value))
    ? said.value
    : undefined;
}

/** A value in the kind of its column; undefined where it says something else. */
function valueAs(value: Json, kind: KindName | ''): Json | undefined {
  if (kind === '' || value === null) return value;
  if (typeof value !== 'string' || kind === 'string') return readAs(value, kind);
  const json = jsonIn(value);
  if (json !== undefined) return kindOf(json) === kind ? json : undefined;
  if (kind !== 'date') return readAs(value, kind);
  return DATE.test(value) ? readAs(value.replace(' ', 'T'), kind) : undefined;
}

/** The ids of documents by their type, a field and its value. */
export type Targets = ReadonlyMap<string, readonly string[]>;

export function keyOfTarget(type: string, by: string, text: string): string {
  return JSON.stringify([type, by, text]);
}

export interface Ready {
  readonly line: number;
  readonly id: string | undefined;
  readonly draft: Draft;
}

export function draftsFrom(
  { rows, faults }: Rows,
  type: string,
  columns: readonly Column[],
  targets: Targets,
) {
  // A file of one type may be meant for another one; of several, only those of the type are meant.
  const isMixed = new Set(rows.flatMap((row) => row.type ?? [])).size > 1;
  const ready: Ready[] = [];
  const found: LineFault[] = [...faults];
  for (const row of rows) {
    const isOther = isMixed && row.type !== undefined && row.type !== type;
    const made = isOther ? `It is of type ${row.type}.` : draftOf(row, columns, targets);
    if (typeof made === 'string') found.push({ line: row.line, reason: made });
    else ready.push(made);
  }
  return { ready, faults: found.sort((one, other) => one.line - other.line) };
}

/** The document, or why there is none. */
function draftOf({ line, values }: ImportRow, columns: readonly Column[], targets: Targets): Ready | string {
  const attributes = new Map<string, Json>();
  const relationships: [string, Linkage][] = [];
  let id: string | undefined;
  for (const column of columns) {
    const value = values.get(column.name);
    if (value === undefined || column.becomes === 'nothing') continue;
    const shownValue = `${column.name}: ${shown(textOf(value))}`;
    if (column.becomes === 'id') {
      id = textOf(value).toLowerCase();
      if (!ID.test(id)) return `${shownValue} is no id of 24 hexadecimal digits.`;
    } else if (column.becomes === 'link') {
      const linkage = linkageOf(value, column, targets);
      if (typeof linkage === 'string') return `${column.name}: ${linkage}`;
      relationships.push([column.field, linkage]);
    } else {
      const said = valueAs(value, column.kind);
      if (said === undefined) return `${shownValue} is no ${column.kind}.`;
      const [first = '', ...rest] = column.field.split('.');
      const whole = put(attributes.get(first), rest, said);
      if (whole === undefined) return `Two columns become ${column.field}.`;
      attributes.set(first, whole);
    }
  }
  const members = Object.fromEntries(attributes);
  const [fault] = faultsOfMembers(members, '/attributes');
  if (fault !== undefined) return `${fault.pointer.split('/').slice(2).join('.')}: ${fault.message}`;
  return { line, id, draft: { attributes: members, relationships: Object.fromEntries(relationships) } };
}

/** What stands at a place with a value below it; undefined where something stands there already. */
function put(there: Json | undefined, [step, ...rest]: readonly string[], value: Json): Json | undefined {
  if (step === undefined) return there === undefined ? value : undefined;
  if (there !== undefined && !isMembers(there)) return undefined;
  const inner = put(member(there, step), rest, value);
  return inner === undefined ? undefined : withMember(there ?? {}, step, inner);
}

function linkageOf(value: Json, column: Column, targets: Targets): Linkage | string {
  if (value === null) return null;
  const links: Link[] = [];
  for (const part of partsOf(value, column.by)) {
    const link = linkIn(part) ?? linkTo(textOf(part), column, targets);
    if (typeof link === 'string') return link;
    links.push(link);
  }
  const [only = null] = links;
  return column.isMany ? links : only;
}

function linkTo(text: string, { type, by }: Column, targets: Targets): Link | string {
  if (by === '') return ID.test(text) ? { type, id: text.toLowerCase() } : `${shown(text)} is no id.`;
  const [id, ...more] = targets.get(keyOfTarget(type, by, text)) ?? [];
  if (id === undefined) return `No document of ${type} has the ${by} ${shown(text)}.`;
  return more.length === 0
    ? { type, id }
    : `${more.length + 1} documents of ${type} have the ${by} ${shown(text)}.`;
}

/** The beginning of what stands in the file. */
function shown(text: string): string {
  return `“${text.slice(0, 60)}”`;
}
