/**
 * Tells streams what has changed, in rounds. What is alike is read once, for all that see the same with the same query
 * from the same mark on. Then the credentials are asked again, and only then anything is sent: whoever was ended before
 * the change is not told of it, and nobody is told of a state that is none any more.
 */
import type { FeedMark } from '../../collection/rpc/feed/mark.ts';
import type { FeedStanding, StreamHost } from '../../collection/rpc/feed/streams.ts';
import { recall } from '../../domain/caching/recall.ts';
import { LIMITS } from '../../domain/limits.ts';
import type { DocumentId } from '../../domain/ids.ts';
import type { Outcome, Problem } from '../../domain/problems.ts';
import type { Account, Accounts } from './accounts.ts';
import { CLOSED } from './opening.ts';
import type { FeedReading, LivePage } from './reading.ts';
import { aboutSubscription, markOf, type Subscriber, type Subscription } from './subscriber.ts';

/** Subscriptions that are told, or looked at, before others may have their turn. */
const TOLD_AT_ONCE = 50;
/** Pages that are read before they are told, and units of them that are as much work as a small one. */
const READ_AT_ONCE = 50;
const UNITS_OF_PIECE = 8 * 1024;
const SEEN_AT_ONCE = 1_000;

/** Subscriptions that see the same from the same mark on. */
interface Group {
  readonly account: Account;
  readonly members: (readonly [Subscriber, Subscription])[];
}

interface Around extends Pick<StreamHost, 'standing' | 'changed' | 'isSame' | 'sure'> {
  readonly accounts: Accounts;
  readonly reading: FeedReading;
  readonly all: () => Iterable<Subscriber>;
  /** Ends streams that something has gone wrong for. */
  readonly failed: (subscribers: Iterable<Subscriber>, error: unknown) => void;
}

export class Rounds {
  readonly #around: Around;
  #isDue = false;
  /** Whether some have not been told all that there was. */
  #isBehind = false;
  #isRunning = false;
  readonly #pace = new Pace();

  constructor(around: Around) {
    this.#around = around;
  }

