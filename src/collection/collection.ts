/**
 * The Durable Object of one document type of one application: its RPC surface. It decides everything that must be
 * decided together with the data (versions, preconditions, rights, existence) and never sees HTTP.
 */
import { DurableObject } from 'cloudflare:workers';
import type { CollectionName } from '../domain/documents.ts';
import { ok, type Outcome } from '../domain/problems.ts';
import type { AclLevel, Grant, Right, Viewer } from '../domain/rights.ts';
import { neverThere, NONE_READ, NOTHING_FOUND } from './rpc/absence.ts';
import { admit, admitTrusted, versionFor } from './storage/admission.ts';
import { notEven, Undone, writeAll } from './write/batch.ts';
import type { Environment } from './rpc/environment.ts';
import { LookupWriter } from './write/lookups.ts';
import { Memory } from './storage/answer-cache.ts';
import { collectionOf } from './rpc/client.ts';
import { packList, unpackRead, type PackedList, type PackedRead } from './rpc/packing.ts';
import { onItsWay, Pace } from './search/pace.ts';
import { Reads } from './reads.ts';
import { Registration } from './write/registration.ts';
import type {
  AclReadResult,
  AclResult,
  DeleteResult,
  ListRequest,
  ReadManyRequest,
  ReadManyResult,
  WriteResult,
} from './rpc/results.ts';
import { isMany } from './storage/rights.ts';
import { hasRoom } from './rpc/room.ts';
import { inTime, SCHEMA_TYPE, SchemaPushes } from './write/pushes.ts';
import { Searches } from './searches.ts';
import { pause } from './storage/steps.ts';
import { Transactor } from './write/transactor.ts';
import { Writes } from './write/writes.ts';
import { forbidden } from './rpc/refusals.ts';
import type { Precondition } from './rpc/precondition.ts';
import type { AggregateRequest, OutputPage } from './rpc/aggregates.ts';
import type { WriteListResult, WriteList, Change, Draft } from './rpc/operations.ts';
import { lookupKey, type Lookup } from './rpc/lookup.ts';
import type { StoredDocument } from './rpc/content.ts';
import type { PushedSchema, CollectionObject } from './rpc/contract.ts';

/** Types whose documents have copies in KV for look-ups. */
const PUBLISHED_TYPES: ReadonlySet<string> = new Set(['core.api-key']);

/** Milliseconds after which a push that did not arrive is tried again. */
const PUSH_AGAIN = 2_000;

export class Collection extends DurableObject<Environment> implements CollectionObject {
  readonly #tables: Transactor;
  readonly #lookups: LookupWriter;
  readonly #pushes: SchemaPushes;
  readonly #reads: Reads;
  readonly #registration: Registration;
  readonly #searches: Searches;
  readonly #writes: Writes;
  readonly #pace = new Pace();

  constructor(state: DurableObjectState, env: Environment) {
    super(state, env);
    const { sql } = state.storage;
    this.#tables = new Transactor(sql);
    const memory = new Memory();
    this.#reads = new Reads(this.#tables, memory);
    this.#searches = new Searches(state.storage, this.#tables, memory, () => hasRoom(env));
    this.#writes = new Writes(state.storage, this.#tables, memory);
    this.#registration = new Registration(env, this.#writes, state.id.name);
    this.#lookups = new LookupWriter(env.LOOKUPS);
    this.#pushes = new SchemaPushes(sql, this.#tables.records);
  }

  /** To be unpacked by `unpackRead`. */
  read(id: string, viewer: Viewer): PackedRead | Promise<PackedRead> {
    return this.#told(() => this.#inForce(() => this.#readNow(id, viewer)), neverThere(viewer));
  }

