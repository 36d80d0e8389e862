/** One stream of an object: its subscriptions, and how far it has come. What must outlive a sleep is on its socket. */
import type { FeedMark } from '../../collection/rpc/feed/mark.ts';
import { digest64 } from '../../domain/digest.ts';
import { LIMITS } from '../../domain/limits.ts';
import type { Problem } from '../../domain/problems.ts';
import type { Seen } from '../../domain/rules.ts';
import type { Query } from '../../modules/endpoint.ts';
import type { Account, CloseCode } from './accounts.ts';
import { CLOSED, type Opening } from './opening.ts';
import { textOfErrors } from './reading.ts';

/** What a stream shows, and up to where it has shown it. */
export interface Subscription {
  readonly id: string;
  /** As it was sent, without its mark. */
  readonly text: string;
  readonly query: Query;
  /** False while its mark is read. */
  started: boolean;
  /** What it shows, as a text: alike for those that show the same. */
  readonly shows: string;
  mark: FeedMark | 'now' | null;
  /** The linked documents that its rule has looked at. */
  seen: readonly Seen[];
  /** Whether the client has been told that all there was has come. */
  ready: boolean;
}

type StreamOpening = Omit<Opening, 'query'>;

/** Characters of a mark of linked documents that are attached. */
const LONGEST = 300;
const NONE = { last: {}, digest: '-' };

/** What is attached to a socket. */
export interface Attached extends StreamOpening {
  /** Ids and queries. */
  readonly asked: readonly (readonly [id: string, text: string])[];
  /** What marks depend on (FeedMark), shortened. */
  readonly state: string;
  /** The same of marks under a rule that looks at linked documents. */
  readonly linked?: FeedMark['linked'];
}

const REASONS: Readonly<Record<CloseCode, string>> = {
  [CLOSED.credentials]: 'The credentials do not stand any more.',
  [CLOSED.permission]: 'The API key does not permit this any more.',
  [CLOSED.anew]: 'Rights have changed, or too much has: begin anew without a mark.',
  [CLOSED.slow]: 'Too much is not acknowledged: resume after the last mark.',
  [CLOSED.failed]: 'The service has failed: resume after the last mark.',
};

export class Subscriber {
  readonly socket: WebSocket;
  readonly opening: StreamOpening;
  readonly account: Account;
  readonly subscriptions = new Map<string, Subscription>();
  #unheard = { units: 0, events: 0 };
  #isClosed = false;

  constructor(socket: WebSocket, opening: StreamOpening, account: Account) {
    this.socket = socket;
    this.opening = opening;
    this.account = account;
  }

  /** A subscription of this stream. */
  subscription(id: string, text: string, query: Query): Subscription {
    const { base, wrapped } = this.opening;
    const shows = JSON.stringify([base, wrapped, text]);
    return { id, text, query, shows, mark: null, seen: [], started: false, ready: false };
  }

  /** Attaches what must outlive a sleep; `state` is that of its marks. A stream that asks for too long a text ends. */
  attach(state: string): void {
    if (this.#isClosed) return;
    const asked = Array.from(this.subscriptions.values(), ({ id, text }) => [id, text] as const);
    const marked = [...this.subscriptions.values()].flatMap(({ mark }) => markOf(mark)?.linked ?? []);
    // An attachment has little room. By what no mark says, the stream begins anew when there is something to tell.
    const [linked] = marked.map((each) => (JSON.stringify(each).length <= LONGEST ? each : NONE));
    const attached: Attached = { ...this.opening, asked, state: digest64(state), linked };
    try {
      this.socket.serializeAttachment(attached);
    } catch {
      this.close(CLOSED.failed);
    }
  }

  /** To be called with each message of the client: it has read what came before, or lives at least. */
  heard(): void {
    this.#unheard = { units: 0, events: 0 };
  }

  /** Sends a text about a subscription. */
  send(text: string): void {
    if (this.#isClosed) return;
    this.#unheard.units += text.length;
    this.#unheard.events += 1;
    if (
      this.#unheard.units - text.length > LIMITS.liveUnheard ||
      this.#unheard.events > LIMITS.liveUnheardEvents
    ) {
      this.close(CLOSED.slow);
      return;
    }
    try {
      this.socket.send(text);
    } catch {
      // It has just closed.
    }
  }

  refuse(id: string, problems: readonly Problem[]): void {
    this.send(aboutSubscription(id, textOfErrors(problems, this.opening.base)));
  }

  close(code: CloseCode): void {
    this.subscriptions.clear();
    this.#isClosed = true;
    try {
      this.socket.close(code, REASONS[code]);
    } catch {
      // It has just closed.
    }
  }
}

/** A message about a subscription, from its rest. */
export function aboutSubscription(id: string, rest: string): string {
  return `{"id":"${id}",${rest}`;
}

/** A mark that says how far its reader has come; null for none yet. */
export const markOf = (mark: Subscription['mark']) => (mark === 'now' ? null : mark);
