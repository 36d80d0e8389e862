/**
 * The streams of one object. After a commit, each subscription is told what its feed tells since its mark: what is alike
 * is read once, for those who see the same with the same query. Before anything is sent, the credentials are asked again:
 * who was ended before the change is not told of the change, and who sees otherwise now begins anew.
 */
import type { Standing, StreamHost, Streams } from '../../collection/rpc/streams.ts';
import { digest64 } from '../../domain/digest.ts';
import { LIMITS } from '../../domain/limits.ts';
import { fail, type Outcome, type Problem } from '../../domain/problems.ts';
import { writeFault } from '../log.ts';
import { Identities, keyOf, type Identity, type Refusal } from './identities.ts';
import { CLOSED, openingOf, TOO_MANY } from './opening.ts';
import { Reading, textOfErrors, type Told } from './reading.ts';
import { readMessage, readStreamQuery, withoutMark, type Message } from './stream-query.ts';
import { Subscriber, type Attached, type Subscription } from './subscriber.ts';

/** Texts that are sent before others have their turn. */
const SENT_AT_ONCE = 100;

/** Subscriptions that see the same from the same mark on. */
interface Group {
  readonly identity: Identity;
  readonly members: (readonly [Subscriber, Subscription])[];
  page: Outcome<Told> | null;
}

const REASONS: Readonly<Record<Refusal, string>> = {
  [CLOSED.credentials]: 'The credentials do not stand any more.',
  [CLOSED.permission]: 'The API key does not permit this any more.',
  [CLOSED.anew]: 'Rights have changed, or too much has: begin anew without a mark.',
  [CLOSED.slow]: 'Too much is not acknowledged: resume after the last mark.',
  [CLOSED.failed]: 'The service has failed: resume after the last mark.',
};

export class Live implements Streams {
  readonly #state: DurableObjectState;
  readonly #identities: Identities;
  readonly #reading: Reading;
  readonly #standing: () => Standing;
  readonly #subscribers = new Map<WebSocket, Subscriber>();
  /** An object sleeps only when all is told: what sockets that have slept have been told of. */
  readonly #slept: Standing;
  #dirty = false;
  #running: Promise<void> | null = null;

  constructor({ state, environment, application, standing }: StreamHost) {
    this.#state = state;
    this.#identities = new Identities(environment, application);
    this.#reading = new Reading(environment, application);
    this.#standing = standing;
    this.#slept = standing();
    state.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
  }

  get any(): boolean {
    return this.#state.getWebSockets().length > 0;
  }

