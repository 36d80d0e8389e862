/**
 * The Durable Object of one document type of one application: its RPC surface and its transactions. It decides
 * everything that must be decided together with the data (versions, preconditions, existence) and never sees HTTP.
 */
import { DurableObject } from 'cloudflare:workers';
import type { CollectionName } from '../domain/documents.ts';
import { fail, ok, type Outcome } from '../domain/problems.ts';
import { applyChange, packContent, withinSize, type Change, type StoredContent } from './change.ts';
import type { Environment } from './environment.ts';
import { nextId } from './ids.ts';
import { lookupKey, LookupWriter, type Lookup } from './lookups.ts';
import { hasTables, migrate } from './migrations.ts';
import { holds, type IfMatch } from './precondition.ts';
import { Writer, type Reader, type StoredDocument } from './records.ts';
import type {
  DeleteResult,
  ListRequest,
  ListResult,
  ReadManyResult,
  ReadResult,
  WriteResult,
} from './results.ts';
import { Search } from './search.ts';
import { pause } from './steps.ts';
import { WordIndex } from './words.ts';

/** The type whose documents name the types of an application, so that deleting it finds everything. */
export const TYPE_REGISTRY = 'core.type';

/** The application that holds the operator's own documents: those of type `core.application`. */
export const SYSTEM_APPLICATION = 'system';

/** Types whose documents have copies in KV for look-ups. */
const PUBLISHED_TYPES: ReadonlySet<string> = new Set(['core.api-key']);

const SEALED = 'sealed';

export class Collection extends DurableObject<Environment> {
  readonly #sql: SqlStorage;
  readonly #records: Writer;
  readonly #lookups: LookupWriter;
  readonly #words: WordIndex;
  /** False until the first write: before it, there are no tables. */
  #hasTables: boolean;
  #sealed: boolean;

  constructor(state: DurableObjectState, env: Environment) {
    super(state, env);
    this.#sql = state.storage.sql;
    this.#records = new Writer(this.#sql);
    this.#lookups = new LookupWriter(env.LOOKUPS);
    this.#words = new WordIndex(this.#sql);
    this.#sealed = state.storage.kv.get(SEALED) === true;
    this.#hasTables = hasTables(this.#sql);
    if (this.#hasTables)
      state.storage.transactionSync(() => {
        migrate(this.#sql);
        this.#words.load();
      });
  }

  read(id: string): ReadResult {
    const records = this.#reader();
    if (records === null) return { state: 'absent', counter: 0 };
    const counter = records.counter();
    const document = records.find(id);
    if (document !== undefined) return { state: 'found', counter, document };
    const version = records.deletion(id);
    return version === undefined ? { state: 'absent', counter } : { state: 'deleted', counter, version };
  }

  /** The documents among `ids`, at most `limit` of them and `bytes` of bodies. */
  readMany(ids: readonly string[], limit: number, bytes: number): ReadManyResult {
    const records = this.#reader();
    if (records === null) return { counter: 0, documents: [], lastDeletion: 0, complete: true };
    const documents: StoredDocument[] = [];
    let size = 0;
    for (const document of records.among(ids)) {
      size += document.body.length;
      if (documents.length === limit || size > bytes) {
        return { counter: records.counter(), documents, lastDeletion: 0, complete: false };
      }
      documents.push(document);
    }
    return { counter: records.counter(), documents, lastDeletion: records.lastDeletion(ids), complete: true };
  }

  /** Those of `ids` that no document has. */
  missing(ids: readonly string[]): readonly string[] {
    const existing = this.#reader()?.existing(ids);
    return existing === undefined ? ids : ids.filter((id) => !existing.has(id));
  }

  /** One page of the documents that match, and how many match in all. */
  async list(name: CollectionName, request: ListRequest): Promise<Outcome<ListResult>> {
    const records = this.#reader();
    if (records === null) return ok({ counter: 0, total: 0, documents: [], next: null });
    const search = new Search(records, name.type, request);
    if (search.needsWords) {
      await this.#words.ensure(
        records,
        (step) => {
          this.ctx.storage.transactionSync(step);
        },
        pause,
      );
    }
    return search.run(pause);
  }

  /** Whether a write of the document may go on: the checks that come before its content is looked at. */
  admits(id: string, ifMatch: IfMatch): Outcome<null> {
    const document = admit(this.#reader()?.find(id), id, ifMatch);
    return document.ok ? ok(null) : document;
  }

  async create(name: CollectionName, content: StoredContent): Promise<WriteResult> {
    const fits = withinSize(content);
    if (!fits.ok) return fits;
    if (!this.#hasTables) {
      const registered = await this.#register(name);
      if (!registered.ok) return registered;
    }
    const created = this.#write((records): WriteResult => {
      const random = crypto.getRandomValues(new BigUint64Array(1));
      const id = nextId(records.lastId(), Math.floor(Date.now() / 1000), random);
      const document = { id, version: records.nextVersion(), ...content };
      this.#words.put(records.insert(document), document, true);
      return ok(document);
    });
    if (created.ok && PUBLISHED_TYPES.has(name.type)) await this.#publish(name, created.value.id);
    return created;
  }

