/**
 * The streams of one object: they come, subscribe and go, and outlive its sleep. Rounds decide what they are told; the
 * collections that these streams follow tell of changed credentials.
 */
import { collectionOf } from '../../collection/rpc/client.ts';
import type { FeedStanding, StreamHost, Streams } from '../../collection/rpc/feed/streams.ts';
import { digest64 } from '../../domain/digest.ts';
import { LIMITS } from '../../domain/limits.ts';
import { fail } from '../../domain/problems.ts';
import { CORE, type TypeName } from '../../domain/types.ts';
import { isHolderType } from '../../domain/types/facts.ts';
import { writeFault } from '../log.ts';
import { Accounts } from './accounts.ts';
import { CLOSED, openingOf, TOO_MANY, type Opening } from './opening.ts';
import { FeedReading } from './reading.ts';
import { refuse, Rounds } from './rounds.ts';
import { readMessage, readStreamQuery, withoutMark, type Message } from './stream-query.ts';
import { Subscriber, type Attached, type Subscription } from './subscriber.ts';

export class Live implements Streams {
  readonly #host: StreamHost;
  readonly #accounts: Accounts;
  readonly #reading: FeedReading;
  readonly #rounds: Rounds;
  readonly #subscribers = new Map<WebSocket, Subscriber>();
  readonly #counts = new StreamCounts();
  /** The collections of credentials that are known to tell this one; another set whenever they may have ceased to. */
  #followed = new Set<TypeName>();

