/** What the service has served, from its metrics in the form of Prometheus: counts and latencies by endpoint. */
import { sendLines } from '../../session/service.ts';

/** Requests of one method and endpoint. */
export interface Series {
  readonly method: string;
  readonly route: string;
  readonly statuses: Map<string, number>;
  /** How many took at most so many seconds, by that bound: the sums of a histogram. */
  readonly buckets: Map<number, number>;
}

export type Metrics = ReadonlyMap<string, Series>;

const LINE = /^foredge_request(s_total|_duration_seconds_bucket)\{(.*)\} ([0-9.]+)$/;
const LABEL = /([a-z]+)="([^"]*)"/g;

export async function readMetrics(signal: AbortSignal): Promise<Metrics> {
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
export type Passed = ReturnType<typeof passedOf>;

/** Of one endpoint, or of several. Counts that are lower than before began anew: the isolate did. */
export function passedOf(now: readonly Series[], before: Metrics) {
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
