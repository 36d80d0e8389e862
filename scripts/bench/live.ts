/**
 * `npm run bench -- --live <streams>`: what writes to a type take while so many streams with ten different filters are
 * told of them, beside writes to a type without streams, in turn; and the runtime's memory with these streams.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createOne, creation, headersOf, type Credentials } from './foredge/api.ts';
import { processOf, startForedge } from './foredge/serve.ts';
import type { Subscribing } from './live/subscribers.ts';
import { Connections, exchangeOnce, inParallel } from './load.ts';
import { machineLine } from './report.ts';
import { memoryOf } from './processes.ts';
import { markdownTable, median, percentile, short } from './stats.ts';

const FILTERS = 10;
/** Measurements of each kind, and writes of each. */
const ROUNDS = 5;
const WRITES = 200;
/** Writers at a time. */
const WRITERS = [1, 16];
/** Milliseconds between questions whether all was told. */
const ASKING = 5;

/** Which of the ten filters a document with a number matches: one, or all. */
const KINDS = {
  one: (filter: number) => `filter[n]=${filter}`,
  all: (filter: number) => `filter[n]={"$gte":${-filter}}`,
} as const;

interface Measured {
  /** Milliseconds a write. */
  readonly each: number;
  readonly p50: number;
  readonly p95: number;
  /** Milliseconds after the last answer until all was told. */
  readonly told: number;
}

/** Opens the streams and writes. The report. */
export async function runLive(streams: number): Promise<string> {
  const { credentials, folder } = await startForedge();
  const runtime = processOf(folder);
  const rows: string[][] = [];
  const memory = await memoryOfStreams(credentials, runtime, streams);
  console.error(`  ${memory}`);
  for (const [kind, filterOf] of Object.entries(KINDS)) {
    const type = `heard-by-${kind}`;
    await prepare(credentials, type);
    const subscribers = await Subscribers.open(credentials, type, streams, filterOf);
    const share = kind === 'all' ? streams : streams / FILTERS;
    for (const writers of WRITERS) {
      rows.push(await compared(credentials, type, { writers, share, subscribers }));
      console.error(`  ${rows.at(-1)?.join(' | ')}`);
    }
    await subscribers.close();
  }
  const head = [
    'Streams told',
    'Writers',
    'ms a write',
    'without streams',
    'ratio',
    'p50',
    'without',
    'p95',
    'without',
    'told after, ms',
  ];
  const notes =
    `${streams.toLocaleString('en')} streams of ${FILTERS} filters; ` +
    `medians of ${ROUNDS} rounds of ${WRITES} creates in turn.`;
  return [machineLine([]), notes, markdownTable(head, rows), memory].join('\n\n');
}

/** What streams take of the runtime's memory: the second half of them, as the first one warms it up. */
async function memoryOfStreams(credentials: Credentials, runtime: number, streams: number): Promise<string> {
  await prepare(credentials, 'quiet');
  const half = Math.ceil(streams / 2);
  const first = await Subscribers.open(credentials, 'quiet', half, KINDS.one);
  const before = memoryOf(runtime, 'VmRSS');
  const second = await Subscribers.open(credentials, 'quiet', half, KINDS.one);
  const after = memoryOf(runtime, 'VmRSS');
  await Promise.all([first.close(), second.close()]);
  const each = ((after - before) * 1024) / half;
  const all = `Resident memory with ${short(2 * half)} streams: ${short(after)} MiB`;
  return `${all}; one of the second half took ${short(each)} KiB.`;
}

/** The order of changes is kept for both types alike. */
async function prepare(credentials: Credentials, type: string): Promise<void> {
  await createOne(credentials, { type, attributes: { n: -1000 } });
  const path = `/resources/${type}/changes`;
  await exchangeOnce(credentials.url, { method: 'GET', path, headers: headersOf(credentials) });
}

async function compared(
  credentials: Credentials,
  type: string,
  { writers, share, subscribers }: { writers: number; share: number; subscribers: Subscribers },
): Promise<string[]> {
  const heard: Measured[] = [];
  const quiet: Measured[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const without = await write(credentials, 'quiet', writers, null, 0);
    const during = await write(credentials, type, writers, subscribers, share);
    // The first round warms up.
    if (round === 0) continue;
    quiet.push(without);
    heard.push(during);
  }
  const ratio = median(heard.map(({ each }, at) => each / (quiet[at]?.each ?? NaN)));
  const of = (all: readonly Measured[], name: keyof Measured) => short(median(all.map((each) => each[name])));
  return [
    share.toLocaleString('en'),
    String(writers),
    of(heard, 'each'),
    of(quiet, 'each'),
    `${short(ratio)} ×`,
    of(heard, 'p50'),
    of(quiet, 'p50'),
    of(heard, 'p95'),
    of(quiet, 'p95'),
    of(heard, 'told'),
  ];
}

async function write(
  credentials: Credentials,
  type: string,
  writers: number,
  subscribers: Subscribers | null,
  share: number,
): Promise<Measured> {
  const client = new Connections(credentials.url, writers);
  const headers = headersOf(credentials);
  const times: number[] = [];
  const numbers = Array.from({ length: WRITES }, (_, index) => index);
  const begun = performance.now();
  await inParallel(numbers, writers, async (index) => {
    const sent = performance.now();
    await client.exchange(creation(headers, { type, attributes: { n: index % FILTERS, text: TEXT } }));
    times.push(performance.now() - sent);
  });
  const ended = performance.now();
  client.close();
  await subscribers?.told(WRITES * share);
  const sorted = times.toSorted((one, other) => one - other);
  return {
    each: (ended - begun) / WRITES,
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    told: performance.now() - ended,
  };
}

const TEXT = 'It was a dark and stormy night. '.repeat(10);

class Subscribers {
  readonly #thread: Worker;
  #expected = 0;

  private constructor(thread: Worker) {
    this.#thread = thread;
  }

  static async open(
    credentials: Credentials,
    type: string,
    streams: number,
    filterOf: (filter: number) => string,
  ): Promise<Subscribers> {
    const path = (index: number) => `/resources/${type}/changes?${filterOf(index % FILTERS)}`;
    const workerData: Subscribing = {
      url: credentials.url,
      headers: { 'application-id': credentials.application, 'api-key': credentials.key },
      paths: Array.from({ length: streams }, (_, index) => path(index)),
    };
    const thread = new Worker(join(import.meta.dirname, 'live/subscribers.ts'), { workerData });
    await once(thread, 'message');
    return new Subscribers(thread);
  }

  /** Resolves when so many events more were told. */
  async told(events: number): Promise<void> {
    this.#expected += events;
    for (;;) {
      this.#thread.postMessage('told');
      const [told] = (await once(this.#thread, 'message')) as [number];
      if (told > this.#expected) throw new Error(`${told} events were told, of ${this.#expected}.`);
      if (told === this.#expected) return;
      await wait(ASKING);
    }
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }
}
