/** An application of the service, as a program sees it: documents, their relationships and rights, and the login. */
import { bareRights, changedData, changesOf, dataOf, linksOf, merged, newData } from './changes.ts';
import { documentsOf, refresh, relink, remember, stateOf } from './documents.ts';
import { ConflictError, ForedgeError } from './errors.ts';
import type { Files } from './files/types.ts';
import { List, read } from './list.ts';
import { pathOf, pathOfDocument, requestKey } from './paths.ts';
import { Session, type Login, type SessionSettings } from './session.ts';
import { linked, outcomeOf, steps, tests, Transaction } from './transaction.ts';
import { unreachable, type Answer, type Link, type RequestOptions, type Resource } from './transport.ts';
import type {
  AnyDocument,
  Changes,
  Document,
  Name,
  New,
  Outcome,
  Query,
  RelatedQuery,
  Relatable,
  Relationship,
  Rights,
  Target,
  TypeBehind,
} from './types.ts';

/** What may be said of a read of one document. */
type Shown<S, T> = Pick<Query<S, T>, 'include' | 'fields' | 'parameters' | 'signal'>;

/** How often a transaction is tried whose documents others change, and milliseconds of the first pause, at most. */
const ATTEMPTS = 8;
const PAUSE = 40;

/** What has changed in a type. */
export interface Feed<D> {
  readonly documents: readonly D[];
  readonly deleted: readonly Link[];
  readonly mark: string;
  readonly more: boolean;
}

const load = () => import('./files.ts');
let code: ReturnType<typeof load> | undefined;

/** A browser keeps that a script did not come, under its address, which the error tells: another one brings it. */
const filesCode = () =>
  (code ??= load()
    .catch((cause: unknown): ReturnType<typeof load> => {
      const address = String(/http\S+/.exec(String(cause)));
      return import(/* @vite-ignore */ /* webpackIgnore: true */ `${address}?${Math.random()}`);
    })
    .catch((cause: unknown) => {
      code = undefined;
      throw unreachable('client-files', cause);
    }));

export class Database<S> {
  /** As they were given to `connect`. */
  readonly settings: SessionSettings;
  readonly #session: Session;

  /** Contents of files. Their code is a script of its own, which is loaded when it is first needed. */
  readonly files: Files<S> = {
    upload: async (...file) => (await filesCode()).upload(this, ...file),
    url: async (...file) => (await filesCode()).url(this, ...file),
    content: async (...file) => (await filesCode()).content(this, ...file),
  };

  constructor(settings: SessionSettings) {
    this.settings = settings;
    this.#session = new Session(settings);
  }

  /** The documents of a type, or of an aggregate (`agt.…`). Nothing is asked before the list is read. */
  list<T extends Name<S>>(type: T, query: Query<S, T> = {}): List<Document<S, T>> {
    return new List(this.request, pathOf(type), type, query);
  }

  /** A document; null when there is none, or no longer. */
  async get<T extends Name<S>>(type: T, id: string, query: Shown<S, T> = {}): Promise<Document<S, T> | null> {
    try {
      const { documents } = await read(this.request, pathOf(type, id), type, query);
      return (documents[0] ?? null) as Document<S, T> | null;
    } catch (error) {
      if (error instanceof ForedgeError && error.code === 'document-not-found') return null;
      throw error;
    }
  }

  /** The changes of a type since a mark; without one, all that is there. While there is `more`, ask on from `mark`. */
  async feed<T extends Name<S>>(
    type: T,
    query: Query<S, T> = {},
    since?: string,
  ): Promise<Feed<Document<S, T>>> {
    const { body, documents } = await read(this.request, pathOf(type, 'changes'), type, query, {
      ...(since && { 'changes[since]': since }),
      ...(query.size && { 'page[size]': query.size }),
    });
    return {
      ...(body.meta as Pick<Feed<never>, 'deleted' | 'mark'>),
      documents: documents as Document<S, T>[],
      more: !!body.links?.next,
    };
  }

