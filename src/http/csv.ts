/**
 * A page of documents as rows of CSV (RFC 4180), for spreadsheets and statistics. Each row is made when it is sent
 * (outflow.ts): what is held is the page as it came, and one document at a time as values.
 */
import { LIMITS } from '../domain/limits.ts';
import { bytesInMemory } from '../domain/work/memory.ts';
import { fail, ok, type Outcome } from '../domain/problems.ts';
import { JsonText, type Presentable } from '../domain/values/present.ts';
import { isList } from '../domain/values/tree.ts';
import type { Answer, AnswerDocument, RequestContext } from '../modules/endpoint.ts';

interface Resource {
  readonly id: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, { readonly data?: Linked | readonly Linked[] | null }>>;
  readonly meta?: Readonly<Record<string, unknown>>;
}

interface Linked {
  readonly id: string;
}

/** The answer with rows in the place of its document. */
export function withRows(
  { parameters, query }: RequestContext,
  { document, ...answer }: Answer,
): Outcome<Answer> {
  if (document === undefined) return ok(answer);
  const texts = textsOf(document);
  const columns = columnsOf(texts, query.fields.get(parameters.type));
  if (columns === null) {
    const cure = 'name columns by `fields`, or ask for fewer documents';
    const detail = `A page of CSV has at most ${LIMITS.csvCells} cells: ${cure}.`;
    return fail('answer-too-large', detail, { parameter: 'page' });
  }
  const bytes = texts.reduce((sum, each) => sum + bytesInMemory(each), 0);
  const text = { parts: rowsOf(columns, texts), bytes };
  const next = document.links?.['next'];
  return ok({ ...answer, lines: { text, next: typeof next === 'string' ? next : null, isCsv: true } });
}

function* rowsOf(columns: readonly string[], texts: readonly string[]): Generator<string, void> {
  yield rowOf(columns.map(textOfCell));
  for (const each of texts) {
    const values = valuesOf(JSON.parse(each, withDigits) as Resource);
    yield rowOf(columns.map((name) => textOfCell(values.get(name))));
  }
}

function textsOf({ data }: AnswerDocument): readonly string[] {
  const textOf = (each: Presentable) => (each instanceof JsonText ? each.text : JSON.stringify(each));
  return data !== undefined && isList(data) ? data.map(textOf) : [];
}

/**
 * `id`, and the named fields in their order; else those of the page in the order in which they appear, relationships
 * behind attributes. Null for too many: each document may bring columns that all others leave empty.
 */
function columnsOf(
  texts: readonly string[],
  fields: ReadonlySet<string> | undefined,
): readonly string[] | null {
  const isTooWide = (count: number) => count * texts.length > LIMITS.csvCells;
  const first = new Set(['id', ...(fields ?? [])]);
  // `fields[type]=` asks for none.
  first.delete('');
  const second = new Set<string>();
  for (const text of fields === undefined ? texts : []) {
    const { attributes = {}, relationships = {}, meta = {} } = JSON.parse(text) as Resource;
    for (const name in attributes) first.add(name);
    for (const name in relationships) second.add(name);
    for (const name in meta) second.add(`$${name}`);
    if (isTooWide(first.size + second.size)) return null;
  }
  return isTooWide(first.size) ? null : [...new Set([...first, ...second])];
}

/** What is shown of a document, by columns; what the service knows of it has a `$`, as in `fields`. */
function valuesOf({ id, attributes, relationships = {}, meta = {} }: Resource): Map<string, unknown> {
  const values = new Map<string, unknown>(Object.entries({ ...meta }).map(([name, of]) => [`$${name}`, of]));
  for (const [name, { data = null }] of Object.entries(relationships)) {
    values.set(
      name,
      data &&
        [data]
          .flat()
          .map((link) => link.id)
          .join(' '),
    );
  }
  for (const [name, value] of Object.entries(attributes ?? {})) values.set(name, value);
  return values.set('id', id);
}

/** A number keeps the digits that it has in the JSON. */
function withDigits(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value;
}

/** Spreadsheets take a text with such a beginning for a formula, or for what leads to one. */
const FORMULA = /^[=+\-@\t\r\n]/;

function textOfCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value !== 'string' ? JSON.stringify(value) : FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function rowOf(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}
