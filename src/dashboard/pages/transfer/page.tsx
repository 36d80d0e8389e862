/** An application as a file: exported, imported, and its backups. */
import { useRef, useState } from 'preact/hooks';
import { Field } from '../../parts/field.tsx';
import { countText } from '../../parts/numbers.ts';
import { Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { application } from '../../session/credentials.ts';
import { useLoad } from '../../session/load.ts';
import { Backups } from './backups.tsx';
import { save } from './save.ts';
import { exportTypes, importLines, readHeld, type Imported } from './transfer.ts';

export default function Transfer() {
  const id = application.value?.id ?? '';
  return (
    <Page
      title="Export and import"
      lead="Documents with ids, kinds, rights, creators and times; users, groups, keys, schemas and definitions."
    >
      <Export id={id} />
      <Import id={id} />
      <Backups id={id} />
    </Page>
  );
}

function Export({ id }: { readonly id: string }) {
  const { value: held, error } = useLoad((signal) => readHeld(id, signal), [id]);
  const [type, setType] = useState('');
  const work = useWork();
  const run = () => {
    const chosen = held?.filter(({ name }) => type === '' || name === type) ?? [];
    work.run(async (tell, signal) => {
      const file = await exportTypes(id, chosen, type === '', tell, signal);
      save(file, `${type === '' ? id : type}.ndjson`);
    });
  };
  return (
    <section class="card">
      <h2>Export</h2>
      <p class="hint">
        The browser keeps the file in memory until it is saved. For large applications use the command.
      </p>
      <Problems error={error ?? work.error} />
      <div class="toolbar">
        <Field
          label="What to export"
          control={(ties) => (
            <select
              {...ties}
              value={type}
              onChange={(event) => {
                setType(event.currentTarget.value);
              }}
            >
              <option value="">All of the application</option>
              {held?.map(({ name, documents }) => (
                <option key={name} value={name}>
                  {name} ({countText(documents)})
                </option>
              ))}
            </select>
          )}
        />
        <Run work={work} title="Export" disabled={held === undefined} onRun={run} />
      </div>
      {work.count !== undefined && <p role="status">{countText(work.count)} lines</p>}
    </section>
  );
}

function Import({ id }: { readonly id: string }) {
  const [file, setFile] = useState<File>();
  const [report, setReport] = useState<Imported>();
  const work = useWork();
  const run = () => {
    if (file === undefined) return;
    setReport(undefined);
    work.run(async (tell, signal) => {
      setReport(await importLines(id, file, tell, signal));
    });
  };
  return (
    <section class="card">
      <h2>Import</h2>
      <p class="hint">
        Lines of an export go into this application. Nothing that is there is changed or deleted, and the same
        file can be imported again.
      </p>
      <Problems error={work.error} />
      <div class="toolbar">
        <Field
          label="File of an export"
          control={(ties) => (
            <input
              {...ties}
              type="file"
              accept=".ndjson,.json,.txt"
              onChange={(event) => {
                setFile(event.currentTarget.files?.[0]);
              }}
            />
          )}
        />
        <Run work={work} title="Import" disabled={file === undefined} onRun={run} />
      </div>
      {report ? (
        <Report report={report} />
      ) : (
        work.count !== undefined && <p role="status">{countText(work.count)} stored</p>
      )}
    </section>
  );
}

/** How many refused lines are shown. */
const SHOWN = 50;

function Report({ report: { stored, unchanged, refused } }: { readonly report: Imported }) {
  return (
    <div role="status">
      <p>
        {countText(stored)} stored, {countText(unchanged)} were there already, {countText(refused.length)}{' '}
        refused.
      </p>
      <ul class="refused">
        {refused.slice(0, SHOWN).map(({ line, reason }) => (
          <li key={line}>
            Line {line}: {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Something that takes a while, counts, and can be cut off. */
function useWork() {
  const [count, setCount] = useState<number>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const control = useRef(new AbortController());
  return {
    count,
    error,
    isBusy,
    stop: () => {
      control.current.abort();
    },
    run: (work: (tell: (count: number) => void, signal: AbortSignal) => Promise<void>) => {
      const own = new AbortController();
      control.current = own;
      setBusy(true);
      setError(undefined);
      setCount(0);
      work(setCount, own.signal)
        .catch((cause: unknown) => {
          setError(own.signal.aborted ? new Error('It was stopped.') : cause);
        })
        .finally(() => {
          setBusy(false);
        });
    },
  };
}

function Run({
  work,
  title,
  disabled,
  onRun,
}: {
  readonly work: ReturnType<typeof useWork>;
  readonly title: string;
  readonly disabled: boolean;
  readonly onRun: () => void;
}) {
  return work.isBusy ? (
    <button class="button" type="button" onClick={work.stop}>
      Stop
    </button>
  ) : (
    <button class="button primary" type="button" disabled={disabled} onClick={onRun}>
      {title}
    </button>
  );
}
