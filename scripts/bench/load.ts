/** The client that makes the load: keep-alive connections that each send one request after the other. */
import { Agent, request } from 'node:http';
import type { Sample } from './stats.ts';

export interface Exchange {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** 200 when absent. */
  readonly status?: number;
  /** What is wrong with an answer of the right status, or null. */
  readonly check?: (answer: Answer) => string | null;
  /** Takes each answer of the right status. */
  readonly after?: (answer: Answer) => void;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

const encoder = new TextEncoder();

/** One answer of this many is looked into; of all the others only the status is. */
const CHECK_EACH = 25;

export class Connections {
  readonly #base: URL;
  readonly #agent: Agent;

  constructor(base: string, count: number) {
    this.#base = new URL(base);
    this.#agent = new Agent({ keepAlive: true, maxSockets: count, scheduling: 'fifo' });
  }

  close(): void {
    this.#agent.destroy();
  }

  send({ method, path, headers, body }: Omit<Exchange, 'status' | 'check'>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          agent: this.#agent,
          host: this.#base.hostname,
          port: this.#base.port,
          method,
          path,
          headers: body === undefined ? headers : { ...headers, 'content-length': bytesOf(body) },
        },
        (incoming) => {
          let text = '';
          incoming.setEncoding('utf8');
          incoming.on('data', (chunk: string) => (text += chunk));
          incoming.on('end', () => {
            resolve({ status: incoming.statusCode ?? 0, text, headers: incoming.headers });
          });
          incoming.on('error', reject);
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** The answer, once it is what the exchange expects; throws otherwise. */
  async exchange(exchange: Exchange): Promise<Answer> {
    const answer = await this.send(exchange);
    verify(exchange, answer, true);
    return answer;
  }
}

/** One exchange, on a connection of its own. */
export async function exchangeOnce(url: string, exchange: Exchange): Promise<Answer> {
  const client = new Connections(url, 1);
  try {
    return await client.exchange(exchange);
  } finally {
    client.close();
  }
}

/** Throws where an answer is not the one expected, so that nothing wrong is measured. */
function verify(exchange: Exchange, answer: Answer, thoroughly: boolean): void {
  const { method, path, status = 200, check, after } = exchange;
  const fault =
    answer.status === status
      ? thoroughly
        ? (check?.(answer) ?? null)
        : null
      : `status ${answer.status}, not ${status}`;
  if (fault === null) {
    after?.(answer);
    return;
  }
  throw new Error(
    `${method} ${decodeURIComponent(path)}: ${fault}: ${answer.text.replaceAll(/\s+/g, ' ').slice(0, 200)}`,
  );
}

export interface LoadOptions {
  readonly connections: number;
  readonly milliseconds: number;
  /** The exchange with this number; numbers never repeat in a run. */
  readonly next: () => Exchange;
  /** Sent before each timed exchange, and not timed. */
  readonly before?: (() => Exchange) | undefined;
}

/** Sends for so long. The seconds of the sample leave out what `before` took: it is for one connection only. */
export async function measure(url: string, options: LoadOptions): Promise<Sample> {
  const { connections, milliseconds, next, before } = options;
  const client = new Connections(url, connections);
  const times: number[] = [];
  const begun = performance.now();
  const run = async (): Promise<void> => {
    for (let sent = 0; sent === 0 || performance.now() - begun < milliseconds; sent += 1) {
      if (before !== undefined) await client.exchange(before());
      const exchange = next();
      const started = performance.now();
      const answer = await client.send(exchange);
      times.push(performance.now() - started);
      verify(exchange, answer, sent % CHECK_EACH === 0);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, run));
  } finally {
    client.close();
  }
  const elapsed = performance.now() - begun;
  const timed = before === undefined ? elapsed : times.reduce((sum, time) => sum + time, 0);
  return { times, seconds: timed / 1000 };
}

/** Runs the tasks, so many at a time. */
export async function inParallel<Task>(
  tasks: Iterable<Task>,
  width: number,
  run: (task: Task) => Promise<void>,
): Promise<void> {
  const waiting = tasks[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let task = waiting.next(); task.done !== true; task = waiting.next()) await run(task.value);
  };
  await Promise.all(Array.from({ length: width }, work));
}

function bytesOf(text: string): number {
  return encoder.encode(text).length;
}
