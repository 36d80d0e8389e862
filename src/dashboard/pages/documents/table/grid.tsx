/**
 * The table: as many rows as documents are loaded, of which only those near the window are in the page. All rows have one
 * height, so a place in the list is a place in the scroll.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Resource } from '../../../../client/transport.ts';
import { go, wayTo } from '../../../route.ts';
import { NUMERIC } from '../fields/kinds.ts';
import type { Fields } from '../fields/fields.ts';
import type { Rows } from '../rows.ts';
import type { Selection } from '../selection.ts';
import { Head } from './head.tsx';
import { TableRow, type RowActions } from './row.tsx';

/** Pixels of a row, as style/documents.css has it. */
const ROW = 36;
/** Rows that are kept ready above and below. */
const BEYOND = 12;
/** How many rows before the end the next page is asked for. */
const AHEAD = 60;

interface GridProps {
  readonly type: string;
  readonly rows: Rows;
  readonly fields: Fields;
  readonly columns: readonly string[];
  readonly sort: readonly string[];
  readonly onSort: (sort: readonly string[]) => void;
  readonly selection: Selection;
}

export function Grid({ type, rows, fields, columns, sort, onSort, selection }: GridProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(800);
  const [focused, setFocused] = useState(0);
  const { documents, next, isLoading, count, of } = rows;

  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const watch = new ResizeObserver(() => {
      setHeight(element.clientHeight);
    });
    watch.observe(element);
    return () => {
      watch.disconnect();
    };
  }, []);

  // Another list begins at its first document.
  useEffect(() => {
    if (frame.current !== null) frame.current.scrollTop = 0;
    setFocused(0);
  }, [of]);

  const first = Math.max(0, Math.floor(top / ROW) - BEYOND);
  const last = Math.min(documents.length, Math.ceil((top + height) / ROW) + BEYOND);
  useEffect(() => {
    if (next !== null && !isLoading && last + AHEAD > documents.length) rows.loadMore();
  }, [next, isLoading, last, documents.length]);

  /** Moves the focus to a row, which may have to come into the page first. */
  const focusOn = (index: number) => {
    const element = frame.current;
    const wanted = Math.max(0, Math.min(index, documents.length - 1));
    if (element === null) return;
    setFocused(wanted);
    const above = (wanted + 1) * ROW;
    const head = element.querySelector('thead')?.clientHeight ?? ROW;
    if (above < element.scrollTop + ROW) element.scrollTop = wanted * ROW;
    else if (above + head > element.scrollTop + element.clientHeight) {
      element.scrollTop = above + head - element.clientHeight;
    }
    setTop(element.scrollTop);
    requestAnimationFrame(() => {
      element.querySelector<HTMLElement>(`tr[aria-rowindex="${wanted + 2}"]`)?.focus({ preventScroll: true });
    });
  };

  const latest = useRef({ focusOn, selection });
  latest.current = { focusOn, selection };
  const actions = useMemo<RowActions>(
    () => ({
      open: ({ type: of, id }: Resource) => {
        go(wayTo(['documents', of, id]));
      },
      step: (index) => {
        latest.current.focusOn(index);
      },
      toggle: (id) => {
        latest.current.selection.toggle(id);
      },
    }),
    [],
  );

  return (
    <div
      class="table-frame grid-frame"
      aria-busy={isLoading}
      ref={frame}
      onScroll={({ currentTarget }) => {
        setTop(currentTarget.scrollTop);
      }}
    >
      <table
        class="table grid"
        aria-label={`Documents of ${type}`}
        aria-rowcount={(count ?? documents.length) + 1}
      >
        <Head
          columns={columns}
          isNumeric={(name) => NUMERIC.has(fields.get(name)?.kind ?? 'null')}
          sort={sort}
          onSort={onSort}
          isWhole={selection.hasAll(documents)}
          onWhole={() => {
            selection.toggleAll(documents);
          }}
        />
        <tbody>
          <Space rows={first} columns={columns.length + 2} />
          {documents.slice(first, last).map((document, index) => (
            <TableRow
              key={document.id}
              document={document}
              columns={columns}
              index={first + index}
              isFocusable={first + index === focused}
              isSelected={selection.has(document.id)}
              actions={actions}
            />
          ))}
          <Space rows={documents.length - last} columns={columns.length + 2} />
        </tbody>
      </table>
    </div>
  );
}

/** The room of rows that are not in the page. */
function Space({ rows, columns }: { readonly rows: number; readonly columns: number }) {
  if (rows <= 0) return null;
  return (
    <tr class="space" aria-hidden="true">
      <td colSpan={columns} style={{ height: `${rows * ROW}px` }} />
    </tr>
  );
}
