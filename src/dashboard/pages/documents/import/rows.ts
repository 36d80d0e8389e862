/** Files as rows: CSV, JSON, and lines of JSON, the dashboard's own exports among them. */
import type { Json } from '../../../../client/values.ts';
import { isItems, isMembers, linkIn, parsed, type Members } from '../../../parts/json.ts';

export interface Row {
  /** Where it is: the line of the file, or the number of the element. */
  readonly line: number;
  readonly values: Members;
}

export interface Read {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** Whether each value is a text, whose kind is guessed. */
  readonly isText: boolean;
}

/** Throws what is wrong, in words. */
export async function readFile(file: File): Promise<Read> {
  const text = (await file.text()).replace(/^\uFEFF/, '');
  if (/^\s*[[{]/.test(text)) return ofObjects(text);
  // Only who has such a file loads this.
  const { parse } = await import('csv-parse/browser/esm/sync');
  const table: unknown = parse(text, {
    ...{ delimiter: [',', ';', '\t'], info: true, relax_column_count: true, skip_empty_lines: true },
  });
  const [head, ...records] = Array.isArray(table) ? table.map(recordOf) : [];
  if (head === undefined || records.length === 0) throw new Error('The file has no rows.');
  const columns = head.cells.map((name, at) => uniqueName(head.cells, name.trim() || `column-${at + 1}`, at));
  const rows = records.map(({ line, cells }) => ({
    line,
    values: Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])),
  }));
  return { columns, rows, isText: true };
}

/** What the library gives for a record, with the line at which it ends. */
function recordOf(given: unknown): { readonly line: number; readonly cells: readonly string[] } {
  const { record, info } = Object(given) as { record: readonly string[]; info: { lines: number } };
  return { line: info.lines, cells: record };
}

function uniqueName(all: readonly string[], name: string, at: number): string {
  const before = all.slice(0, at).filter((each) => each.trim() === name).length;
  return before === 0 ? name : `${name}-${before + 1}`;
}

function ofObjects(text: string): Read {
  const whole = parsed(text);
  const data = isMembers(whole) && isItems(whole['data']) ? whole['data'] : whole;
  const elements: readonly (readonly [number, Json | undefined])[] = isItems(data)
    ? data.map((each, at) => [at + 1, each])
    : text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [[at + 1, parsed(line)] as const]));
  const rows = elements.map(([line, each]) => {
    if (!isMembers(each)) throw new Error(`Line ${line} is no JSON object.`);
    return { line, values: fieldsOf(each) };
  });
  if (rows.length === 0) throw new Error('The file has no rows.');
  return {
    columns: [...new Set(rows.flatMap(({ values }) => Object.keys(values)))],
    rows,
    isText: false,
  };
}

/** A document as answers show it is flat; links stay links. */
function fieldsOf(each: Members): Members {
  const { id, type, attributes, relationships } = each;
  if (typeof type !== 'string' || !(isMembers(attributes) || isMembers(relationships))) return each;
  const links = Object.entries(isMembers(relationships) ? relationships : {}).map(
    ([name, linkage]) => [name, isMembers(linkage) ? (linkage['data'] ?? null) : null] as const,
  );
  return {
    ...(typeof id === 'string' && { id }),
    ...(isMembers(attributes) ? attributes : {}),
    ...Object.fromEntries(links),
  };
}

/** Whether a value is what a relationship links to. */
export function isLinkage(value: Json): boolean {
  return isItems(value) ? value.length > 0 && value.every(isLinkage) : linkIn(value) !== undefined;
}
