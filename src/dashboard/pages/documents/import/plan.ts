/** What becomes of the columns of a file: the field of each, and the kind of its values. */
import type { Resource } from '../../../../client/transport.ts';
import type { Json } from '../../../../client/values.ts';
import { isItems, linkIn, parsed } from '../../../parts/json.ts';
import { isoOf, textOf, wrap } from '../../../parts/kinds.ts';
import { isLinkage, type Read, type Row } from './rows.ts';

export const AS = {
  text: 'text',
  number: 'number',
  long: 'long integer',
  decimal: 'decimal',
  boolean: 'true or false',
  date: 'date',
  json: 'as it is (JSON)',
  link: 'link to',
  id: 'id of the document',
  none: 'leave out',
} as const;
export type As = keyof typeof AS;

export interface Column {
  readonly column: string;
  readonly field: string;
  readonly as: As;
  /** The type of what links lead to. */
  readonly to: string;
}

/** Rows that are looked at to guess a kind. */
const LOOKED = 1_000;

/** A first guess. `siblings`: documents of the type, whose relationships are known. */
export function guess({ columns, rows, isText }: Read, siblings: readonly Resource[]): readonly Column[] {
  return columns.map((column) => {
    const values = rows.slice(0, LOOKED).flatMap(({ values }) => values[column] ?? []);
    const target = targetOf(column, siblings);
    const isNoField = column === 'id' || column === 'type';
    const base = { column, field: fieldOf(column), to: target?.to ?? '' };
    if (isNoField) return { ...base, as: 'none' };
    if (target !== undefined && values.every(isId)) return { ...base, field: target.field, as: 'link' };
    if (values.length > 0 && values.every(isLinkage)) {
      const [first] = values.flatMap((each) => linkIn(isItems(each) ? (each[0] ?? null) : each) ?? []);
      return { ...base, as: 'link', to: first?.type ?? '' };
    }
    return { ...base, as: isText ? kindOfTexts(values.filter((each) => each !== '')) : 'json' };
  });
}

/** A relationship that other documents have by this name, or as a column of ids is called. */
function targetOf(column: string, siblings: readonly Resource[]) {
  const names = [column, column.replace(/[-_ ]?id$/i, '')];
  for (const { relationships = {} } of siblings) {
    for (const [field, { data }] of Object.entries(relationships)) {
      const link = linkIn(isItems(data) ? data[0] : data);
      if (names.includes(field) && link !== undefined) return { field, to: link.type };
    }
  }
  return undefined;
}

function isId(value: Json): boolean {
  return value === '' || (typeof value === 'string' && /^[0-9a-f]{24}$/.test(value));
}

const TESTS: readonly (readonly [As, (text: string) => boolean])[] = [
  ['number', (text) => /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?(?:e[-+]?\d{1,2})?$/i.test(text)],
  ['long', (text) => /^-?(?:0|[1-9]\d{0,18})$/.test(text)],
  ['boolean', (text) => /^(?:true|false)$/i.test(text)],
  ['date', (text) => /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?$/.test(text) && isoOf(text) !== undefined],
  ['json', (text) => /^[[{]/.test(text) && parsed(text) !== undefined],
];

function kindOfTexts(values: readonly Json[]): As {
  const texts = values.map(String);
  if (texts.length === 0) return 'text';
  return TESTS.find(([, holds]) => texts.every(holds))?.[0] ?? 'text';
}

/** A name that fields may have. */
function fieldOf(column: string): string {
  return column.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-').replaceAll(/^-+|-+$/g, '') || 'field';
}

export interface Planned {
  readonly line: number;
  readonly document: Pick<Resource, 'attributes' | 'relationships'> & { readonly id?: string };
}

export interface Fault {
  readonly line: number;
  readonly reason: string;
}

/** The document of a row, or why it is none. */
export function planned({ line, values }: Row, columns: readonly Column[]): Planned | Fault {
  const attributes: Record<string, Json> = {};
  const relationships: Record<string, { data: Json }> = {};
  let id: string | undefined;
  for (const { column, field, as, to } of columns) {
    const value = values[column];
    if (as === 'none' || value === undefined || value === '') continue;
    const made = as === 'link' ? linkageOf(value, to) : as === 'id' ? value : valueOf(value, as);
    const shown = typeof value === 'string' ? value.slice(0, 50) : JSON.stringify(value).slice(0, 50);
    if (made === undefined)
      return { line, reason: `${column}: “${shown}” is no ${AS[as].replace(' to', '')}.` };
    if (as === 'link') relationships[field] = { data: made };
    else if (as === 'id') id = textOf(made);
    else attributes[field] = made;
  }
  const document = { ...(id !== undefined && { id }), attributes, relationships } as Planned['document'];
  return { line, document };
}

function linkageOf(value: Json, to: string): Json | undefined {
  if (value === null) return null;
  if (isItems(value)) {
    const all = value.map((each) => linkageOf(each, to));
    return all.every((each) => each !== undefined) ? all : undefined;
  }
  const link = linkIn(value);
  if (link !== undefined) return { type: link.type, id: link.id };
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return /^[0-9a-f]{24}$/.test(text) && to !== '' ? { type: to, id: text } : undefined;
}

function valueOf(value: Json, as: Exclude<As, 'link' | 'id' | 'none'>): Json | undefined {
  if (as === 'json') return typeof value === 'string' ? (parsed(value) ?? value) : value;
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).trim();
  switch (as) {
    case 'text':
      return typeof value === 'string' ? value : text;
    case 'number':
      return text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
    case 'long':
      return /^-?\d{1,19}$/.test(text) ? wrap('long', text) : undefined;
    case 'decimal':
      return Number.isFinite(Number(text)) ? wrap('decimal', text) : undefined;
    case 'boolean':
      return /^(?:true|yes|1)$/i.test(text) ? true : /^(?:false|no|0)$/i.test(text) ? false : undefined;
    case 'date': {
      const iso = isoOf(value);
      return iso === undefined ? undefined : wrap('date', iso);
    }
  }
}
