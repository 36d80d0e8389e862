/** What somebody chooses to see of a table: columns and their widths, and views that are kept by name. */
import type { TargetedPointerEvent } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import { Button, IconButton, notify, Problems, useRun } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/fields/dialog.tsx';
import { Check, LineForm } from '../../parts/fields/form.tsx';
import { isMembers, parsed, stringIn, withMember } from '../../parts/fields/json.ts';
import { ListTools } from '../../parts/list.tsx';
import { Popover } from '../../parts/popover.tsx';
import { wayTo } from '../../route.ts';
import { application, mayList } from '../../session/credentials.ts';
import { useLoad } from '../../session/service.ts';
import { changeSettings, readSettings, SETTINGS } from '../document/shape.ts';
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

/** All fields that are known, in which one checks those to see. */
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

/** Queries of routes, by name. */
type Queries = Readonly<Record<string, string>>;

function queriesIn(value: unknown): Queries {
  const entries = Object.entries(isMembers(value) ? value : {});
  return Object.fromEntries(entries.map(([name, query]) => [name, stringIn(query)]));
}

interface ViewsProps {
  readonly type: string;
  /** The query of what is shown now. */
  readonly query: string;
}

/** Conditions, order and columns that are kept by name, for this browser or for everybody. */
export function Views({ type, query }: ViewsProps) {
  const [text, keep] = useStoredText('views', type);
  const own = queriesIn(parsed(text ?? ''));
  const latest = useRef(own);
  latest.current = own;
  const [isShared, setShared] = useState(false);
  const [isOpened, setOpened] = useState(false);
  // Whoever may not read settings has their own views.
  const mayShare = isOpened && mayList(pathOf(SETTINGS));
  const shared = useLoad(
    async (signal) => (mayShare ? await readSettings(type, signal) : undefined),
    [type, mayShare],
  );
  const put = async (isForAll: boolean, at: string, query: string | undefined) => {
    if (isForAll) {
      await changeSettings(type, ({ views }) => ({ views: withMember(queriesIn(views), at, query) }));
      shared.reload();
    } else keep(JSON.stringify(withMember(latest.current, at, query)));
  };
  const [taken, setTaken] = useState<string>();
  const keeping = useRun(async (name: string) => {
    // Others may have kept one of this name meanwhile.
    const there = isShared ? queriesIn((await readSettings(type))['views']) : own;
    if (Object.hasOwn(there, name)) setTaken(name);
    else await put(isShared, name, query);
  });
  const offer = (what: string, [isForAll, name, before]: Parameters<typeof put>) =>
    notify(`The view ${name} ${what}.`, () => {
      put(isForAll, name, before).catch(() => offer('did not come back', [isForAll, name, before]));
    });
  const removing = useRun(async (isForAll: boolean, name: string, before?: string) => {
    await put(isForAll, name, undefined);
    offer('was deleted', [isForAll, name, before]);
  });
  const rows = [own, queriesIn(shared.value?.['views'])].flatMap((views, index) =>
    Object.entries(views).map(([each, query]) => ({ name: each, query, isForAll: index === 1 })),
  );
  return (
    <>
      <Popover icon="bulk" words="Views" onOpen={() => setOpened(true)}>
        <ul>
          {rows.map((row) => (
            <li class="row spread together" key={`${row.name} ${String(row.isForAll)}`}>
              <a href={`${wayTo(['documents', type])}?${row.query}`}>{row.name}</a>
              {row.isForAll && <span class="soft">for everybody</span>}
              <IconButton
                icon="trash"
                label={`Delete the view ${row.name}`}
                onClick={() => removing.run(row.isForAll, row.name, row.query)}
              />
            </li>
          ))}
        </ul>
        <LineForm label="Name of this view" action="Keep" onLine={keeping.run} />
        {shared.value !== undefined && (
          <Check checked={isShared} onChecked={setShared}>
            For everybody
          </Check>
        )}
        <Problems error={keeping.error ?? removing.error ?? shared.error} />
      </Popover>
      {taken !== undefined && (
        <FormDialog
          title={`Replace the view ${taken}?`}
          action="Replace"
          isDanger
          onClose={() => setTaken(undefined)}
          onSubmit={() => put(isShared, taken, query)}
        >
          <p>There is a view of this name {isShared ? 'for everybody' : 'in this browser'} already.</p>
        </FormDialog>
      )}
    </>
  );
}
