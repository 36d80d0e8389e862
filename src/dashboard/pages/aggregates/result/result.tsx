/** What a pipeline makes: a table, and a chart of its numbers. */
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Resource } from '../../../../client/transport.ts';
import { Empty } from '../../../parts/page.tsx';
import { SelectField } from '../../../parts/select.tsx';
import { Tabs } from '../../../parts/tabs.tsx';
import { kindOf, textOf, type Members } from '../../document/values/kinds.ts';
import type ChartOfRows from './chart.tsx';
import { columnsOf, isNumeric, ResultTable } from './table.tsx';

type View = 'table' | 'chart';
type Shape = 'bars' | 'lines';

interface ResultProps {
  readonly documents: readonly Resource[];
  readonly count: number;
}

export function Result({ documents, count }: ResultProps) {
  const [view, setView] = useState<View>('table');
  const rows = documents.map(rowOf);
  if (rows.length === 0) return <Empty title="The pipeline makes no documents of the present data." />;
  return (
    <>
      <p class="soft">
        {count.toLocaleString()} {count === 1 ? 'document' : 'documents'}
        {count > rows.length && `, of which the first ${rows.length.toLocaleString()} are shown`}
      </p>
      <Tabs
        label="Views of the result"
        panel="result-panel"
        open={view}
        tabs={[
          ['table', 'Table'],
          ['chart', 'Chart'],
        ]}
        onOpen={setView}
      />
      <div id="result-panel" role="tabpanel" aria-label={view} class="result-panel">
        {view === 'table' ? <ResultTable label="Result" rows={rows} /> : <Charted rows={rows} />}
      </div>
    </>
  );
}

/** Side by side, as pipelines see a document. */
function rowOf({ id, attributes = {}, relationships = {} }: Resource): Members {
  const links = Object.entries(relationships).map(([name, { data = null }]) => {
    const plain: unknown = JSON.parse(JSON.stringify(data));
    return [name, plain] as const;
  });
  return { id, ...attributes, ...(Object.fromEntries(links) as Members) };
}

function Charted({ rows }: { readonly rows: readonly Members[] }) {
  const names = columnsOf(rows);
  const numbers = names.filter((name) => isNumeric(rows, name));
  const labels = names.filter((name) => !numbers.includes(name) || numbers.length > 1);
  const [label, setLabel] = useState('id');
  const [shape, setShape] = useState<Shape>('bars');
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const [Chart, setChart] = useState<{ readonly Shown: ComponentType<Parameters<typeof ChartOfRows>[0]> }>();
  useEffect(() => {
    void import('./chart.tsx').then(({ default: Shown }) => {
      setChart({ Shown });
    });
  }, []);
  if (numbers.length === 0)
    return <Empty title="A chart needs a field with numbers: none of the result has any." />;
  const along = names.includes(label) ? label : (labels[0] ?? 'id');
  const drawn = numbers.filter((name) => !hidden.includes(name) && name !== along);
  return (
    <>
      <div class="chart-bar">
        <SelectField
          label="Along"
          value={along}
          options={names.map((name) => [name, name] as const)}
          onValue={setLabel}
        />
        <SelectField
          label="Drawn as"
          value={shape}
          options={[
            ['bars', 'bars'],
            ['lines', 'lines'],
          ]}
          onValue={setShape}
        />
        <fieldset>
          <legend>Numbers</legend>
          {numbers
            .filter((name) => name !== along)
            .map((name) => (
              <label key={name} class="check">
                <input
                  type="checkbox"
                  checked={!hidden.includes(name)}
                  onChange={({ currentTarget }) => {
                    setHidden(
                      currentTarget.checked ? hidden.filter((each) => each !== name) : [...hidden, name],
                    );
                  }}
                />
                {name}
              </label>
            ))}
        </fieldset>
      </div>
      {Chart !== undefined && drawn.length > 0 && (
        <Chart.Shown
          shape={shape}
          labels={rows.map((row) => labelIn(row, along))}
          series={drawn.map((name) => ({ name, values: rows.map((row) => numberIn(row, name)) }))}
        />
      )}
    </>
  );
}

function labelIn(row: Members, name: string): string {
  const value = Object.hasOwn(row, name) ? (row[name] ?? null) : null;
  const kind = kindOf(value);
  if (kind === 'null') return 'null';
  return kind === 'date' ? textOf(value).slice(0, 10) : textOf(value);
}

function numberIn(row: Members, name: string): number | null {
  const value = Object.hasOwn(row, name) ? (row[name] ?? null) : null;
  return value === null ? null : Number(textOf(value));
}
