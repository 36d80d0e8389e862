/**
 * The table: as many rows as documents are loaded, of which only those near the window are in the page. All rows have
 * one height, so a place in the list is a place in the scroll.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Resource } from '../../../client/transport.ts';
import { Icon } from '../../parts/icons.tsx';
import { NUMERIC } from '../../parts/fields/kinds.ts';
import { stable } from '../../parts/stable.tsx';
import { go, wayTo } from '../../route.ts';
import { Cell, isNumeric } from './cell.tsx';
import type { Fields } from './fields.ts';
import type { Rows, Selection } from './rows.ts';
import { sortedBy } from './view.ts';

/** Pixels of a row, as style/pages.css has it. */
const ROW = 36;
/** Rows that are kept ready above and below. */
const BEYOND = 12;
/** How many rows before the end the next page is asked for. */
const AHEAD = 60;

/** The row that a key leads to, from the one at an index. */
const PLACES: Readonly<Record<string, (index: number) => number>> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  PageDown: (index) => index + 15,
  PageUp: (index) => index - 15,
  Home: () => 0,
  End: () => Infinity,
};

interface GridProps {
  readonly type: string;
  readonly rows: Rows;
  readonly fields: Fields;
  readonly columns: readonly string[];
  readonly sort: readonly string[];
  readonly onSort: (sort: readonly string[]) => void;
  readonly selection: Selection;
}

/** A document opens by a click or Enter, Space selects it, arrows go on. */
export function Grid({ type, rows, fields, columns, sort, onSort, selection }: GridProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [focused, setFocused] = useState(0);
  const { documents, next, isLoading, count, of } = rows;

  // Another list begins at its first document.
  useEffect(() => {
    if (frame.current !== null) frame.current.scrollTop = 0;
    setFocused(0);
  }, [of]);

  const first = Math.max(0, Math.floor(top / ROW) - BEYOND);
  const last = Math.min(documents.length, Math.ceil((top + innerHeight) / ROW) + BEYOND);
  useEffect(() => {
    if (next !== null && !isLoading && last + AHEAD > documents.length) rows.loadMore();
  }, [next, isLoading, last, documents.length]);

  /** Moves the focus to a row, which may have to come into the page first. */
  const focusOn = (element: HTMLElement, index: number) => {
    const wanted = Math.max(0, Math.min(index, documents.length - 1));
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
  /** The row in which something happens: its place in the list. */
  const placeOf = (element: Element | null) =>
    Number(element?.closest('tr')?.getAttribute('aria-rowindex')) - 2;
  const open = (index: number) => {
    const document = documents[index];
    if (document !== undefined) go(wayTo(['documents', document.type, document.id]));
  };
  const toggle = (index: number) => {
    const document = documents[index];
    if (document !== undefined) selection.toggle(document.id);
  };
  const onClick = ({ target }: MouseEvent) => {
    if (!(target instanceof Element) || target.closest('a, .choose') !== null) return;
    // Who marks text does not want to leave.
    if (getSelection()?.isCollapsed !== false) open(placeOf(target));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys in a row's own controls are theirs.
    if (!(event.target instanceof HTMLTableRowElement) || frame.current === null) return;
    const index = placeOf(event.target);
    const place = PLACES[event.key]?.(index);
    if (place !== undefined) focusOn(frame.current, place);
    else if (event.key === 'Enter') open(index);
    else if (event.key === ' ') toggle(index);
    else return;
    event.preventDefault();
  };
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
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" class="choose">
              <input
                type="checkbox"
                aria-label="Select all that are loaded"
                checked={selection.hasAll(documents)}
                onChange={() => {
                  selection.toggleAll(documents);
                }}
              />
            </th>
            {['id', ...columns].map((name) => (
              <th
                key={name}
                scope="col"
                class={name === 'id' ? name : NUMERIC.has(fields.get(name)?.kind ?? '') ? 'number' : ''}
                aria-sort={directionOf(sort, name)}
              >
                {/* A click sorts by a field, another one the other way round. */}
                <button
                  type="button"
                  title={name}
                  onClick={() => {
                    onSort(sortedBy(sort, name));
                  }}
                >
                  <span>{name}</span>
                  <Icon name="down" />
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody
          onClick={onClick}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            if (target instanceof Element) toggle(placeOf(target));
          }}
        >
          <Space rows={first} columns={columns.length + 2} />
          {documents.slice(first, last).map((document, index) => (
            <TableRow
              key={document.id}
              document={document}
              columns={columns}
              index={first + index}
              isFocusable={first + index === focused}
              isSelected={selection.has(document.id)}
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

function directionOf([first]: readonly string[], name: string): 'ascending' | 'descending' | 'none' {
  if (first === name) return 'ascending';
  return first === `-${name}` ? 'descending' : 'none';
}

interface RowProps {
  readonly document: Resource;
  readonly columns: readonly string[];
  /** Its place in the list, from 0. */
  readonly index: number;
  readonly isFocusable: boolean;
  readonly isSelected: boolean;
}

/** Scrolling renders only the rows that come. */
const TableRow = stable(({ document, columns, index, isFocusable, isSelected }: RowProps) => {
  const { type, id } = document;
  return (
    <tr aria-rowindex={index + 2} tabIndex={isFocusable ? 0 : -1} aria-selected={isSelected}>
      <td class="choose">
        <input type="checkbox" aria-label={`Select ${id}`} checked={isSelected} tabIndex={-1} />
      </td>
      <td class="id">
        <a class="mono" href={wayTo(['documents', type, id])} title={id} tabIndex={-1}>
          {id.length > 12 ? `…${id.slice(-8)}` : id}
        </a>
      </td>
      {columns.map((name) => (
        <td key={name} class={isNumeric(document, name) ? 'number' : ''}>
          <Cell document={document} name={name} />
        </td>
      ))}
    </tr>
  );
});
