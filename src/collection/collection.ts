/**
 * The Durable Object of one document type of one application: its RPC surface. It decides everything that must be
 * decided together with the data (versions, preconditions, rights, existence) and never sees HTTP.
 */
import { DurableObject } from 'cloudflare:workers';
import type { CollectionName } from '../domain/documents.ts';
import type { DocumentId } from '../domain/ids.ts';
import { ok, type Outcome } from '../domain/problems.ts';
import type { AclLevel, Grant, Right } from '../domain/rights.ts';
import { isKeptIgnorant, type Principal } from '../domain/rules.ts';
import type { TypeSettings } from '../domain/type-settings.ts';
import { neverThere, NONE_READ, NOTHING_FOUND } from './rpc/absence.ts';
import { allow, allowTrusted, versionFor } from './storage/checks.ts';
import { Adoption } from './write/adoption.ts';
import { Expiry } from './write/expiry.ts';
import { Exports } from './exports.ts';
import { Imports } from './write/imports.ts';
import type { ExportPage, Holding, ImportBatch, ImportResult } from './rpc/transfer.ts';
import { notEven, Undone, writeAll } from './write/batch.ts';
import { Bulk, orUndone } from './write/bulk.ts';
import type { BulkRequest } from './rpc/bulk.ts';
import type { Environment } from './rpc/environment.ts';
import { Propagation } from './write/propagation.ts';
import { Memory } from './storage/answer-cache.ts';
import { packList, type PackedList, type PackedRead } from './rpc/packing/packing.ts';
import { Learning } from './learning.ts';
import { LinkTypesOnDemand } from './link-types-on-demand.ts';
import { withPermit, PagePermit, PageSemaphore } from './search/page-semaphore.ts';
import { SearchReader } from './search/reader.ts';
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
import { mayDoubt } from './search/doubts.ts';
import { Searches } from './searches.ts';
import { yieldToOthers } from './storage/steps.ts';
import { WordsOnDemand } from './words-on-demand.ts';
import { Transactor } from './write/transactor.ts';
import { Repeats } from './write/repeats.ts';
import { Writes } from './write/writes.ts';
import { forbidden } from './rpc/refusals.ts';
import type { Precondition } from './rpc/precondition.ts';
import type { AggregateRequest, OutputPage } from './rpc/aggregates.ts';
import {
  localIdOf,
  unitsOfChange,
  type Change,
  type Draft,
  type WriteList,
  type WriteListResult,
} from './rpc/operations.ts';
import type { Lookup } from './rpc/lookup.ts';
import type { LinksFirst, MatchingRequest, MatchingResult } from './rpc/related.ts';
import type { Once } from './rpc/once.ts';
import type { StoredDocument } from './rpc/packing/content.ts';
import type { PushedSchema, CollectionObject } from './rpc/contract.ts';

type Listing = PackedList | LinksFirst;

export class Collection extends DurableObject<Environment> implements CollectionObject {
  readonly #tables: Transactor;
  readonly #reads: Reads;
  readonly #registration: Registration;
  readonly #searches: Searches;
  readonly #writes: Writes;
  readonly #learning: Learning;
  readonly #propagation: Propagation;
  readonly #adoption: Adoption;
  readonly #pages = new PageSemaphore();
  readonly #repeats: Repeats;
  readonly #linkTypes: LinkTypesOnDemand;
  readonly #expiry: Expiry;
  readonly #exports: Exports;
  readonly #imports: Imports;