  /** Accepts a stream, or refuses one too many. */
  open(request: Request): Response {
    const asked = openingOf(request);
    if (asked === null) return new Response(null, { status: 404 });
    const { query, ...opening } = asked;
    const { user } = opening;
    const isFull =
      this.#state.getWebSockets().length >= LIMITS.liveStreams ||
      (user !== null && this.#state.getWebSockets(user).length >= LIMITS.liveStreamsOfUser);
    if (isFull) return new Response(null, { status: TOO_MANY });
    const { 0: client, 1: server } = new WebSocketPair();
    this.#state.acceptWebSocket(server, user === null ? [] : [user]);
    const subscriber = new Subscriber(server, opening);
    this.#subscribers.set(server, subscriber);
    this.#attach(subscriber);
    this.#begin(subscriber, { op: 'subscribe', id: '', query });
    return new Response(null, { status: 101, webSocket: client });
  }

  message(socket: WebSocket, text: string | ArrayBuffer): void {
    const subscriber = this.#subscriberOf(socket);
    if (subscriber === null) return;
    subscriber.heard();
    const message =
      typeof text === 'string' && text.length <= LIMITS.liveMessage
        ? readMessage(text)
        : fail('invalid-body', `A message is a text of at most ${LIMITS.liveMessage} characters.`);
    if (!message.ok) {
      refuse(subscriber, '', message.problems);
      return;
    }
    const { op, id } = message.value;
    if (op === 'subscribe') this.#begin(subscriber, message.value);
    else if (op === 'unsubscribe' && subscriber.subscriptions.delete(id)) this.#attach(subscriber);
  }

  closed(socket: WebSocket): void {
    this.#subscribers.delete(socket);
    if (this.#subscribers.size === 0) this.#identities.forget();
  }

  /** To be called after a commit: what it has changed is told soon. */
  wake(): void {
    if (!this.any) return;
    this.#dirty = true;
    if (this.#running !== null) return;
    this.#running = this.#run().finally(() => {
      this.#running = null;
    });
    this.#state.waitUntil(this.#running);
  }

  /** Asks for the credentials of all streams, and ends those that do not stand. */
  async check(): Promise<void> {
    await this.#admitted(this.#all());
  }

  /** Ends every stream: the application was deleted. */
  end(): void {
    for (const subscriber of this.#all()) close(subscriber, CLOSED.credentials);
  }

  #all(): readonly Subscriber[] {
    return this.#state.getWebSockets().flatMap((socket) => this.#subscriberOf(socket) ?? []);
  }

  /** A stream; one that has slept goes on where all was told. */
  #subscriberOf(socket: WebSocket): Subscriber | null {
    const known = this.#subscribers.get(socket);
    if (known !== undefined) return known;
    const attached = socket.deserializeAttachment() as Attached | null;
    if (attached === null) return null;
    const { asked, state, ...opening } = attached;
    const subscriber = new Subscriber(socket, opening);
    this.#subscribers.set(socket, subscriber);
    if (state !== digest64(this.#slept.state)) {
      close(subscriber, CLOSED.anew);
      return subscriber;
    }
    const { base } = this.#slept;
    for (const [id, text] of asked) {
      const query = readStreamQuery(`?${text}`);
      const mark = { ...this.#slept, position: base };
      if (query.ok) subscriber.subscriptions.set(id, { id, text, query: query.value, mark, ready: true });
    }
    return subscriber;
  }

  #attach({ opening, socket, subscriptions }: Subscriber): void {
    const asked = Array.from(subscriptions.values(), ({ id, text }) => [id, text] as const);
    const state = digest64(this.#standing().state);
    socket.serializeAttachment({ ...opening, asked, state } satisfies Attached);
  }

  /** Begins a subscription; what it is told comes with the next round. */
  #begin(subscriber: Subscriber, { id, query: search }: Message): void {
    const { subscriptions } = subscriber;
    const text = withoutMark(search);
    const query = readStreamQuery(`?${search.replace(/^\?/, '')}`);
    const units = [...subscriptions.values()].reduce((sum, each) => sum + each.text.length, text.length);
    const isTooMuch = subscriptions.size >= LIMITS.liveSubscriptions || units > LIMITS.liveAsked;
    if (!query.ok) refuse(subscriber, id, query.problems);
    else if (subscriptions.has(id)) {
      refuse(subscriber, id, fail('invalid-body', 'There is a subscription with this id.').problems);
    } else if (isTooMuch) {
      const detail = `A stream has at most ${LIMITS.liveSubscriptions} subscriptions, with ${LIMITS.liveAsked} characters of queries together.`;
      refuse(subscriber, id, fail('invalid-body', detail).problems);
    } else {
      const subscription = { id, text, query: query.value, mark: null, ready: false };
      this.#state.waitUntil(
        this.#start(subscriber, subscription).catch((error: unknown) => {
          failed([subscriber], error);
        }),
      );
    }
  }

  async #start(subscriber: Subscriber, subscription: Subscription): Promise<void> {
    const { id, query } = subscription;
    const identity = await this.#identities.lastOf(subscriber.opening);
    if (typeof identity === 'number') {
      close(subscriber, identity);
      return;
    }
    if (query.since !== null) {
      const mark = await this.#reading.markOf(subscriber.opening, query, identity, query.since);
      if (!mark.ok) {
        refuse(subscriber, id, mark.problems);
        return;
      }
      subscription.mark = mark.value;
    }
    subscriber.subscriptions.set(id, subscription);
    this.#attach(subscriber);
    this.wake();
  }

  async #run(): Promise<void> {
    while (this.#dirty) {
      this.#dirty = false;
      try {
        await this.#round();
      } catch (error) {
        failed(this.#all(), error);
      }
    }
  }

  async #round(): Promise<void> {
    const groups = await this.#groups();
    await Promise.all(
      groups.map(async (group) => {
        const [[{ opening }, { query, mark }] = NEVER] = group.members;
        group.page = await this.#reading.page(opening, query, group.identity, mark);
      }),
    );
    // Asked after what is told was read.
    const receivers = groups.flatMap((group) =>
      group.members.flatMap(([to, of]) => (isToldBy(group, of) ? to : [])),
    );
    const admitted = await this.#admitted([...new Set(receivers)]);
    let sent = 0;
    for (const group of groups) {
      for (const [subscriber, subscription] of group.members) {
        if (isToldBy(group, subscription) && !admitted.has(subscriber)) continue;
        sent += this.#tell(group, subscriber, subscription);
        if (sent < SENT_AT_ONCE) continue;
        sent = 0;
        await scheduler.wait(1);
      }
    }
  }

  /** The subscriptions, by what they see from where on. */
  async #groups(): Promise<readonly Group[]> {
    const groups = new Map<string, Group>();
    for (const subscriber of this.#all()) {
      const { opening, subscriptions } = subscriber;
      if (subscriptions.size === 0) continue;
      const identity = await this.#identities.lastOf(opening);
      if (typeof identity === 'number') {
        close(subscriber, identity);
        continue;
      }
      const { base, user, view, wrapped } = opening;
      for (const subscription of subscriptions.values()) {
        const { mark, text } = subscription;
        const key = JSON.stringify([identity.apiKey, user, view, base, wrapped, text, mark]);
        const group = groups.get(key) ?? { identity, members: [], page: null };
        group.members.push([subscriber, subscription]);
        groups.set(key, group);
      }
    }
    return [...groups.values()];
  }

  /** Those of some whose credentials stand, and show what they did; the others end. */
  async #admitted(all: readonly Subscriber[]): Promise<ReadonlySet<Subscriber>> {
    const now = await this.#identities.now(all.map(({ opening }) => opening));
    return new Set(
      all.filter((subscriber) => {
        const identity = now.get(keyOf(subscriber.opening)) ?? CLOSED.credentials;
        if (typeof identity === 'number') close(subscriber, identity);
        return typeof identity !== 'number';
      }),
    );
  }

  /** Tells a subscription what its group is told; how many texts that were. */
  #tell({ page }: Group, subscriber: Subscriber, subscription: Subscription): number {
    const { id } = subscription;
    if (page === null || subscriber.subscriptions.get(id) !== subscription) return 0;
    if (!page.ok) {
      const isAnew = page.problems.some(({ code }) => code === 'mark-expired');
      if (isAnew) close(subscriber, CLOSED.anew);
      else refuse(subscriber, id, page.problems);
      subscriber.subscriptions.delete(id);
      return 1;
    }
    const { mark, more, ready, texts } = page.value;
    for (const text of texts) subscriber.send(id, text);
    subscription.mark = mark;
    this.#dirty ||= more;
    if (!more && !subscription.ready) {
      subscription.ready = true;
      subscriber.send(id, ready);
      this.#attach(subscriber);
    }
    return texts.length;
  }
}

const NEVER: never[] = [];

/** Whether a group tells one of its members anything. */
function isToldBy({ page }: Group, { ready }: Subscription): boolean {
  return page !== null && (!page.ok || page.value.texts.length > 0 || (!ready && !page.value.more));
}

function close(subscriber: Subscriber, code: Refusal): void {
  subscriber.close(code, REASONS[code]);
}

function refuse(subscriber: Subscriber, id: string, problems: readonly Problem[]): void {
  subscriber.send(id, textOfErrors(problems, subscriber.opening.base));
}

function failed(subscribers: readonly Subscriber[], error: unknown): void {
  writeFault('stream', error);
  for (const subscriber of subscribers) close(subscriber, CLOSED.failed);
}
