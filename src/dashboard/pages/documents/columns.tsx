/** Which fields are columns: a list of all that are known, in which one checks those to see. */
import type { TargetedPointerEvent } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Button, ListTools } from '../../parts/button.tsx';
import { Check, LineForm } from '../../parts/fields/form.tsx';
import { parsed } from '../../parts/fields/json.ts';
import { Popover } from '../../parts/popover.tsx';
import { application } from '../../session/credentials.ts';
import { topNames, type Fields } from './fields.ts';
import { namesIn, type View } from './view.ts';

/** Columns of a table where nobody has chosen. */
const FIRST = 8;

/** What the service knows of each document, by the names that show it. */
const KNOWN = ['$created', '$updated'];

/** The columns of a table: those of its route, else those chosen here before, else the first fields there are. */
export function columnsOf(
  { columns, sort }: Pick<View, 'columns' | 'sort'>,
  stored: string | null,
  fields: Fields,
): readonly string[] {
  const chosen = columns ?? namesIn(stored);
  if (chosen !== null) return chosen;
  const first = topNames(fields).slice(0, FIRST);
  // What the rows are sorted by is worth seeing.
  const sorting = sort.map((name) => name.replace(/^-/, '')).filter((name) => fields.has(name));
  return [...new Set([...first, ...sorting])];
}

/** A text that this browser keeps of a table: names of fields are no secret to whoever has seen it. */
export function useStoredText(what: string, type: string) {
  const place = `foredge-${what} ${application.value?.id ?? ''} ${type}`;
  const [stored, setStored] = useState(() => localStorage.getItem(place));
  const store = (text: string | null) => {
    if (text === null) localStorage.removeItem(place);
    else localStorage.setItem(place, text);
    setStored(text);
  };
  return [stored, store] as const;
}

/** Pixels of columns, by name. */
export type Widths = Readonly<Record<string, number>>;

const NARROWEST = 60;

/** The widths of columns that somebody has drawn, for this browser; and what draws one from its edge. */
export function useWidths(type: string) {
  const [stored, store] = useStoredText('columns', `${type} widths`);
  // Nobody else writes there.
  const widths = useMemo(() => (parsed(stored ?? '') ?? {}) as Widths, [stored]);
  const draw = (name: string) => (event: TargetedPointerEvent<HTMLElement>) => {
    const { clientX: begun, currentTarget: edge, pointerId } = event;
    const before = edge.parentElement?.offsetWidth ?? 0;
    edge.setPointerCapture(pointerId);
    edge.onpointermove = ({ clientX }) => {
      store(JSON.stringify({ ...widths, [name]: Math.max(NARROWEST, before + clientX - begun) }));
    };
    edge.onlostpointercapture = () => {
      edge.onpointermove = null;
    };
  };
  return { widths, draw };
}

/** The style of the cells of a column. */
export function widthIn(widths: Widths, name: string) {
  const width = widths[name];
  return width === undefined ? {} : { style: { '--width': `${width}px` } };
}

interface ColumnsProps {
  readonly fields: Fields;
  readonly columns: readonly string[];
  readonly onColumns: (columns: readonly string[] | null) => void;
  /** Told when it is opened: then it is time to know all names. */
  readonly onOpen: () => void;
}

export function Columns({ fields, columns, onColumns, onOpen }: ColumnsProps) {
  const names = [...new Set([...columns, ...topNames(fields), ...KNOWN])];
  return (
    <Popover icon="bulk" words="Columns" onOpen={onOpen}>
      <ul>
        {names.map((each) => (
          <li key={each} class="row spread together">
            <Check
              checked={columns.includes(each)}
              onChecked={(isOn) =>
                onColumns(isOn ? [...columns, each] : columns.filter((other) => other !== each))
              }
            >
              {each}
            </Check>
            {columns.includes(each) && (
              <ListTools what={each} items={columns} at={columns.indexOf(each)} onItems={onColumns} stays />
            )}
          </li>
        ))}
      </ul>
      <LineForm
        label="Another field"
        action="Add"
        onLine={(name) => onColumns([...columns.filter((each) => each !== name), name])}
      />
      <Button look="link" onClick={() => onColumns(null)}>
        Reset columns
      </Button>
    </Popover>
  );
}
