/**
 * The table: as many rows as documents are loaded, of which only those near the window are in the page. All rows have
 * one height, so a place in the list is a place in the scroll.
 */
import { options, type ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Resource } from '../../../client/transport.ts';
import { NUMERIC } from '../../parts/fields/kinds.ts';
import { Icon } from '../../parts/icons.tsx';
import { stable } from '../../parts/stable.tsx';
import { useWindow } from '../../parts/window.ts';
import { go, wayTo } from '../../route.ts';
import type { Pages } from '../../session/pages.ts';
import type { Stored } from '../../session/service.ts';
import { notifyOf } from '../document/versions.ts';
import type { Selection } from './bulk.tsx';
import { Cell, CellEditor, isNumeric, kindToEdit } from './cell.tsx';
import type { Fields } from './fields.ts';
import { sortedBy } from './view.ts';
import { useWidths, widthIn, type Widths } from './views.tsx';

/** Pixels of a row, as style/pages.css has it. */
const ROW = 32;
/** Cells of a row before those of the columns. */
const FIRST = 2;
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
  readonly rows: Pages;
  /** How many documents of the list stand before its first row. */
  readonly from: number;
  readonly fields: Fields;
  readonly columns: readonly string[];
  /** What links of the columns lead to, by link. */
  readonly linked: ReadonlyMap<string, Resource>;
  readonly sort: readonly string[];
  readonly onSort: (sort: readonly string[]) => void;
  readonly selection: Selection;
}

/** One value of a document. */
interface Place {
  readonly id: string;
  readonly name: string;
}

