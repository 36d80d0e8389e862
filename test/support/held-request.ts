/** A request whose body is held open: half of it is sent, and the rest when the test says so. */
import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { MEDIA_TYPE, type Client } from './client.ts';

export interface HeldOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** True when the length of the body is told first; else it comes in chunks. */
  readonly declared: boolean;
}

export class HeldRequest {
  readonly #sent: ClientRequest;
  readonly #rest: string;
  readonly #answer: Promise<{ readonly status: number; readonly text: string }>;

  constructor(client: Client, method: string, path: string, body: unknown, options: HeldOptions) {
    const whole = JSON.stringify(body);
    const half = Math.floor(whole.length / 2);
    this.#rest = whole.slice(half);
    this.#sent = request(`${client.url}${path}`, {
      method,
      headers: {
        'application-id': client.application,
        'api-key': client.key,
        'content-type': MEDIA_TYPE,
        ...(options.declared && { 'content-length': new TextEncoder().encode(whole).length }),
        ...options.headers,
      },
    });
    this.#answer = once(this.#sent, 'response').then(async ([response]: IncomingMessage[]) => {
      if (response === undefined) throw new Error('A response event has a response.');
      return { status: response.statusCode ?? 0, text: await text(response) };
    });
    this.#sent.write(whole.slice(0, half));
  }

  /** Sends the rest. */
  finish(): Promise<{ readonly status: number; readonly text: string }> {
    this.#sent.end(this.#rest);
    return this.#answer;
  }

  /** Goes away. */
  abandon(): void {
    this.#answer.catch(() => undefined);
    this.#sent.destroy();
  }

  /** What is answered while the rest is held back. */
  async answer(): Promise<{ readonly status: number; readonly text: string }> {
    const answer = await this.#answer;
    this.#sent.destroy();
    return answer;
  }
}

/** Asks again and again until more than so many milliseconds of the service's clock have passed, which is ours. */
export async function outwait(milliseconds: number, ask: () => Promise<unknown>): Promise<void> {
  const until = Date.now() + milliseconds;
  do await ask();
  while (Date.now() <= until);
}
