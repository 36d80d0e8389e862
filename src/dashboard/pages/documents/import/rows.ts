/** A file as rows of values: CSV, an array or lines of JSON, and documents as exports write them. */
import { findNodeAtLocation, parseTree, type Node, type ParseError } from 'jsonc-parser';
import { isEnd, isHead } from '../../../../domain/applications/export-frame.ts';
import type { Json } from '../../../../client/values.ts';
import { isMembers, type LineFault } from '../../../parts/fields/json.ts';
import { readExactly } from '../../document/draft.ts';

export interface ImportRow {
  /** Its number, which no other row has. */
  readonly line: number;
  /** Of what is written as a document. */
  readonly type?: string;
  /** Values by the names that the file has for them. An empty cell is none. */
  readonly values: ReadonlyMap<string, Json>;
}

export interface Rows {
  readonly rows: readonly ImportRow[];
  readonly faults: readonly LineFault[];
  /** All names, in the order in which they appear. */
  readonly names: readonly string[];
  /** Whether all values are texts, as those of CSV are. */
  readonly isText: boolean;
  readonly unit: 'Line' | 'Item';
}

/** Bytes that a browser holds at ease; the command line takes files of any size. */
const LARGEST = 50_000_000;
/** Fields that are mapped on one page. */
const MOST_NAMES = 200;

export async function readRows(file: File): Promise<Rows> {
  if (file.size > LARGEST)
    throw new Error('Files of up to 50 MB are imported here, larger ones by the command line.');
  const text = await textOf(file);
  const isText = /\.[ct]sv$/i.test(file.name) || !/^\s*[[{]/.test(text);
  const { unit, parts }: Parts = isText ? { unit: 'Line', parts: [] } : partsIn(text);
  const read = isText ? await cellsIn(text) : parts.map(rowOf);
  if (read.length === 0) throw new Error('The file has no rows.');
  const rows = read.filter((each) => 'values' in each);
  const names = [...new Set(rows.flatMap(({ values }) => [...values.keys()]))];
  if (names.length > MOST_NAMES) throw new Error(`The file has more than ${MOST_NAMES} fields.`);
  return { rows, faults: read.filter((each) => 'reason' in each), names, isText, unit };
}

async function textOf(file: File): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(await file.arrayBuffer());
  } catch {
    throw new Error('The file is not UTF-8. A spreadsheet saves it so as “CSV UTF-8”.');
  }
}

type Read = ImportRow | LineFault;

async function cellsIn(text: string): Promise<readonly Read[]> {
  const { parse } = await import('csv-parse/browser/esm/sync');
  const read: Read[] = [];
  let line = 1;
  let names: readonly string[] | undefined;
  parse(text, {
    delimiter: delimiterOf(text),
    relax_column_count: true,
    skip_empty_lines: true,
    on_record: (record, { empty_lines: empty }) => {
      const at = line + empty;
      line += record.join(' ').split(/\r\n|\r|\n/).length;
      if (names === undefined) names = named(record);
      else read.push(rowOfCells(at, record, names));
      return null;
    },
  });
  return read;
}

function rowOfCells(line: number, record: readonly string[], names: readonly string[]): Read {
  if (record.length !== names.length)
    return { line, reason: `It has ${record.length} cells, and the first line ${names.length}.` };
  const cells = record.map((cell, index) => [names[index] ?? '', withoutQuote(cell)] as const);
  return { line, values: new Map(cells.filter(([, cell]) => cell !== '')) };
}

/** Characters in which the first line ends. */
const HEAD_UNITS = 20_000;

/** A spreadsheet writes what its country does: the sign that the first line has most often. */
function delimiterOf(text: string): string {
  const [first = ''] = text
    .slice(0, HEAD_UNITS)
    .replaceAll(/"[^"]*"/g, '')
    .split(/[\r\n]/, 1);
  const count = (sign: string) => first.split(sign).length;
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

function named(record: readonly string[]): readonly string[] {
  const names = record.map((name, index) => name.trim() || `Column ${index + 1}`);
  return names.map((name, index) => (names.indexOf(name) < index ? `${name} (${index + 1})` : name));
}

/** Our CSV has the quote before what a spreadsheet would take for a formula (docs/search.md). */
function withoutQuote(cell: string): string {
  return cell.replace(/^'(?=[=+\-@\t\r\n])/, '');
}

interface Part {
  readonly line: number;
  readonly text: string;
}

interface Parts {
  readonly parts: readonly Part[];
  readonly unit: Rows['unit'];
}

/** The items of an array, which an answer has in `data`; else the lines. */
function partsIn(text: string): Parts {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const [error] = errors;
  if (root?.type === 'array' && error !== undefined)
    throw new Error(`The file is no JSON at line ${1 + linesOf(text, 0, error.offset)}.`);
  if (root !== undefined && error === undefined) {
    const { type, children = [] } = findNodeAtLocation(root, ['data']) ?? root;
    return itemsIn(text, type === 'array' ? children : [root]);
  }
  const parts = text.split('\n').flatMap((each, index) => {
    const isFrame = each.trim() === '' || isHead(each) || isEnd(each);
    return isFrame ? [] : [{ line: index + 1, text: each }];
  });
  return { parts, unit: 'Line' };
}

/** Items that share a line are counted. */
function itemsIn(text: string, items: readonly Node[]): Parts {
  let [line, at] = [1, 0];
  const parts = items.map(({ offset, length }): Part => {
    line += linesOf(text, at, offset);
    at = offset;
    return { line, text: text.slice(offset, offset + length) };
  });
  if (new Set(parts.map((each) => each.line)).size === parts.length) return { parts, unit: 'Line' };
  return { parts: parts.map((each, index) => ({ ...each, line: index + 1 })), unit: 'Item' };
}

function linesOf(text: string, from: number, to: number): number {
  return text.slice(from, to).split('\n').length - 1;
}

function rowOf({ line, text }: Part): Read {
  const said = readExactly(text);
  if ('error' in said) return { line, reason: `It is no JSON: ${said.error}` };
  if (!isMembers(said.value)) return { line, reason: 'It is no object.' };
  const { type, id, attributes, relationships } = said.value;
  if (typeof type !== 'string' || !(isMembers(attributes) || isMembers(relationships)))
    return { line, values: new Map(Object.entries(said.value)) };
  const links = Object.entries(isMembers(relationships) ? relationships : {}).flatMap(([name, value]) =>
    isMembers(value) && value['data'] !== undefined ? [[name, value['data']] as const] : [],
  );
  const fields = Object.entries<Json>(isMembers(attributes) ? attributes : {});
  const own: readonly (readonly [string, Json])[] = id === undefined ? [] : [['id', id]];
  return { line, type, values: new Map([...own, ...fields, ...links]) };
}
