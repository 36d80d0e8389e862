/** Streams and the end of the process: whoever goes on after the last mark misses nothing, and hears nothing twice. */
import { beforeEach, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { openSocket } from '../../scripts/bench/live/socket.ts';
import type { Client } from '../support/client.ts';
import type { Event } from '../support/live.ts';
import { clientOf, type Starts } from '../support/starts.ts';
import { newStarts } from '../support/scope.ts';

const TYPE = 'notes';
const WRITERS = 4;
/** Answered writes after which the process is killed. */
const WRITES = 60;
const FILTERS = ['', 'filter[even]=true', 'filter[n]={"$lt":30}'];

let starts: Starts;
beforeEach(async () => {
  starts = await newStarts();
});

/** What one reader knows of the type. */
class Reader {
  readonly #filter: string;
  /** How often each document that is shown was changed. */
  readonly shown = new Map<string, unknown>();
  #mark = '';
  /** The last state of each document that was told of. */
  readonly #told = new Map<string, number>();
  readonly faults: string[] = [];

  constructor(filter: string) {
    this.#filter = filter;
  }

  /** Follows the type until the connection ends. Resolves when all there was is told. */
  async follow({ application, key, url }: Client): Promise<WebSocket> {
    const since = this.#mark === '' ? '' : `&changes[since]=${this.#mark}`;
    const { promise, resolve } = Promise.withResolvers<null>();
    const path = `/resources/${TYPE}/changes?${this.#filter}${since}`;
    const headers = { 'application-id': application, 'api-key': key };
    const socket = await openSocket(url, path, headers, {
      text: (read) => {
        const event = JSON.parse(read()) as Event;
        this.#hear(event);
        if (event.event === 'ready') resolve(null);
      },
      close: (code) => {
        if (code !== 1006) this.faults.push(`closed with ${code}`);
        resolve(null);
      },
    });
    await promise;
    return socket;
  }

  #hear({ data, errors, event, mark }: Event): void {
    if (event === 'error') this.faults.push(JSON.stringify(errors));
    if (event === 'error' || event === 'ready') return;
    this.#mark = mark;
    const { attributes = {}, id } = data;
    // Only the reader knows what else was shown before the mark: an update may be of what is new to it, a remove too.
    if (event === 'add' && this.shown.has(id)) this.faults.push(`add of ${id}, twice`);
    if (event === 'remove') {
      this.shown.delete(id);
      return;
    }
    const changes = Number(attributes['changes']);
    if (changes <= (this.#told.get(id) ?? -1)) this.faults.push(`${event} of ${id}, twice`);
    this.#told.set(id, changes);
    this.shown.set(id, changes);
  }

  /** What a list shows. */
  async listed(client: Client): Promise<ReadonlyMap<string, unknown>> {
    const { body } = await client.get(`/resources/${TYPE}?${this.#filter}&page[limit]=1000`);
    return new Map(body.data.map(({ attributes, id }) => [id, attributes?.['changes']]));
  }
}

/** Writes until the process is gone, which is told what was answered. */
async function writeUntilGone(client: Client, answered: () => void, from: number): Promise<void> {
  const own: { readonly id: string; changes: number }[] = [];
  const done = (status: number) => {
    if (status < 300) answered();
  };
  try {
    for (let n = from; ; n += 1) {
      const made = await client.create(`/resources/${TYPE}`, {
        attributes: { n: n % 60, even: n % 2 === 0, changes: 0 },
      });
      done(made.status);
      own.push({ id: made.body.data.id, changes: 0 });
      const [first] = own;
      if (first === undefined || n % 3 === 0) continue;
      first.changes += 1;
      const { changes, id } = first;
      const data = { type: TYPE, id, attributes: { even: (n + changes) % 2 === 0, changes } };
      done((await client.patch(`/resources/${TYPE}/${id}`, { data })).status);
      if (n % 7 === 0) done((await client.delete(`/resources/${TYPE}/${own.shift()?.id ?? ''}`)).status);
    }
  } catch {
    // The connection ended with the process.
  }
}

test('kill -9 amid writes, twice: readers go on after their marks', { timeout: 240_000 }, async () => {
  const readers = FILTERS.map((filter) => new Reader(filter));
  for (let round = 0; round < 2; round += 1) {
    const run = await starts.run();
    const client = clientOf(run);
    await Promise.all(readers.map((reader) => reader.follow(client)));
    const kills: Promise<void>[] = [];
    let answers = 0;
    const answered = () => {
      answers += 1;
      if (answers === WRITES) kills.push(run.killAll());
    };
    await Promise.all(
      Array.from({ length: WRITERS }, (_, writer) => writeUntilGone(client, answered, writer * 15)),
    );
    await Promise.all(kills);
    expect(answers).toBeGreaterThanOrEqual(WRITES);
  }
  const client = clientOf(await starts.run());
  const sockets = await Promise.all(readers.map((reader) => reader.follow(client)));
  for (const reader of readers) {
    expect(reader.faults).toEqual([]);
    expect(new Map([...reader.shown].toSorted())).toEqual(
      new Map([...(await reader.listed(client))].toSorted()),
    );
  }
  for (const socket of sockets) socket.terminate();
});
