/** A file becomes documents of a type: its columns, what becomes of them, a look at that, and what came of it. */
import { useMemo, useState } from 'preact/hooks';
import { pathOf } from '../../../../client/paths.ts';
import { Button } from '../../../parts/button.tsx';
import { SelectField, TextField } from '../../../parts/form.tsx';
import { printed } from '../../../parts/json.ts';
import { textOf } from '../../../parts/kinds.ts';
import { Page } from '../../../parts/page.tsx';
import { Problems } from '../../../parts/problems.tsx';
import { useRun, useWork } from '../../../parts/run.ts';
import { Table } from '../../../parts/table.tsx';
import { countText, documentsIn } from '../../../parts/words.tsx';
import { wayTo } from '../../../route.ts';
import { list } from '../../../session/documents.ts';
import { Chooser, useDrops } from '../../files/uploads.tsx';
import { workOn } from '../many.ts';
import { AS, guess, planned, type As, type Column, type Fault, type Planned } from './plan.ts';
import { readFile, type Read } from './rows.ts';
import { store, type Outcome } from './store.ts';

interface TypeProps {
  readonly type: string;
}

interface Chosen extends Read {
  readonly name: string;
  readonly first: readonly Column[];
}

export function Import({ type }: TypeProps) {
  const [chosen, setChosen] = useState<Chosen>();
  const { error, run } = useRun(async (files: readonly File[]) => {
    const [file] = files;
    if (file === undefined) return;
    const [read, { documents }] = await Promise.all([
      readFile(file),
      list(pathOf(type), { 'page[limit]': '20', 'page[count]': 'false' }),
    ]);
    setChosen({ ...read, name: file.name, first: guess(read, documents) });
  });
  const [take] = useState(() => (files: readonly File[]) => {
    run(files);
  });
  const isOver = useDrops(take);
  return (
    <Page
      title={`Import ${type}`}
      wide
      above={<a href={wayTo(['documents', type])}>{type}</a>}
      lead="CSV, JSON, or lines of JSON. Drop a file anywhere on the page."
      actions={<Chooser words="Choose a file" onFiles={take} />}
    >
      <Problems error={error} />
      {isOver && <p class="notice">Drop the file to look at it. Nothing is stored yet.</p>}
      {chosen !== undefined && <Mapping key={chosen.name} type={type} chosen={chosen} />}
    </Page>
  );
}

/** Rows that are shown as documents, and faults that are shown. */
const SHOWN = { documents: 3, faults: 50 };

function Mapping({ type, chosen: { name, rows, first } }: TypeProps & { readonly chosen: Chosen }) {
  const [columns, setColumns] = useState(first);
  const [outcome, setOutcome] = useState<Outcome>();
  const { documents, faults } = useMemo(() => {
    const all = rows.map((row) => planned(row, columns));
    return {
      documents: all.filter((each): each is Planned => 'document' in each),
      faults: all.filter((each): each is Fault => 'reason' in each),
    };
  }, [rows, columns]);
  const work = useWork<Outcome>(async (_, signal) => {
    await store(type, documents, setOutcome, signal);
  });
  const change = (column: Column, next: Partial<Column>) => {
    setColumns(columns.map((each) => (each === column ? { ...each, ...next } : each)));
  };
  if (outcome !== undefined && !work.isBusy)
    return <Report type={type} outcome={outcome} error={work.error} skipped={faults} />;
  return (
    <>
      <p role="status">
        {name}: {documentsIn(documents.length)}
        {faults.length > 0 && `, and ${countText(faults.length)} that cannot be stored so`}.
      </p>
      <Table
        label="Columns"
        rows={columns}
        keyOf={({ column }) => column}
        columns={[
          { head: 'Column', isHead: true, cell: ({ column }) => column },
          { head: 'First value', class: 'wrap', cell: ({ column }) => firstOf(rows, column) },
          { head: 'Becomes', cell: (column) => <Becomes column={column} onChange={change} /> },
        ]}
      />
      {documents.length > 0 && (
        <>
          <h2>The first documents</h2>
          <pre tabIndex={0} aria-label="The first documents">
            {documents
              .slice(0, SHOWN.documents)
              .map(({ document }) => printed(document))
              .join('\n')}
          </pre>
        </>
      )}
      <Faults faults={faults} />
      <Problems error={work.error} />
      <div class="toolbar">
        {work.isBusy ? (
          <>
            <Button onClick={work.stop}>Stop</Button>
            <span role="status">{countText(outcome?.made.length ?? 0)} stored</span>
          </>
        ) : (
          <Button look="primary" disabled={documents.length === 0} onClick={work.run}>
            Import {documentsIn(documents.length)}
          </Button>
        )}
      </div>
    </>
  );
}

function firstOf(rows: Read['rows'], column: string) {
  const value = rows.map(({ values }) => values[column]).find((each) => each !== undefined && each !== '');
  return value === undefined ? <span class="soft">empty</span> : textOf(value).slice(0, 100);
}

const KINDS = Object.entries(AS) as (readonly [As, string])[];

interface BecomesProps {
  readonly column: Column;
  readonly onChange: (column: Column, next: Partial<Column>) => void;
}

function Becomes({ column, onChange }: BecomesProps) {
  const { column: name, field, as, to } = column;
  return (
    <div class="row">
      <SelectField
        label={`Kind of ${name}`}
        value={as}
        options={KINDS}
        onValue={(next) => {
          onChange(column, { as: next });
        }}
      />
      {as !== 'none' && as !== 'id' && (
        <TextField
          label={`Field of ${name}`}
          value={field}
          onText={(next) => {
            onChange(column, { field: next });
          }}
        />
      )}
      {as === 'link' && (
        <TextField
          label={`Type that ${name} links to`}
          value={to}
          onText={(next) => {
            onChange(column, { to: next });
          }}
        />
      )}
    </div>
  );
}

function Faults({ faults }: { readonly faults: readonly Fault[] }) {
  if (faults.length === 0) return null;
  return (
    <ul class="stack bad wrap" aria-label="Faults">
      {faults.slice(0, SHOWN.faults).map(({ line, reason }) => (
        <li key={line}>
          Line {line}: {reason}
        </li>
      ))}
      {faults.length > SHOWN.faults && <li>And {countText(faults.length - SHOWN.faults)} more.</li>}
    </ul>
  );
}

interface ReportProps extends TypeProps {
  readonly outcome: Outcome;
  readonly error: unknown;
  readonly skipped: readonly Fault[];
}

function Report({ type, outcome: { made, faults }, error, skipped }: ReportProps) {
  const [removed, setRemoved] = useState(false);
  const undoing = useRun(async () => {
    const target = { type, query: '', ids: made, amount: made.length };
    await workOn(target, { does: 'remove' }, () => undefined);
    setRemoved(true);
  });
  const all = [...skipped, ...faults].toSorted((one, other) => one.line - other.line);
  return (
    <>
      <Problems error={error} />
      <p role="status">
        {removed
          ? `${documentsIn(made.length)} removed again.`
          : `${documentsIn(made.length)} imported, ${countText(all.length)} refused.`}
      </p>
      <Faults faults={all} />
      <Problems error={undoing.error} />
      <div class="toolbar">
        <a class="button primary" href={wayTo(['documents', type])}>
          Show {type}
        </a>
        {made.length > 0 && !removed && (
          <Button disabled={undoing.isBusy} onClick={undoing.run}>
            Undo: remove the imported documents
          </Button>
        )}
      </div>
    </>
  );
}