  #readNow(id: string, viewer: Viewer): PackedRead {
    return this.#writes.hasTables ? this.#reads.read(id, viewer) : neverThere(viewer);
  }

  /** The documents among those asked for that there are and that the viewer may read. */
  readMany(request: ReadManyRequest): ReadManyResult | Promise<ReadManyResult> {
    return this.#told(async () => {
      await this.#inForce(() => null);
      return isMany(request.viewer)
        ? this.#reads.readManyInSteps(request, pause)
        : this.#reads.readMany(request);
    }, NONE_READ);
  }

  /** Those of `ids` that no document has. */
  missing(ids: readonly string[]): readonly string[] | Promise<readonly string[]> {
    return this.#told(() => this.#reads.missing(ids), ids);
  }

  readAcl(id: string, viewer: Viewer): AclReadResult | Promise<AclReadResult> {
    return this.#told(() => this.#reads.readAcl(id, viewer), neverThere(viewer));
  }

  /** The document that has a unique value. */
  findUnique(name: string, value: string): Promise<StoredDocument | null> | StoredDocument | null {
    return this.#told(() => this.#reads.findUnique(name, value), null);
  }

  /** The groups that hold an identity. */
  groupsOf(identity: string): readonly string[] | Promise<readonly string[]> {
    return this.#told(() => this.#reads.groupsOf(identity), []);
  }

  /** Whether a token of a holder in a version still stands. */
  vouches(id: string, version: number, token: string): boolean | Promise<boolean> {
    return this.#told(() => this.#reads.vouches(id, version, token), false);
  }

  /** Of the registry of types: whether it has one. */
  hasType(type: string): boolean {
    return this.#registration.has(type, (name, value) => this.#reads.findUnique(name, value));
  }

  /** One page of the documents that match, and how many match in all, to be unpacked by `unpackList`. */
  list(name: CollectionName, request: ListRequest): PackedList | Promise<PackedList> {
    return this.#told(
      async () => {
        await this.#inForce(() => null);
        return onItsWay(this.#pace, async (passage) =>
          packList(await this.#searches.list(name.type, request, passage)),
        );
      },
      packList(ok(NOTHING_FOUND)),
    );
  }

  /** To be called by whoever has taken a large page of a list, that is, has answered with it. */
  taken(): void | Promise<void> {
    this.#pace.taken();
  }

  /** What a pipeline makes of the documents that the viewer may read. */
  async aggregate(name: CollectionName, request: AggregateRequest): Promise<Outcome<OutputPage>> {
    await this.#sure();
    return this.#writes.hasTables
      ? this.#searches.aggregate(name.type, request)
      : this.#searches.aggregateOfNothing(name.type, request);
  }

  /** Whether a write of the document may go on: the checks that come before its content is looked at. */
  async admits(id: string, right: Right, precondition: Precondition): Promise<Outcome<null>> {
    await this.#sure();
    const document = this.#writes.hasTables
      ? admit(this.#tables, id, right, precondition, versionFor(right))
      : precondition.viewer === null
        ? admitTrusted(undefined, id, precondition.ifMatch)
        : forbidden();
    return document.ok ? ok(null) : document;
  }

  async create(name: CollectionName, draft: Draft): Promise<WriteResult> {
    return this.#createBy(name, draft, () => this.#tables.create(name.type, draft, secondsNow()));
  }

  /** The document that has the draft's unique value; made now if there is none. */
  async findOrCreate(name: CollectionName, draft: Draft): Promise<WriteResult> {
    return this.#createBy(name, draft, () => this.#tables.findOrCreate(name.type, draft, secondsNow()));
  }

  /** `overlay`: attributes as sent, where they are stored in another form. */
  async update(
    name: CollectionName,
    id: string,
    change: Change,
    precondition: Precondition,
    overlay: string | null = null,
  ): Promise<WriteResult> {
    const units = change.kind === 'merge' ? change.content.body.length : 0;
    return this.#changed(name, id, units, () =>
      this.#tables.update(name.type, id, change, precondition, overlay),
    );
  }

  async remove(name: CollectionName, id: string, precondition: Precondition): Promise<DeleteResult> {
    return this.#changed(name, id, 0, () => this.#tables.remove(name.type, id, precondition));
  }

  /** Does a list of writes, all or nothing. For types that are neither published nor pushed. */
  async writeList(name: CollectionName, list: WriteList): Promise<WriteListResult> {
    if (list.operations.some(({ kind }) => kind === 'add')) {
      const registered = await this.#ready(name);
      if (!registered.ok) return notEven(registered.problems);
    }
    await this.#sure();
    try {
      const written = this.#writes.alone(() => ok(writeAll(this.#tables, name.type, list, secondsNow())));
      return written.ok ? { ok: true, done: written.value } : notEven(written.problems);
    } catch (error) {
      if (error instanceof Undone) return { ok: false, failure: error.failure };
      throw error;
    }
  }

  async updateAcl(
    id: string,
    level: AclLevel,
    grants: Readonly<Record<string, Grant>>,
    precondition: Precondition,
  ): Promise<AclResult> {
    await this.#sure();
    return this.#writes.write(0, () => this.#tables.updateAcl(id, level, grants, precondition));
  }

  /** Ends one token of a holder; `until` is when it would have ended by itself, in seconds. */
  async endToken(token: string, until: number): Promise<Outcome<null>> {
    await this.#sure();
    return this.#writes.write(0, () => this.#tables.endToken(token, until, secondsNow()));
  }

  /** The copy of a document for look-ups, as it now is. For published types only. */
  current(id: string): Lookup {
    return this.#copyOf(id);
  }

  /** The same, written to KV on the way. */
  async lookUp(name: CollectionName, id: string): Promise<Lookup> {
    await this.#sure();
    // Nothing is written for what never was, or genuine-looking ids would fill KV.
    if (unpackRead(this.#readNow(id, null)).state === 'absent') return { state: 'gone' };
    return this.#publish(name, id).catch(() => this.#copyOf(id));
  }

  /** Puts schemas into force for every write from now on. `number` orders pushes: an older one changes nothing. */
  async setSchemas(name: CollectionName, number: number, schemas: readonly PushedSchema[]): Promise<void> {
    const registered = await this.#ready(name);
    if (!registered.ok) return;
    this.#writes.alone(() => {
      this.#tables.schemas.replace(number, schemas);
      return ok(null);
    });
  }

  /** What goes on in the background: pushes that a crash left undone, and the building of indexes. */
  override async alarm(): Promise<void> {
    await this.#pushSchemas();
    if (this.#writes.hasTables) await this.#searches.alarm();
  }

  /** Refuses every later write, for good. */
  seal(): void {
    this.#writes.seal();
  }

  /** Deletes everything, and refuses every later write. Gives the ids whose look-ups it ended. May be repeated. */
  async erase(name: CollectionName): Promise<readonly string[]> {
    const published = PUBLISHED_TYPES.has(name.type) && this.#writes.hasTables;
    const ids = published ? this.#tables.records.ids() : [];
    this.seal();
    // Look-ups end before the documents: a deletion cut short must find again what it has to end.
    for (const id of ids) await this.#publish(name, id);
    await this.#writes.erase();
    return ids;
  }

  async #createBy(name: CollectionName, draft: Draft, work: () => WriteResult): Promise<WriteResult> {
    const registered = await this.#ready(name);
    if (!registered.ok) return registered;
    const created = await this.#writes.write(draft.content.body.length, () => {
      const result = work();
      if (result.ok && name.type === SCHEMA_TYPE) this.#pushes.note(name.application, result.value.document);
      return result;
    });
    if (created.ok && PUBLISHED_TYPES.has(name.type)) {
      // Where KV does not take the copy there is none, and whoever looks for it asks here.
      await this.#publish(name, created.value.document.id).catch(() => undefined);
    }
    if (created.ok && name.type === SCHEMA_TYPE) await this.#pushSchemas();
    return created;
  }

  /** Does a change of a document, and of its copy for look-ups if its type has such copies. */
  async #changed<T>(
    name: CollectionName,
    id: string,
    units: number,
    change: () => Outcome<T>,
  ): Promise<Outcome<T>> {
    await this.#sure();
    const alone = () => this.#writes.alone(change);
    if (name.type === SCHEMA_TYPE) return this.#pushed(name, id, alone);
    if (!PUBLISHED_TYPES.has(name.type)) return this.#writes.write(units, change);
    return this.#lookups.around(lookupKey(name.application, name.type, id), alone, () => this.#copyOf(id));
  }

  /** Does a change of a schema, and answers when the collections it is and was for know of it. */
  async #pushed<T>(name: CollectionName, id: string, change: () => T): Promise<T> {
    const result = this.ctx.storage.transactionSync(() => {
      this.#notePush(name, id);
      const changed = change();
      this.#notePush(name, id);
      return changed;
    });
    await this.#pushSchemas();
    return result;
  }

  #notePush({ application }: CollectionName, id: string): void {
    const schema = this.#writes.hasTables ? this.#tables.records.find(id) : undefined;
    if (schema !== undefined) this.#pushes.note(application, schema);
  }

  /** Does a read when every schema that it might show is in force: at once, but for schemas that are being pushed. */
  #inForce<T>(read: () => T): T | Promise<T> {
    if (!this.#writes.hasTables || !this.#pushes.pending) return read();
    return inTime(this.#pushSchemas()).then(read);
  }

  async #pushSchemas(): Promise<void> {
    if (!this.#writes.hasTables || !this.#pushes.pending) return;
    // Should we die before all has arrived, the alarm takes it up.
    await this.ctx.storage.setAlarm(Date.now() + PUSH_AGAIN);
    await this.#pushes.push(({ application, type }, number, schemas) =>
      collectionOf({ environment: this.env, application }, type).setSchemas(number, schemas),
    );
  }

  #publish(name: CollectionName, id: string): Promise<Lookup> {
    return this.#lookups.write(lookupKey(name.application, name.type, id), () => this.#copyOf(id));
  }

  #copyOf(id: string): Lookup {
    if (this.#writes.sealed) return { state: 'gone' };
    const read = unpackRead(this.#readNow(id, null));
    return read.state === 'found' ? { state: 'current', body: read.document.body } : { state: 'gone' };
  }

  /** What the tables tell or, where there are none, what is told of a type that nothing was ever written of. */
  #told<T>(present: () => T | Promise<T>, absent: T): T | Promise<T> {
    if (this.#writes.hasTables) return present();
    return this.#sure().then(() => (this.#writes.hasTables ? present() : absent));
  }

  async #sure(): Promise<void> {
    if (!this.#writes.hasTables) await this.#registration.neverStored();
  }

  async #ready(name: CollectionName): Promise<Outcome<unknown>> {
    return this.#writes.registered ? ok(null) : this.#registration.ready(name);
  }
}

function secondsNow(): number {
  return Math.floor(Date.now() / 1000);
}
