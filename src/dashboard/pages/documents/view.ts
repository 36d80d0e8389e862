/**
 * What a table shows, as its route says: conditions, order, columns and the first row. The parameters of filters are
 * those of the service, so an address of the dashboard reads like one of the API.
 */
import { wayTo } from '../../route.ts';

/** A condition: a parameter of the service. `field` is `*` for an expression over the whole document. */
export interface Condition {
  readonly field: string;
  readonly text: string;
}

export type View = ReturnType<typeof viewOf>;

/**
 * `-` stands before a field by which documents descend; columns are null where nobody has chosen; `from` documents are
 * passed over.
 */
export function viewOf(query: URLSearchParams) {
  const conditions: readonly Condition[] = [...query].flatMap(([name, text]) => {
    const field = /^filter\[(.*)\]$/s.exec(name)?.[1];
    return field === undefined ? [] : [{ field, text }];
  });
  const row = Number(query.get('row') ?? 1);
  const from = Number.isSafeInteger(row) ? Math.max(row - 1, 0) : 0;
  return { conditions, sort: namesIn(query.get('sort')) ?? [], columns: namesIn(query.get('columns')), from };
}

export function namesIn(text: string | null): readonly string[] | null {
  return text === null ? null : text.split(',').filter((name) => name !== '');
}

export function wayToView(type: string, { conditions, sort, columns, from }: View): string {
  const query = parametersOf({ conditions, sort });
  if (columns !== null) query.append('columns', columns.join(','));
  if (from > 0) query.append('row', String(from + 1));
  const text = query.toString();
  return `#/documents/${encodeURIComponent(type)}${text && `?${text}`}`;
}

/** The parameters that the service is asked with, but those of pages. */
export function parametersOf({ conditions, sort }: Pick<View, 'conditions' | 'sort'>): URLSearchParams {
  const query = new URLSearchParams(
    conditions.map(({ field, text }) => [`filter[${field}]`, text] as [string, string]),
  );
  if (sort.length > 0) query.append('sort', sort.join(','));
  return query;
}

/** The conditions as one filter. */
export function filterOf(conditions: View['conditions']): string {
  const all = conditions.map(({ field, text }) =>
    field === '*' ? text : `{${JSON.stringify(field)}:${text}}`,
  );
  return all.length < 2 ? all.join('') : `{"$and":[${all.join()}]}`;
}

/** The order for other conditions: words rank what they find, unless an order was chosen. */
export function sortFor(conditions: View['conditions'], sort: readonly string[]): readonly string[] {
  const hasWords = conditions.some(({ field, text }) => field === '*' && text.includes('"$text"'));
  const kept = sort.filter((name) => hasWords || !/^-?\$score$/.test(name));
  return hasWords && kept.length === 0 ? ['-$score'] : kept;
}

/** The order after a click on a head: ascending, then descending, then as the documents came. */
export function sortedBy(sort: readonly string[], name: string): readonly string[] {
  if (sort[0] === name) return [`-${name}`];
  return sort[0] === `-${name}` ? [] : [name];
}

/** The table of each type as it was last seen in this tab: the way back from a document keeps what it showed. */
const ways = new Map<string, string>();

export function rememberView(type: string, way: string): void {
  ways.set(type, way);
}

export function wayToTable(type: string): string {
  return ways.get(type) ?? wayTo(['documents', type]);
}
