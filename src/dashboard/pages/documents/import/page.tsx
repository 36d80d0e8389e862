/** A file becomes documents: its columns are mapped, the first documents and what is wrong are shown, then it is written. */
import { useMemo, useState } from 'preact/hooks';
import { pathOf } from '../../../../client/paths.ts';
import { Button } from '../../../parts/button.tsx';
import { useQuiet } from '../../../parts/choose.tsx';
import { TextField } from '../../../parts/form.tsx';
import type { LineFault } from '../../../parts/json.ts';
import { LineFaults } from '../../../parts/line-faults.tsx';
import { Content, Empty, Page } from '../../../parts/page.tsx';
import { Problems } from '../../../parts/problems.tsx';
import { useRun, useWork } from '../../../parts/run.ts';
import { Table } from '../../../parts/table.tsx';
import { tell } from '../../../parts/toasts.tsx';
import { Unsaved } from '../../../parts/unsaved.tsx';
import { countText, documentsIn } from '../../../parts/words.tsx';
import { wayTo } from '../../../route.ts';
import { list } from '../../../session/documents.ts';
import { useLoad } from '../../../session/load.ts';
import { readTypes } from '../../../session/types.ts';
import { asJsonApi } from '../../document/draft.ts';
import { readShape } from '../../document/shape.ts';
import { Cell } from '../cell.tsx';
import { guessed, type Column, type Known } from './columns.ts';
import { draftsFrom, type Drafts } from './drafts.ts';
import { chosen, ImportButton } from './file.tsx';
import { Mapping } from './mapping.tsx';
import { readRows, type Rows } from './rows.ts';
import { make, unmake, type Made } from './send.ts';
import { findTargets } from './targets.ts';

export function Import({ type }: { readonly type: string }) {
  const file = chosen.value;
  return (
    <Page
      title={file === undefined ? 'Import a file' : `Import ${file.name}`}
      wide
      above={<a href={wayTo(['documents', type])}>{type}</a>}
      lead="CSV, JSON, or lines of JSON become documents. Nothing is written before you have seen what becomes of it."
      actions={<ImportButton type={type} />}
    >
      {file === undefined ? (
        <Empty title="No file is chosen.">
          <p>Drop one anywhere on the page.</p>
        </Empty>
      ) : (
        <OfFile key={`${file.name} ${file.size} ${file.lastModified}`} file={file} first={type} />
      )}
    </Page>
  );
}

const NONE: readonly Made[] = [];

interface OfFileProps {
  readonly file: File;
  /** The type that is offered. */
  readonly first: string;
}

function OfFile({ file, first }: OfFileProps) {
  const [text, setText] = useState(first);
  /** By type: another one may be typed while documents of the first are made. */
  const [made, setMade] = useState<ReadonlyMap<string, readonly Made[]>>(new Map());
  const type = useQuiet(text.trim());
  const madeOf = (each: string) => made.get(each) ?? NONE;
  const read = useLoad(
    async (signal) => {
      const [rows, known] = await Promise.all([readRows(file), readKnown(type, signal)]);
      return { type, rows, known };
    },
    [type],
  );
  return (
    <>
      {/* What was made can be undone as long as its type stays. */}
      {madeOf(type).length === 0 && (
        <div class="toolbar">
          <TextField label="Type of the documents" value={text} onText={setText} />
        </div>
      )}
      <Content of={read} what={file.name}>
        {(value) => (
          <Mapped
            key={value.type}
            {...value}
            made={madeOf(value.type)}
            onMade={(change) => {
              setMade((all) => new Map(all).set(value.type, change(all.get(value.type) ?? NONE)));
            }}
          />
        )}
      </Content>
    </>
  );
}

async function readKnown(type: string, signal: AbortSignal): Promise<Known> {
  const query = { 'filter[name]': JSON.stringify(type), 'page[count]': 'false' };
  const [shape, types, settings] = await Promise.all([
    readShape(type, signal),
    readTypes(signal).catch(() => []),
    list(pathOf('core.type'), query, signal).catch(() => undefined),
  ]);
  const [found] = settings?.documents ?? [];
  return {
    shape,
    types: types.map(({ name }) => name),
    hasOwnIds: found?.attributes?.['client-ids'] === true,
  };
}

interface MadeProps {
  readonly type: string;
  readonly made: readonly Made[];
  readonly onMade: (change: (before: readonly Made[]) => readonly Made[]) => void;
}

interface MappedProps extends MadeProps {
  readonly rows: Rows;
  readonly known: Known;
}

