/** A file becomes documents: its columns are mapped, the first documents and faults shown, then it is written. */
import { useMemo, useState } from 'preact/hooks';
import {
  Button,
  LineFaults,
  notify,
  Problems,
  reasonOf,
  useRun,
  useWork,
  WorkButton,
} from '../../../parts/button.tsx';
import { Unsaved } from '../../../parts/fields/dialog.tsx';
import { SelectField, TextField } from '../../../parts/fields/form.tsx';
import type { LineFault } from '../../../parts/fields/json.ts';
import { KINDS, textOf, type KindName } from '../../../parts/fields/kinds.ts';
import { useQuiet } from '../../../parts/fields/names.tsx';
import { Content, Empty, Page, Table } from '../../../parts/page.tsx';
import { countText, cut, documentsIn } from '../../../parts/words.tsx';
import { wayTo } from '../../../route.ts';
import { useLoad } from '../../../session/service.ts';
import { readTypes, useTypeNames } from '../../../session/types.ts';
import { asJsonApi } from '../../document/draft.ts';
import { readSettings, readShape } from '../../document/shape.ts';
import { undoneText } from '../../document/versions.ts';
import { Cell } from '../cell.tsx';
import { draftsFrom, guessed, type Column, type KnownFields } from './columns.ts';
import { chosen, ImportButton } from './file.tsx';
import { readRows, type Rows } from './rows.ts';
import { additions, findTargets, removals, send, type Outcome } from './send.ts';

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

const NONE: readonly Outcome[] = [];

function OfFile({ file, first }: { readonly file: File; readonly first: string }) {
  const [text, setText] = useState(first);
  /** By type: another one may be typed while documents of the first are made. */
  const [made, setMade] = useState<ReadonlyMap<string, readonly Outcome[]>>(new Map());
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
            onMade={(change) =>
              setMade((all) => new Map(all).set(value.type, change(all.get(value.type) ?? NONE)))
            }
          />
        )}
      </Content>
    </>
  );
}

async function readKnown(type: string, signal: AbortSignal): Promise<KnownFields> {
  const [shape, types, settings] = await Promise.all([
    readShape(type, signal),
    readTypes(signal).catch(() => []),
    readSettings(type, signal).catch(() => undefined),
  ]);
  return {
    shape,
    types: types.map(({ name }) => name),
    hasOwnIds: settings?.['client-ids'] === true,
  };
}

interface MappedProps {
  readonly type: string;
  readonly rows: Rows;
  readonly known: KnownFields;
  readonly made: readonly Outcome[];
  readonly onMade: (change: (before: readonly Outcome[]) => readonly Outcome[]) => void;
}

/** Documents that are shown before. */
const FIRST = 5;

