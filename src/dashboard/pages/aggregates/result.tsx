/** What a pipeline makes: a table, and a chart of its numbers. */
import { useState } from 'preact/hooks';
import type { Resource } from '../../../client/transport.ts';
import { Chart } from '../../parts/chart.tsx';
import { Checks, SelectField } from '../../parts/fields/form.tsx';
import { member, type Members } from '../../parts/fields/json.ts';
import { kindOf, NUMERIC, textOf } from '../../parts/fields/kinds.ts';
import { Csv } from '../../parts/files.tsx';
import { Empty, Table } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { countText, documentsIn } from '../../parts/words.tsx';
import { Value } from '../documents/cell.tsx';

interface ResultProps {
  /** Of the documents, which the service can be asked for. */
  readonly type: string;
  readonly documents: readonly Resource[];
  readonly count: number;
}

export function Result({ type, documents, count }: ResultProps) {
  const [view, setView] = useState<'table' | 'chart'>('table');
  const rows = documents.map(rowOf);
  if (rows.length === 0) return <Empty title="No results." />;
  return (
    <>
      <p class="soft">
        {documentsIn(count)}
        {count > rows.length && `, of which the first ${countText(rows.length)} are shown`}
      </p>
      <Csv type={type} query="" columns={namesIn(rows).filter((name) => name !== 'id')} />
      <Tabs
        label="Views of the result"
        open={view}
        tabs={{ table: 'Table', chart: 'Chart' }}
        onOpen={setView}
      >
        {() => (view === 'table' ? <ResultTable label="Result" rows={rows} /> : <Charted rows={rows} />)}
      </Tabs>
    </>
  );
}

/** Side by side, as pipelines see a document. */
function rowOf({ id, attributes = {}, relationships = {} }: Resource): Members {
  const links = Object.entries(relationships).map(([name, { data = null }]) => [name, data] as const);
  // Links are JSON.
  return { id, ...attributes, ...(Object.fromEntries(links) as unknown as Members) };
}

/** How many columns are shown. */
const COLUMNS = 24;

/** Documents of a pipeline: each field a column, in the order in which they first come. */
export function ResultTable({ label, rows }: { readonly label: string; readonly rows: readonly Members[] }) {
  const names = namesIn(rows);
  const shown = names.slice(0, COLUMNS);
  return (
    <>
      <Table<Members>
        label={label}
        class="result"
        rows={rows}
        columns={shown.map((name) => ({
          head: name,
          class: isNumeric(rows, name) ? 'number' : '',
          cell: (row) => {
            const value = member(row, name);
            return value !== undefined && <Value value={value} />;
          },
        }))}
      />
      {names.length > shown.length && <p class="hint">{names.length - shown.length} more fields.</p>}
    </>
  );
}

function namesIn(rows: readonly Members[]): readonly string[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  // What a document is, before what it has.
  return [...['id', 'type'].filter((name) => names.delete(name)), ...names];
}

/** Whether all values of the column are numbers, and at least one is there. */
function isNumeric(rows: readonly Members[], name: string): boolean {
  const values = rows.map((row) => member(row, name) ?? null).filter((value) => value !== null);
  return values.length > 0 && values.every((value) => NUMERIC.has(kindOf(value)));
}

/** Colours of the series, by the names that the theme gives them. */
const COLOURS = ['--accent', '--number', '--good', '--warn', '--word', '--gilt'];
/** Pixels of a chart. */
const HEIGHT = 320;

function Charted({ rows }: { readonly rows: readonly Members[] }) {
  const names = namesIn(rows);
  const numbers = names.filter((name) => isNumeric(rows, name));
  const labels = names.filter((name) => !numbers.includes(name) || numbers.length > 1);
  const [label, setLabel] = useState('id');
  const [shape, setShape] = useState<'bars' | 'lines'>('bars');
  const [hidden, setHidden] = useState<readonly string[]>([]);
  if (numbers.length === 0) return <Empty title="A chart needs a field with numbers." />;
  const along = names.includes(label) ? label : (labels[0] ?? 'id');
  const offered = numbers.filter((name) => name !== along);
  const drawn = offered.filter((name) => !hidden.includes(name));
  return (
    <>
      <div class="toolbar">
        <SelectField label="Along" value={along} options={names} onValue={setLabel} />
        <SelectField label="Drawn as" value={shape} options={['bars', 'lines']} onValue={setShape} />
        <Checks
          legend="Numbers"
          options={offered}
          chosen={drawn}
          onChosen={(chosen) => setHidden(offered.filter((name) => !chosen.includes(name)))}
        />
      </div>
      {drawn.length > 0 && (
        <Chart
          class="card chart result-chart"
          words={`A chart of ${drawn.join(', ')} over ${rows.length} labels. The table has its numbers.`}
          height={HEIGHT}
          shape={shape}
          along={{ labels: rows.map((row) => labelIn(row, along)) }}
          series={drawn.map((name, index) => ({
            name,
            values: rows.map((row) => numberIn(row, name)),
            colour: COLOURS[index % COLOURS.length] ?? '--accent',
          }))}
        />
      )}
    </>
  );
}

function labelIn(row: Members, name: string): string {
  const value = member(row, name) ?? null;
  if (value === null) return 'null';
  return kindOf(value) === 'date' ? textOf(value).slice(0, 10) : textOf(value);
}

function numberIn(row: Members, name: string): number | null {
  const value = member(row, name) ?? null;
  return value === null ? null : Number(textOf(value));
}