function Mapped({ rows, known, ...props }: MappedProps) {
  const [shown, setColumns] = useState(() => guessed(rows, known));
  const columns = useQuiet(shown);
  const targets = useLoad((signal) => findTargets(rows.rows, columns, signal), [columns]);
  const drafts = useMemo(
    () => targets.value && draftsFrom(rows, props.type, columns, targets.value),
    [columns, targets.value],
  );
  const isSettled = shown === columns && !targets.isLoading;
  return (
    <>
      <section class="card">
        <h2>Columns</h2>
        <Mapping rows={rows} columns={shown} onColumns={setColumns} />
      </section>
      <Problems error={targets.error} />
      {drafts && <Outcome {...props} {...drafts} columns={columns} unit={rows.unit} isSettled={isSettled} />}
    </>
  );
}

interface OutcomeProps extends MadeProps, Drafts {
  readonly columns: readonly Column[];
  readonly unit: Rows['unit'];
  /** Whether it is that of the columns that are shown. */
  readonly isSettled: boolean;
}

/** What would be written, what was, and the way back. */
function Outcome({ type, made, onMade, columns, ready, faults, unit, isSettled }: OutcomeProps) {
  const [refused, setRefused] = useState<readonly LineFault[]>([]);
  const rest = useMemo(() => {
    const lines = new Set(made.map(({ line }) => line));
    return ready.filter(({ line }) => !lines.has(line));
  }, [ready, made]);
  const work = useWork<undefined>(async (_, signal) => {
    setRefused([]);
    const tellOf: Parameters<typeof make>[2] = (sent) => {
      onMade((before) => [...before, ...sent.made]);
      setRefused((before) => [...before, ...sent.refused]);
    };
    await make(type, rest, tellOf, signal);
  });
  const undoing = useRun(async () => {
    let left = made;
    try {
      await unmake(type, made, (next) => {
        left = next;
      });
    } finally {
      onMade(() => left);
    }
    const stay = left.length === 0 ? '' : ` ${countText(left.length)} stay: others have changed them.`;
    tell(`${documentsIn(made.length - left.length)} deleted.${stay}`);
  });
  const isBusy = work.isBusy || undoing.isBusy;
  const isReady =
    type !== '' && isSettled && columns.every(({ becomes, type: to }) => becomes !== 'link' || to !== '');
  return (
    <>
      <section class="card">
        <h2>First documents</h2>
        <Preview type={type} columns={columns} ready={ready} unit={unit} />
      </section>
      <section class="card">
        <h2>Import</h2>
        <p role="status">
          {made.length + refused.length > 0
            ? `${countText(made.length)} imported, ${countText(refused.length)} refused, ${countText(faults.length)} left out.`
            : `${documentsIn(ready.length)} can be imported, ${countText(faults.length)} left out.`}
        </p>
        <LineFaults unit={unit} faults={[...faults, ...refused]} />
        <Problems error={work.error ?? undoing.error} />
        <div class="row">
          {work.isBusy ? (
            <Button onClick={work.stop}>Stop</Button>
          ) : (
            (made.length === 0 || rest.length > 0) && (
              <Button look="primary" disabled={isBusy || !isReady || rest.length === 0} onClick={work.run}>
                Import {made.length > 0 && 'the other '}
                {documentsIn(rest.length)}
              </Button>
            )
          )}
          {made.length > 0 && (
            <>
              <Button disabled={isBusy} onClick={undoing.run}>
                Undo
              </Button>
              <a href={wayTo(['documents', type])}>See all of {type}</a>
            </>
          )}
        </div>
      </section>
      <Unsaved isDirty={work.isBusy} what="The import" />
    </>
  );
}

/** How many documents are shown. */
const FIRST = 5;

function Preview({ type, columns, ready, unit }: Pick<OutcomeProps, 'type' | 'columns' | 'ready' | 'unit'>) {
  const fields = columns.flatMap(({ becomes, field }) =>
    becomes === 'attribute' || becomes === 'link' ? [field.split('.', 1)[0] ?? ''] : [],
  );
  const rows = ready.slice(0, FIRST).map(({ line, id = '', draft: { attributes, relationships } }) => ({
    line,
    document: { type, id, attributes, relationships: asJsonApi(relationships) },
  }));
  return (
    <Table
      label="First documents"
      rows={rows}
      columns={[
        { head: unit, isHead: true, class: 'number', cell: ({ line }) => countText(line) },
        ...[...new Set(fields)].map((name) => ({
          head: name,
          cell: ({ document }: (typeof rows)[number]) => <Cell document={document} name={name} />,
        })),
      ]}
    />
  );
}
