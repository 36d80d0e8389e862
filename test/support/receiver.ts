/** A receiver of webhooks: a server of this machine that keeps what it is sent, and answers as a test wants. */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { listen, type Listening } from './listen.ts';

export interface Call {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: {
      readonly type: string;
      readonly id: string;
      readonly attributes?: Record<string, unknown>;
    };
    readonly meta?: unknown;
  };
}

/** Answers a call; by default with 204. */
export type Answer = (response: ServerResponse, call: Call) => void;

const TAKEN: Answer = (response) => {
  response.writeHead(204).end();
};

export class Receiver {
  readonly calls: Call[] = [];
  readonly #server: Server;
  #listening: Listening | undefined;
  readonly #waiting = new Set<() => void>();
  answer: Answer = TAKEN;

  private constructor() {
    this.#server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      request.on('end', () => {
        const { headers, url = '' } = request;
        const call = { path: url, headers, text, body: JSON.parse(text) as Call['body'] };
        this.calls.push(call);
        this.answer(response, call);
        for (const wake of this.#waiting) wake();
      });
    });
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.#listening = await listen(receiver.#server);
    return receiver;
  }

  get port(): number {
    return this.#listening?.port ?? 0;
  }

  url(path = '/'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** Answers as it does from the start, and forgets what it was sent. */
  reset(): void {
    this.answer = TAKEN;
    this.calls.length = 0;
  }

  /** The calls of a path, once there are so many. */
  async called(count: number, path?: string): Promise<readonly Call[]> {
    const found = () => this.calls.filter((call) => path === undefined || call.path === path);
    while (found().length < count) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
      });
    }
    return found();
  }

  async stop(): Promise<void> {
    await this.#listening?.stop();
  }
}

/** Answers with a status, and headers. */
export function withStatus(status: number, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, headers).end();
  };
}
