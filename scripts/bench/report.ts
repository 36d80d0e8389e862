/** The tables of a run, in Markdown. Pure but for the description of the machine. */
import { createRequire } from 'node:module';
import { cpus, totalmem } from 'node:os';
import { CONTENDERS, FLOORS_OWN, WORKS, WORK_NAMES, type ContenderName, type WorkName } from './contender.ts';
import type { Options } from './options.ts';
import type { Outcome } from './run.ts';
import { targetTable } from './targets.ts';
import { markdownTable, short, times, type Figures } from './stats.ts';

const OTHERS: readonly ContenderName[] = ['hand', 'duties', 'parse', 'indexed', 'fortune'];
const TAILED: readonly ContenderName[] = ['ours', 'floor', 'hand'];

export function reportOf(outcomes: readonly Outcome[], options: Options): string {
  const parts = [
    machine(options),
    `### The figures to reach\n\n${targetTable(outcomes)}`,
    ...outcomes.map(sizePart),
    growthPart(outcomes),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
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

function sizePart(outcome: Outcome): string {
  return [
    `### ${outcome.size.toLocaleString('en')} documents`,
    speedTable(outcome),
    `Tails, in milliseconds:`,
    tailTable(outcome),
    notesOf(outcome),
  ].join('\n\n');
}

/** The works of which there are figures. */
function measuredIn({ figures }: Outcome): readonly WorkName[] {
  return WORK_NAMES.filter((work) => figures.has(work));
}

function speedTable(outcome: Outcome): string {
  const present = OTHERS.filter((other) =>
    WORK_NAMES.some((work) => figure(outcome, work, other) !== undefined),
  );
  const head = ['Work', 'req/s', 'p50 ms', 'to the floor'];
  const othersHead = present.flatMap((other) => [`${CONTENDERS[other]} req/s`, 'p50 ms', 'ratio']);
  const rows = measuredIn(outcome).map((work) => {
    const own = figure(outcome, work, 'ours');
    return [
      WORKS[work],
      ...speed(own),
      times(FLOORS_OWN.includes(work) ? ratio(own, figure(outcome, work, 'floor')) : undefined),
      ...present.flatMap((other) => {
        const figures = figure(outcome, work, other);
        return [...speed(figures), times(ratio(own, figures))];
      }),
    ];
  });
  return markdownTable([...head, ...othersHead], rows);
}

function tailTable(outcome: Outcome): string {
  const head = ['Work', ...TAILED.flatMap((name) => [`${CONTENDERS[name]} p50`, 'p99', 'p99.9'])];
  const rows = measuredIn(outcome).map((work) => [
    WORKS[work],
    ...TAILED.flatMap((name) => tail(figure(outcome, work, name))),
  ]);
  return markdownTable(head, rows);
}

function notesOf({ imports, first, notes }: Outcome): string {
  const taken = Array.from(
    imports,
    ([name, rate]) => `${CONTENDERS[name]} took in ${short(rate)} documents/s.`,
  );
  const filter =
    first === null
      ? []
      : [
          `A first filter on a field: ${short(first.p50)} ms (p50); a reader beside it waited ${short(first.pause)} ms at most.`,
        ];
  return [...taken, ...filter, ...notes].map((note) => `- ${note}`).join('\n');
}

function speed(figures: Figures | undefined): readonly string[] {
  return figures === undefined ? ['–', '–'] : [short(figures.rate), short(figures.p50)];
}

function tail(figures: Figures | undefined): readonly string[] {
  return figures === undefined ? ['–', '–', '–'] : [figures.p50, figures.p99, figures.p999].map(short);
}

function ratio(one: Figures | undefined, other: Figures | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one.rate / other.rate;
}

function growthPart(outcomes: readonly Outcome[]): string {
  const [smallest, ...larger] = outcomes.toSorted((one, other) => one.size - other.size);
  if (smallest === undefined || larger.length === 0) return '';
  const rows = WORK_NAMES.filter((work) => figure(smallest, work, 'ours') !== undefined).map((work) => {
    const least = figure(smallest, work, 'ours')?.p50 ?? NaN;
    return [
      WORKS[work],
      ...larger.map((outcome) => times((figure(outcome, work, 'ours')?.p50 ?? NaN) / least)),
    ];
  });
  const head = ['Work', ...larger.map(({ size }) => size.toLocaleString('en'))];
  return `### Growth of Foredge's p50 from ${smallest.size.toLocaleString('en')} documents\n\n${markdownTable(head, rows)}`;
}