  /** Creates a document, perhaps with rights beside those of its creator, and gives it as it was stored. */
  async create<T extends Name<S>>(
    type: T,
    values: New<S, T>,
    {
      acl,
      id,
      signal,
    }: { readonly acl?: Partial<Rights>; readonly id?: string; readonly signal?: AbortSignal } = {},
  ): Promise<Document<S, T>> {
    const data = { type, id, ...newData(values, acl) };
    const headers = { 'idempotency-key': requestKey() };
    const { body, etag } = await this.request('POST', pathOf(type), { body: { data }, headers, signal });
    return documentsOf(body, etag, linked(values))[0] as Document<S, T>;
  }

  /** The members of a document that `save` would send: links as links, `undefined` for what is gone. */
  changes(document: Link): Record<string, unknown> {
    return changesOf(document);
  }

  /**
   * Stores what has changed of a document since it was read, if it is still as it was: else a ConflictError has the
   * current one. With `force` it is stored in any case, and the document gets what others have changed.
   */
  async save<D extends Link>(document: D, { force = false }: { readonly force?: boolean } = {}): Promise<D> {
    const data = changedData(document);
    const state = stateOf(document);
    if (data === undefined || state === undefined) return document;
    const { type, id } = document;
    const answer = await this.#unlessChanged(document, force, (headers) =>
      this.request('PATCH', pathOf(type, id), { body: { data: { type, id, ...data } }, headers }),
    );
    const { body, etag } = answer;
    if (body.data) refresh(document, body.data as Resource, etag);
    else remember(document, merged(state.resource, data), etag);
    return document;
  }

  /** Changes a document, however it is, and gives it as it was stored: fields, and operators such as `$inc`. */
  async update<T extends Name<S>>(
    document: Target<T>,
    changes: Changes<S, T>,
  ): Promise<Document<S, T> | null> {
    const { type, id } = document;
    const { body, etag } = await this.request('PATCH', pathOfDocument(document), {
      body: { data: { type, id, ...dataOf(changes) } },
    });
    return (documentsOf(body, etag, linked(changes))[0] ?? null) as Document<S, T> | null;
  }

  /** Deletes a document; one that was read, only if it is still as it was: else a ConflictError has the current one. */
  async delete(document: Link, { force = false }: { readonly force?: boolean } = {}): Promise<void> {
    await this.#unlessChanged(document, force, (headers) =>
      this.request('DELETE', pathOfDocument(document), { headers }),
    );
  }

  /** The documents that a relationship leads to, or an inverse. */
  related<T extends Name<S>, R extends Relatable<S, T>>(
    document: Target<T>,
    name: R,
    query: RelatedQuery<S, TypeBehind<S, T, R>> = {},
  ): List<Document<S, TypeBehind<S, T, R>>> {
    return new List(this.request, pathOfDocument(document, name), '', query);
  }

  /** Adds links to a relationship. */
  link<T extends Name<S>, R extends Relationship<S, T>>(
    document: Target<T>,
    name: R,
    targets: readonly Target<TypeBehind<S, T, R>>[],
  ): Promise<void> {
    return this.#relink('POST', document, name, targets);
  }

  /** Removes links from a relationship. */
  unlink<T extends Name<S>, R extends Relationship<S, T>>(
    document: Target<T>,
    name: R,
    targets: readonly Target<TypeBehind<S, T, R>>[],
  ): Promise<void> {
    return this.#relink('DELETE', document, name, targets);
  }

  /** Who may read, change and delete a document. */
  async rights({ type, id }: Link): Promise<Rights> {
    const { body } = await this.request('GET', pathOf(`${type}.acl`, id));
    return (body.data as Resource).attributes as unknown as Rights;
  }

  /** Changes rights on a document: those that are named, each as a whole. */
  async setRights({ type, id }: Link, rights: Partial<Rights>): Promise<Rights> {
    const data = { type: `${type}.acl`, id, attributes: bareRights(rights) };
    const { body } = await this.request('PATCH', pathOf(data.type, id), { body: { data } });
    return (body.data as Resource).attributes as unknown as Rights;
  }

  /**
   * Does what is collected in one transaction, all or nothing, and gives a document (or null) for each operation. What
   * `tx.get` reads is tested with it: where that has changed meanwhile, `build` runs again, a few times.
   */
  async transaction(build: (tx: Transaction<S>) => void | Promise<void>): Promise<(AnyDocument<S> | null)[]> {
    for (let attempt = 1; ; attempt += 1) {
      const transaction = this.#newTransaction();
      await build(transaction);
      try {
        return (await this.#perform(transaction, {})).map(({ document }) => document ?? null);
      } catch (error) {
        const isStale = error instanceof ForedgeError && error.status === 412;
        if (!isStale || transaction[tests].length === 0 || attempt === ATTEMPTS) throw error;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * attempt * PAUSE));
      }
    }
  }

  /** Does of what is collected as much as can be done, and says for each operation what became of it. */
  batch(build: (tx: Transaction<S>) => void): Promise<Outcome<AnyDocument<S>>[]> {
    const transaction = this.#newTransaction();
    build(transaction);
    return this.#perform(transaction, { meta: { atomic: false } });
  }

  /** Creates a user and logs in. */
  async signUp(
    user: New<S, 'core.user'> & { readonly username: string; readonly password: string },
  ): Promise<Link> {
    await this.create('core.user' as Name<S>, user);
    return this.login(user);
  }

  /** Logs in, and gives the user's type and id. */
  login({ ...login }: Login): Promise<Link> {
    return this.#session.login(login);
  }

  /** Logs in with the token of an answer, and gives the user's type and id. */
  readonly enter = (token: Resource): Link => this.#session.enter(token);

  /** Ends the token, here and in the service. */
  logout(): Promise<void> {
    return this.#session.logout();
  }

  /** The document of the user who is logged in; null when nobody is. */
  async me(): Promise<Document<S, 'core.user' | 'core.external-user'> | null> {
    const answer = await this.#session.me({});
    return (answer && documentsOf(answer.body, answer.etag)[0]) as Document<S, 'core.user'> | null;
  }

  /** The token of the user who is logged in. */
  get token(): string | null {
    return this.#session.token;
  }

  /** The same object as long as it is the same login, however often its token is refreshed. */
  get loggedIn(): object {
    return this.#session.loggedIn;
  }

  /** Any request, with the headers, retries and errors of the others: for what has no method here. */
  readonly request = (method: string, path: string, options?: RequestOptions): Promise<Answer> =>
    this.#session.send(method, path, options);

  #newTransaction(): Transaction<S> {
    return new Transaction<S>((type, id) => this.get(type, id));
  }

  async #perform(transaction: Transaction<S>, top: object): Promise<Outcome<AnyDocument<S>>[]> {
    const { [steps]: collected, [tests]: read } = transaction;
    if (collected.length === 0) return [];
    const { body } = await this.request('POST', '/operations', {
      body: { ...top, 'atomic:operations': [...read, ...collected].map(({ operation }) => operation) },
      headers: { 'idempotency-key': requestKey() },
      extension: 'https://jsonapi.org/ext/atomic',
    });
    const results = body['atomic:results']?.slice(read.length) ?? [];
    return collected.map((step, index) => outcomeOf(step, results[index] ?? {}) as Outcome<AnyDocument<S>>);
  }

  async #unlessChanged(
    document: Link,
    force: boolean,
    send: (headers: { readonly 'if-match': string | undefined }) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      return await send({ 'if-match': force ? undefined : stateOf(document)?.etag });
    } catch (error) {
      if (!(error instanceof ForedgeError && error.status === 412)) throw error;
      throw new ConflictError(error, await this.get(document.type as Name<S>, document.id).catch(() => null));
    }
  }

  /**
   * Changes links. A document that is as it was read knows what it is now; one that others have changed meanwhile keeps
   * the tag of what was read, so that saving it tells the conflict.
   */
  async #relink(
    method: 'POST' | 'DELETE',
    document: Link,
    name: string,
    targets: readonly Link[],
  ): Promise<void> {
    const path = pathOfDocument(document, 'relationships', name);
    const send = (etag: string | undefined) =>
      this.request(method, path, {
        body: { data: linksOf(targets) },
        headers: { 'if-match': etag, ...(method === 'POST' && { 'idempotency-key': requestKey() }) },
      });
    const etag = stateOf(document)?.etag;
    let answer: Answer;
    let known = etag;
    try {
      answer = await send(etag);
      known = answer.etag;
    } catch (error) {
      if (etag === undefined || !(error instanceof ForedgeError && error.status === 412)) throw error;
      answer = await send(undefined);
    }
    if (answer.body.data !== undefined) relink(document, name, answer.body.data, known, targets);
  }
}
