/** The tables of a run, in Markdown. Pure but for the description of the machine. */
import { createRequire } from 'node:module';
import { cpus, totalmem } from 'node:os';
import { CONTENDERS, FLOORS_OWN, WORKS, WORK_NAMES, type ContenderName, type WorkName } from './contender.ts';
import type { Options } from './options.ts';
import type { Outcome } from './run.ts';
import { markdownTable, short, type Figures } from './stats.ts';

/** Services are compared at the largest size up to this one that both hold. */
const COMPARED = 100_000;

const OTHERS: readonly ContenderName[] = ['floor', 'hand', 'parse', 'indexed'];

export function reportOf(outcomes: readonly Outcome[], options: Options): string {
  return [
    machine(options),
    `Foredge's requests a second at ${outcomes.map(sizeOf).join(', ')} documents, and its p99 at the most; ` +
      "then its requests a second as a multiple of each other service's, " +
      `at up to ${COMPARED.toLocaleString('en')} documents.`,
    table(outcomes),
    '### Loading',
    'Documents a second; then milliseconds of the first filter on a field, ' +
      'and of the longest wait of a reader beside it.',
    outcomes.flatMap(notesOf).join('\n'),
  ].join('\n\n');
}

function sizeOf({ size }: Outcome): string {
  return size.toLocaleString('en');
}

function figure(outcome: Outcome, work: WorkName, contender: ContenderName): Figures | undefined {
  return outcome.figures.get(work)?.get(contender);
}

function machine({ connections, rounds, milliseconds }: Options): string {
  return machineLine([`${connections} connections, ${rounds} rounds of ${milliseconds / 1000} s`]);
}

/** What a run was made on, how and when. */
export function machineLine(how: readonly string[]): string {
  const processors = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return [
    `${processors.length} cores (${processors[0]?.model.trim() ?? 'unknown'}), ${gigabytes} GiB, ${process.platform}`,
    `Node ${process.versions.node}, workerd ${workerdVersion()}`,
    ...how,
    new Date().toISOString().slice(0, 10),
  ].join('; ');
}

function workerdVersion(): string {
  const { version } = createRequire(import.meta.url)('workerd/package.json') as { readonly version: string };
  return version;
}

/** The works of which there are figures. */
function measuredIn(outcomes: readonly Outcome[]): readonly WorkName[] {
  return WORK_NAMES.filter((work) => outcomes.some(({ figures }) => figures.has(work)));
}

/** A row for each work. */
function table(outcomes: readonly Outcome[]): string {
  const others = OTHERS.filter((other) => WORK_NAMES.some((work) => ratio(outcomes, work, other) !== '–'));
  const rows = measuredIn(outcomes).map((work) => {
    const own = outcomes.map((outcome) => figure(outcome, work, 'ours'));
    return [
      WORKS[work],
      own.map((figures) => short(figures?.rate ?? NaN)).join(', '),
      short(own.at(-1)?.p99 ?? NaN),
      ...others.map((other) => ratio(outcomes, work, other)),
    ];
  });
  return markdownTable(['Work', 'Foredge', 'p99 ms', ...others.map((other) => CONTENDERS[other])], rows);
}

function ratio(outcomes: readonly Outcome[], work: WorkName, other: ContenderName): string {
  if (!isCompared(work, other)) return '–';
  const each = outcomes
    .filter(({ size }, index) => index === 0 || size <= COMPARED)
    .flatMap((outcome) => {
      const [one, two] = [figure(outcome, work, 'ours'), figure(outcome, work, other)];
      return one === undefined || two === undefined ? [] : [short(one.rate / two.rate)];
    });
  return each.at(-1) ?? '–';
}

/** Beside works that the floor does not do, its read by id is measured: that is no comparison. */
function isCompared(work: WorkName, other: ContenderName): boolean {
  return other !== 'floor' || FLOORS_OWN.includes(work);
}

function notesOf(outcome: Outcome): readonly string[] {
  const { imports, first, notes } = outcome;
  const taken = Array.from(imports, ([name, rate]) => `${CONTENDERS[name]} ${short(rate)}`).join(', ');
  const filter = first === null ? '' : `; ${short(first.p50)}; ${short(first.pause)}`;
  return [`- ${sizeOf(outcome)}: ${taken}${filter}`, ...notes.map((note) => `  - ${note}`)];
}
