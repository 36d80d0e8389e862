/** The tables of a run, in Markdown. Pure but for the description of the machine. */
import { createRequire } from 'node:module';
import { cpus, totalmem } from 'node:os';
import { CONTENDERS, WORKS, WORK_NAMES, type ContenderName, type WorkName } from './contender.ts';
import type { Options } from './options.ts';
import type { Outcome } from './run.ts';
import { targetTable } from './targets.ts';
import { markdownTable, short, times, type Figures } from './stats.ts';

const PEERS: readonly ContenderName[] = ['parse', 'indexed', 'fortune'];

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
  const present = PEERS.filter((peer) =>
    WORK_NAMES.some((work) => figure(outcome, work, peer) !== undefined),
  );
  const head = ['Work', 'req/s', 'p50 ms', 'p99 ms', 'floor req/s', 'to the floor'];
  const peerHead = present.flatMap((peer) => [`${CONTENDERS[peer]} req/s`, 'p50 ms', 'ratio']);
  const rows = WORK_NAMES.filter((work) => outcome.figures.has(work)).map((work) => {
    const own = figure(outcome, work, 'ours');
    const floor = figure(outcome, work, 'floor');
    return [
      WORKS[work],
      ...cells(own),
      floor === undefined ? '–' : short(floor.rate),
      times(ratio(own, floor)),
      ...present.flatMap((peer) => {
        const other = figure(outcome, work, peer);
        return [...cells(other).slice(0, 2), times(ratio(own, other))];
      }),
    ];
  });
  const { first } = outcome;
  return [
    `### ${outcome.size.toLocaleString('en')} documents`,
    markdownTable([...head, ...peerHead], rows),
    [
      ...Array.from(
        outcome.imports,
        ([name, rate]) => `- ${CONTENDERS[name]} took in ${short(rate)} documents/s.`,
      ),
      ...(first === null
        ? []
        : [
            `- A first filter on a field: ${short(first.p50)} ms (p50); a reader beside it waited ${short(first.pause)} ms at most.`,
          ]),
      ...outcome.notes.map((note) => `- ${note}`),
    ].join('\n'),
  ].join('\n\n');
}

function cells(figures: Figures | undefined): readonly string[] {
  return figures === undefined ? ['–', '–', '–'] : [figures.rate, figures.p50, figures.p99].map(short);
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
