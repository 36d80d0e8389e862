/** Streams for tests: a WebSocket, or events, whose messages are waited for one after the other. */
import { WebSocket } from 'ws';
import { CLOSES_SOON } from '../../scripts/bench/live/socket.ts';
import type { Client, Link, Resource } from './client.ts';

export interface Event {
  readonly id: string;
  readonly event: 'add' | 'update' | 'remove' | 'ready' | 'error';
  readonly mark: string;
  readonly data: Resource & Link;
  readonly errors: readonly { readonly code: string }[];
}

const base64Url = (text: string) => btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** The protocols that say who is asking, as a browser sends them. */
function protocolsOf(client: Client, headers: Readonly<Record<string, string>> = {}): string[] {
  const token = /^Token (.*)$/.exec(headers['authorization'] ?? '')?.[1];
  return [
    'foredge.v1',
    `application-id.${client.application}`,
    `api-key.${base64Url(client.key)}`,
    ...(token === undefined ? [] : [`token.${base64Url(token)}`]),
  ];
}

export class Stream {
  readonly socket: WebSocket;
  /** Everything that came, in its order. */
  readonly events: Event[] = [];
  readonly opened: Promise<void>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  #taken = 0;
  #wake: () => void = () => undefined;
  #ended: string | null = null;
  #pong: (text: string) => void = () => undefined;

  constructor(client: Client, path: string, headers?: Readonly<Record<string, string>>) {
    const url = `${client.url.replace('http', 'ws')}${path}`;
    this.socket = new WebSocket(url, protocolsOf(client, headers), CLOSES_SOON);
    this.socket.addEventListener('message', ({ data }) => {
      const text = typeof data === 'string' ? data : '';
      if (text === 'pong') {
        this.#pong(text);
        return;
      }
      this.events.push(JSON.parse(text) as Event);
      this.#wake();
    });
    this.opened = new Promise((resolve) => {
      this.socket.addEventListener('open', () => {
        resolve();
      });
    });
    this.closed = new Promise((resolve) => {
      this.socket.addEventListener('close', ({ code, reason }) => {
        this.#ended = `closed: ${code} ${reason}`;
        this.#wake();
        resolve({ code, reason });
      });
    });
    this.socket.addEventListener('error', () => undefined);
  }

  /** The next event, once it is there; throws when the stream ends before. */
  async next(): Promise<Event> {
    for (;;) {
      const event = this.events[this.#taken];
      if (event !== undefined) {
        this.#taken += 1;
        return event;
      }
      if (this.#ended !== null) throw new Error(this.#ended);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** All up to the next event of a kind, as `event name`. */
  async until(kind: Event['event']): Promise<readonly string[]> {
    const told: string[] = [];
    for (;;) {
      const { event, data } = await this.next();
      if (event === kind) return told;
      const name = data.attributes?.['name'];
      told.push(`${event} ${typeof name === 'string' ? name : data.id}`);
    }
  }

  ping(): Promise<string> {
    return new Promise((resolve) => {
      this.#pong = resolve;
      this.socket.send('ping');
    });
  }

  say(message: unknown): void {
    this.socket.send(JSON.stringify(message));
  }

  end(): void {
    this.socket.close();
  }
}

interface Sent {
  readonly event: string;
  readonly id: string;
  readonly data: unknown;
}

/** The same as Server-Sent Events. */
export class Events {
  readonly response: Response;
  readonly #parts: AsyncIterator<string>;
  readonly #controller: AbortController;
  #text = '';

  private constructor(response: Response, controller: AbortController) {
    if (response.body === null) throw new Error('There is no stream.');
    this.response = response;
    this.#controller = controller;
    this.#parts = response.body.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  }

  static async open(
    { application, key, url }: Client,
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Events> {
    const controller = new AbortController();
    const credentials = { 'application-id': application, 'api-key': key, accept: 'text/event-stream' };
    const response = await fetch(`${url}${path}`, {
      headers: { ...credentials, ...headers },
      signal: controller.signal,
    });
    if (response.status !== 200) throw new Error(await response.text());
    return new Events(response, controller);
  }

  /** The next event; comments are passed over. */
  async next(): Promise<Sent> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end !== -1) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        const fields = new Map(
          block
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
        );
        const event = fields.get('event');
        if (event === undefined) continue;
        return {
          event,
          id: fields.get('id') ?? '',
          data: JSON.parse(fields.get('data') ?? 'null') as unknown,
        };
      }
      const part = await this.#parts.next();
      if (part.done === true) throw new Error('The stream has ended.');
      this.#text += part.value;
    }
  }

  end(): void {
    this.#controller.abort();
  }
}
