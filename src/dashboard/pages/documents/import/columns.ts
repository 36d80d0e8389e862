/** What becomes of the columns of a file: guessed from what is known of the type, and from the values. Pure. */
import type { Json } from '../../../../client/values.ts';
import { isItems, isMembers, linkIn } from '../../../parts/json.ts';
import { ID, kindOf, readAs, type Kind } from '../../../parts/kinds.ts';
import { readExactly } from '../../document/draft.ts';
import type { Rows } from './rows.ts';

export interface Column {
  /** In the file. */
  readonly name: string;
  readonly becomes: 'attribute' | 'link' | 'id' | 'nothing';
  /** Its name in documents; a dot leads into an object. */
  readonly field: string;
  /** Of an attribute; '' leaves it as it is in the file. */
  readonly kind: Kind | '';
  /** Of what a link leads to. */
  readonly type: string;
  /** The field that values of a link are found by; '' for ids. */
  readonly by: string;
  /** Whether the link is a list. */
  readonly isMany: boolean;
}

export interface Known {
  readonly shape: {
    readonly fields: ReadonlyMap<string, { readonly kind: Kind }>;
    readonly links: ReadonlyMap<string, Pick<Column, 'name' | 'type' | 'isMany'>>;
  };
  readonly types: readonly string[];
  /** Whether clients choose the ids of the type's documents. */
  readonly hasOwnIds: boolean;
}

export function guessed(rows: Rows, known: Known): readonly Column[] {
  return rows.names.map((name) => {
    const values = rows.rows.flatMap(({ values: all }) => all.get(name) ?? []);
    return columnOf(name, values, rows.isText, known);
  });
}

function columnOf(name: string, values: readonly Json[], isText: boolean, known: Known): Column {
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

function linkFrom(name: string, values: readonly Json[], { shape, types }: Known): LinkPart | undefined {
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

/** The links that a value names: CSV has ids in one cell, as ours does. */
export function partsOf(value: Json): readonly Json[] {
  if (isItems(value)) return value;
  if (typeof value !== 'string') return [value];
  const parts = value.split(/[\s,]+/).filter((part) => part !== '');
  return parts.every((part) => ID.test(part)) ? parts : [value];
}

const DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
/** What texts must look like to be more. A number with a zero before it, or that would lose digits, stays a text. */
const PATTERNS: readonly (readonly [Kind, RegExp])[] = [
  ['boolean', /^(?:true|false)$/],
  ['number', /^-?(?:0|(?!(?:\.?\d){16})[1-9]\d{0,14})(?:\.\d{1,15})?$/],
  ['long', /^-?[1-9]\d{0,18}$/],
  ['date', DATE],
];

/** The kind that all texts have. */
function kindFrom(values: readonly Json[]): Kind {
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
export function valueAs(value: Json, kind: Kind | ''): Json | undefined {
  if (kind === '' || value === null) return value;
  if (typeof value !== 'string' || kind === 'string') return readAs(value, kind);
  const json = jsonIn(value);
  if (json !== undefined) return kindOf(json) === kind ? json : undefined;
  if (kind !== 'date') return readAs(value, kind);
  return DATE.test(value) ? readAs(value.replace(' ', 'T'), kind) : undefined;
}
