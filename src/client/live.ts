/**
 * A list that follows what others write (docs/live.md): it reads the feed of changes when a WebSocket tells of news, or
 * every few seconds where there is none. It is a module of its own, `/client-live.js`, beside the client.
 */
import type { Database, Feed } from './database.ts';
import { Listing, isOfMark } from './live/listing.ts';
import { orderOf } from './live/order.ts';
import { Pulse } from './live/pulse.ts';
import { Signal } from './live/signal.ts';
import type { Link } from './transport.ts';
import type { Document, Name, Query } from './types.ts';

/** What of a list can be followed: a filter, an order and what is shown, but no page. The signal stops it. */
export type LiveQuery<S, T> = Pick<Query<S, T>, 'filter' | 'sort' | 'fields' | 'include' | 'signal'>;

export interface LiveOptions {
  /** Told what keeps the list from being up to date; it goes on trying, but after a refusal (4xx). */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Milliseconds between two looks while no WebSocket is open; 3,000 without it. */
  readonly every?: number | undefined;
}

/** Keeps the documents of a type that a filter finds up to date, until `stop`. */
export function live<S, T extends Name<S>>(
  db: Database<S>,
  type: T,
  query: LiveQuery<S, T> = {},
  options: LiveOptions = {},
): Live<Document<S, T>> {
  // The feed has no order.
  const { sort, ...filters } = { ...query, size: 1000 };
  const list = new Live(
    { look: (since) => db.feed(type, filters, since), order: orderOf(sort) },
    (hearing) => new Signal(db, type, filters, hearing),
    options,
  );
  if (query.signal?.aborted === true) list.stop();
  query.signal?.addEventListener('abort', () => {
    list.stop();
  });
  return list;
}

interface Source<D> {
  readonly look: (since: string | undefined) => Promise<Feed<D>>;
  readonly order: (documents: Iterable<D>) => D[];
}

export class Live<D extends Link> extends Listing<D> {
  /** What keeps the list from being up to date; null while nothing does. */
  error: unknown = null;
  readonly #source: Source<D>;
  readonly #signal: Signal;
  readonly #pulse: Pulse;
  #mark: string | undefined;

  constructor(
    source: Source<D>,
    signalOf: (hearing: ConstructorParameters<typeof Signal>[3]) => Signal,
    { every, onError }: LiveOptions,
  ) {
    super(source.order);
    this.#source = source;
    this.#signal = signalOf({
      onNews: () => {
        this.refresh().catch(() => undefined);
      },
      onLost: () => {
        this.#pulse.wait();
      },
    });
    this.#pulse = new Pulse(() => this.#pull(), {
      every,
      isPushed: () => this.#signal.isOpen,
      onWake: () => {
        this.#signal.wake();
      },
      onState: (error) => {
        this.error = error;
        if (this.#pulse.stopped) this.#signal.close();
        if (error !== null) onError?.(error);
        this.notify();
      },
    });
  }

  /** Resolves when what was written by now is there; rejects when it cannot be known. */
  refresh(): Promise<void> {
    return this.#pulse.now();
  }

  stop(): void {
    this.#pulse.stop();
    this.#signal.close();
  }

  async #pull(): Promise<void> {
    try {
      await this.#follow();
    } catch (error) {
      if (this.#mark === undefined || !isOfMark(error)) throw error;
      // It has expired, or is of another user, whose the socket is, too.
      this.#mark = undefined;
      this.#signal.close();
      await this.#follow();
    }
    if (!this.#pulse.stopped && this.#mark !== undefined) this.#signal.open(this.#mark);
  }

  async #follow(): Promise<void> {
    // What was deleted before a beginning is not told: what does not come again is gone.
    const isBeginning = this.#mark === undefined;
    const documents = new Map(isBeginning ? [] : this.documents);
    let since = this.#mark;
    let changed = isBeginning;
    for (let more = true; more;) {
      const page = await this.#source.look(since);
      if (this.#pulse.stopped) return;
      for (const document of page.documents) documents.set(document.id, document);
      for (const { id } of page.deleted) documents.delete(id);
      changed ||= page.documents.length + page.deleted.length > 0;
      since = page.mark;
      ({ more } = page);
    }
    this.#mark = since;
    if (changed) this.notify(documents);
  }
}
