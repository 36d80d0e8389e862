/**
 * `npm run bench -- --memory`: every operation over many documents, in a runtime whose heap is capped as the platform
 * caps it. What needed memory in proportion to the collection would end the runtime; what did too much at a time would
 * make the reader beside it wait.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { createOne, headersOf, learn, type Credentials } from './foredge/api.ts';
import { loadForedge, type Loaded } from './foredge/data.ts';
import { processOf, startForedge } from './foredge/serve.ts';
import { Connections, type Answer, type Exchange } from './load.ts';
import { watch } from './memory/beside.ts';
import { CAP, CAPPED, proveCap } from './memory/cap.ts';
import { definitions, operationsOn, type Operation } from './memory/operations.ts';
import { isInterrupted } from './processes.ts';
import { machineLine } from './report.ts';
import { median, short } from './stats.ts';

interface Row {
  readonly name: string;
  readonly status: string;
  /** Milliseconds. */
  readonly first: number;
  readonly again: number;
  readonly longest: number;
  /** MiB. */
  readonly peak: number;
}

/** Milliseconds that nobody should wait longer than. */
const MOST_WAIT = 100;
/** The report has a row for a longer first answer. */
const LONG = 3000;
const MOST_AGAIN = 10;
/** Milliseconds in which a request is repeated. */
const AGAIN = 1500;
/** Milliseconds between questions whether an index is learned, at least; and as a multiple of what one took. */
const ASKING = 500;
const SPARING = 5;

/** Runs all operations. The report, and how many of them failed or ended the runtime. */
export async function runMemory(
  size: number,
): Promise<{ readonly report: string; readonly failures: number }> {
  await proveCap();
  console.error(`The cap of ${CAP} MB holds. ${size.toLocaleString('en')} documents`);
  const { credentials, folder } = await startForedge(CAPPED);
  const server = new Server(credentials, folder);
  const rows: Row[] = [];
  const add = (row: Row) => {
    rows.push(row);
    console.error(`  ${cellsOf(row).join(' | ')}`);
  };
  const { loaded, ...loading } = await server.load(size);
  add(loading.row);
  for (const definition of definitions())
    await createOne(credentials, definition, '/aggregates/core.aggregate');
  add(await server.idle(loaded));
  for (const operation of operationsOn(credentials, loaded, size)) {
    for (const row of await server.measure(operation, loaded, size)) add(row);
    if (server.died) break;
  }
  return { report: reportOf(rows, size), failures: rows.filter(({ status }) => FAILED.test(status)).length };
}

const FAILED = /^\*\*/;

class Server {
  readonly #credentials: Credentials;
  readonly #folder: string;
  readonly #process: number;
  #reads = 0;

  constructor(credentials: Credentials, folder: string) {
    this.#credentials = credentials;
    this.#folder = folder;
    this.#process = processOf(folder);
  }

