/** What many measured times come to. Pure. */

export interface Figures {
  /** Answers in a second, over all connections. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** NaN of fewer than a thousand answers: it would be the longest alone. */
  readonly p999: number;
}

const THOUSAND = 1000;

/** Times of answers in milliseconds, and the seconds within which they came. */
export interface Sample {
  readonly times: readonly number[];
  readonly seconds: number;
}

/** The nearest-rank percentile, `share` from 0 to 1: the smallest value that so large a share does not exceed. */
export function percentile(sorted: readonly number[], share: number): number {
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? NaN;
}

export function median(values: readonly number[]): number {
  return percentile(
    values.toSorted((one, other) => one - other),
    0.5,
  );
}

/** Several rounds as one. */
export function figuresOf(rounds: readonly Sample[]): Figures {
  const sorted = rounds.flatMap(({ times }) => times).toSorted((one, other) => one - other);
  const seconds = rounds.reduce((sum, round) => sum + round.seconds, 0);
  return {
    rate: sorted.length / seconds,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    p999: sorted.length < THOUSAND ? NaN : percentile(sorted, 0.999),
  };
}

/** Three figures that count, with thousands separators. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** `0.71×`; a dash where there is nothing to compare with. */
export function times(ratio: number | undefined): string {
  return ratio === undefined || !Number.isFinite(ratio) ? '–' : `${short(ratio)}×`;
}

/** A Markdown table. The first column is text, the others are numbers. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, column) => (column === 0 ? '---' : '--:'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
