/** The frame of every page, its cards and tables, and what is loaded in it. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { statusOf, type Loaded } from '../session/service.ts';
import { Button, Problems } from './button.tsx';
import { isMembers, stringIn } from './fields/json.ts';
import { countText } from './words.tsx';

interface PageProps {
  readonly title: string;
  /** What stands before the title, as a way back. */
  readonly above?: ComponentChildren;
  /** A sentence that says what the page is for. */
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** Uses all of the width, as tables do. */
  readonly wide?: boolean | undefined;
  readonly children?: ComponentChildren;
}

export function Page({ above, wide = false, children, ...head }: PageProps) {
  return (
    <PageFrame above={above} wide={wide}>
      <PageHead {...head} />
      {children}
    </PageFrame>
  );
}

export function PageFrame({ above, wide = false, children }: Pick<PageProps, 'above' | 'wide' | 'children'>) {
  return (
    <div class={wide ? 'page wide' : 'page'}>
      {above !== undefined && <p class="fine above">{above}</p>}
      {children}
    </div>
  );
}

export function PageHead({ title, lead, actions }: Pick<PageProps, 'title' | 'lead' | 'actions'>) {
  useEffect(() => {
    document.title = `${title} · Foredge`;
  }, [title]);
  return (
    <header class="page-head row">
      <div class="page-title">
        <h1>{title}</h1>
        {lead !== undefined && <p class="lead">{lead}</p>}
      </div>
      {actions !== undefined && <div class="row">{actions}</div>}
    </header>
  );
}

interface CardProps {
  readonly title: string;
  /** What stands after the title. */
  readonly beside?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a page that has a head of its own. */
export function Card({ title, beside, actions, children }: CardProps) {
  return (
    <section class="card" aria-label={title}>
      <header class="row spread">
        <h2>
          {title} {beside}
        </h2>
        {actions}
      </header>
      {children}
    </section>
  );
}

/** A place that has nothing yet: it says what would stand here, and how to get there. */
export function Empty({ title, children }: Pick<PageProps, 'title' | 'children'>) {
  return (
    <div class="empty stack">
      <p class="big">{title}</p>
      {children}
    </div>
  );
}

/** What is shown while something loads for the first time. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="loading" role="status">
      Loading {what}…
    </p>
  );
}

interface ContentProps<T> {
  readonly of: Loaded<T>;
  /** As in "Loading keys…". */
  readonly what: string;
  readonly children: (value: T) => ComponentChildren;
}

/** What was loaded; why it was not, or that it is loading. */
export function Content<T>({ of: { value, error }, what, children }: ContentProps<T>) {
  return (
    <>
      {statusOf(error) === 403 ? (
        <p class="hint">These credentials may not read {what}.</p>
      ) : (
        <Problems error={error} />
      )}
      {value === undefined ? error === undefined && <Loading what={what} /> : children(value)}
    </>
  );
}

interface MoreProps {
  readonly of: { readonly isLoading: boolean; readonly more: (() => void) | null };
  readonly children: string;
}

export function More({ of: { isLoading, more }, children }: MoreProps) {
  return (
    more && (
      <Button disabled={isLoading} onClick={more}>
        {children}
      </Button>
    )
  );
}

export interface Column<Row> {
  readonly head: string;
  /** The head is for those who do not see: what stands below speaks for itself. */
  readonly isUnseen?: boolean;
  /** Of its cells and its head. */
  readonly class?: string;
  /** Its cells are the heads of their rows. */
  readonly isHead?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
}

/** A column of a count; empty where it is not known. */
export const counted = <Row,>(
  head: string,
  of: (row: Row) => number | undefined,
  text = countText,
): Column<Row> => ({
  head,
  class: 'number',
  cell: (row) => {
    const count = of(row);
    return count !== undefined && text(count);
  },
});

interface TableProps<Row> {
  /** What the page has no other table of. */
  readonly label: string;
  /** Of the table, beside `table`. */
  readonly class?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** For rows that hold something while others come and go, and have no id. */
  readonly keyOf?: (row: Row) => string | undefined;
}

/** A table, from its columns. It may be wider than the page: then it scrolls by itself, by keyboard as well. */
export function Table<Row>({ label, class: name = '', columns, rows, keyOf = idOf }: TableProps<Row>) {
  return (
    <div class={`table-frame ${name}`} role="region" aria-label={label} tabIndex={0}>
      <table class={`table ${name}`} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ head, isUnseen = false, class: column }) => (
              <th key={head} scope="col" class={column}>
                {isUnseen ? <span class="visually-hidden">{head}</span> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row) ?? index}>
              {columns.map(({ head, class: column, isHead = false, cell }) =>
                isHead ? (
                  <th key={head} scope="row" class={column}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={head} class={column}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Not their key or name: several requests have one key, several results of an aggregate one name. */
function idOf(row: unknown): string | undefined {
  return isMembers(row) ? stringIn(row['id']) || undefined : undefined;
}

interface LoadedTableProps<Row> extends Omit<TableProps<Row>, 'label' | 'rows'> {
  readonly label?: string;
  readonly of: Loaded<readonly Row[]>;
  /** As in "Loading keys…". */
  readonly what: string;
  /** What is shown where there are none. */
  readonly empty: ComponentChildren;
}

/** A list that is loaded, as a table. */
export function LoadedTable<Row>({ of, what, label = what, empty, ...table }: LoadedTableProps<Row>) {
  return (
    <Content of={of} what={what}>
      {(rows) => (rows.length === 0 ? empty : <Table {...table} label={label} rows={rows} />)}
    </Content>
  );
}
