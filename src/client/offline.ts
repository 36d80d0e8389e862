/**
 * A store in the browser that works without a network (docs/offline.md): copies of types that are read at once, and
 * changes that wait for a way. It is a module of its own, `/client-offline.js`, beside the client.
 */
import { Copy, documentOf, nameOf, type CopyOptions } from './offline/copy.ts';
import type { Database } from './database.ts';
import { upload } from './files.ts';
import { ForedgeError } from './index.ts';
import { newId } from './offline/ids.ts';
import { isUnsent, Outbox, type Decision } from './offline/outbox.ts';
import { changedBy, type Change, type Current, type Refusal } from './offline/pending.ts';
import { isRefused, Pulse } from './live/pulse.ts';
import type { RawQuery } from './query.ts';
import { Signal } from './live/signal.ts';
import { deleteStorage, openStorage, type Storage } from './offline/storage.ts';
import { Tabs } from './offline/tabs.ts';
import type { Link } from './transport.ts';
import type { AnyDocument, Changes, Document, Name, New, Query, Target } from './types.ts';

export type { Copy, CopyOptions } from './offline/copy.ts';
export type { Decision } from './offline/outbox.ts';
export type { Refusal } from './offline/pending.ts';

export interface OfflineOptions<S> {
  /** The id of the user who is logged in, null where nobody is: each has a store of their own. */
  readonly user: string | null;
  /** Types whose settings permit ids of clients: their documents keep the id that they get here. */
  readonly clientIds?: readonly Name<S>[] | undefined;
  /** Told what keeps the store from being up to date; it goes on trying, but after a refusal (4xx). */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Milliseconds between two looks while no WebSocket is open; 3,000 without it. */
  readonly every?: number | undefined;
}

/** A change that the service has not taken: mostly because the document is another by now. */
export interface Conflict<S> extends Link {
  readonly kind: Change['kind'];
  /** The document as it was before the change, with it (null if it is a deletion), and as the service has it now. */
  readonly base: AnyDocument<S> | null;
  readonly mine: AnyDocument<S> | null;
  readonly theirs: AnyDocument<S> | null;
  readonly reason: Refusal;
}

/** What of a list can be copied. */
export type CopyQuery<S, T> = Pick<Query<S, T>, 'filter' | 'sort' | 'fields'>;

/** Opens the store of a user of an application; rejects where the browser keeps nothing. */
export async function offline<S>(db: Database<S>, options: OfflineOptions<S>): Promise<Offline<S>> {
  if (options.user === null && db.token !== null) {
    throw new TypeError('Somebody is logged in: say who.');
  }
  const { url, application } = db.settings;
  const name = `foredge ${JSON.stringify([url.replace(/\/+$/, ''), application, options.user])}`;
  const store = new Offline(db, await openStorage(name), name, options);
  await store.reload();
  return store;
}

export class Offline<S> {
  /** What keeps the store from being up to date; null while nothing does. */
  error: unknown = null;
  /** The ids of documents whose changes wait. */
  waiting: ReadonlySet<string> = new Set();
  /** Changes that wait for a decision. */
  conflicts: readonly Conflict<S>[] = [];
  readonly #db: Database<S>;
  readonly #user: string | null;
  /** A login of the user. */
  #loggedIn: object;
  readonly #storage: Storage;
  readonly #name: string;
  /** By their names: those that are open, and all that were asked for. */
  readonly #copies = new Map<string, Copy<Link>>();
  readonly #openings = new Map<string, Promise<Copy<Link>>>();
  readonly #outbox: Outbox;
  readonly #pulse: Pulse;
  readonly #tabs: Tabs;
  readonly #listeners = new Set<(store: this) => void>();
  readonly #keys = new WeakMap<Conflict<S>, string>();
  #changes: readonly Change[] = [];

