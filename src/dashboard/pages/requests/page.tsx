/** Requests, errors and latencies as they come: the metrics of the service, looked at every two seconds. */
import { useEffect, useState } from 'preact/hooks';
import { Chart } from '../../parts/chart.tsx';
import { countText, durationText } from '../../parts/numbers.ts';
import { Empty, Loading, Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { passedOf, readMetrics, type Metrics, type Passed } from './metrics.ts';

const PAUSE = 2_000;
/** How many looks are drawn: three minutes. */
const DRAWN = 90;

interface Look {
  readonly at: number;
  readonly metrics: Metrics;
  /** Since the look before; undefined for the first one. */
  readonly passed: Passed | undefined;
  readonly seconds: number;
}

export default function Requests() {
  const [looks, setLooks] = useState<readonly Look[]>([]);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const control = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      try {
        if (!document.hidden) {
          const metrics = await readMetrics(control.signal);
          setLooks((before) => [...before, next(metrics, before.at(-1))].slice(-DRAWN));
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
  }, []);
  const drawn = looks.filter(({ passed }) => passed !== undefined);
  const times = drawn.map(({ at }) => at / 1_000);
  const perSecond = (of: (passed: Passed) => number) =>
    drawn.map(({ passed, seconds }) => (passed === undefined ? null : of(passed) / seconds));
  return (
    <Page
      title="Requests"
      lead="Of the isolate that answers this page, every two seconds. In a deployment there are many isolates."
    >
      <Problems error={error} />
      {looks.length === 0 && error === undefined && <Loading what="metrics" />}
      {looks.length > 0 && (
        <>
          <div class="charts">
            <Chart
              title="Requests a second"
              times={times}
              lines={[
                { title: 'All', values: perSecond(({ requests }) => requests), colour: '--number' },
                { title: '400 and above', values: perSecond(({ errors }) => errors), colour: '--warn' },
                { title: '500 and above', values: perSecond(({ faults }) => faults), colour: '--bad' },
              ]}
            />
            <Chart
              title="Milliseconds until an answer began"
              times={times}
              lines={[
                {
                  title: 'Half of them',
                  values: drawn.map(({ passed }) => passed?.p50 ?? null),
                  colour: '--good',
                },
                {
                  title: '95 of 100',
                  values: drawn.map(({ passed }) => passed?.p95 ?? null),
                  colour: '--word',
                },
              ]}
            />
          </div>
          <Endpoints metrics={looks.at(-1)?.metrics ?? new Map()} />
        </>
      )}
    </Page>
  );
}

function next(metrics: Metrics, before: Look | undefined): Look {
  const at = Date.now();
  if (before === undefined) return { at, metrics, passed: undefined, seconds: 1 };
  const passed = passedOf([...metrics.values()], before.metrics);
  return { at, metrics, passed, seconds: Math.max(0.001, (at - before.at) / 1_000) };
}

const NONE: Metrics = new Map();

function Endpoints({ metrics }: { readonly metrics: Metrics }) {
  const rows = [...metrics.values()]
    .map((series) => ({ ...series, ...passedOf([series], NONE) }))
    .sort((one, other) => other.requests - one.requests);
  if (rows.length === 0) return <Empty title="Nothing was asked yet." />;
  return (
    <>
      <h2>Since the isolate began</h2>
      <div class="table-frame" tabIndex={0} role="group" aria-label="Table">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Endpoint</th>
              {['Requests', '400 and above', '500 and above', 'Half within', '95 of 100 within'].map(
                (head) => (
                  <th key={head} scope="col" class="number">
                    {head}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ method, route, requests, errors, faults, p50, p95 }) => (
              <tr key={`${method} ${route}`}>
                <td class="mono">
                  {method} {route === 'none' ? 'pages and unknown paths' : route}
                </td>
                <td class="number">{countText(requests)}</td>
                <td class="number">{countText(errors)}</td>
                <td class={faults > 0 ? 'number bad' : 'number'}>{countText(faults)}</td>
                <td class="number">{p50 === undefined ? '' : durationText(p50)}</td>
                <td class="number">{p95 === undefined ? '' : durationText(p95)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
