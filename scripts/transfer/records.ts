/**
 * Documents of other services as lines of an import: what mongoexport writes (MongoDB's Extended JSON, canonical or
 * relaxed, in lines or as an array), other JSON, and CSV.
 */
import { parse } from 'csv-parse';
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { LIMITS } from '../../src/domain/limits.ts';
import {
  isParsedObject,
  parseJson,
  Unrepresentable,
  type Parsed,
  type ParsedObject,
} from '../../src/domain/values/json.ts';
import { present, type Presentable } from '../../src/domain/values/present.ts';
import { isList, mapTree } from '../../src/domain/values/tree.ts';
import { elementsIn, linesIn, textOf, type Part, type Source } from './lines.ts';
import { Failure } from '../failure.ts';

export interface RecordOptions {
  readonly file: string;
  /** New names of fields by the old ones. */
  readonly names: ReadonlyMap<string, string>;
  /** Types by the names of the fields that refer to their documents. */
  readonly links?: ReadonlyMap<string, string>;
  /** The field with the ids of the other service, which links name. */
  readonly id?: string | undefined;
}

/** A record as a line, or why it is none. */
export type Line =
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly text: null; readonly reason: string };

/** A record of another service: values as JSON that lines of an import may have. */
export type Fields = Readonly<Record<string, Presentable>>;

export async function* recordsOf(source: Source, options: RecordOptions, type: string): AsyncGenerator<Line> {
  const idOf = idsOf(options.file);
  for await (const { number, fields, reason } of fieldsIn(source, options.file)) {
    if (fields === null) yield { number, text: null, reason };
    else yield lineOf(type, number, fields, options, idOf);
  }
}

interface Read {
  readonly number: number;
  readonly fields: Fields | null;
  readonly reason: string;
}

