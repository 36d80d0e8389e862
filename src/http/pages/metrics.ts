/**
 * `GET /metrics`, for the operator: what this isolate has served, in the text form of Prometheus (exposition format
 * 0.0.4). A client library of Prometheus would bring Node's process statistics, which the runtime does not have.
 */
import type { Context } from 'hono';
import { recall } from '../../domain/caching/recall.ts';
import type { Reply } from '../headers.ts';
import type { Types } from '../types.ts';
import { isOperator } from '../../auth/operator.ts';
import { fail } from '../../domain/problems.ts';
import { replyOfProblems } from '../answer.ts';

/** A request that was answered. */
interface Served {
  readonly method: string;
  /** Undefined where no endpoint has taken the request: pages, refusals before, unknown paths. */
  readonly route: string | undefined;
  readonly status: number;
  readonly milliseconds: number;
}

/** Requests of one method and endpoint. */
interface Series {
  readonly method: string;
  readonly route: string;
  readonly statuses: Map<number, number>;
  /** Requests that took no longer than each of BOUNDS, and those that took longer than the one before. */
  readonly buckets: number[];
  milliseconds: number;
}

/** In milliseconds; those that Prometheus' own clients have. */
const BOUNDS = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];

/** Others are counted together: a client may send any word. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS']);

const MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Of this isolate, by endpoint and method: as many as the table of endpoints has, whatever clients send. */
const served = new Map<string, Map<string, Series>>();

export function count({ method: sent, route = 'none', status, milliseconds }: Served): void {
  const method = METHODS.has(sent) ? sent : 'other';
  const ofRoute = recall(served, route, (): Map<string, Series> => new Map());
  const series = recall(ofRoute, method, (): Series => ({
    method,
    route,
    statuses: new Map(),
    buckets: BOUNDS.map(() => 0),
    milliseconds: 0,
  }));
  series.statuses.set(status, (series.statuses.get(status) ?? 0) + 1);
  series.milliseconds += milliseconds;
  const bucket = BOUNDS.findIndex((bound) => milliseconds <= bound);
  if (bucket >= 0) series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
}

export async function metrics(c: Context<Types>): Promise<Reply> {
  const refusal = await operatorsAlone(c);
  if (refusal !== null) return refusal;
  return {
    status: 200,
    typed: true,
    mediaType: MEDIA_TYPE,
    confidential: true,
    headers: {},
    body: exposition(),
  };
}

function exposition(): string {
  const all = Array.from(served.values(), (ofRoute) => [...ofRoute.values()]).flat();
  const requests = all.flatMap((series) =>
    Array.from(series.statuses, ([status, number]) => sample('requests_total', series, { status }, number)),
  );
  return [
    '# HELP foredge_requests_total Requests that this isolate has answered.',
    '# TYPE foredge_requests_total counter',
    ...requests,
    '# HELP foredge_request_duration_seconds How long they took until their answers began.',
    '# TYPE foredge_request_duration_seconds histogram',
    ...all.flatMap(histogram),
    '',
  ].join('\n');
}

function histogram(series: Series): readonly string[] {
  const { statuses, buckets, milliseconds } = series;
  const total = [...statuses.values()].reduce((sum, number) => sum + number, 0);
  let upTo = 0;
  const counted = buckets.map((number, at) => {
    upTo += number;
    return sample('request_duration_seconds_bucket', series, { le: (BOUNDS[at] ?? 0) / 1000 }, upTo);
  });
  return [
    ...counted,
    sample('request_duration_seconds_bucket', series, { le: '+Inf' }, total),
    sample('request_duration_seconds_sum', series, {}, milliseconds / 1000),
    sample('request_duration_seconds_count', series, {}, total),
  ];
}

/** No label has a character that would need an escape: they come from our own tables. */
function sample(
  name: string,
  { method, route }: Series,
  more: Readonly<Record<string, string | number>>,
  value: number,
): string {
  const labels = Object.entries({ method, route, ...more }).map(([label, text]) => `${label}="${text}"`);
  return `foredge_${name}{${labels.join(',')}} ${value}`;
}

/** The answer to anybody else, null for the operator. */
export async function operatorsAlone(c: Context<Types>): Promise<Reply | null> {
  if (await isOperator(c.env, c.req.raw.headers.get('authorization'))) return null;
  const source = { header: 'Authorization' };
  return replyOfProblems(
    fail('operator-required', 'Send the operator secret as a bearer token.', source).problems,
  );
}