  constructor(host: StreamHost) {
    const { application, changed, environment, isSame, standing, state, sure } = host;
    this.#host = host;
    this.#accounts = new Accounts(environment, application);
    this.#reading = new FeedReading(host);
    this.#rounds = new Rounds({
      accounts: this.#accounts,
      reading: this.#reading,
      standing,
      changed,
      isSame,
      sure,
      all: () => this.#subscribers.values(),
      failed: (subscribers, error) => {
        this.#failed(subscribers, error);
      },
    });
    state.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
    // An object sleeps only when all is told.
    const slept = standing();
    for (const socket of state.getWebSockets()) this.#waken(socket, slept);
  }

  get any(): boolean {
    return this.#subscribers.size > 0;
  }

  /** Accepts a stream, or refuses one too many. */
  open(request: Request): Response {
    const { ring, state } = this.#host;
    const wanted = openingOf(request);
    if (wanted === null) return new Response(null, { status: 404 });
    const { query, ...opening } = wanted;
    const { until } = opening;
    if (this.#counts.isFull(opening)) return new Response(null, { status: TOO_MANY });
    const { 0: client, 1: server } = new WebSocketPair();
    state.acceptWebSocket(server);
    const subscriber = this.#add(server, opening);
    subscriber.attach(this.#host.standing().state);
    if (until !== null) state.waitUntil(ring(until));
    this.#begin(subscriber, { op: 'subscribe', id: '', query }, true);
    return new Response(null, { status: 101, webSocket: client });
  }

  message(socket: WebSocket, text: string | ArrayBuffer): void {
    const subscriber = this.#subscribers.get(socket);
    if (subscriber === undefined) return;
    subscriber.heard();
    const message =
      typeof text === 'string' && text.length <= LIMITS.liveMessage
        ? readMessage(text)
        : fail('invalid-body', `A message is a text of at most ${LIMITS.liveMessage} characters.`);
    if (!message.ok) {
      subscriber.refuse('', message.problems);
      return;
    }
    const { op, id } = message.value;
    if (op === 'subscribe') this.#begin(subscriber, message.value, false);
    else if (op === 'unsubscribe' && subscriber.subscriptions.delete(id)) {
      subscriber.attach(this.#host.standing().state);
    }
  }

  closed(socket: WebSocket): void {
    const subscriber = this.#subscribers.get(socket);
    if (subscriber === undefined) return;
    subscriber.subscriptions.clear();
    this.#subscribers.delete(socket);
    this.#counts.remove(subscriber.opening);
    this.#accounts.leave(subscriber.account);
  }

  wake(): void {
    const round = this.any ? this.#rounds.begin() : null;
    if (round !== null) this.#host.state.waitUntil(round);
  }

  concern(identities: readonly string[] | null): boolean {
    const accounts = new Set(this.#accounts.invalidate(identities));
    if (accounts.size > 0) {
      const settled = this.#rounds.admitted(accounts).then(() => {
        this.wake();
      });
      const concerned = [...this.#subscribers.values()].filter(({ account }) => accounts.has(account));
      this.#orFailed(concerned, settled);
    }
    if (!this.any) this.#followed = new Set();
    return this.any;
  }

  linkedChanged(): boolean {
    const looks = [...this.#subscribers.values()].some(({ subscriptions }) =>
      [...subscriptions.values()].some(({ seen }) => seen.length > 0),
    );
    if (looks) this.wake();
    return looks;
  }

  alarm(now: number): number | null {
    let next = Infinity;
    for (const subscriber of this.#subscribers.values()) {
      const until = subscriber.opening.until ?? Infinity;
      if (until <= now) subscriber.close(CLOSED.credentials);
      else next = Math.min(next, until);
    }
    return next === Infinity ? null : next;
  }

  end(): void {
    for (const subscriber of this.#subscribers.values()) subscriber.close(CLOSED.credentials);
  }

  #add(socket: WebSocket, opening: Omit<Opening, 'query'>): Subscriber {
    const subscriber = new Subscriber(socket, opening, this.#accounts.join(opening));
    this.#subscribers.set(socket, subscriber);
    this.#counts.add(opening);
    return subscriber;
  }

  /** A stream that has slept goes on where all was told. */
  #waken(socket: WebSocket, slept: FeedStanding): void {
    const attached = socket.deserializeAttachment() as Attached | null;
    if (attached === null) return;
    const { asked: wanted, linked, state, ...opening } = attached;
    const subscriber = this.#add(socket, opening);
    if (state !== digest64(slept.state)) {
      subscriber.close(CLOSED.anew);
      return;
    }
    // Linked documents may have changed meanwhile.
    const seen = linked === undefined ? [] : [{ type: this.#host.type, counter: -1 }];
    for (const [id, text] of wanted) {
      const query = readStreamQuery(`?${text}`);
      if (!query.ok) continue;
      const mark = { ...slept, position: slept.base, at: slept.base, linked };
      const subscription = subscriber.subscription(id, text, query.value);
      subscriber.subscriptions.set(id, { ...subscription, mark, seen, started: true, ready: true });
    }
  }

  /** Begins a subscription; what it is told comes with the next round. `isPaid`: its request was counted already. */
  #begin(subscriber: Subscriber, { id, query: search }: Message, isPaid: boolean): void {
    const { subscriptions } = subscriber;
    const text = withoutMark(search);
    const query = readStreamQuery(`?${search.replace(/^\?/, '')}`);
    const units = [...subscriptions.values()].reduce((sum, each) => sum + each.text.length, text.length);
    const isTooMuch = subscriptions.size >= LIMITS.liveSubscriptions || units > LIMITS.liveAsked;
    if (!query.ok) subscriber.refuse(id, query.problems);
    else if (subscriptions.has(id)) {
      subscriber.refuse(id, fail('invalid-body', 'There is a subscription with this id.').problems);
    } else if (isTooMuch) {
      const most = `${LIMITS.liveSubscriptions} subscriptions, with ${LIMITS.liveAsked} characters of queries together`;
      const detail = `A stream has at most ${most}.`;
      subscriber.refuse(id, fail('invalid-body', detail).problems);
    } else {
      const subscription = subscriber.subscription(id, text, query.value);
      subscriptions.set(id, subscription);
      this.#orFailed([subscriber], this.#start(subscriber, subscription, isPaid));
    }
  }

  async #start(subscriber: Subscriber, subscription: Subscription, isPaid: boolean): Promise<void> {
    const { account, opening } = subscriber;
    const { query } = subscription;
    const paid = isPaid ? null : await this.#accounts.pay(account);
    if (paid?.ok === false) {
      refuse(subscriber, subscription, paid.problems);
      return;
    }
    // Before its credentials are asked: a change is either seen then, or told.
    await this.#follow(opening);
    const identity = await this.#accounts.lastOf(account);
    if (typeof identity === 'number') {
      subscriber.close(identity);
      return;
    }
    if (query.since !== null) {
      const mark = await this.#reading.markOf(opening, query, identity, query.since);
      if (!mark.ok) {
        refuse(subscriber, subscription, mark.problems);
        return;
      }
      subscription.mark = mark.value;
    }
    subscription.started = true;
    this.wake();
  }

  /** Resolves when the collections of the credentials tell this one of changes. */
  async #follow({ type, user }: Pick<Opening, 'type' | 'user'>): Promise<void> {
    const { application, environment } = this.#host;
    const [holder = ''] = user?.split(' ') ?? [];
    const types = [CORE.apiKey, ...(isHolderType(holder) ? [holder, CORE.userGroup] : [])];
    for (;;) {
      const followed = this.#followed;
      const wanted = types.filter((each) => !followed.has(each));
      if (wanted.length === 0) return;
      await Promise.all(
        wanted.map((each) => collectionOf({ environment, application }, each).calls.follow(type)),
      );
      for (const each of wanted) followed.add(each);
    }
  }

  #orFailed(subscribers: readonly Subscriber[], work: Promise<void>): void {
    const { state } = this.#host;
    state.waitUntil(
      work.catch((error: unknown) => {
        this.#failed(subscribers, error);
      }),
    );
  }

  #failed(subscribers: Iterable<Subscriber>, error: unknown): void {
    writeFault('stream', error);
    for (const subscriber of subscribers) subscriber.close(CLOSED.failed);
  }
}

type Counted = Pick<Opening, 'address' | 'apiKey' | 'user'>;

/** How many streams an object has: of all, of each user, and of keys and client addresses without a user. */
export class StreamCounts {
  readonly #counts = new Map<string, number>();

  /** Whether one more is too many. */
  isFull(opening: Counted): boolean {
    return boundsOf(opening).some(([of, most]) => (this.#counts.get(of) ?? 0) >= most);
  }

  add(opening: Counted): void {
    this.#change(opening, 1);
  }

  remove(opening: Counted): void {
    this.#change(opening, -1);
  }

  #change(opening: Counted, more: 1 | -1): void {
    for (const [of] of boundsOf(opening)) {
      const count = (this.#counts.get(of) ?? 0) + more;
      if (count > 0) this.#counts.set(of, count);
      else this.#counts.delete(of);
    }
  }
}

/** What the streams of each are counted under, and how many there may be. */
function boundsOf({ address, apiKey, user }: Counted): readonly (readonly [of: string, most: number])[] {
  const all = ['all', LIMITS.liveStreams] as const;
  if (user !== null) return [all, [user, LIMITS.liveStreamsOfUser]];
  const ofKey = [`key ${apiKey}`, LIMITS.liveStreamsOfKey] as const;
  return address === null ? [all, ofKey] : [all, ofKey, [`address ${address}`, LIMITS.liveStreamsOfAddress]];
}