  constructor(db: Database<S>, storage: Storage, name: string, options: OfflineOptions<S>) {
    const { clientIds = [], every, onError } = options;
    this.#db = db;
    this.#loggedIn = db.loggedIn;
    this.#user = options.user;
    this.#storage = storage;
    this.#name = name;
    this.#tabs = new Tabs(name, () => {
      this.reload().catch(() => undefined);
    });
    this.#outbox = new Outbox(storage, {
      request: this.#request,
      upload: async (...file) => {
        await this.#guard();
        return upload(db, ...file);
      },
      guard: this.#guard,
      clientIds,
      by: db.settings.key.slice(-8),
      onChange: () => this.#changed(),
    });
    this.#pulse = new Pulse(() => this.#tabs.alone(() => this.#sync()), {
      every,
      isPushed: () => [...this.#copies.values()].every((copy) => copy.isPushed),
      onWake: () => {
        for (const copy of this.#copies.values()) copy.wake();
      },
      onState: (error) => {
        this.error = error;
        if (this.#pulse.stopped) for (const copy of this.#copies.values()) copy.close();
        if (error !== null) onError?.(error);
        this.#notify();
      },
    });
  }

  /** A copy of the documents that a filter finds, as it is kept here; it is brought up to date from now on. */
  async list<T extends Name<S>>(
    type: T,
    query: CopyQuery<S, T> = {},
    options: CopyOptions<Document<S, T>> = {},
  ): Promise<Copy<Document<S, T>>> {
    const name = nameOf(type, query);
    const opening = this.#openings.get(name) ?? this.#open(type, query, options as CopyOptions<Link>);
    this.#openings.set(name, opening);
    return (await opening) as unknown as Copy<Document<S, T>>;
  }

  /** Creates a document, and gives its id: until the service gives it another, this one stands for it everywhere. */
  async create<T extends Name<S>>(type: T, values: New<S, T>): Promise<Target<T>> {
    const id = await this.#outbox.note('create', { type, id: newId() }, values);
    this.#soon();
    return { type, id };
  }

  /** Keeps a content as a new file, with its fields, until it can be sent; gives its id as `create` does. */
  async upload(blob: Blob, values: Readonly<Record<string, unknown>> = {}): Promise<Target<'core.file'>> {
    const named = 'name' in blob && typeof blob.name === 'string' ? { name: blob.name } : {};
    const type = 'core.file';
    const id = await this.#outbox.note('create', { type, id: newId() }, { ...named, ...values }, blob);
    this.#soon();
    return { type, id };
  }

  /** The content of a file that waits to be sent; null for any other, which has an address. */
  content(file: Link): Blob | null {
    return this.#changes.find(({ id }) => id === file.id)?.blob ?? null;
  }

  /** Changes fields of a document; `undefined` removes one. */
  async update<T extends Name<S>>(document: Target<T>, values: Changes<S, T>): Promise<void> {
    await this.#outbox.note('update', document, values);
    this.#soon();
  }

  async delete(document: Link): Promise<void> {
    await this.#outbox.note('delete', document, {});
    this.#soon();
  }

  /** Decides about a change that was refused: it is sent in any case, dropped, or replaced by other values. */
  async resolve(conflict: Conflict<S>, decision: Decision): Promise<void> {
    await this.#outbox.resolve(this.#keys.get(conflict) ?? '', decision);
    this.#soon();
  }

  /** Tells a listener of each change of `waiting`, `conflicts` and `error`, and of what they are now. */
  readonly subscribe = (listener: (store: this) => void): (() => void) => {
    this.#listeners.add(listener);
    listener(this);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /** Resolves when all that can be sent was sent, and the lists are up to date; rejects when there is no way. */
  async sync(): Promise<void> {
    for (const copy of this.#copies.values()) copy.stale = true;
    await this.#pulse.now();
    if (this.error !== null) throw this.error as Error;
  }

  /** Ends the work. What is kept stays. */
  stop(): void {
    this.#pulse.stop();
    this.#tabs.close();
    for (const copy of this.#copies.values()) copy.close();
    this.#storage.close();
  }

  /** Ends the work, and deletes all that is kept: changes that were not sent, too. */
  async erase(): Promise<void> {
    this.stop();
    await deleteStorage(this.#name);
  }

  /** Reads what is kept, as another tab may have changed it, and shows it. */
  async reload(): Promise<void> {
    const changes = await this.#storage.read(async (tables) => {
      for (const copy of this.#copies.values()) await copy.load(tables);
      return tables.all('changes');
    });
    this.#show(changes);
  }

  #show(changes: readonly Change[]): void {
    this.#changes = changes;
    this.waiting = new Set(changes.filter(isUnsent).map(({ id }) => id));
    this.conflicts = changes.flatMap((change) => this.#conflictOf(change) ?? []);
    for (const copy of this.#copies.values()) copy.show(changes);
    this.#notify();
  }

  #conflictOf({ key, type, id, kind, base, said, refused }: Change): Conflict<S> | null {
    if (refused === undefined) return null;
    const { theirs, gone: _, ...reason } = refused;
    const shown = ({ resource, etag }: Current) =>
      (resource && documentOf(resource, etag)) as AnyDocument<S> | null;
    const mine = kind === 'delete' ? null : changedBy({ type, id, said }, base.resource);
    const conflict: Conflict<S> = {
      type,
      id,
      kind,
      base: shown(base),
      mine: shown({ resource: mine, etag: base.etag }),
      theirs: shown(theirs),
      reason,
    };
    this.#keys.set(conflict, key);
    return conflict;
  }

  #notify(): void {
    for (const listener of this.#listeners) listener(this);
  }

  /** Shows changes of what is kept, here and in other tabs. */
  async #changed(): Promise<void> {
    this.#show(await this.#storage.read((tables) => tables.all('changes')));
    this.#tabs.notify();
  }

  async #open(type: string, query: RawQuery, options: CopyOptions<Link>): Promise<Copy<Link>> {
    const copy = new Copy<Link>(
      {
        request: this.#request,
        storage: this.#storage,
        signalOf: (...parameters) => new Signal(this.#db, ...parameters),
        hearing: {
          onNews: () => {
            this.#soon();
          },
          onLost: () => {
            this.#pulse.wait();
          },
        },
      },
      type,
      query,
      options,
    );
    await this.#storage.read((tables) => copy.load(tables));
    copy.show(this.#changes);
    this.#copies.set(copy.name, copy);
    this.#soon();
    return copy;
  }

  #soon(): void {
    this.#pulse.now().catch(() => undefined);
  }

  /** What this user has written is not sent without a token, nor with one of somebody else: gives the user's. */
  readonly #guard = async (): Promise<string | null> => {
    const { token, loggedIn } = this.#db;
    if (token === null ? this.#user === null : await this.#isUsers(loggedIn)) return token;
    const detail = 'Open the store again with a token of its user.';
    throw new ForedgeError(401, [{ status: '401', code: 'token-required', title: 'Log in again', detail }]);
  };

  /** Another tab may have stored a login of this user, or of somebody else: the service knows. */
  async #isUsers(loggedIn: object): Promise<boolean> {
    if (loggedIn === this.#loggedIn || this.#user === null) return this.#user !== null;
    const me = await this.#db.me().catch((error: unknown) => {
      if (isRefused(error)) return null;
      throw error;
    });
    if (me?.id !== this.#user || loggedIn !== this.#db.loggedIn) return false;
    this.#loggedIn = loggedIn;
    return true;
  }

  /** Sends with the token of the user and no other: somebody may log in between any two steps. */
  readonly #request: Database<S>['request'] = async (method, path, options) => {
    for (;;) {
      const token = await this.#guard();
      const headers = { ...options?.headers, authorization: token === null ? undefined : `Token ${token}` };
      try {
        return await this.#db.request(method, path, { ...options, headers });
      } catch (error) {
        const isEnded = error instanceof ForedgeError && error.code === 'token-required' && token !== null;
        if (!isEnded || [null, token].includes(this.#db.token)) throw error;
      }
    }
  };

  async #sync(): Promise<void> {
    await this.#outbox.send();
    const answered = (await this.#storage.read((tables) => tables.all('changes'))).filter(
      (change) => !isUnsent(change),
    );
    for (const copy of this.#copies.values()) {
      const isSent = answered.some(({ type }) => type === copy.type);
      if (copy.stale || !copy.isPushed || isSent) await copy.pull();
    }
    await this.#storage.write(async (tables) => {
      const marks = await tables.all('marks');
      for (const { seq, type } of answered) {
        // The feed has told by now what was sent; to a copy that is not open yet, it has not.
        const isUsed = [...this.#copies.values()].some((copy) => copy.type === type);
        const isStored = marks.some(({ copy }) => copy.startsWith(`${type}?`));
        if (isUsed || !isStored) tables.delete('changes', seq);
      }
    });
    await this.reload();
    this.#tabs.notify();
  }
}
