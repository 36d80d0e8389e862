/** Views that are kept by name: conditions, order and columns of a table, for this browser or for everybody. */
import { useRef, useState } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import { IconButton } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/fields/dialog.tsx';
import { Check, LineForm } from '../../parts/fields/form.tsx';
import { isMembers, parsed, stringIn, withMember } from '../../parts/fields/json.ts';
import { Popover } from '../../parts/popover.tsx';
import { Problems } from '../../parts/problems.tsx';
import { useRun } from '../../parts/run.ts';
import { notify } from '../../parts/toasts.tsx';
import { wayTo } from '../../route.ts';
import { mayList } from '../../session/credentials.ts';
import { useLoad } from '../../session/load.ts';
import { changeSettings, readSettings, SETTINGS } from '../document/shape.ts';
import { useStoredText } from './columns.tsx';

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