/** The columns, what would be written, what was, and the way back. */
function Mapped({ type, rows, known, made, onMade }: MappedProps) {
  const [shown, setColumns] = useState(() => guessed(rows, known));
  const columns = useQuiet(shown);
  const targets = useLoad((signal) => findTargets(rows.rows, columns, signal), [columns]);
  const drafts = useMemo(
    () => targets.value && draftsFrom(rows, type, columns, targets.value),
    [columns, targets.value],
  );
  const { ready = [], faults = [] } = drafts ?? {};
  const [refused, setRefused] = useState<readonly LineFault[]>([]);
  const lines = new Set(made.map(({ line }) => line));
  const rest = ready.filter(({ line }) => !lines.has(line));
  const work = useWork<undefined>(async (_, signal) => {
    setRefused([]);
    const hear = (outcomes: readonly Outcome[]) => {
      onMade((before) => [...before, ...outcomes.filter(({ errors }) => errors === undefined)]);
      const more = outcomes.flatMap(({ line, errors }) =>
        errors === undefined ? [] : [{ line, reason: errors.map(reasonOf).join(' ') }],
      );
      setRefused((before) => [...before, ...more]);
    };
    await send(additions(type, rest), hear, signal);
  });
  const undoing = useRun(async () => {
    const all: Outcome[] = [];
    await send(removals(type, made), (outcomes) => {
      all.push(...outcomes);
      const gone = new Set(outcomes.flatMap(({ line, errors }) => (errors === undefined ? [line] : [])));
      onMade((before) => before.filter(({ line }) => !gone.has(line)));
    });
    const results = all.map(({ errors }) => errors?.[0]);
    notify(undoneText('deleted', results));
  });
  const isBusy = work.isBusy || undoing.isBusy;
  const fields = columns.flatMap(({ becomes, field }) =>
    becomes === 'attribute' || becomes === 'link' ? [field.split('.', 1)[0] ?? ''] : [],
  );
  const first = ready.slice(0, FIRST).map(({ line, id = '', draft: { attributes, relationships } }) => ({
    line,
    document: { type, id, attributes, relationships: asJsonApi(relationships) },
  }));
  // What is shown is that of the columns that are shown, and every link leads somewhere.
  const isReady =
    type !== '' &&
    shown === columns &&
    !targets.isLoading &&
    columns.every(({ becomes, type: to }) => becomes !== 'link' || to !== '');
  return (
    <>
      <section class="card">
        <h2>Columns</h2>
        <Mapping rows={rows} columns={shown} onColumns={setColumns} />
      </section>
      <Problems error={targets.error} />
      {drafts && (
        <>
          <section class="card">
            <h2>First documents</h2>
            <Table
              label="First documents"
              rows={first}
              columns={[
                { head: rows.unit, isHead: true, class: 'number', cell: ({ line }) => countText(line) },
                ...[...new Set(fields)].map((name) => ({
                  head: name,
                  cell: ({ document }: (typeof first)[number]) => <Cell document={document} name={name} />,
                })),
              ]}
            />
          </section>
          <section class="card">
            <h2>Import</h2>
            <p role="status">
              {made.length + refused.length > 0
                ? `${countText(made.length)} imported, ${countText(refused.length)} refused, `
                : `${documentsIn(ready.length)} can be imported, `}
              {countText(faults.length)} left out.
            </p>
            <LineFaults unit={rows.unit} faults={[...faults, ...refused]} />
            <Problems error={work.error ?? undoing.error} />
            <div class="row">
              {(work.isBusy || made.length === 0 || rest.length > 0) && (
                <WorkButton
                  of={work}
                  look="primary"
                  disabled={undoing.isBusy || !isReady || rest.length === 0}
                >
                  Import {made.length > 0 && 'the other '}
                  {documentsIn(rest.length)}
                </WorkButton>
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
        </>
      )}
      <Unsaved isDirty={work.isBusy} what="The import" />
    </>
  );
}

interface MappingProps {
  readonly rows: Rows;
  readonly columns: readonly Column[];
  readonly onColumns: (columns: readonly Column[]) => void;
}

const BECOMES = [
  ['attribute', 'Attribute'],
  ['link', 'Link'],
  ['id', 'Id'],
  ['nothing', 'Nothing'],
] as const;
const AS_IT_IS = ['', 'as it is'] as const;
const OF_KINDS = KINDS.filter((kind) => kind !== 'null');

/** What becomes of each column, to be changed. */
function Mapping({ rows, columns, onColumns }: MappingProps) {
  const types = useTypeNames();
  const kinds: readonly (KindName | readonly ['', string])[] = rows.isText
    ? OF_KINDS
    : [AS_IT_IS, ...OF_KINDS];
  const set =
    <Part extends keyof Column>(name: string, part: Part) =>
    (value: Column[Part]) =>
      onColumns(columns.map((each) => (each.name === name ? { ...each, [part]: value } : each)));
  const inFile = ({ name }: Column) => (
    <>
      {name} <p class="fine soft">{sampleOf(rows, name)}</p>
    </>
  );
  const becoming = ({ name, becomes }: Column) => (
    <SelectField
      label={`What ${name} becomes`}
      value={becomes}
      options={BECOMES}
      onValue={set(name, 'becomes')}
    />
  );
  const field = ({ name, becomes, field: value }: Column) =>
    (becomes === 'attribute' || becomes === 'link') && (
      <TextField label={`Field of ${name}`} value={value} onText={set(name, 'field')} />
    );
  const more = ({ name, becomes, kind, type, by }: Column) =>
    becomes === 'attribute' ? (
      <SelectField label={`Kind of ${name}`} value={kind} options={kinds} onValue={set(name, 'kind')} />
    ) : (
      becomes === 'link' && (
        <div class="row together">
          <TextField
            label={<Named words="Leads to" name={name} />}
            placeholder="type"
            value={type}
            suggestions={types}
            onText={set(name, 'type')}
          />
          <TextField
            label={<Named words="Found by" name={name} />}
            placeholder="id"
            value={by}
            onText={set(name, 'by')}
          />
        </div>
      )
    );
  return (
    <Table
      label="Columns"
      class="mapping"
      rows={columns}
      keyOf={({ name }) => name}
      columns={[
        { head: 'In the file', isHead: true, cell: inFile },
        { head: 'Becomes', cell: becoming },
        { head: 'Field', cell: field },
        { head: 'Kind, or what it leads to', cell: more },
      ]}
    />
  );
}

/** A label that is seen, with the column for those who hear it alone. */
function Named({ words, name }: { readonly words: string; readonly name: string }) {
  return (
    <>
      {words} <span class="visually-hidden">of {name}</span>
    </>
  );
}

function sampleOf({ rows }: Rows, name: string): string {
  const values = rows.slice(0, 20).flatMap(({ values: all }) => all.get(name) ?? []);
  return cut([...new Set(values.map(textOf))].slice(0, 3).join(', '), 60);
}
