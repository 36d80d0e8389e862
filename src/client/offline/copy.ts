/** A copy of a type's documents that a filter finds: read at once, with waiting changes, and followed by the feed. */
import type { Database } from '../database.ts';
import { Listing, isOfMark } from '../live/listing.ts';
import { documentsOf, ForedgeError, parametersOf } from '../index.ts';
import { orderOf } from '../live/order.ts';
import { pathOf } from '../paths.ts';
import { changedBy, type Change } from './pending.ts';
import { encodeQuery, type RawQuery } from '../query.ts';
import type { Hearing, Signal } from '../live/signal.ts';
import type { StoredDocument, Storage, Tables } from './storage.ts';
import type { Link, Resource } from '../transport.ts';

/** Documents that one request brings. */
const PAGE = 1000;

interface Source {
  readonly request: Database<unknown>['request'];
  readonly storage: Storage;
  readonly signalOf: (type: string, query: RawQuery, hearing: Hearing) => Signal;
  readonly hearing: Hearing;
}

export interface CopyOptions<D> {
  /** Whether a document that was created or changed here, and is not sent yet, belongs to the list. */
  readonly matches?: ((document: D) => boolean) | undefined;
}

interface Shown extends Pick<StoredDocument, 'resource'> {
  readonly document: Link;
  readonly etag: string | undefined;
}

export class Copy<D extends Link> extends Listing<D> {
  readonly type: string;
  /** What tells it from others. */
  readonly name: string;
  /** Whether there may be something new. */
  stale = true;
  readonly #source: Source;
  readonly #signal: Signal;
  readonly #parameters: Readonly<Record<string, string>>;
  readonly #matches: ((document: D) => boolean) | undefined;
  #documents = new Map<string, Shown>();
  #isClosed = false;

  constructor(source: Source, type: string, { sort, ...query }: RawQuery, { matches }: CopyOptions<D>) {
    super(orderOf(sort));
    this.type = type;
    this.#source = source;
    this.#matches = matches;
    this.#parameters = parametersOf(type, query);
    this.name = nameOf(type, query);
    this.#signal = source.signalOf(type, query, {
      onNews: () => {
        this.stale = true;
        source.hearing.onNews();
      },
      onLost: source.hearing.onLost,
    });
  }

  /** Whether news are told. */
  get isPushed(): boolean {
    return this.#signal.isOpen;
  }

  wake(): void {
    this.stale = true;
    this.#signal.wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#signal.close();
  }

  /** Reads what is kept. */
  async load(tables: Tables): Promise<void> {
    const stored = await tables.documents('copy', this.name);
    // What has not changed stays the same object.
    this.#documents = new Map(stored.map((row) => [row.id, this.#shownOf(row)]));
  }

  /** Shows what was read, with the changes that wait. */
  show(changes: readonly Change[]): void {
    const documents = new Map(Array.from(this.#documents, ([id, { document }]) => [id, document as D]));
    const resources = new Map(Array.from(this.#documents, ([id, { resource }]) => [id, resource]));
    for (const change of changes) if (change.type === this.type) this.#apply(documents, resources, change);
    this.notify(documents);
  }

  /** Brings the copy up to date. */
  async pull(): Promise<void> {
    this.stale = false;
    try {
      const mark = await this.#source.storage.read((tables) => tables.get('marks', this.name));
      const last = await this.#pullFrom(mark?.mark).catch((error: unknown) => {
        if (mark === undefined || !isOfMark(error)) throw error;
        return this.#pullFrom(undefined);
      });
      if (!this.#isClosed) this.#signal.open(last);
    } catch (error) {
      this.stale = true;
      throw error;
    }
  }

  /** Reads the feed to its end; from its beginning, what does not come is gone. */
  async #pullFrom(from: string | undefined): Promise<string> {
    const { request, storage } = this.#source;
    const copy = this.name;
    const seen = new Set<string>();
    let since = from;
    for (;;) {
      const query = encodeQuery({
        ...this.#parameters,
        'page[size]': PAGE,
        ...(since !== undefined && { 'changes[since]': since }),
      });
      const { body, etag, status } = await request('GET', pathOf(this.type, 'changes'), { query });
      const { mark, deleted = [] } = body.meta ?? {};
      if (mark === undefined) throw new ForedgeError(status, []);
      const more = Boolean(body.links?.next);
      await storage.write(async (tables) => {
        const at = 1 + Math.max(0, ...(await tables.all('marks')).map((each) => each.at ?? 0));
        for (const resource of (body.data ?? []) as readonly Resource[]) {
          seen.add(resource.id);
          tables.put('documents', { copy, id: resource.id, resource, etag, at });
        }
        for (const { id } of deleted) tables.delete('documents', [copy, id]);
        // A beginning that is cut off begins again: else what is gone would stay.
        if (from !== undefined || !more) tables.put('marks', { copy, mark, at });
        if (from !== undefined || more) return;
        for (const { id } of await tables.documents('copy', copy)) {
          if (!seen.has(id)) tables.delete('documents', [copy, id]);
        }
      });
      since = mark;
      if (!more) return mark;
    }
  }

  #shownOf({ id, resource, etag }: StoredDocument): Shown {
    const known = this.#documents.get(id);
    return known !== undefined && known.etag === etag
      ? known
      : { document: documentOf(resource, etag), resource, etag };
  }

  #apply(
    documents: Map<string, D>,
    resources: Map<string, Resource>,
    { kind, id, type, said, base, done }: Change,
  ): void {
    if (kind === 'delete') {
      documents.delete(id);
      return;
    }
    const isHere = documents.has(id);
    // Another copy, which it was made on top of, may have other fields.
    const before = resources.get(id) ?? base.resource;
    const resource = done === undefined ? changedBy({ type, id, said }, before) : done.resource;
    if (resource === null) return;
    resources.set(id, resource);
    const document = documentOf(resource, done?.etag ?? base.etag) as D;
    const belongs = this.#matches?.(document) ?? (isHere || kind === 'create');
    if (belongs) documents.set(id, document);
    else documents.delete(id);
  }
}

/** The name of a copy: another type, filter or choice of fields is another copy. */
export const nameOf = (type: string, { filter, fields }: RawQuery): string =>
  `${type}?${encodeQuery(parametersOf(type, { filter, fields }))}`;

export const documentOf = (resource: Resource, etag: string | undefined): Link =>
  documentsOf({ data: resource }, etag)[0] as Link;