  async update(name: CollectionName, id: string, change: Change, ifMatch: IfMatch): Promise<WriteResult> {
    return this.#published(name, id, () =>
      this.#write((records): WriteResult => {
        const before = admit(records.find(id), id, ifMatch);
        if (!before.ok) return before;
        const after = applyChange(before.value, change);
        if (!after.ok) return after;
        const document = { id, version: records.nextVersion(), ...after.value };
        this.#words.put(records.replace(document), document, false);
        return ok(document);
      }),
    );
  }

  async remove(name: CollectionName, id: string, ifMatch: IfMatch): Promise<DeleteResult> {
    return this.#published(name, id, () =>
      this.#write((records): DeleteResult => {
        const before = admit(records.find(id), id, ifMatch);
        if (!before.ok) return before;
        const version = records.nextVersion();
        this.#words.remove(records.remove(id, version));
        return ok(version);
      }),
    );
  }

  /** The copy of a document for look-ups, written to KV on the way. For published types only. */
  async lookUp(name: CollectionName, id: string): Promise<Lookup> {
    // Nothing is written for what never was, or genuine-looking ids would fill KV.
    return this.read(id).state === 'absent' ? { state: 'gone' } : this.#publish(name, id);
  }

  /** Refuses every later write, for good. */
  seal(): void {
    this.ctx.storage.kv.put(SEALED, true);
    this.#sealed = true;
  }

  /** Deletes everything, and refuses every later write. May be repeated. */
  async erase(name: CollectionName): Promise<void> {
    const ids = PUBLISHED_TYPES.has(name.type) ? (this.#reader()?.ids() ?? []) : [];
    this.seal();
    this.#hasTables = false;
    await this.ctx.storage.deleteAll();
    this.seal();
    for (const id of ids) await this.#publish(name, id);
  }

  /** Records to read, or null when there were never any. */
  #reader(): Reader | null {
    return this.#hasTables ? this.#records : null;
  }

  #write<T>(work: (records: Writer) => Outcome<T>): Outcome<T> {
    if (this.#sealed)
      return fail('invalid-api-key', 'The application was deleted.', { header: 'application-id' });
    const result = this.ctx.storage.transactionSync(() => {
      if (!this.#hasTables) migrate(this.#sql);
      return work(this.#records);
    });
    this.#hasTables = true;
    return result;
  }

  /** Does a change of a document, and of its copy for look-ups if its type has such copies. */
  async #published<T>(name: CollectionName, id: string, change: () => T): Promise<T> {
    if (!PUBLISHED_TYPES.has(name.type)) return change();
    return this.#lookups.around(lookupKey(name.application, name.type, id), change, () => this.#copyOf(id));
  }

  #publish(name: CollectionName, id: string): Promise<Lookup> {
    return this.#lookups.write(lookupKey(name.application, name.type, id), () => this.#copyOf(id));
  }

  #copyOf(id: string): Lookup {
    const read = this.read(id);
    return read.state === 'found' ? { state: 'current', body: read.document.body } : { state: 'gone' };
  }

  /** Tells the application of its new type before anything of it is stored. */
  async #register({ application, type }: CollectionName): Promise<Outcome<unknown>> {
    if (type === TYPE_REGISTRY || application === SYSTEM_APPLICATION) return ok(null);
    const registry = { application, type: TYPE_REGISTRY };
    const content = packContent({ attributes: { name: type }, relationships: {} });
    return stubOf(this.env.COLLECTIONS, registry).create(registry, content);
  }
}

/** The object of a collection. */
export function stubOf(collections: Environment['COLLECTIONS'], { application, type }: CollectionName) {
  return collections.get(collections.idFromName(`${application}/${type}`));
}

/** The current document, if there is one and the precondition holds (RFC 9110, section 13.1.1). */
function admit(document: StoredDocument | undefined, id: string, ifMatch: IfMatch): Outcome<StoredDocument> {
  if (!holds(ifMatch, document?.version)) {
    return fail('precondition-failed', 'The document is not as the If-Match header says.', {
      header: 'If-Match',
    });
  }
  return document === undefined ? fail('document-not-found', `There is no document ${id}.`) : ok(document);
}
