/**
 * What an isolate knows of documents that have copies in KV (API keys, applications): from its own memory, from KV, or
 * from the document's collection.
 */
import { collectionOf, type CollectionClient } from '../collection/rpc/client.ts';
import type { Environment } from '../collection/rpc/environment.ts';
import { LOOKUP_TTL, lookupKey, type Lookup } from '../collection/rpc/maintenance/lookup.ts';
import { Lru } from '../domain/caching/lru.ts';
import type { ApplicationId, DocumentId } from '../domain/ids.ts';
import type { TypeName } from '../domain/types.ts';

/**
 * How long an isolate caches a document, in milliseconds. Together with the seconds for which an edge location may keep
 * its copy (LOOKUP_TTL), this is within the 60 seconds that a change of permissions may take (decisions, section 4).
 */
const BELIEVED = 30_000;

/** A document, by its application and id. */
export interface Looked {
  readonly application: ApplicationId;
  readonly id: DocumentId;
}

interface Known<T> {
  /** Null for a deleted document. */
  readonly value: T | null;
  readonly until: number;
  /** The number of the call to the collection whose answer this is; 0 for a copy in KV. */
  readonly question: number;
}

/** Per isolate; only what genuine credentials name gets here, so forged ones cannot fill it. */
export class Lookups<T extends object> {
  readonly #type: TypeName;
  readonly #open: (looked: Looked, body: string, former: T | null) => T;
  readonly #known = new Lru<string, Known<T>>(10_000);
  /** The number of calls so far: the answer to an earlier call never replaces that of a later one. */
  #questions = 0;

  /** `open` reads a document's stored body; `former` is what was known of it before. */
  constructor(type: TypeName, open: (looked: Looked, body: string, former: T | null) => T) {
    this.#type = type;
    this.#open = open;
  }

  /** What is known here and now, without a call; undefined where nothing is. */
  recall(looked: Looked): T | null | undefined {
    return this.#recall(looked)?.value;
  }

  async find(environment: Environment, looked: Looked): Promise<T | null> {
    const believed = this.#recall(looked);
    if (believed !== undefined) return believed.value;
    // If KV fails, the collection is asked, as if KV had no copy.
    const copy = await environment.LOOKUPS.get<Lookup>(lookupKey(looked.application, this.#type, looked.id), {
      type: 'json',
      cacheTtl: LOOKUP_TTL,
    }).catch(() => null);
    if (copy === null || copy.state === 'changing') {
      return this.#learn(environment, looked, BELIEVED, (collection) => collection.calls.lookUp(looked.id));
    }
    const value = this.#read(looked, copy);
    this.#remember(looked, { value, until: Date.now() + BELIEVED, question: 0 });
    return value;
  }

  /**
   * To be called after a document was changed or deleted: the next request here uses the change. The answer of the
   * collection is cached until the location's copy in KV cannot be older than the change.
   */
  async refresh(environment: Environment, looked: Looked): Promise<void> {
    // A copy is on its way.
    const read = (collection: CollectionClient) => collection.calls.current(looked.id);
    await this.#learn(environment, looked, BELIEVED + LOOKUP_TTL * 1000, read);
  }

  /** Asks the document's collection, and caches the answer for a number of milliseconds. */
  async #learn(
    environment: Environment,
    looked: Looked,
    milliseconds: number,
    ask: (collection: CollectionClient) => Promise<Lookup>,
  ): Promise<T | null> {
    this.#questions += 1;
    const question = this.#questions;
    const collection = collectionOf({ environment, application: looked.application }, this.#type);
    const value = this.#read(looked, await ask(collection));
    this.#remember(looked, { value, until: Date.now() + milliseconds, question });
    return value;
  }

  /** The cached state of a document, if it is still valid. */
  #recall(looked: Looked): Known<T> | undefined {
    const found = this.#known.get(keyOf(looked));
    return found !== undefined && found.until > Date.now() ? found : undefined;
  }

  #remember(looked: Looked, found: Known<T>): void {
    const believed = this.#recall(looked);
    if (believed === undefined || believed.question <= found.question) {
      this.#known.set(keyOf(looked), found);
    }
  }

  #read(looked: Looked, copy: Lookup): T | null {
    if (copy.state !== 'current') return null;
    const former = this.#known.get(keyOf(looked))?.value ?? null;
    return this.#open(looked, copy.body, former);
  }
}

function keyOf({ application, id }: Looked): string {
  return `${application}/${id}`;
}
