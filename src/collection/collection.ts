/**
 * The Durable Object of one document type of one application: its RPC surface. It decides everything that must be
 * decided together with the data (versions, preconditions, rights, existence) and never sees HTTP.
 */
import { DurableObject } from 'cloudflare:workers';
import type { CollectionName } from '../domain/documents.ts';
import { ok, type Outcome } from '../domain/problems.ts';
import type { AclLevel, Grant, Right, Viewer } from '../domain/rights.ts';
import { factsOf } from '../domain/types.ts';
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
import { inTime, SchemaPushes } from './write/pushes.ts';
import { Searches } from './searches.ts';
import { pause } from './storage/steps.ts';
import { Transactor } from './write/transactor.ts';
import { Writes } from './write/writes.ts';
import { forbidden } from './rpc/refusals.ts';
import type { Precondition } from './rpc/precondition.ts';
import type { AggregateRequest, OutputPage } from './rpc/aggregates.ts';
import {
  unitsOfChange,
  type Change,
  type Draft,
  type WriteList,
  type WriteListResult,
} from './rpc/operations.ts';
import { lookupKey, type Lookup } from './rpc/lookup.ts';
import type { StoredDocument } from './rpc/content.ts';
import type { PushedSchema, CollectionObject } from './rpc/contract.ts';

/** Milliseconds after which a failed push is tried again. */
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

  /** The requested documents that exist and that the viewer may read. */
  readMany(request: ReadManyRequest): ReadManyResult | Promise<ReadManyResult> {
    return this.#told(async () => {
      await this.#inForce(() => null);
      return isMany(request.viewer)
        ? this.#reads.readManyInSteps(request, pause)
        : this.#reads.readMany(request);
    }, NONE_READ);
  }

  /** The ids in `ids` that no document has. */
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

  /** Whether a token, made for a version of its holder, is still valid. */
  vouches(id: string, version: number, token: string): boolean | Promise<boolean> {
    return this.#told(() => this.#reads.vouches(id, version, token), false);
  }

  /** Asked of the registry of types: whether it contains a type. */
  hasType(type: string): boolean {
    return this.#registration.has(type, (name, value) => this.#reads.findUnique(name, value));
  }

  /** One page of the matching documents, and their total number, to be unpacked by `unpackList`. */
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

  /** A caller that has received a large page of a list calls this after it has answered with it. */
  taken(): void | Promise<void> {
    this.#pace.taken();
  }

  /** The outputs of a pipeline over the documents that the viewer may read. */
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

  /** The document that has the draft's unique value; created if there is none. */
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
    const units = unitsOfChange(change);
    return this.#changed(name, id, units, () =>
      this.#tables.update(name.type, id, change, precondition, overlay),
    );
  }

  async remove(name: CollectionName, id: string, precondition: Precondition): Promise<DeleteResult> {
    return this.#changed(name, id, 0, () => this.#tables.remove(name.type, id, precondition));
  }

  /** Performs a list of writes, all or none. Only for types that are neither published nor pushed. */
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

  /** The current copy of a document for lookups. Only for published types. */
  current(id: string): Lookup {
    return this.#copyOf(id);
  }

  /** Makes the same copy, and writes it to KV. */
  async lookUp(name: CollectionName, id: string): Promise<Lookup> {
    await this.#sure();
    // Ids that never existed get no copy, or well-formed ids would fill KV.
    if (unpackRead(this.#readNow(id, null)).state === 'absent') return { state: 'gone' };
    return this.#publish(name, id).catch(() => this.#copyOf(id));
  }

  /** Applies schemas to every write from now on. `number` orders pushes: an older push changes nothing. */
  async setSchemas(name: CollectionName, number: number, schemas: readonly PushedSchema[]): Promise<void> {
    const registered = await this.#ready(name);
    if (!registered.ok) return;
    this.#writes.alone(() => {
      this.#tables.schemas.replace(number, schemas);
      return ok(null);
    });
  }

  /** Work in the background: pushes that a crash interrupted, and the building of indexes. */
  override async alarm(): Promise<void> {
    await this.#pushSchemas();
    if (this.#writes.hasTables) await this.#searches.alarm();
  }

  /** Refuses every later write, forever. */
  seal(): void {
    this.#writes.seal();
  }

  /** Deletes everything, and refuses every later write. Returns the ids whose lookups it ended. May be repeated. */
  async erase(name: CollectionName): Promise<readonly string[]> {
    const published = isPublished(name) && this.#writes.hasTables;
    const ids = published ? this.#tables.records.ids() : [];
    this.seal();
    // Lookups end before the documents are deleted: a repeated deletion must find again what it has to end.
    for (const id of ids) await this.#publish(name, id);
    await this.#writes.erase();
    return ids;
  }

  async #createBy(name: CollectionName, draft: Draft, work: () => WriteResult): Promise<WriteResult> {
    const registered = await this.#ready(name);
    if (!registered.ok) return registered;
    const created = await this.#writes.write(draft.content.body.length, () => {
      const result = work();
      if (result.ok && isPushed(name)) this.#pushes.note(name.application, result.value.document);
      return result;
    });
    if (created.ok && isPublished(name)) {
      // If KV refuses the copy, there is none, and readers ask this object.
      await this.#publish(name, created.value.document.id).catch(() => undefined);
    }
    if (created.ok && isPushed(name)) await this.#pushSchemas();
    return created;
  }

  /** Changes a document, and its copy for lookups if its type has such copies. */
  async #changed<T>(
    name: CollectionName,
    id: string,
    units: number,
    change: () => Outcome<T>,
  ): Promise<Outcome<T>> {
    await this.#sure();
    const alone = () => this.#writes.alone(change);
    if (isPushed(name)) return this.#pushed(name, id, alone);
    if (!isPublished(name)) return this.#writes.write(units, change);
    return this.#lookups.around(lookupKey(name.application, name.type, id), alone, () => this.#copyOf(id));
  }

  /** Changes a schema, and answers when its old and its new target have received the change. */
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

  /** Reads when every schema that the answer might show is in force: at once, unless schemas are being pushed. */
  #inForce<T>(read: () => T): T | Promise<T> {
    if (!this.#writes.hasTables || !this.#pushes.pending) return read();
    return inTime(this.#pushSchemas()).then(read);
  }

  async #pushSchemas(): Promise<void> {
    if (!this.#writes.hasTables || !this.#pushes.pending) return;
    // If the object dies before all pushes have arrived, the alarm resumes them.
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

  /** The answer from the tables, or the answer for an unused type if there are no tables. */
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

/** True where documents have copies in KV for lookups. */
function isPublished({ type }: CollectionName): boolean {
  return factsOf(type).published === true;
}

/** True where documents are handed to the collections that they are for. */
function isPushed({ type }: CollectionName): boolean {
  return factsOf(type).pushed === true;
}

function secondsNow(): number {
  return Math.floor(Date.now() / 1000);
}
