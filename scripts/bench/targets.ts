/** The figures to reach, and those that a run has missed. Pure. */
import { FLOORS_OWN, WORKS, type ContenderName, type WorkName } from './contender.ts';
import type { Outcome } from './run.ts';
import { short, times } from './stats.ts';

interface Target {
  readonly what: string;
  readonly unit: 'times' | 'ms' | 'documents/s';
  readonly bound: number;
  /** Whether the bound is the least or the most. */
  readonly is: 'least' | 'most';
  /** undefined where the run has not measured it. */
  readonly value: (outcome: Outcome, all: readonly Outcome[]) => number | undefined;
}

const EARLIER = 10_000;
const LATER = 1_000_000;

const NAMES: Readonly<Record<ContenderName, string>> = {
  ours: 'ours',
  floor: "the floor's",
  hand: 'the same by hand',
  parse: "parse-server's",
  indexed: "parse-server's with a declared index",
};

const BY_HAND = ['selective', 'text', 'near', 'within', 'sort', 'deep', 'acl'] as const;

const TARGETS: readonly Target[] = [
  rate('read', 0.8, 'floor'),
  rate('read', 1.5, 'parse'),
  tail('p99'),
  tail('p999'),
  rate('create', 0.6, 'floor'),
  rate('create', 1.2, 'parse'),
  rate('taught', 0.7, 'floor'),
  rate('taught', 1, 'parse'),
  rate('taught', 1, 'indexed'),
  rate('patch', 1.2, 'parse'),
  rate('order', 0.8, 'parse'),
  ...BY_HAND.map((work) => rate(work, 0.8, 'hand')),
  rate('selective', 5, 'parse'),
  rate('selective', 1, 'indexed'),
  rate('acl', 5, 'parse'),
  rate('include', 3, 'parse'),
  rate('group', 1, 'parse'),
  rate('grouped', 0.5, 'floor'),
  latency('group', 2, 'floor'),
  {
    what: 'import',
    unit: 'documents/s',
    bound: 10_000,
    is: 'least',
    value: ({ imports }) => imports.get('ours'),
  },
  ...(['read', 'create', 'selective', 'acl', 'near', 'include'] as const).map((work) => growth(work, 1.5)),
  growth('broad', 2),
  {
    what: 'first filter on a field, at 1,000,000 documents',
    unit: 'ms',
    bound: 3000,
    is: 'most',
    value: ({ size, first }) => (size === LATER ? first?.p50 : undefined),
  },
  {
    what: 'longest wait of a reader beside it, at 1,000,000 documents',
    unit: 'ms',
    bound: 100,
    is: 'most',
    value: ({ size, first }) => (size === LATER ? first?.pause : undefined),
  },
];

/** Requests per second as a multiple of those of another that was measured in turn. */
function rate(work: WorkName, bound: number, other: ContenderName): Target {
  const floors = other === 'floor' && !FLOORS_OWN.includes(work) ? ' read by id' : '';
  return {
    what: `${WORKS[work]}: requests/s to ${NAMES[other]}${floors}`,
    unit: 'times',
    bound,
    is: 'least',
    value: ({ figures }) =>
      quotient(figures.get(work)?.get('ours')?.rate, figures.get(work)?.get(other)?.rate),
  };
}

/** The median time as a multiple of another's for the same work. */
function latency(work: WorkName, bound: number, other: ContenderName): Target {
  return {
    what: `${WORKS[work]}: p50 to ${NAMES[other]}`,
    unit: 'times',
    bound,
    is: 'most',
    value: ({ figures }) => quotient(figures.get(work)?.get('ours')?.p50, figures.get(work)?.get(other)?.p50),
  };
}

/** A tail of reads as a multiple of the floor's. */
function tail(percentile: 'p99' | 'p999'): Target {
  return {
    what: `read by id: ${percentile === 'p99' ? 'p99' : 'p99.9'} to the floor's`,
    unit: 'times',
    bound: 1,
    is: 'most',
    value: ({ figures }) =>
      quotient(
        figures.get('read')?.get('ours')?.[percentile],
        figures.get('read')?.get('floor')?.[percentile],
      ),
  };
}

function growth(work: WorkName, bound: number): Target {
  return {
    what: `${WORKS[work]}: growth of p50 from 10,000 to 1,000,000 documents`,
    unit: 'times',
    bound,
    is: 'most',
    value: (outcome, all) => {
      if (outcome.size !== LATER) return undefined;
      const earlier = all.find(({ size }) => size === EARLIER);
      return quotient(
        outcome.figures.get(work)?.get('ours')?.p50,
        earlier?.figures.get(work)?.get('ours')?.p50,
      );
    },
  };
}

function quotient(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one / other;
}

/** A line for each target that a size has missed, with a value for each size. */
export function missedTargets(outcomes: readonly Outcome[]): string {
  const missed = TARGETS.flatMap((target) => {
    const values = outcomes.map((outcome) => {
      const value = target.value(outcome, outcomes);
      if (value === undefined || Number.isNaN(value)) return '–';
      return isReached(value, target) ? written(value, target) : `**${written(value, target)}**`;
    });
    if (!values.some((value) => value.startsWith('**'))) return [];
    const bound = `${target.is === 'least' ? '≥' : '≤'} ${written(target.bound, target)}`;
    return [`- ${target.what}: ${bound}; ${values.join(', ')}`];
  });
  return [`${missed.length} of ${TARGETS.length} figures.`, missed.join('\n')].join('\n\n').trim();
}

function isReached(value: number, { bound, is }: Target): boolean {
  return is === 'least' ? value >= bound : value <= bound;
}

function written(value: number, { unit }: Target): string {
  return unit === 'times' ? times(value) : `${short(value)} ${unit}`;
}
