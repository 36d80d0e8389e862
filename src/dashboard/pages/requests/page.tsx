/** Requests, errors and latencies as they come: the metrics of the service, looked at every two seconds. */
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Chart } from '../../parts/chart.tsx';
import { Empty, Loading, Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { counted, Table, type Column } from '../../parts/table.tsx';
import { countText, durationText } from '../../parts/words.tsx';
import { application } from '../../session/credentials.ts';
import { passedOf, readMetrics, type Metrics, type Passed } from './metrics.ts';
import { readRecent, RecentRequests, type Recent } from './recent.tsx';

const PAUSE = 2_000;
/** How many looks are drawn: three minutes. */
const DRAWN = 90;
/** Pixels of a chart. */
const HEIGHT = 200;

interface Look {
  readonly at: number;
  readonly metrics: Metrics;
  /** Of the application that is open. */
  readonly recent: Recent | undefined;
  /** Since the look before; undefined for the first one. */
  readonly passed: Passed | undefined;
  readonly seconds: number;
}

const perSecond =
  (of: 'requests' | 'errors' | 'faults') =>
  ({ passed, seconds }: Look) =>
    passed === undefined ? null : passed[of] / seconds;

/** The charts, each with its lines: name, colour, and value of a look. */
const CHARTS = [
  [
    'Requests a second',
    [
      ['All', '--number', perSecond('requests')],
      ['Errors', '--warn', perSecond('errors')],
      ['Server errors', '--bad', perSecond('faults')],
    ],
  ],
  [
    'Response time (ms)',
    [
      ['Median', '--good', ({ passed }: Look) => passed?.p50 ?? null],
      ['p95', '--word', ({ passed }: Look) => passed?.p95 ?? null],
    ],
  ],
] as const;

export default function Requests() {
  const [looks, setLooks] = useState<readonly Look[]>([]);
  const [error, setError] = useState<unknown>();
  const [isPaused, setPaused] = useState(false);
  const id = application.value?.id;
  useEffect(() => {
    const control = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      try {
        if (!document.hidden && !isPaused) {
          const [metrics, recent] = await Promise.all([
            readMetrics(control.signal),
            id === undefined ? undefined : readRecent(id, control.signal),
          ]);
          setLooks((before) => [...before, { ...next(metrics, before.at(-1)), recent }].slice(-DRAWN));
          setError(undefined);
        }
      } catch (cause) {
        if (control.signal.aborted) return;
        setError(cause);
      }
      timer = setTimeout(() => void look(), PAUSE);
    };
    void look();
    return () => {
      control.abort();
      clearTimeout(timer);
    };
  }, [id, isPaused]);
  const { recent, metrics = NONE } = looks.at(-1) ?? {};
  const rows = rowsOf(metrics);
  const drawn = looks.filter(({ passed }) => passed !== undefined);
  return (
    <Page
      title="Requests"
      lead="Of the process that answers this page, every two seconds. A deployment has many."
      wide
      actions={<Button onClick={() => setPaused(!isPaused)}>{isPaused ? 'Go on' : 'Pause'}</Button>}
    >
      <Problems error={error} />
      {looks.length === 0 && error === undefined && <Loading what="metrics" />}
      {looks.length > 0 && (
        <>
          <div class="across">
            {CHARTS.map(([title, lines]) => (
              <Chart
                key={title}
                title={title}
                class="card chart"
                height={HEIGHT}
                along={{ times: drawn.map(({ at }) => at / 1_000) }}
                series={lines.map(([name, colour, of]) => ({ name, colour, values: drawn.map(of) }))}
              />
            ))}
          </div>
          {recent && <RecentRequests recent={recent} />}
          {rows.length === 0 ? (
            <Empty title="No requests yet." />
          ) : (
            <>
              <h2>Since the process started</h2>
              <Table
                label="Endpoints"
                columns={COLUMNS}
                rows={rows}
                keyOf={({ method, route }) => `${method} ${route}`}
              />
            </>
          )}
        </>
      )}
    </Page>
  );
}

function next(metrics: Metrics, before: Look | undefined): Omit<Look, 'recent'> {
  const at = Date.now();
  if (before === undefined) return { at, metrics, passed: undefined, seconds: 1 };
  const passed = passedOf([...metrics.values()], before.metrics);
  return { at, metrics, passed, seconds: Math.max(0.001, (at - before.at) / 1_000) };
}

const NONE: Metrics = new Map();

type Row = ReturnType<typeof rowsOf>[number];

/** Of each endpoint, the busiest first. */
function rowsOf(metrics: Metrics) {
  return [...metrics.values()]
    .map((series) => ({ ...series, ...passedOf([series], NONE) }))
    .sort((one, other) => other.requests - one.requests);
}

const COLUMNS: readonly Column<Row>[] = [
  {
    head: 'Endpoint',
    class: 'mono',
    cell: ({ method, route }) => `${method} ${route === 'none' ? 'other paths' : route}`,
  },
  counted('Requests', ({ requests }) => requests),
  counted('Errors', ({ errors }) => errors),
  {
    head: 'Server errors',
    class: 'number',
    cell: ({ faults }) => <span class={faults > 0 ? 'bad' : ''}>{countText(faults)}</span>,
  },
  counted('Median', ({ p50 }) => p50, durationText),
  counted('p95', ({ p95 }) => p95, durationText),
];