  constructor(state: DurableObjectState, env: Environment) {
    super(state, env);
    const { storage } = state;
    const room = () => hasRoom(env);
    const memory = new Memory();
    this.#tables = new Transactor(storage.sql);
    this.#reads = new Reads(this.#tables, memory);
    const words = new WordsOnDemand(storage, this.#tables, room);
    this.#linkTypes = new LinkTypesOnDemand(storage, this.#tables, room);
    this.#searches = new Searches(this.#tables, memory, {
      reader: () => new SearchReader(storage.sql),
      prepare: (type, condition) => words.prepare(type, condition),
      learn: (search, documents) => {
        this.#learning.after(search, documents);
      },
    });
    const isSearched = () => this.#searches.areRunning;
    this.#learning = new Learning(storage, this.#tables, { isSearched, hasRoom: room, pause: yieldToOthers });
    this.#writes = new Writes(storage, this.#tables, memory);
    this.#registration = new Registration(env, this.#writes, state.id.name);
    this.#adoption = new Adoption(this.#tables, this.#writes, yieldToOthers);
    this.#expiry = new Expiry(storage, this.#tables, this.#writes, yieldToOthers);
    this.#propagation = new Propagation(env, storage, this.#tables, this.#writes);
    this.#exports = new Exports(storage, yieldToOthers);
    this.#imports = new Imports(this.#tables, this.#writes, this.#propagation);
    this.#repeats = new Repeats(storage, this.#tables.outcomes);
  }

  read(id: DocumentId, principal: Principal, provenance = false): PackedRead | Promise<PackedRead> {
    const read = () => {
      if (!this.#writes.hasTables) return neverThere(principal);
      this.#expiry.finish(id);
      return this.#reads.read(id, principal, provenance);
    };
    return this.#told(() => this.#propagation.inForce(read), neverThere(principal));
  }

  readMany(request: ReadManyRequest): ReadManyResult | Promise<ReadManyResult> {
    return this.#told(async () => {
      await this.#propagation.inForce(() => null);
      return isMany(request.viewer)
        ? this.#reads.readManyInSteps(request, yieldToOthers)
        : this.#reads.readMany(request);
    }, NONE_READ);
  }

  missing(ids: readonly DocumentId[]): readonly DocumentId[] | Promise<readonly DocumentId[]> {
    return this.#told(() => this.#reads.missing(ids), ids);
  }

  readAcl(id: DocumentId, principal: Principal): AclReadResult | Promise<AclReadResult> {
    return this.#told(() => {
      this.#expiry.finish(id);
      return this.#reads.readAcl(id, principal);
    }, neverThere(principal));
  }

  findUnique(name: string, value: string): Promise<StoredDocument | null> | StoredDocument | null {
    return this.#told(() => this.#reads.findUnique(name, value), null);
  }

  groupsOf(identity: string): readonly DocumentId[] | Promise<readonly DocumentId[]> {
    return this.#told(() => this.#reads.groupsOf(identity), []);
  }

  settings(): TypeSettings | null | Promise<TypeSettings | null> {
    return this.#told(() => this.#tables.settings.current, null);
  }

  vouches(id: DocumentId, version: number, token: DocumentId): boolean | Promise<boolean> {
    return this.#told(() => this.#reads.vouches(id, version, token), false);
  }

  hasType(type: string): boolean {
    return this.#registration.has(type, (name, value) => this.#reads.findUnique(name, value));
  }

  list(name: CollectionName, request: ListRequest): Listing | Promise<Listing> {
    return this.#told(
      async () => {
        await this.#propagation.inForce(() => null);
        const { through = [] } = request;
        const linked = through.length === 0 ? [] : await this.#linkTypes.of(through);
        if (linked.length > 0) return { linked };
        return withPermit(this.#pages, async (permit) =>
          packList(await this.#searches.list(name.type, request, permit)),
        );
      },
      packList(
        ok(mayDoubt(request) ? { ...NOTHING_FOUND, doubts: [{ kind: 'no-documents' }] } : NOTHING_FOUND),
      ),
    );
  }

  matching(name: CollectionName, request: MatchingRequest): MatchingResult | Promise<MatchingResult> {
    return this.#told(
      async () => {
        await this.#propagation.inForce(() => null);
        return this.#searches.matching(name.type, request);
      },
      ok(request.conditions.map(() => [])),
    );
  }

  taken(): void | Promise<void> {
    this.#pages.release();
  }

  async aggregate(name: CollectionName, request: AggregateRequest): Promise<Outcome<OutputPage>> {
    await this.#sure();
    return this.#writes.hasTables
      ? this.#searches.aggregate(name.type, request)
      : this.#searches.aggregateOfNothing(name.type, request);
  }

  async allows(id: DocumentId, right: Right, precondition: Precondition): Promise<Outcome<null>> {
    await this.#sure();
    this.#expiry.finish(id);
    const document = this.#writes.hasTables
      ? allow(this.#tables, id, right, precondition, versionFor(right))
      : isKeptIgnorant(precondition)
        ? forbidden(right, precondition)
        : allowTrusted(undefined, id, precondition.ifMatch);
    return document.ok ? ok(null) : document;
  }

  async create(name: CollectionName, draft: Draft): Promise<WriteResult> {
    return this.#repeats.guard(draft.once, () =>
      this.#createBy(name, draft, () => this.#tables.create(name.type, draft, Date.now())),
    );
  }

  async findOrCreate(name: CollectionName, draft: Draft): Promise<WriteResult> {
    return this.#createBy(name, draft, () => this.#tables.findOrCreate(name.type, draft, Date.now()));
  }

  async update(
    name: CollectionName,
    id: DocumentId,
    change: Change,
    precondition: Precondition,
    overlay: string | null = null,
    once?: Once,
  ): Promise<WriteResult> {
    const units = unitsOfChange(change);
    const update = () => this.#tables.update(name.type, id, change, precondition, overlay);
    return this.#repeats.guard(once, () =>
      this.#change(name, id, units, () => this.#repeats.once(once, update)),
    );
  }

  /** The JSON text of what the same write came to before; null if it was not done. */
  outcomeOf(once: Once): Outcome<string | null> | Promise<Outcome<string | null>> {
    const find = () => this.#repeats.find(once);
    return this.#told(() => this.#propagation.inForce(find), ok(null));
  }

  async remove(name: CollectionName, id: DocumentId, precondition: Precondition): Promise<DeleteResult> {
    return this.#change(name, id, 0, () => this.#tables.remove(name.type, id, precondition));
  }

  async writeList(name: CollectionName, list: WriteList): Promise<WriteListResult> {
    if (list.operations.some(({ kind }) => kind === 'add')) {
      const registered = await this.#ready(name);
      if (!registered.ok) return notEven(registered.problems);
    }
    try {
      const nested = <T>(work: () => T): T => this.ctx.storage.transactionSync(work);
      const writes = () => ok(writeAll(this.#tables, name.type, list, Date.now(), nested));
      const written = await this.#repeats.guard(list.once, async () => {
        await this.#sure();
        for (const operation of list.operations) {
          if ('id' in operation && localIdOf(operation.id) === null) this.#expiry.finish(operation.id);
        }
        return this.#reminded(this.#writes.alone(() => this.#repeats.once(list.once, writes)));
      });
      return written.ok ? { ok: true, done: written.value } : notEven(written.problems);
    } catch (error) {
      if (error instanceof Undone) return { ok: false, failure: error.failure };
      throw error;
    }
  }

  async bulk(name: CollectionName, request: BulkRequest): Promise<Outcome<number>> {
    await this.#sure();
    if (!this.#writes.hasTables) return ok(0);
    const bulk = new Bulk(this.#tables, name.type, request);
    // What is found stays here: no caller takes it.
    const found = await bulk.find((type, asked) =>
      this.#searches.list(type, asked, new PagePermit(new PageSemaphore())),
    );
    if (!found.ok) return found;
    return this.#reminded(orUndone(() => this.#writes.alone(() => ok(bulk.write(found.value)))));
  }

  async updateAcl(
    id: DocumentId,
    level: AclLevel,
    grants: Readonly<Record<string, Grant>>,
    precondition: Precondition,
  ): Promise<AclResult> {
    await this.#sure();
    this.#expiry.finish(id);
    return this.#writes.write(0, () => this.#tables.updateAcl(id, level, grants, precondition));
  }

  async endToken(token: DocumentId, until: number): Promise<Outcome<null>> {
    await this.#sure();
    return this.#writes.write(0, () => this.#tables.endToken(token, until, secondsNow()));
  }

  exportPage(after: string | null, limit: number): Outcome<ExportPage> | Promise<Outcome<ExportPage>> {
    const page = async () => {
      // What has ended is not there for anybody, and must not come back somewhere else.
      if (after === null) await this.#expiry.settled();
      return this.#exports.page(after, limit);
    };
    return this.#told(page, ok({ documents: [], deletions: [], next: null }));
  }

  async importLines(name: CollectionName, batch: ImportBatch): Promise<Outcome<ImportResult>> {
    const registered = await this.#ready(name);
    if (!registered.ok) return registered;
    await this.#sure();
    return this.#reminded(this.#imports.take(name, batch));
  }

  unknown(ids: readonly DocumentId[]): readonly DocumentId[] | Promise<readonly DocumentId[]> {
    return this.#told(() => this.#reads.unknown(ids), ids);
  }

  holding(): Holding | Promise<Holding> {
    return this.#told(() => this.#reads.holding(), { documents: 0, bytes: 0 });
  }

  current(id: DocumentId): Lookup {
    return this.#propagation.current(id);
  }

  async lookUp(name: CollectionName, id: DocumentId): Promise<Lookup> {
    await this.#sure();
    return this.#propagation.lookUp(name, id);
  }

  async setSchemas(name: CollectionName, number: number, schemas: readonly PushedSchema[]): Promise<void> {
    const registered = await this.#ready(name);
    if (!registered.ok) return;
    this.#writes.alone(() => {
      this.#tables.schemas.replace(number, schemas);
      return ok(null);
    });
  }

  async stageSettings(
    name: CollectionName,
    number: number,
    settings: TypeSettings | null,
  ): Promise<Outcome<null>> {
    const registered = await this.#ready(name);
    if (!registered.ok) return registered;
    this.#expiry.know(name.type);
    return this.#adoption.stage(number, settings);
  }

  async settleSettings(name: CollectionName, number: number, settings: TypeSettings | null): Promise<void> {
    const registered = await this.#ready(name);
    if (!registered.ok) return;
    this.#expiry.know(name.type);
    // What has ended by the settings that go does not come back.
    await this.#expiry.settled();
    await this.#reminded(this.#adoption.settle(number, settings));
  }

  /** Work in the background: pushes that a crash interrupted, and the building of indexes. */
  override async alarm(): Promise<void> {
    await this.#propagation.push();
    if (!this.#writes.hasTables) return;
    await this.#learning.alarm();
    await this.#repeats.alarm();
    await this.#expiry.alarm();
    await this.#exports.alarm();
  }

  seal(): void {
    this.#writes.seal();
  }

  async erase(name: CollectionName): Promise<readonly DocumentId[]> {
    // Lookups end before the documents are deleted: a repeated deletion must find again what it has to end.
    const ended = await this.#propagation.endLookups(name);
    await this.#writes.erase();
    return ended;
  }

  async #createBy(name: CollectionName, draft: Draft, work: () => WriteResult): Promise<WriteResult> {
    const registered = await this.#ready(name);
    if (!registered.ok) return registered;
    const units = draft.content.body.length;
    await this.#sure();
    const create = () => this.#repeats.once(draft.once, work);
    return this.#reminded(this.#propagation.create(name, units, create));
  }

  async #change<T>(
    name: CollectionName,
    id: DocumentId,
    units: number,
    work: () => Outcome<T>,
  ): Promise<Outcome<T>> {
    await this.#sure();
    this.#expiry.finish(id);
    return this.#reminded(this.#propagation.change(name, id, units, work));
  }

  /** What was written, when the alarm is set for what it lets expire. */
  async #reminded<T>(written: T | Promise<T>): Promise<T> {
    const result = await written;
    await this.#expiry.remind();
    return result;
  }

  /** The answer from the tables, or the answer for an unused type if there are no tables. */
  #told<T>(present: () => T | Promise<T>, absent: T): T | Promise<T> {
    this.#expiry.notice();
    if (this.#writes.hasTables) return present();
    return this.#sure().then(() => (this.#writes.hasTables ? present() : absent));
  }

  async #sure(): Promise<void> {
    if (!this.#writes.hasTables) await this.#registration.neverStored();
    this.#expiry.notice();
  }

  async #ready(name: CollectionName): Promise<Outcome<unknown>> {
    return this.#writes.registered ? ok(null) : this.#registration.ready(name);
  }
}

function secondsNow(): number {
  return Math.floor(Date.now() / 1000);
}
