/**
 * The Durable Object of one document type of one application: its RPC surface. It decides everything that must be
 * decided together with the data (versions, preconditions, rights, existence) and never sees HTTP.
 */
import { DurableObject } from 'cloudflare:workers';
import { keyOf, type CollectionName, type Link } from '../domain/documents.ts';
import type { DocumentId } from '../domain/ids.ts';
import { ok, type Outcome } from '../domain/problems.ts';
import type { AclLevel, Grant, Right } from '../domain/rights.ts';
import { isKeptIgnorant, type Principal } from '../domain/rules.ts';
import type { TypeSettings } from '../domain/type-settings.ts';
import type { PushedPart } from '../domain/types.ts';
import { settingsOf } from '../domain/settings.ts';
import { neverThere, NONE_READ, NOTHING_CHANGED, NOTHING_FOUND } from './rpc/absence.ts';
import { allow, allowTrusted, versionFor } from './storage/checks.ts';
import { Adoption } from './write/adoption.ts';
import { auditCarrier } from './write/telling/audit-carrier.ts';
import { Deliveries } from './write/telling/deliveries.ts';
import { Letters } from './write/telling/letters.ts';
import { webhookCarrier } from './write/telling/webhook-calls.ts';
import { Expiry } from './write/expiry.ts';
import { Exports } from './exports.ts';
import { Feed } from './feed/feed.ts';
import { Imports } from './write/lists/imports.ts';
import type { ExportPage, Holding, ImportBatch, ImportResult } from './rpc/upkeep/transfer.ts';
import { Changes } from './changes.ts';
import type { ListPages } from './write/lists/bulk.ts';
import type { BulkRequest } from './rpc/bulk.ts';
import type { Environment } from './rpc/environment.ts';
import type { FeedMark, FeedRequest, FeedResult } from './rpc/feed.ts';
import { Leases } from './write/telling/leases.ts';
import { collectionOfObject } from './rpc/objects.ts';
import { Propagation } from './write/telling/propagation.ts';
import { Memory } from './storage/answer-cache.ts';
import { packList, type PackedList, type PackedRead } from './rpc/packing/packing.ts';
import { Learning } from './learning.ts';
import { LinkTypesOnDemand } from './link-types-on-demand.ts';
import { withPermit, PagePermit, PageSemaphore } from './search/page-semaphore.ts';
import { SearchReader } from './search/reader.ts';
import { Readiness } from './readiness.ts';
import { Reads } from './reads.ts';
import { Claims } from './quotas/claims.ts';
import { Meter } from './usage/meter.ts';
import { RequestCounts } from './usage/requests.ts';
import { Tally } from './usage/tally.ts';
import type { RequestsOfKeys, TypeUsage } from './rpc/upkeep/usage.ts';
import { Shares } from './quotas/shares.ts';
import { Registration, REGISTERED } from './write/registration.ts';
import type { Amount, Claim, Share, WriteTarget } from './rpc/upkeep/shares.ts';
import { People } from './write/people.ts';
import type { Erased, Person, Traces } from './rpc/upkeep/people.ts';
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
import { NO_LETTERS, type LettersTold } from './rpc/upkeep/letters.ts';
import { hasRoom } from './rpc/upkeep/room.ts';
import { mayDoubt } from './search/doubts.ts';
import { Searches } from './searches.ts';
import { yieldToOthers } from './storage/steps.ts';
import { WordsOnDemand } from './words-on-demand.ts';
import { Transactor } from './write/transactor.ts';
import { Rewinding } from './write/rewinding.ts';
import { Repeats } from './write/repeats.ts';
import { Writes } from './write/writes.ts';
import { forbidden } from './rpc/refusals.ts';
import { BEGINS_AGAIN } from './rpc/outages.ts';
import type { Precondition } from './rpc/precondition.ts';
import type { AggregateRequest, OutputPage } from './rpc/aggregates.ts';
import type { Change, Draft, WriteList, WriteListResult } from './rpc/operations.ts';
import type { Lookup } from './rpc/lookup.ts';
import type { LinksFirst, MatchingRequest, MatchingResult } from './rpc/related.ts';
import type { Once } from './rpc/once.ts';
import type { StoredDocument } from './rpc/packing/content.ts';
import type { PushedDocument, CollectionObject } from './rpc/contract.ts';

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
  readonly #deliveries: Deliveries;
  readonly #letters: Letters;
  readonly #readiness: Readiness;
  readonly #changes: Changes;
  readonly #shares: Shares;
  readonly #requests: RequestCounts;
  readonly #tally: Tally;
  readonly #exports: Exports;
  readonly #feed: Feed;
  readonly #leases: Leases;
  readonly #imports: Imports;
  readonly #rewinding: Rewinding;
  readonly #people: People;

  constructor(state: DurableObjectState, env: Environment) {
    super(state, env);
    const { storage } = state;
    const room = () => hasRoom(env);
    const memory = new Memory();
    const sql = new Meter(storage.sql);
    this.#tables = new Transactor(sql);
    this.#reads = new Reads(this.#tables, memory);
    const words = new WordsOnDemand(storage, this.#tables, room);
    this.#linkTypes = new LinkTypesOnDemand(storage, this.#tables, room);
    this.#searches = new Searches(this.#tables, memory, {
      reader: () => new SearchReader(sql),
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
    this.#letters = new Letters(this.#tables.outbox, this.#writes);
    const application = () => collectionOfObject(state.id.name ?? '')?.application ?? null;
    this.#deliveries = new Deliveries({
      storage,
      writes: this.#writes,
      outbox: this.#tables.outbox,
      carriers: {
        webhook: webhookCarrier(env, this.#tables.webhooks),
        audit: auditCarrier(env, application),
      },
      settings: () => settingsOf(env),
    });
    this.#propagation = new Propagation(env, storage, this.#tables, this.#writes);
    this.#exports = new Exports(storage, sql, yieldToOthers);
    const forFeed = { storage, tables: this.#tables, writes: this.#writes, expiry: this.#expiry };
    this.#feed = new Feed({ ...forFeed, hasRoom: room, pause: yieldToOthers });
    this.#writes.onCommit = () => {
      this.#feed.committed();
      this.committed();
    };
    this.#imports = new Imports(this.#tables, this.#writes, this.#propagation);
    this.#rewinding = new Rewinding(storage, this.#tables, this.#writes, this.#propagation);
    this.#people = new People(storage.sql, this.#tables, this.#writes, yieldToOthers);
    this.#repeats = new Repeats(storage, this.#tables.outcomes);
    const own = state.id.name === undefined ? null : collectionOfObject(state.id.name);
    this.#leases = new Leases(env, own, this.#tables.concerned);
    const counts = { storage, writes: this.#writes, hasRoom: room };
    this.#requests = new RequestCounts(counts);
    this.#tally = new Tally(counts, sql);
    this.#readiness = new Readiness({
      writes: this.#writes,
      registration: this.#registration,
      expiry: this.#expiry,
      leases: this.#leases,
      tally: this.#tally,
    });
    this.#changes = new Changes(storage, {
      tables: this.#tables,
      writes: this.#writes,
      repeats: this.#repeats,
      propagation: this.#propagation,
      expiry: this.#expiry,
      readiness: this.#readiness,
      claims: new Claims(env, this.#tables, this.#writes),
    });
    this.#shares = new Shares(env, storage, () =>
      this.#writes.hasTables ? this.#tables.uniques.values(REGISTERED) : [],
    );
  }

  /** Where the feed stands: its last change, and what its marks depend on. */
  protected standing(): Pick<FeedMark, 'base' | 'state'> {
    return this.#writes.hasTables ? this.#feed.standing : NOTHING_CHANGED.mark;
  }

  /** Told after each commit. */
  protected committed(): void {
    // Nobody listens here.
  }

  read(id: DocumentId, principal: Principal, provenance = false): PackedRead | Promise<PackedRead> {
    const read = () => {
      if (!this.#writes.hasTables) return neverThere(principal);
      this.#expiry.finish(id);
      return this.#reads.read(id, principal, provenance);
    };
    return this.#readiness.told(() => this.#propagation.inForce(read), neverThere(principal));
  }

  readMany(request: ReadManyRequest): ReadManyResult | Promise<ReadManyResult> {
    return this.#readiness.told(async () => {
      await this.#propagation.inForce(() => null);
      return isMany(request.viewer)
        ? this.#reads.readManyInSteps(request, yieldToOthers)
        : this.#reads.readMany(request);
    }, NONE_READ);
  }

  missing(ids: readonly DocumentId[]): readonly DocumentId[] | Promise<readonly DocumentId[]> {
    return this.#readiness.told(() => this.#reads.missing(ids), ids);
  }

  readAcl(id: DocumentId, principal: Principal): AclReadResult | Promise<AclReadResult> {
    return this.#readiness.told(() => {
      this.#expiry.finish(id);
      return this.#reads.readAcl(id, principal);
    }, neverThere(principal));
  }

  findUnique(name: string, value: string): Promise<StoredDocument | null> | StoredDocument | null {
    return this.#readiness.told(() => this.#reads.findUnique(name, value), null);
  }

  groupsOf(identity: string): readonly DocumentId[] | Promise<readonly DocumentId[]> {
    this.#leases.give(identity);
    return this.#readiness.told(() => this.#reads.groupsOf(identity), []);
  }

  settings(): TypeSettings | null | Promise<TypeSettings | null> {
    return this.#readiness.told(() => this.#tables.settings.current, null);
  }

  vouches(holder: Link, version: number, token: DocumentId): boolean | Promise<boolean> {
    this.#leases.give(keyOf(holder));
    return this.#readiness.told(() => this.#reads.vouches(holder.id, version, token), false);
  }

  hasType(type: string): boolean {
    return this.#registration.has(type, (name, value) => this.#reads.findUnique(name, value));
  }

  list(name: CollectionName, request: ListRequest): Listing | Promise<Listing> {
    return this.#readiness.told(
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

  feed(
    name: CollectionName,
    request: FeedRequest,
  ): FeedResult | LinksFirst | Promise<FeedResult | LinksFirst> {
    const page = async () => {
      await this.#propagation.inForce(() => null);
      const { through = [] } = request;
      const linked = through.length === 0 ? [] : await this.#linkTypes.of(through);
      return linked.length > 0 ? { linked } : this.#feed.page(name.type, request);
    };
    return this.#readiness.told(page, ok(NOTHING_CHANGED));
  }

  matching(name: CollectionName, request: MatchingRequest): MatchingResult | Promise<MatchingResult> {
    return this.#readiness.told(
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
    await this.#readiness.sure();
    return this.#writes.hasTables
      ? this.#searches.aggregate(name.type, request)
      : this.#searches.aggregateOfNothing(name.type, request);
  }

  async allows(id: DocumentId, right: Right, precondition: Precondition): Promise<Outcome<null>> {
    await this.#readiness.sure();
    this.#expiry.finish(id);
    const document = this.#writes.hasTables
      ? allow(this.#tables, id, right, precondition, versionFor(right))
      : isKeptIgnorant(precondition)
        ? forbidden(right, precondition)
        : allowTrusted(undefined, id, precondition.ifMatch);
    return document.ok ? ok(null) : document;
  }

  create(name: WriteTarget, draft: Draft): Promise<WriteResult> {
    return this.#changes.create(name, draft);
  }

  findOrCreate(name: WriteTarget, draft: Draft): Promise<WriteResult> {
    return this.#changes.findOrCreate(name, draft);
  }

  update(
    name: WriteTarget,
    id: DocumentId,
    change: Change,
    precondition: Precondition,
    overlay: string | null = null,
    once?: Once,
  ): Promise<WriteResult> {
    return this.#changes.update(name, id, change, precondition, overlay, once);
  }

  /** The JSON text of what the same write came to before; null if it was not done. */
  outcomeOf(once: Once): Outcome<string | null> | Promise<Outcome<string | null>> {
    const find = () => this.#repeats.find(once);
    return this.#readiness.told(() => this.#propagation.inForce(find), ok(null));
  }

  remove(name: CollectionName, id: DocumentId, precondition: Precondition): Promise<DeleteResult> {
    return this.#changes.remove(name, id, precondition);
  }

  writeList(name: WriteTarget, list: WriteList): Promise<WriteListResult> {
    return this.#changes.writeList(name, list);
  }

  bulk(name: WriteTarget, request: BulkRequest): Promise<Outcome<number>> {
    // What is found stays here: no caller takes it.
    const list: ListPages = (type, asked) =>
      this.#searches.list(type, asked, new PagePermit(new PageSemaphore()));
    return this.#changes.bulk(name, request, list);
  }

  updateAcl(
    name: WriteTarget,
    id: DocumentId,
    level: AclLevel,
    grants: Readonly<Record<string, Grant>>,
    precondition: Precondition,
  ): Promise<AclResult> {
    return this.#changes.updateAcl(name, id, level, grants, precondition);
  }

  endToken(holder: Link, token: DocumentId, until: number): Promise<Outcome<null>> {
    return this.#changes.endToken(holder, token, until);
  }

  exportPage(after: string | null, limit: number): Outcome<ExportPage> | Promise<Outcome<ExportPage>> {
    const page = async () => {
      // What has ended is not there for anybody, and must not come back somewhere else.
      if (after === null) await this.#expiry.settled();
      return this.#exports.page(after, limit);
    };
    return this.#readiness.told(page, ok({ documents: [], deletions: [], next: null }));
  }

  async importLines(name: CollectionName, batch: ImportBatch): Promise<Outcome<ImportResult>> {
    const registered = await this.#readiness.ready(name);
    if (!registered.ok) return registered;
    await this.#readiness.sure();
    return this.#readiness.reminded(this.#imports.take(name, batch));
  }

  unknown(ids: readonly DocumentId[]): readonly DocumentId[] | Promise<readonly DocumentId[]> {
    return this.#readiness.told(() => this.#reads.unknown(ids), ids);
  }

  holding(): Holding | Promise<Holding> {
    return this.#readiness.told(() => this.#reads.holding(), { documents: 0, bytes: 0 });
  }

  async traces(person: Person): Promise<Traces> {
    await this.#readiness.sure();
    return this.#writes.hasTables ? this.#people.traces(person) : { owned: 0, named: 0 };
  }

  async erasePerson({ type }: CollectionName, person: Person): Promise<Erased> {
    await this.#readiness.sure();
    const nothing = { owned: 0, named: 0, more: false };
    return this.#writes.hasTables ? this.#people.erase(type, person) : nothing;
  }

  usage(): TypeUsage {
    const { hasTables } = this.#writes;
    const holding = hasTables ? this.#reads.holding() : { documents: 0, bytes: 0 };
    return { ...holding, indexes: hasTables ? this.#tables.indexes.count : 0, ...this.#tally.served };
  }

  requests(): RequestsOfKeys {
    return this.#requests.all;
  }

  countRequests(counted: RequestsOfKeys): void {
    this.#requests.add(counted);
  }

  current(id: DocumentId): Lookup {
    return this.#propagation.current(id);
  }

  async lookUp(name: CollectionName, id: DocumentId): Promise<Lookup> {
    await this.#readiness.sure();
    return this.#propagation.lookUp(name, id);
  }

  letters(addressee: string): LettersTold | Promise<LettersTold> {
    return this.#readiness.told(() => this.#letters.told(addressee), NO_LETTERS);
  }

  async sendAgain(addressee: string, ids: readonly string[] | null): Promise<number> {
    await this.#readiness.sure();
    return this.#writes.hasTables ? this.#letters.sendAgain(addressee, ids) : 0;
  }

  setPushed(
    name: CollectionName,
    part: PushedPart,
    number: number,
    documents: readonly PushedDocument[],
  ): Promise<void> {
    return this.#changes.setPushed(name, part, number, documents);
  }

  async stageSettings(
    name: CollectionName,
    number: number,
    settings: TypeSettings | null,
  ): Promise<Outcome<null>> {
    const registered = await this.#readiness.ready(name);
    if (!registered.ok) return registered;
    this.#expiry.know(name.type);
    return this.#adoption.stage(number, settings);
  }

  async settleSettings(name: CollectionName, number: number, settings: TypeSettings | null): Promise<void> {
    const registered = await this.#readiness.ready(name);
    if (!registered.ok) return;
    this.#expiry.know(name.type);
    // What has ended by the settings that go does not come back.
    await this.#expiry.settled();
    await this.#readiness.reminded(this.#adoption.settle(number, settings));
  }

  /** Work in the background: deliveries, pushes that a crash interrupted, and the building of indexes. */
  override async alarm(): Promise<void> {
    // Deliveries wait for others: the rest is done meanwhile.
    const ended = await Promise.allSettled([this.#deliveries.alarm(), this.#upkeep()]);
    for (const each of ended) if (each.status === 'rejected') throw each.reason;
  }

  async #upkeep(): Promise<void> {
    await this.#propagation.push();
    await this.#propagation.alarm();
    if (!this.#writes.hasTables) return;
    await this.#learning.alarm();
    await this.#repeats.alarm();
    await this.#expiry.alarm();
    await this.#exports.alarm();
    await this.#feed.alarm();
  }

  claim(name: CollectionName, claim: Claim): Promise<Share> {
    return this.#shares.claim(name, claim);
  }

  giveBack(number: number): Amount {
    const held = this.#writes.hasTables ? this.#reads.holding() : { documents: 0, bytes: 0 };
    this.#tables.allowance.giveBack(held, number);
    return held;
  }

  bookmark(time: number): Promise<string | null> {
    return this.#rewinding.bookmark(time);
  }

  prepareRewind(name: CollectionName, bookmark: string): Promise<readonly DocumentId[]> {
    return this.#rewinding.prepare(name, bookmark);
  }

  beginAgain(): void {
    this.ctx.abort(BEGINS_AGAIN);
  }

  finishRewind(name: CollectionName, ids: readonly DocumentId[]): Promise<void> {
    return this.#rewinding.finish(name, ids);
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
}
