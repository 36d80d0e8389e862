/**
 * A list that follows what others write (docs/live.md), by the feed of changes. It is a module of its own, `/client-live.js`:
 * it uses a Database and nothing else of the client.
 */
import type { Database, Feed } from './database.ts';
import type { Link } from './transport.ts';
import type { Document, Name, Query } from './types.ts';
import { Pulse } from './pulse.ts';

/** What of a list can be followed: a filter and what is shown, no order and no page. */
export type LiveQuery<S, T> = Pick<Query<S, T>, 'filter' | 'fields' | 'include'>;

export interface LiveOptions<D extends Link = Link> {
  /** Told after each change: of all that is there, by id. */
  readonly onChange?: ((documents: ReadonlyMap<string, D>) => void) | undefined;
  /** Told what keeps the list from being up to date; it goes on trying, but after a refusal (4xx). */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Milliseconds between two looks while nobody calls `refresh`; 3,000 without it. */
  readonly every?: number | undefined;
}

/** Keeps the documents of a type that a filter finds up to date, until `stop`. */
export function live<S, T extends Name<S>>(
  db: Database<S>,
  type: T,
  query: LiveQuery<S, T> = {},
  options: LiveOptions<Document<S, T>> = {},
): Live<Document<S, T>> {
  return new Live((since) => db.feed(type, query, since), options);
}

export class Live<D extends Link> {
  /** All that is there, by id, in the order in which it came. */
  readonly documents = new Map<string, D>();
  readonly #look: (since: string | undefined) => Promise<Feed<D>>;
  readonly #options: LiveOptions<D>;
  readonly #pulse: Pulse;
  #mark: string | undefined;

  constructor(look: (since: string | undefined) => Promise<Feed<D>>, options: LiveOptions<D>) {
    this.#look = look;
    this.#options = options;
    this.#pulse = new Pulse(() => this.#pull(), options.every, options.onError);
  }

  /** The same as an array. */
  get array(): D[] {
    return [...this.documents.values()];
  }

  /** Resolves when what was written by now is there; rejects when it cannot be known. */
  refresh(): Promise<void> {
    return this.#pulse.now();
  }

  stop(): void {
    this.#pulse.stop();
  }

  async #pull(): Promise<void> {
    try {
      await this.#follow();
    } catch (error) {
      if (!isExpired(error)) throw error;
      // What was deleted since is not told any more: what does not come again is gone.
      this.#mark = undefined;
      await this.#follow();
    }
  }

  async #follow(): Promise<void> {
    const stale = this.#mark === undefined ? new Set(this.documents.keys()) : null;
    let changed = false;
    for (let more = true; more;) {
      const page = await this.#look(this.#mark);
      for (const document of page.documents) {
        this.documents.set(document.id, document);
        stale?.delete(document.id);
      }
      for (const { id } of page.deleted) this.documents.delete(id);
      changed ||= page.documents.length + page.deleted.length > 0;
      this.#mark = page.mark;
      ({ more } = page);
    }
    for (const id of stale ?? []) changed = this.documents.delete(id) || changed;
    if (changed || stale !== null) this.#options.onChange?.(this.documents);
  }
}

/** An error of this code: it is of a class of another module. */
function isExpired(error: unknown): boolean {
  return typeof error === 'object' && error !== null && Reflect.get(error, 'code') === 'mark-expired';
}