/** The records of a file by its name, or why one is none. */
export async function* fieldsIn(source: Source, file: string): AsyncGenerator<Read> {
  if (/\.csv(\.gz)?$/i.test(file)) {
    yield* rowsIn(source);
    return;
  }
  const text = textOf(source.content);
  const { value: first = '' } = (await text.next()) as IteratorResult<string, undefined>;
  const isArray = first
    .replace(/^\ufeff/, '')
    .trimStart()
    .startsWith('[');
  // Parse writes {"results": […]}, Firebase {"users": […]}: what is meant is what is inside.
  const [wrapper = ''] = /^\s*\{\s*"(?:results|users)"\s*:\s*(?=\[)/.exec(first.replace(/^\ufeff/, '')) ?? [];
  const pieces = following(first.replace(/^\ufeff/, '').slice(wrapper.length), text);
  const parts = isArray || wrapper !== '' ? elementsIn(pieces, wrapper !== '') : linesIn(pieces);
  for await (const part of parts) yield objectOf(part);
}

async function* following(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

function objectOf({ number, text }: Part): Read {
  const parsed = parseJson(text, LIMITS.jsonDepth);
  if (!parsed.ok) return { number, fields: null, reason: parsed.detail };
  if (!isParsedObject(parsed.value)) return { number, fields: null, reason: 'This is no object.' };
  const fields = Object.entries(parsed.value).map(([name, value]) => [name, shown(value)] as const);
  return { number, fields: Object.fromEntries(fields), reason: '' };
}

/** A text of JSON as a value that lines may have; undefined for one that is no JSON. */
export function valueIn(text: string): Presentable | undefined {
  const parsed = parseJson(text, LIMITS.jsonDepth);
  return parsed.ok ? shown(parsed.value) : undefined;
}

export function isFields(value: Presentable | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !isList(value);
}

/** A value with every digit as it was, and MongoDB's wrappers of plain numbers taken off. */
function shown(value: Parsed): Presentable {
  if (value instanceof Unrepresentable) return JSON.rawJSON(value.source);
  if (!isParsedObject(value) && !isList(value)) return present(value);
  return unwrapped(value) ?? mapTree<Parsed, Presentable>(value, shown);
}

/**
 * `$numberInt` and `$numberDouble` say nothing that plain JSON does not; the service knows the other wrappers. Dates
 * and points of Parse have its own.
 */
function unwrapped(value: ParsedObject | readonly Parsed[]): Presentable | undefined {
  if (isList(value)) return undefined;
  const { __type: parse, iso, latitude, longitude } = value;
  if (parse === 'Date' && typeof iso === 'string') return { $date: iso };
  if (parse === 'GeoPoint') {
    return { type: 'Point', coordinates: [shown(longitude ?? null), shown(latitude ?? null)] };
  }
  if (Object.keys(value).length !== 1) return undefined;
  const { $numberInt: int, $numberDouble: double } = value;
  if (typeof int === 'string' && /^-?\d{1,10}$/.test(int)) return Number(int);
  if (typeof double !== 'string' || !Number.isFinite(Number(double)) || double.trim() === '')
    return undefined;
  const number = Number(double);
  const text = Object.is(number, -0) ? '-0' : String(number);
  return JSON.rawJSON(/[.e]/.test(text) ? text : `${text}.0`);
}

async function* rowsIn({ content }: Source): AsyncGenerator<Read> {
  const rows = content.pipe(parse({ columns: true, bom: true, skip_empty_lines: true, info: true }));
  content.once('error', (error) => rows.destroy(error));
  try {
    let number = 0;
    for await (const row of rows as AsyncIterable<{ readonly record: Readonly<Record<string, string>> }>) {
      number += 1;
      yield { number, ...rowOf(row.record) };
    }
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** A row: empty cells are left out, and a name with dots is a place in an object. */
function rowOf(row: Readonly<Record<string, string>>): Omit<Read, 'number'> {
  const fields: Record<string, unknown> = {};
  for (const [name, cell] of Object.entries(row)) {
    if (cell === '') continue;
    const steps = name.split('.');
    const last = steps.pop() ?? name;
    let at = fields;
    for (const step of steps) {
      const inner = Object.hasOwn(at, step) ? at[step] : (at[step] = {});
      if (typeof inner !== 'object' || inner === null) {
        return { fields: null, reason: `The columns ${step} and ${name} exclude each other.` };
      }
      at = inner as Record<string, unknown>;
    }
    if (Object.hasOwn(at, last)) return { fields: null, reason: `There are two columns ${name}.` };
    at[last] = valueOf(cell);
  }
  return { fields: fields as Fields, reason: '' };
}

/** A cell as a number or a boolean, if nothing but that can be meant; else as a text. */
function valueOf(cell: string): Presentable {
  if (cell === 'true' || cell === 'false') return cell === 'true';
  if (/^-?(?:0|[1-9]\d{0,17})$/.test(cell) && cell !== '-0') return JSON.rawJSON(cell);
  return /^-?(?:0|[1-9]\d{0,14})\.\d{1,15}$/.test(cell) ? JSON.rawJSON(cell) : cell;
}

/**
 * A record as a line. Its id is its `_id` or `id` where that is an object id, or what an id of the other service always
 * becomes, else one that the same place in the same file always has.
 */
function lineOf(
  type: string,
  number: number,
  record: Fields,
  { names, links = new Map<string, string>(), id: own }: RecordOptions,
  idOf: (number: number) => string,
): Line {
  const theirs = own === undefined ? undefined : idIn(type, record[own] ?? null);
  if (own !== undefined && theirs === undefined)
    return { number, text: null, reason: `The field ${own} holds no id.` };
  const named = ['_id', 'id'].find((name) => name === own || objectId(record[name]) !== undefined);
  const fields = Object.entries(record).filter(([name]) => name !== named);
  const renamed = fields.map(([name, value]) => [names.get(name) ?? name, value] as const);
  if (new Set(renamed.map(([name]) => name)).size < renamed.length) {
    return { number, text: null, reason: 'Two fields would have the same name.' };
  }
  const relationships: Record<string, Presentable> = {};
  for (const [field, target] of links) {
    const value = record[field] ?? null;
    const data = linkage(target, value);
    if (data === undefined) return { number, text: null, reason: `The field ${field} holds no reference.` };
    if (Object.hasOwn(record, field)) relationships[names.get(field) ?? field] = { data };
  }
  const attributes = Object.fromEntries(renamed.filter(([name]) => !Object.hasOwn(relationships, name)));
  const id = theirs ?? (named === undefined ? undefined : objectId(record[named])) ?? idOf(number);
  const linked = Object.keys(relationships).length > 0 && { relationships };
  return { number, text: JSON.stringify({ type, id, attributes, ...linked, ...rightsOf(type, id) }) };
}

/** What a reference links to, as data of a relationship: of an object id, of an id of theirs, or of several. */
export function linkage(type: string, value: Presentable): Presentable | undefined {
  if (value === null) return null;
  if (isList(value)) {
    const all = value.map((each) => (each === null ? undefined : linkage(type, each)));
    return all.every((each) => each !== undefined) ? all : undefined;
  }
  const id = idIn(type, value);
  return id === undefined ? undefined : { type, id };
}

/** The id of ours that a value stands for: any other one, of a type, always becomes the same. */
export function idIn(type: string, value: Presentable): string | undefined {
  // References of Parse and of MongoDB name a type beside the id.
  const isObject = typeof value === 'object' && value !== null;
  const inner: unknown =
    isObject && 'objectId' in value ? value['objectId'] : isObject && '$id' in value ? value['$id'] : value;
  const known = objectId(inner);
  if (known !== undefined) return known;
  const text = typeof inner === 'string' ? inner : JSON.stringify(inner);
  if (!/^[^[{]/.test(text) || inner === null || typeof inner === 'boolean') return undefined;
  return `00000000${createHash('sha256').update(`${type} ${text}`).digest('hex').slice(0, 16)}`;
}

/** A user has all rights on itself, as one that was made here. */
export function rightsOf(type: string, id: string) {
  if (type !== 'core.user' && type !== 'core.external-user') return undefined;
  const self = [{ type, id }];
  return {
    meta: { acl: { read: self, update: self, delete: self }, 'acl.acl': { read: self, update: self } },
  };
}

function objectId(value: unknown): string | undefined {
  const isWrapper = typeof value === 'object' && value !== null && '$oid' in value;
  const hex: unknown = isWrapper ? value['$oid'] : value;
  return typeof hex === 'string' && /^[0-9a-fA-F]{24}$/.test(hex) ? hex.toLowerCase() : undefined;
}

/** Ids by the name of a file and the number in it: they ascend, and are those of no moment after 1970. */
function idsOf(file: string): (number: number) => string {
  const name = createHash('sha256').update(basename(file)).digest('hex').slice(0, 6);
  return (number) => `00000000${name}${number.toString(16).padStart(10, '0')}`;
}
