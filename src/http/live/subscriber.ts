/** One stream of an object: what it is subscribed to, and how far it has come. What must outlive a sleep is attached to its socket. */
import type { FeedMark } from '../../collection/rpc/feed.ts';
import { LIMITS } from '../../domain/limits.ts';
import type { TypeName } from '../../domain/types.ts';
import type { Query } from '../../modules/endpoint.ts';
import { CLOSED, type Opening } from './opening.ts';

/** What a stream shows, and up to where it has shown it. */
export interface Subscription {
  readonly id: string;
  /** As it was sent, without its mark. */
  readonly text: string;
  readonly query: Query;
  mark: FeedMark | null;
  /** Whether the client has been told that all there was has come. */
  ready: boolean;
}

/** What is attached to a socket: at most 2 KB. */
export interface Attached extends Omit<Opening, 'query'> {
  /** Ids and queries. */
  readonly asked: readonly (readonly [id: string, text: string])[];
  /** What marks depend on (FeedMark), shortened. */
  readonly state: string;
}

export class Subscriber {
  readonly socket: WebSocket;
  readonly opening: Omit<Opening, 'query'>;
  readonly subscriptions = new Map<string, Subscription>();
  #unheard = { units: 0, events: 0 };

  constructor(socket: WebSocket, opening: Omit<Opening, 'query'>) {
    this.socket = socket;
    this.opening = opening;
  }

  get type(): TypeName {
    return this.opening.type;
  }

  /** To be called with each message of the client: it has read what came before, or lives at least. */
  heard(): void {
    this.#unheard = { units: 0, events: 0 };
  }

  /** Sends a text about a subscription, whose beginning names it. */
  send(id: string, rest: string): void {
    const text = `{"id":"${id}",${rest}`;
    this.#unheard.units += text.length;
    this.#unheard.events += 1;
    if (
      this.#unheard.units - text.length > LIMITS.liveUnheard ||
      this.#unheard.events > LIMITS.liveUnheardEvents
    ) {
      this.close(CLOSED.slow, 'Too much is not acknowledged: resume from the last mark.');
      return;
    }
    try {
      this.socket.send(text);
    } catch {
      // It has just closed.
    }
  }

  close(code: number, reason: string): void {
    this.subscriptions.clear();
    try {
      this.socket.close(code, reason);
    } catch {
      // It has just closed.
    }
  }
}
