/**
 * A list that follows what others write (docs/live.md): it reads the feed of changes, when a WebSocket says that there is
 * something new, or every few seconds where there is none. It is a module of its own, `/client-live.js`, beside the client.
 */
import type { Database, Feed } from './database.ts';
import { orderOf } from './order.ts';
import { Pulse } from './pulse.ts';
import { Signal } from './signal.ts';
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
  const { sort, ...asked } = { ...query, size: 1000 };
  const list = new Live(
    { look: (since) => db.feed(type, asked, since), token: () => db.token, order: orderOf(sort) },
    (hearing) => new Signal(db, type, asked, hearing),
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
  readonly token: () => string | null;
  readonly order: (documents: Iterable<D>) => D[];
}

export class Live<D extends Link> {
  /** What keeps the list from being up to date; null while nothing does. */
  error: unknown = null;
  readonly #documents = new Map<string, D>();
  readonly #source: Source<D>;
  readonly #signal: Signal;
  readonly #pulse: Pulse;
  readonly #listeners = new Set<(documents: readonly D[]) => void>();
  #array: readonly D[] | null = null;
  #mark: string | undefined;
  #token: string | null = null;

  constructor(
    source: Source<D>,
    signalOf: (hearing: ConstructorParameters<typeof Signal>[3]) => Signal,
    { every, onError }: LiveOptions,
  ) {
    this.#source = source;
    this.#signal = signalOf({
      onNews: () => {
        this.refresh().catch(() => undefined);
      },
      onLost: (pause) => {
        this.#pulse.soon(pause);
      },
    });
    this.#pulse = new Pulse(() => this.#pull(), {
      every,
      isTold: () => this.#signal.isOpen,
      onWake: () => {
        this.#signal.wake();
      },
      onState: (error) => {
        this.error = error;
        if (this.#pulse.stopped) this.#signal.close();
        if (error !== null) onError?.(error);
        this.#tell();
      },
    });
  }

  /** All that is there, by id. */
  get documents(): ReadonlyMap<string, D> {
    return this.#documents;
  }

  /** The same in the order of the list: another array after each change, and the same until then. */
  get array(): readonly D[] {
    this.#array ??= this.#source.order(this.#documents.values());
    return this.#array;
  }

  /** Tells a listener what is there, now and after each change, until the function that it gives is called. */
  readonly subscribe = (listener: (documents: readonly D[]) => void): (() => void) => {
    this.#listeners.add(listener);
    listener(this.array);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /** Resolves when what was written by now is there; rejects when it cannot be known. */
  refresh(): Promise<void> {
    return this.#pulse.now();
  }

  stop(): void {
    this.#pulse.stop();
    this.#signal.close();
  }

  async #pull(): Promise<void> {
    const token = this.#source.token();
    // A mark is of the user to whom it was given.
    if (token !== this.#token) this.#begin(token);
    try {
      await this.#follow();
    } catch (error) {
      if (this.#mark === undefined || !isOfMark(error)) throw error;
      this.#begin(token);
      await this.#follow();
    }
    if (!this.#pulse.stopped && this.#mark !== undefined) this.#signal.open(this.#mark);
  }

  #begin(token: string | null): void {
    this.#token = token;
    this.#mark = undefined;
    this.#signal.close();
  }

  async #follow(): Promise<void> {
    // What was deleted before a beginning is not told: what does not come again is gone.
    const stale = this.#mark === undefined ? new Set(this.#documents.keys()) : null;
    let since = this.#mark;
    let changed = false;
    for (let more = true; more;) {
      const page = await this.#source.look(since);
      if (this.#pulse.stopped) return;
      for (const document of page.documents) {
        this.#documents.set(document.id, document);
        stale?.delete(document.id);
      }
      for (const { id } of page.deleted) this.#documents.delete(id);
      changed ||= page.documents.length + page.deleted.length > 0;
      since = page.mark;
      // A beginning that ends before all has come begins again.
      if (stale === null) this.#mark = since;
      ({ more } = page);
    }
    this.#mark = since;
    for (const id of stale ?? []) changed = this.#documents.delete(id) || changed;
    if (changed || stale !== null) this.#tell();
  }

  #tell(): void {
    this.#array = null;
    for (const listener of this.#listeners) listener(this.array);
  }
}

/** Whether an error says that a mark is not known any more, or none of this viewer: it is of a class of another module. */
export function isOfMark(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    (Reflect.get(error, 'code') === 'mark-expired' || Reflect.get(error, 'parameter') === 'changes[since]')
  );
}
