/** A table, from its columns. It may be wider than the page: then it scrolls by itself, by keyboard as well. */
import type { ComponentChildren } from 'preact';
import type { Loaded } from '../session/load.ts';
import { isMembers, stringIn } from './fields/json.ts';
import { Content } from './page.tsx';
import { countText } from './words.tsx';

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