  /** Lets a round begin soon. A promise for when all is told; null where that is being done. */
  begin(): Promise<void> | null {
    this.#pace.written();
    this.#isDue = true;
    if (this.#isRunning) return null;
    this.#isRunning = true;
    return this.#run().finally(() => {
      this.#isRunning = false;
    });
  }

  async #run(): Promise<void> {
    // The answer to what has woken us goes first.
    await scheduler.wait(1);
    while (this.#isDue || this.#isBehind) {
      this.#isDue = false;
      this.#isBehind = false;
      this.#pace.begin();
      try {
        await this.#round();
      } catch (error) {
        this.#around.failed(this.#around.all(), error);
      }
      await this.#pace.end();
    }
  }

  async #round(): Promise<void> {
    let pages = new Map<Group, Outcome<LivePage> | null>();
    let units = 0;
    for (const group of await this.#groups()) {
      const page = await this.#orFailed(group, this.#pageOf(group));
      pages.set(group, page);
      const size = page?.ok === true ? page.value.events.reduce((sum, { text }) => sum + text.length, 0) : 0;
      units += size;
      await this.#pace.rest(1 + Math.floor(size / UNITS_OF_PIECE));
      if (pages.size < READ_AT_ONCE && units < LIMITS.sentAtOnce) continue;
      await this.#tellPages(pages);
      pages = new Map();
      units = 0;
    }
    await this.#tellPages(pages);
  }

  /** The outcome of work for a group; null where it has failed, which ends the group's streams alone. */
  async #orFailed<T>({ members }: Group, work: Promise<T>): Promise<T | null> {
    try {
      return await work;
    } catch (error) {
      this.#around.failed(
        members.map(([subscriber]) => subscriber),
        error,
      );
      return null;
    }
  }

  /** What is to be told to a group; null where nobody can be asked for it. */
  async #pageOf({ account, members }: Group): Promise<Outcome<LivePage> | null> {
    const { accounts, reading, sure } = this.#around;
    const identity = await accounts.lastOf(account);
    const [first] = members;
    if (typeof identity === 'number' || first === undefined) return null;
    const [{ opening }, { query, mark }] = first;
    const isReady = members.every(([, { ready }]) => ready);
    const page = await reading.page({ opening, query, identity, mark, isReady });
    if (page.ok) await sure(page.value.seen);
    return page;
  }

  async #tellPages(pages: ReadonlyMap<Group, Outcome<LivePage> | null>): Promise<void> {
    const receivers = new Set<Account>();
    for (const [{ account, members }, page] of pages) {
      // Where nothing could be read, nobody stands.
      if (page === null || members.some(([, { ready }]) => isDelivered(page, ready))) receivers.add(account);
    }
    // Asked after what is told was read.
    const admitted = await this.admitted(receivers);
    for (const [group, page] of pages) {
      if (page !== null) await this.#orFailed(group, this.#tellAll(group, page, admitted));
    }
  }

  /** The accounts that stand and see what they did; the streams of others end. */
  async admitted(accounts: ReadonlySet<Account>): Promise<ReadonlySet<Account>> {
    if (accounts.size === 0) return accounts;
    const now = await this.#around.accounts.now(accounts);
    const stand = [...accounts].filter((account) => typeof now.get(account) === 'object');
    if (stand.length === accounts.size) return accounts;
    for (const subscriber of this.#around.all()) {
      const refusal = now.get(subscriber.account);
      if (typeof refusal === 'number') subscriber.close(refusal);
    }
    return new Set(stand);
  }

  /** The subscriptions that have not been told all, by what they see from where on. */
  async #groups(): Promise<readonly Group[]> {
    const { all, isSame, standing } = this.#around;
    const groups = new Map<Account, Map<string, Group>>();
    const { base, state } = standing();
    let seen = 0;
    for (const subscriber of [...all()]) {
      const { account, subscriptions } = subscriber;
      for (const subscription of subscriptions.values()) {
        const { mark, ready, seen: looked, shows, started } = subscription;
        if (!started || (ready && isOf(mark, { base, state }) && isSame(looked))) continue;
        const alike = recall(groups, account, () => new Map<string, Group>());
        const key = `${shows} ${JSON.stringify(mark)}`;
        recall(alike, key, (): Group => ({ account, members: [] })).members.push([subscriber, subscription]);
      }
      seen += 1;
      if (seen % SEEN_AT_ONCE === 0) await scheduler.wait(0);
    }
    return Array.from(groups.values(), (alike) => [...alike.values()]).flat();
  }

  async #tellAll(
    { account, members }: Group,
    page: Outcome<LivePage>,
    admitted: ReadonlySet<Account>,
  ): Promise<void> {
    const atOnce = Math.ceil(TOLD_AT_ONCE / (page.ok ? Math.max(1, page.value.events.length) : 1));
    for (let at = 0; at < members.length; at += atOnce) {
      const some = members.slice(at, at + atOnce);
      let sent = 0;
      // Nothing is waited for between this question and what is sent.
      const until = page.ok ? this.#untilStale(page.value) : 0;
      const said = page.ok ? saidBy(page.value, until) : null;
      for (const [subscriber, subscription] of some) {
        if (isDelivered(page, subscription.ready) && !admitted.has(account)) continue;
        // It was ended, or changed, meanwhile; in the latter case another round tells it.
        if (subscriber.subscriptions.get(subscription.id) !== subscription || account.isStale) continue;
        if (!page.ok) refuse(subscriber, subscription, page.problems);
        else if (said !== null) sent += this.#send(said, subscriber, subscription);
      }
      await this.#pace.rest(sent);
    }
  }

  /** How many events of a page, from its beginning, tell what still is. */
  #untilStale({ events, mark, seen }: LivePage): number {
    const { changed, isSame, standing } = this.#around;
    if (!isSame(seen)) return 0;
    const { base, state, through } = standing();
    // Rights may be others since the page was read.
    if (state !== mark.state || through?.changed !== mark.through?.changed) return 0;
    if (base === mark.base || events.length === 0) return events.length;
    const stale: ReadonlySet<DocumentId> = changed(events.filter(({ kind }) => kind !== 'remove'));
    const first = events.findIndex(({ id }) => stale.has(id));
    return first === -1 ? events.length : first;
  }

  /** Tells a subscription; how many texts that were. */
  #send(said: Said, subscriber: Subscriber, subscription: Subscription): number {
    const { id, mark: former } = subscription;
    subscription.seen = said.seen;
    for (const text of said.textsFor(id)) subscriber.send(text);
    if (said.mark !== null) subscription.mark = said.mark;
    this.#isDue ||= said.isPart;
    this.#isBehind ||= said.more;
    const isReady = !said.isPart && !said.more && !subscription.ready;
    if (isReady) {
      subscription.ready = true;
      subscriber.send(aboutSubscription(id, said.ready));
    }
    const mark = markOf(subscription.mark);
    if (mark !== null && (isReady || attachedOf(mark) !== attachedOf(markOf(former))))
      subscriber.attach(mark.state);
    return said.count + 1;
  }
}