  /** A runtime that dies is started anew, as another process. */
  get died(): boolean {
    return !Object.is(processOf(this.#folder), this.#process);
  }

  async load(size: number): Promise<{ readonly loaded: Loaded; readonly row: Row }> {
    const first: Exchange = {
      method: 'GET',
      path: '/resources/countries',
      headers: headersOf(this.#credentials),
    };
    const load = () => loadForedge(this.#credentials, size, false);
    const { result: loaded, ...beside } = await watch(
      this.#credentials.url,
      this.#process,
      () => first,
      load,
    );
    const name = `import (${short(size / loaded.imported.seconds)} documents/s)`;
    const row = { name, status: '–', first: loaded.imported.seconds * 1000, again: NaN, ...beside };
    return { loaded, row };
  }

  /** What the reader waits when nothing runs beside it. */
  async idle(loaded: Loaded): Promise<Row> {
    const { longest, peak } = await this.#watch(loaded, () => wait(2000));
    return { name: 'nothing but the reader', status: '–', first: NaN, again: NaN, longest, peak };
  }

  async measure({ name, next, right = [200], again = 'at once' }: Operation, loaded: Loaded, size: number) {
    const client = new Connections(this.#credentials.url, 1);
    try {
      return await this.#rows(client, { name, next, right, again }, loaded, size);
    } catch (error) {
      if (isInterrupted()) throw error;
      const status = this.died ? '**the runtime died**' : `**${message(error)}**`;
      return [{ name, status, first: NaN, again: NaN, longest: NaN, peak: NaN }];
    } finally {
      client.close();
    }
  }

  async #rows(
    client: Connections,
    { name, next, right, again }: Required<Operation>,
    loaded: Loaded,
    size: number,
  ): Promise<readonly Row[]> {
    const { result: first, ...beside } = await this.#watch(loaded, () => timed(client, next(0)));
    const row = { name, status: statusOf(first, right), first: first.time, again: NaN, ...beside };
    if (again === 'never' || !right.includes(first.status)) return [row];
    const rows: Row[] = [];
    if (again === 'learned') {
      const patience = 30_000 + size / 5;
      // Each question scans once more, in the way of the building.
      const rest = (tries: number, took: number) =>
        tries < 3 ? 0 : Math.min(10_000, Math.max(ASKING, SPARING * took));
      const { result: learned, ...building } = await this.#watch(loaded, () =>
        learn(client, this.#credentials, next, patience, rest),
      );
      const status = learned === null ? '**not learned**' : '–';
      const first = learned?.milliseconds ?? NaN;
      rows.push({ name: `${name}: the index is built`, status, first, again: NaN, ...building });
    }
    const { result: time, ...later } = await this.#watch(loaded, () => repeated(client, next));
    const longest = Math.max(row.longest, later.longest);
    return [{ ...row, again: time, longest, peak: Math.max(row.peak, later.peak) }, ...rows];
  }

  #watch<Result>(loaded: Loaded, task: () => Promise<Result>) {
    const headers = headersOf(this.#credentials);
    const read = (): Exchange => {
      this.#reads += 1;
      const id = loaded.places[(this.#reads * 104_729) % loaded.places.length] ?? '';
      return { method: 'GET', path: `/resources/places/${id}`, headers };
    };
    return watch(this.#credentials.url, this.#process, read, task);
  }
}

async function timed(client: Connections, exchange: Exchange): Promise<Answer & { readonly time: number }> {
  const started = performance.now();
  const answer = await client.send(exchange);
  const time = performance.now() - started;
  if (answer.status < 300) exchange.after?.(answer);
  return { ...answer, time };
}

/** The median of some repetitions. */
async function repeated(client: Connections, next: Operation['next']): Promise<number> {
  const times: number[] = [];
  const begun = performance.now();
  while (times.length === 0 || (times.length < MOST_AGAIN && performance.now() - begun < AGAIN)) {
    // Learning has taken numbers of its own.
    const { time } = await timed(client, next(20 + times.length));
    times.push(time);
  }
  return median(times);
}

function statusOf({ status, text }: Answer, right: readonly number[]): string {
  return right.includes(status) ? String(status) : `**${status}** ${detailOf(text)}`;
}

function detailOf(text: string): string {
  return (/"detail":\s*"([^"]*)"/.exec(text)?.[1] ?? text.slice(0, 100)).replaceAll('|', '\\|');
}

function message(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll('|', '\\|');
}

function cellsOf({ name, status, first, again, longest, peak }: Row): readonly string[] {
  return [name, status, short(first), short(again), short(longest), short(peak)];
}

/** What took long, made the reader wait, or failed. */
function isTold({ first, longest, status }: Row): boolean {
  return FAILED.test(status) || first > LONG || longest > MOST_WAIT;
}

/** A line for each: the first answer, later ones, and the longest wait of the reader. */
function reportOf(rows: readonly Row[], size: number): string {
  const peak = Math.max(...rows.map((row) => row.peak).filter(Number.isFinite));
  const lines = rows.filter(isTold).map((row) => {
    const [name = '', status = '', ...figures] = cellsOf(row);
    return `- ${name}${FAILED.test(status) ? `: ${status}` : ''}: ${figures.slice(0, 3).join('; ')}`;
  });
  return [
    machineLine([
      `V8's old space capped at ${CAP} MB`,
      `${size.toLocaleString('en')} documents of about 1 KB`,
      `at most ${short(peak)} MiB resident`,
    ]),
    lines.join('\n'),
  ].join('\n\n');
}
