/** Numbers and moments for people. */
import { useEffect, useState } from 'preact/hooks';

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** Bytes in the unit that leaves at most three digits before the point: `1.6 MB`. */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit] ?? ''}`;
}

/** A whole number with its thousands apart. */
export function countText(count: number): string {
  return count.toLocaleString('en');
}

export function documentsIn(count: number): string {
  return count === 1 ? '1 document' : `${countText(count)} documents`;
}

/** Milliseconds in the unit that suits them. */
export function durationText(milliseconds: number): string {
  if (milliseconds >= 10_000) return `${(milliseconds / 1_000).toFixed(0)} s`;
  if (milliseconds >= 1_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  return `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
}

/** The beginning of a text that is longer. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

const TIMES = {
  medium: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }),
  short: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
  clock: new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' }),
};

interface TimeProps {
  readonly iso: string | undefined;
  readonly style?: keyof typeof TIMES;
}

/** A moment in the zone of whoever looks; its title is the stored one. Years may have more than four digits. */
export function Time({ iso, style = 'medium' }: TimeProps) {
  if (iso === undefined) return null;
  const date = new Date(iso);
  return (
    <time dateTime={iso} title={iso}>
      {Number.isNaN(date.getTime()) ? iso : TIMES[style].format(date)}
    </time>
  );
}

/** Seconds after which whoever waits is told for how long. */
const SLOW = 3;

/** For how long something is under way, where it is slow. */
export function Elapsed({ isBusy }: { readonly isBusy: boolean }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    setSeconds(0);
    const began = Date.now();
    const timer = isBusy && setInterval(() => setSeconds(Math.floor((Date.now() - began) / 1_000)), 1_000);
    return () => clearInterval(timer || undefined);
  }, [isBusy]);
  return isBusy && seconds >= SLOW && <span role="timer">Not done yet: {seconds} s</span>;
}
