/** A row: its document opens by a click or Enter, Space selects it, arrows go on. */
import { Component } from 'preact';
import type { Resource } from '../../../../client/transport.ts';
import { wayTo } from '../../../route.ts';
import { Cell, isNumeric } from './cell.tsx';

interface TableRowProps {
  readonly document: Resource;
  readonly columns: readonly string[];
  /** Its place in the list, from 0. */
  readonly index: number;
  readonly isFocusable: boolean;
  readonly isSelected: boolean;
  readonly actions: RowActions;
}

/** What a row does. They stay the same while the table is there. */
export interface RowActions {
  readonly open: (document: Resource) => void;
  /** Moves the focus to the row at an index, or the nearest one. */
  readonly step: (index: number) => void;
  readonly toggle: (id: string) => void;
}

function Row({
  document,
  columns,
  index,
  isFocusable,
  isSelected,
  actions: { open, step, toggle },
}: TableRowProps) {
  const { type, id } = document;
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys in the row's own controls are theirs.
    if (event.target !== event.currentTarget) return;
    const keys: Readonly<Record<string, () => void>> = {
      Enter: () => {
        open(document);
      },
      ' ': () => {
        toggle(id);
      },
      ArrowDown: () => {
        step(index + 1);
      },
      ArrowUp: () => {
        step(index - 1);
      },
      PageDown: () => {
        step(index + 15);
      },
      PageUp: () => {
        step(index - 15);
      },
      Home: () => {
        step(0);
      },
      End: () => {
        step(Infinity);
      },
    };
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  return (
    <tr
      aria-rowindex={index + 2}
      tabIndex={isFocusable ? 0 : -1}
      aria-selected={isSelected}
      onClick={() => {
        // Who marks text does not want to leave.
        if (getSelection()?.isCollapsed !== false) open(document);
      }}
      onKeyDown={onKeyDown}
    >
      <td
        class="choose"
        onClick={(event) => {
          event.stopPropagation();
        }}
      >
        <input
          type="checkbox"
          aria-label={`Select ${id}`}
          checked={isSelected}
          tabIndex={-1}
          onChange={() => {
            toggle(id);
          }}
        />
      </td>
      <td class="id">
        <a
          class="mono"
          href={wayTo(['documents', type, id])}
          title={id}
          tabIndex={-1}
          onClick={(event) => {
            event.stopPropagation();
          }}
        >
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
}

/** Scrolling renders only the rows that come. */
export class TableRow extends Component<TableRowProps> {
  override shouldComponentUpdate(next: TableRowProps): boolean {
    const { document, columns, index, isFocusable, isSelected } = this.props;
    return (
      document !== next.document ||
      columns !== next.columns ||
      index !== next.index ||
      isFocusable !== next.isFocusable ||
      isSelected !== next.isSelected
    );
  }

  override render() {
    return <Row {...this.props} />;
  }
}