/** What a page says, up to some event. */
interface Said extends Pick<LivePage, 'ready' | 'more' | 'seen'> {
  readonly count: number;
  /** Whether some events of the page are not said. */
  readonly isPart: boolean;
  /** Where it leads; null for where one was before. */
  readonly mark: FeedMark | null;
  readonly textsFor: (id: string) => readonly string[];
}

function saidBy({ events, mark, more, ready, seen }: LivePage, until: number): Said {
  const isPart = until < events.length;
  const some = isPart ? events.slice(0, until) : events;
  const byId = new Map<string, readonly string[]>();
  return {
    ready,
    more,
    seen,
    count: some.length,
    isPart,
    mark: isPart ? (some.at(-1)?.mark ?? null) : mark,
    textsFor: (id) => recall(byId, id, () => some.map(({ text }) => aboutSubscription(id, text))),
  };
}

/** Whether a page tells anything to a subscription, which may be ready. */
function isDelivered(page: Outcome<LivePage>, ready: boolean): boolean {
  return !page.ok || page.value.events.length > 0 || (!ready && !page.value.more);
}

/** Ends a subscription for its problems; the stream, where it must begin anew. */
export function refuse(
  subscriber: Subscriber,
  subscription: Subscription,
  problems: readonly Problem[],
): void {
  const { id } = subscription;
  // Another one may have its id meanwhile.
  if (subscriber.subscriptions.get(id) !== subscription) return;
  if (problems.some(({ code }) => code === 'mark-expired')) {
    subscriber.close(CLOSED.anew);
    return;
  }
  subscriber.refuse(id, problems);
  subscriber.subscriptions.delete(id);
}

/** What is attached of a mark, as a text. */
const attachedOf = (mark: FeedMark | null) => JSON.stringify([mark?.state, mark?.linked]);

/** Whether a mark is that of what stands. */
function isOf(mark: Subscription['mark'], { base, state }: FeedStanding): boolean {
  if (mark === null || mark === 'now' || mark.after !== undefined) return false;
  return mark.position === base && mark.base === base && mark.state === state;
}

/** Milliseconds of work at a time; how long others have the object then, as a multiple, and in milliseconds at most. */
const WORK = 4;
const RESTS = 2;
const MOST_REST = 250;

/** Milliseconds after a write in which another one is expected. */
const FOLLOWS = 100;

/** Pieces of work at a time, where the clock stands still while there is work. */
const PIECES = 50;

/**
 * The share of its object's time that telling streams takes: while others write, a third. So writes take at most half
 * as long again, however many streams there are; and those that follow one another are told together.
 */
export class Pace {
  /** The last write, in milliseconds since 1970. */
  #written = 0;
  #began = Date.now();
  #pieces = 0;

  /** To be called with each write. */
  written(): void {
    this.#written = Date.now();
  }

  /** To be called before the first piece of work. */
  begin(): void {
    this.#began = Date.now();
    this.#pieces = 0;
  }

  /** To be called after some pieces: null while there may be more at once, else resolves when it may go on. */
  rest(pieces: number): Promise<void> | null {
    this.#pieces += pieces;
    const worked = Date.now() - this.#began;
    return worked < WORK && this.#pieces < PIECES ? null : this.end();
  }

  /** To be called after the last piece: resolves when more may begin. */
  async end(): Promise<void> {
    const now = Date.now();
    const worked = now - this.#began;
    const others = now - this.#written < FOLLOWS;
    await scheduler.wait(others ? Math.max(1, Math.min(MOST_REST, RESTS * worked)) : 0);
    this.begin();
  }
}
