/** Requests, errors and latencies as they come: the metrics of the service, looked at every two seconds. */
import { useEffect, useState } from 'preact/hooks';
import { Button, Problems } from '../../parts/button.tsx';
import { Chart } from '../../parts/chart.tsx';
import { counted, Empty, Loading, Page, Table, type Column } from '../../parts/page.tsx';
import { countText, durationText } from '../../parts/words.tsx';
import { application } from '../../session/credentials.ts';
import { sendLines } from '../../session/service.ts';
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

/** Requests of one method and endpoint. */
interface Series {
  readonly method: string;
  readonly route: string;
  readonly statuses: Map<string, number>;
  /** How many took at most so many seconds, by that bound: the sums of a histogram. */
  readonly buckets: Map<number, number>;
}

type Metrics = ReadonlyMap<string, Series>;

const LINE = /^foredge_request(s_total|_duration_seconds_bucket)\{(.*)\} ([0-9.]+)$/;
const LABEL = /([a-z]+)="([^"]*)"/g;

/** What the service has served, from its metrics in the form of Prometheus: counts and latencies by endpoint. */
async function readMetrics(signal: AbortSignal): Promise<Metrics> {
  const { text } = await sendLines('GET', '/metrics', { signal });
  return parse(text);
}

function parse(text: string): Metrics {
  const all = new Map<string, Series>();
  for (const line of text.split('\n')) {
    const [, what, labels = '', value] = LINE.exec(line) ?? [];
    if (what === undefined) continue;
    const of = Object.fromEntries(
      Array.from(labels.matchAll(LABEL), ([, name = '', text = '']) => [name, text]),
    );
    const { method = '', route = '', status = '', le = '' } = of;
    const name = `${method} ${route}`;
    const series = all.get(name) ?? { method, route, statuses: new Map(), buckets: new Map() };
    all.set(name, series);
    if (what === 's_total') series.statuses.set(status, Number(value));
    else series.buckets.set(le === '+Inf' ? Infinity : Number(le), Number(value));
  }
  return all;
}

/** What came to pass between two looks. */
type Passed = ReturnType<typeof passedOf>;

/** Of one endpoint, or of several. Counts that are lower than before began anew: the isolate did. */
function passedOf(now: readonly Series[], before: Metrics) {
  /** Answers; those of 400 and above; those of 500 and above. */
  const passed = { requests: 0, errors: 0, faults: 0 };
  const buckets = new Map<number, number>();
  for (const series of now) {
    const earlier = before.get(`${series.method} ${series.route}`);
    for (const [status, count] of series.statuses) {
      const more = since(count, earlier?.statuses.get(status));
      passed.requests += more;
      if (Number(status) >= 400) passed.errors += more;
      if (Number(status) >= 500) passed.faults += more;
    }
    for (const [bound, count] of series.buckets) {
      buckets.set(bound, (buckets.get(bound) ?? 0) + since(count, earlier?.buckets.get(bound)));
    }
  }
  // Milliseconds, at most; undefined where there was no request.
  return { ...passed, p50: quantile(buckets, 0.5), p95: quantile(buckets, 0.95) };
}

function since(now: number, before = 0): number {
  return now >= before ? now - before : now;
}

/** A share of a histogram in milliseconds, even within the bucket that holds it: as Prometheus estimates it. */
function quantile(buckets: ReadonlyMap<number, number>, share: number): number | undefined {
  const bounds = [...buckets].sort(([one], [other]) => one - other);
  const total = bounds.at(-1)?.[1] ?? 0;
  if (total === 0) return undefined;
  const rank = share * total;
  let [low, below] = [0, 0];
  for (const [bound, count] of bounds) {
    if (count >= rank) {
      if (bound === Infinity) return low * 1_000;
      const inside = count - below;
      return 1_000 * (inside === 0 ? bound : low + ((bound - low) * (rank - below)) / inside);
    }
    [low, below] = [bound, count];
  }
  return low * 1_000;
}
