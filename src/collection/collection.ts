/**
 * The Durable Object of one document type of one application: its RPC surface. It decides everything that must be
 * decided together with the data (versions, preconditions, rights, existence) and never sees HTTP.
 */
import { type CollectionName, type Link } from '../domain/documents.ts';
import type { DocumentId } from '../domain/ids.ts';
import { type Outcome } from '../domain/problems.ts';
import type { AclLevel, Grant } from '../domain/rights.ts';
import type { TypeSettings } from '../domain/type-settings.ts';
import type { PushedPart, TypeName } from '../domain/types.ts';
import type { ImportBatch, ImportResult } from './rpc/upkeep/transfer.ts';
import type { ListPages } from './write/lists/bulk.ts';
import type { BulkRequest } from './rpc/bulk.ts';
import { PagePermit, PageSemaphore } from './search/page-semaphore.ts';
import type { CountedRequests } from './rpc/upkeep/usage.ts';
import type { Amount, Claim, Share, WriteTarget } from './rpc/upkeep/shares.ts';
import type { Erased, Person } from './rpc/upkeep/people.ts';
import { packWrite, type PackedWrite } from './rpc/packing/packing.ts';
import type { AclResult, DeleteResult } from './rpc/results.ts';
import { BEGINS_AGAIN } from './rpc/outages.ts';
import type { Precondition } from './rpc/precondition.ts';
import type { Change, Draft, WriteList, WriteListResult } from './rpc/operations.ts';
import type { Lookup } from './rpc/lookup.ts';
import type { Once } from './rpc/once.ts';
import type { PushedDocument, CollectionObject } from './rpc/contract.ts';

import { ReadingCollection } from './reading.ts';

export abstract class Collection extends ReadingCollection implements CollectionObject {
  abstract concern(identities: readonly string[] | null): boolean;

  async create(name: WriteTarget, draft: Draft): Promise<PackedWrite> {
    return packWrite(await this.parts.changes.create(name, draft));
  }

  async findOrCreate(name: WriteTarget, draft: Draft): Promise<PackedWrite> {
    return packWrite(await this.parts.changes.findOrCreate(name, draft));
  }

  async update(
    name: WriteTarget,
    id: DocumentId,
    change: Change,
    precondition: Precondition,
    overlay: string | null = null,
    once?: Once,
  ): Promise<PackedWrite> {
    return packWrite(await this.parts.changes.update(name, id, change, precondition, overlay, once));
  }

  remove(name: CollectionName, id: DocumentId, precondition: Precondition): Promise<DeleteResult> {
    return this.parts.changes.remove(name, id, precondition);
  }

  writeList(name: WriteTarget, list: WriteList): Promise<WriteListResult> {
    return this.parts.changes.writeList(name, list);
  }

  bulk(name: WriteTarget, request: BulkRequest): Promise<Outcome<number>> {
    // What is found stays here: no caller takes it.
    const list: ListPages = (type, asked) =>
      this.parts.searches.list(type, asked, new PagePermit(new PageSemaphore()));
    return this.parts.changes.bulk(name, request, list);
  }

  updateAcl(
    name: WriteTarget,
    id: DocumentId,
    level: AclLevel,
    grants: Readonly<Record<string, Grant>>,
    precondition: Precondition,
  ): Promise<AclResult> {
    return this.parts.changes.updateAcl(name, id, level, grants, precondition);
  }

  endToken(holder: Link, token: DocumentId, until: number): Promise<Outcome<null>> {
    return this.parts.changes.endToken(holder, token, until);
  }

  async importLines(name: CollectionName, batch: ImportBatch): Promise<Outcome<ImportResult>> {
    const registered = await this.parts.readiness.ready(name);
    if (!registered.ok) return registered;
    await this.parts.readiness.sure();
    return this.parts.readiness.reminded(this.parts.imports.take(name, batch));
  }