/** A document opens by a click or Enter, Space selects it, F2 or a pen changes a value, arrows go on. */
export function Grid({ type, rows, from, fields, columns, linked, sort, onSort, selection }: GridProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [focused, setFocused] = useState(0);
  const { widths, draw } = useWidths(type);
  const [pointed, setPointed] = useState<Place>();
  const [edited, setEdited] = useState<Place>();
  const { documents, more, isLoading, count, of } = rows;

  // Another list begins at its first document.
  useEffect(() => {
    if (frame.current !== null) frame.current.scrollTop = 0;
    setFocused(0);
  }, [of]);

  const isOnPaper = usePaper();
  const first = isOnPaper ? 0 : Math.max(0, Math.floor(top / ROW) - BEYOND);
  const last = Math.min(
    documents.length,
    isOnPaper ? Infinity : Math.ceil((top + innerHeight) / ROW) + BEYOND,
  );
  useEffect(() => {
    if (!isLoading && !isOnPaper && last + AHEAD > documents.length) more?.();
  }, [more === null, isLoading, last, documents.length]);

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
    requestAnimationFrame(() =>
      element
        .querySelector<HTMLElement>(`tr[aria-rowindex="${from + wanted + 2}"]`)
        ?.focus({ preventScroll: true }),
    );
  };
  /** The row in which something happens: its place in the list. */
  const placeOf = (element: Element | null) =>
    Number(element?.closest('tr')?.getAttribute('aria-rowindex')) - from - 2;
  const open = (index: number) => {
    const document = documents[index];
    if (document !== undefined) go(wayTo(['documents', document.type, document.id]));
  };
  const toggle = (index: number) => {
    const document = documents[index];
    if (document !== undefined) selection.toggle(document.id);
  };
  /** Edits a value, or the next one that can be edited here; beyond the last the row has the focus again. */
  const edit = (index: number, column: number, by: number) => {
    const [document, name] = [documents[index], columns[column]];
    if (document === undefined || name === undefined) {
      setEdited(undefined);
      if (frame.current !== null) focusOn(frame.current, index);
    } else if (kindToEdit(document, name, fields) === undefined) edit(index, column + by, by);
    else setEdited({ id: document.id, name });
  };
  const editorIn = (document: Resource, index: number, name: string) => {
    const kind = kindToEdit(document, name, fields);
    const onDone = (step: number, changed?: Stored) => {
      if (changed !== undefined) {
        rows.replace(changed.document);
        void notifyOf(`${name} was changed.`, type, new Map([[document.id, changed.etag]]), rows.reload);
      }
      if (Number.isNaN(step))
        setEdited((now) => (now?.id === document.id && now.name === name ? undefined : now));
      else edit(index, step === 0 ? -1 : columns.indexOf(name) + step, step);
    };
    return kind && <CellEditor key={name} document={document} name={name} kind={kind} onDone={onDone} />;
  };
  const onMouseOver = ({ target }: MouseEvent) => {
    const cell = target instanceof Element ? target.closest('td') : null;
    const document = documents[placeOf(cell)];
    const name = columns[(cell?.cellIndex ?? 0) - FIRST];
    if (document === undefined || name === undefined) return;
    const isEditable = kindToEdit(document, name, fields) !== undefined;
    setPointed(isEditable ? { id: document.id, name } : undefined);
  };
  const onClick = ({ target }: MouseEvent) => {
    if (!(target instanceof Element) || target.closest('a, input, .choose') !== null) return;
    if (target.closest('.pen') !== null) {
      setEdited(pointed);
      return;
    }
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
    else if (event.key === 'F2') edit(index, 0, 1);
    else return;
    event.preventDefault();
  };
  return (
    <div
      class="table-frame grid-frame"
      aria-busy={isLoading}
      ref={frame}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
    >
      <table
        class={Object.keys(widths).length > 0 ? 'table grid drawn' : 'table grid'}
        aria-label={`Documents of ${type}`}
        aria-rowcount={(count ?? from + documents.length) + 1}
      >
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" class="choose">
              <input
                type="checkbox"
                aria-label="Select all that are loaded"
                checked={selection.hasAll(documents)}
                onChange={() => selection.toggleAll(documents)}
              />
            </th>
            {['id', ...columns].map((name) => (
              <th
                key={name}
                scope="col"
                class={name === 'id' ? name : NUMERIC.has(fields.get(name)?.kind ?? '') ? 'number' : ''}
                aria-sort={directionOf(sort, name)}
                {...widthIn(widths, name)}
              >
                {/* A click sorts by a field, another one the other way round. */}
                <button type="button" title={name} onClick={() => onSort(sortedBy(sort, name))}>
                  <span>{name}</span>
                  <Icon name="down" />
                </button>
                <span class="edge" onPointerDown={draw(name)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody
          onClick={onClick}
          onKeyDown={onKeyDown}
          onMouseOver={onMouseOver}
          onChange={({ target }) => {
            if (target instanceof Element && target.matches('.choose input')) toggle(placeOf(target));
          }}
        >
          <Space rows={first} columns={columns.length + 2} />
          {documents.slice(first, last).map((document, index) => (
            <TableRow
              key={document.id}
              document={document}
              columns={columns}
              row={from + first + index + 2}
              isFocusable={first + index === focused}
              isSelected={selection.has(document.id)}
              linked={linked}
              widths={widths}
              pen={pointed?.id === document.id ? pointed.name : undefined}
              edited={edited?.id === document.id ? edited.name : undefined}
              editor={edited?.id === document.id && editorIn(document, first + index, edited.name)}
            />
          ))}
          <Space rows={documents.length - last} columns={columns.length + 2} />
        </tbody>
      </table>
    </div>
  );
}

/** Whether the page is being printed: then all rows that are loaded are in it. */
function usePaper(): boolean {
  const [isOnPaper, setOnPaper] = useState(false);
  const turn = ({ type }: Event) => {
    // The browser takes the page as it is when this returns.
    options.debounceRendering = (render) => render();
    setOnPaper(type === 'beforeprint');
    delete options.debounceRendering;
  };
  useWindow('beforeprint', turn);
  useWindow('afterprint', turn);
  return isOnPaper;
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
  /** Its place in the list, below the head. */
  readonly row: number;
  readonly isFocusable: boolean;
  readonly isSelected: boolean;
  readonly linked: GridProps['linked'];
  readonly widths: Widths;
  /** The value that a pen is shown beside, and the one that is edited. */
  readonly pen: string | undefined;
  readonly edited: string | undefined;
  readonly editor: ComponentChildren;
}

/** Scrolling renders only the rows that come. */
const TableRow = stable((props: RowProps) => {
  const { document, columns, row, isFocusable, isSelected, linked, widths, pen, edited, editor } = props;
  const { type, id } = document;
  return (
    <tr aria-rowindex={row} tabIndex={isFocusable ? 0 : -1} aria-selected={isSelected}>
      <td class="choose">
        <input type="checkbox" aria-label={`Select ${id}`} checked={isSelected} tabIndex={-1} />
      </td>
      <td class="id">
        <a class="mono" href={wayTo(['documents', type, id])} title={id} tabIndex={-1}>
          {id.length > 12 ? `…${id.slice(-8)}` : id}
        </a>
      </td>
      {columns.map((name) => (
        <td key={name} class={isNumeric(document, name) ? 'number' : ''} {...widthIn(widths, name)}>
          {name === edited ? editor : <Cell document={document} name={name} linked={linked} />}
          {name === pen && name !== edited && (
            <button type="button" class="bare pen" tabIndex={-1} aria-label={`Edit ${name}`}>
              <Icon name="pen" />
            </button>
          )}
        </td>
      ))}
    </tr>
  );
});