  async erasePerson({ type }: CollectionName, person: Person): Promise<Erased> {
    await this.parts.readiness.sure();
    const nothing = { owned: 0, named: 0, more: false };
    if (!this.parts.writes.hasTables) return nothing;
    return this.parts.readiness.reminded(this.parts.people.erase(type, person));
  }

  countRequests(counted: CountedRequests): void {
    this.parts.requests.add(counted);
  }

  async lookUp(name: CollectionName, id: DocumentId): Promise<Lookup> {
    await this.parts.readiness.sure();
    return this.parts.propagation.lookUp(name, id);
  }

  async sendAgain(addressee: string, ids: readonly string[] | null): Promise<number> {
    await this.parts.readiness.sure();
    return this.parts.writes.hasTables ? this.parts.letters.sendAgain(addressee, ids) : 0;
  }

  setPushed(
    name: CollectionName,
    part: PushedPart,
    number: number,
    documents: readonly PushedDocument[],
  ): Promise<void> {
    return this.parts.changes.setPushed(name, part, number, documents);
  }

  async stageSettings(
    name: CollectionName,
    number: number,
    settings: TypeSettings | null,
  ): Promise<Outcome<null>> {
    const registered = await this.parts.readiness.ready(name);
    if (!registered.ok) return registered;
    this.parts.expiry.know(name.type);
    return this.parts.adoption.stage(number, settings);
  }

  async settleSettings(name: CollectionName, number: number, settings: TypeSettings | null): Promise<void> {
    const registered = await this.parts.readiness.ready(name);
    if (!registered.ok) return;
    this.parts.expiry.know(name.type);
    // What has ended by the settings that go does not come back.
    await this.parts.expiry.settled();
    await this.parts.readiness.reminded(this.parts.adoption.settle(number, settings));
  }

  /** Work in the background: deliveries, pushes that a crash interrupted, and the building of indexes. */
  override async alarm(): Promise<void> {
    // Deliveries wait for others: the rest is done meanwhile.
    const ended = await Promise.allSettled([this.parts.deliveries.alarm(), this.#upkeep()]);
    for (const each of ended) if (each.status === 'rejected') throw each.reason;
  }

  async #upkeep(): Promise<void> {
    await this.parts.followers.alarm();
    await this.parts.propagation.push();
    await this.parts.propagation.alarm();
    if (!this.parts.writes.hasTables) return;
    await this.parts.learning.alarm();
    await this.parts.repeats.alarm();
    await this.parts.readiness.reminded(this.parts.expiry.alarm());
    await this.parts.exports.alarm();
    await this.parts.feed.alarm();
  }

  claim(name: CollectionName, claim: Claim): Promise<Share> {
    return this.parts.shares.claim(name, claim);
  }

  giveBack(number: number): Amount {
    const held = this.parts.writes.hasTables ? this.parts.reads.holding() : { documents: 0, bytes: 0 };
    this.parts.tables.allowance.giveBack(held, number);
    return held;
  }

  prepareRewind(name: CollectionName, bookmark: string): Promise<readonly DocumentId[]> {
    return this.parts.rewinding.prepare(name, bookmark);
  }

  beginAgain(): void {
    this.ctx.abort(BEGINS_AGAIN);
  }

  finishRewind(name: CollectionName, ids: readonly DocumentId[]): Promise<void> {
    return this.parts.rewinding.finish(name, ids);
  }

  async follow(name: CollectionName, follower: TypeName): Promise<void> {
    const registered = await this.parts.readiness.ready(name);
    if (registered.ok) this.parts.followers.follow(follower);
  }

  tellFollowers(): Promise<void> {
    return this.parts.followers.tell(null);
  }

  seal(): void {
    this.parts.writes.seal();
  }

  async erase(name: CollectionName): Promise<readonly DocumentId[]> {
    // Lookups end before the documents are deleted: a repeated deletion must find again what it has to end.
    const ended = await this.parts.propagation.endLookups(name);
    await this.parts.writes.erase();
    return ended;
  }
}
