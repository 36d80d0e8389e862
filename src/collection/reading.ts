/**
 * The Durable Object of one document type of one application, as far as it tells what there is: reads of clients, and what the
 * service itself asks.
 */
import { DurableObject } from 'cloudflare:workers';
import { keyOf, type CollectionName, type Link } from '../domain/documents.ts';
import type { DocumentId } from '../domain/ids.ts';
import { ok, type Outcome } from '../domain/problems.ts';
import type { Right } from '../domain/rights.ts';
import { isKeptIgnorant, TRUSTED, type Principal } from '../domain/rules.ts';
import type { TypeSettings } from '../domain/type-settings.ts';
import { neverThere, NONE_READ, NOTHING_CHANGED } from './rpc/absence.ts';
import { allow, allowTrusted, versionFor } from './storage/checks.ts';
import type { ExportPage, Holding } from './rpc/upkeep/transfer.ts';
import type { Environment } from './rpc/environment.ts';
import type { FeedMark, FeedRequest, FeedResult, Telling } from './rpc/feed/feed.ts';
import type { PackedRead } from './rpc/packing/packing.ts';
import type { CountedRequests, TypeUsage } from './rpc/upkeep/usage.ts';
import type { Person, Traces } from './rpc/upkeep/people.ts';
import type { AclReadResult, ReadManyRequest, ReadManyResult } from './rpc/results.ts';
import { isMany } from './storage/rights.ts';
import { NO_LETTERS, type LettersTold } from './rpc/upkeep/letters.ts';
import { yieldToOthers } from './storage/steps.ts';
import { forbidden } from './rpc/refusals.ts';
import type { Precondition } from './rpc/precondition.ts';
import type { AggregateRequest, OutputPage } from './rpc/aggregates.ts';
import type { Lookup } from './rpc/lookup.ts';
import type { LinksFirst, MatchingRequest, MatchingResult } from './rpc/related.ts';
import type { Once } from './rpc/once.ts';
import type { StoredDocument } from './rpc/packing/content.ts';

import { pageOfNothing, type Listing } from './lists.ts';
import { partsOf, type Parts } from './parts.ts';

export abstract class ReadingCollection extends DurableObject<Environment> {
  protected readonly parts: Parts;

  constructor(state: DurableObjectState, env: Environment) {
    super(state, env);
    this.parts = partsOf(state, env, () => {
      this.committed();
    });
  }

  /** Where the feed stands: its last change, and what its marks depend on. */
  protected standing(): Pick<FeedMark, 'base' | 'state'> {
    return this.parts.writes.hasTables ? this.parts.feed.standing : NOTHING_CHANGED.mark;
  }

  /** Which of some documents have changed since, or were deleted. */
  protected changedSince(told: readonly Telling[]): ReadonlySet<DocumentId> {
    return this.parts.writes.hasTables ? this.parts.feed.changedSince(told) : new Set();
  }

  /** Told after each commit. */
  protected committed(): void {
    // Nobody listens here.
  }

  read(id: DocumentId, told: Principal | null, provenance = false): PackedRead | Promise<PackedRead> {
    const principal = told === null ? TRUSTED : told;
    const read = () => {
      if (!this.parts.writes.hasTables) return neverThere(principal);
      this.parts.expiry.finish(id);
      return this.parts.reads.read(id, principal, provenance);
    };
    return this.parts.readiness.told(
      () => this.parts.propagation.inForce(read),
      () => neverThere(principal),
    );
  }

  readMany(request: ReadManyRequest): ReadManyResult | Promise<ReadManyResult> {
    return this.parts.readiness.told(
      async () => {
        await this.parts.propagation.inForce(() => null);
        return isMany(request.viewer)
          ? this.parts.reads.readManyInSteps(request, yieldToOthers)
          : this.parts.reads.readMany(request);
      },
      () => NONE_READ,
    );
  }

  missing(ids: readonly DocumentId[]): readonly DocumentId[] | Promise<readonly DocumentId[]> {
    return this.parts.readiness.told(
      () => this.parts.reads.missing(ids),
      () => ids,
    );
  }

  readAcl(id: DocumentId, principal: Principal): AclReadResult | Promise<AclReadResult> {
    return this.parts.readiness.told(
      () => {
        this.parts.expiry.finish(id);
        return this.parts.reads.readAcl(id, principal);
      },
      () => neverThere(principal),
    );
  }

  findUnique(name: string, value: string): Promise<StoredDocument | null> | StoredDocument | null {
    return this.parts.readiness.told(
      () => this.parts.reads.findUnique(name, value),
      () => null,
    );
  }

  groupsOf(identity: string): readonly DocumentId[] | Promise<readonly DocumentId[]> {
    this.parts.leases.give(identity);
    return this.parts.readiness.told(
      () => this.parts.reads.groupsOf(identity),
      () => [],
    );
  }

  settings(): TypeSettings | null | Promise<TypeSettings | null> {
    return this.parts.readiness.told(
      () => this.parts.tables.settings.current,
      () => null,
    );
  }

  vouches(holder: Link, version: number, token: DocumentId): boolean | Promise<boolean> {
    this.parts.leases.give(keyOf(holder));
    return this.parts.readiness.told(
      () => this.parts.reads.vouches(holder.id, version, token),
      () => false,
    );
  }

  hasType(type: string): boolean {
    return this.parts.registration.has(type, (name, value) => this.parts.reads.findUnique(name, value));
  }

  list(name: CollectionName, packed: string): Listing | Promise<Listing> {
    return this.parts.readiness.told(
      () => this.parts.propagation.inForce(() => this.parts.lists.page(name.type, packed)),
      () => pageOfNothing(packed),
    );
  }

  feed(
    name: CollectionName,
    request: FeedRequest,
  ): FeedResult | LinksFirst | Promise<FeedResult | LinksFirst> {
    const page = async () => {
      await this.parts.propagation.inForce(() => null);
      const { through = [] } = request;
      const linked = through.length === 0 ? [] : await this.parts.linkTypes.of(through);
      return linked.length > 0 ? { linked } : this.parts.feed.page(name.type, request);
    };
    return this.parts.readiness.told(page, () => ok(NOTHING_CHANGED));
  }

  matching(name: CollectionName, request: MatchingRequest): MatchingResult | Promise<MatchingResult> {
    return this.parts.readiness.told(
      async () => {
        await this.parts.propagation.inForce(() => null);
        return this.parts.searches.matching(name.type, request);
      },
      () => ok(request.conditions.map(() => [])),
    );
  }

  taken(): void | Promise<void> {
    this.parts.pages.release();
  }

  async aggregate(name: CollectionName, request: AggregateRequest): Promise<Outcome<OutputPage>> {
    await this.parts.readiness.sure();
    return this.parts.writes.hasTables
      ? this.parts.searches.aggregate(name.type, request)
      : this.parts.searches.aggregateOfNothing(name.type, request);
  }

  async allows(id: DocumentId, right: Right, precondition: Precondition): Promise<Outcome<null>> {
    await this.parts.readiness.sure();
    this.parts.expiry.finish(id);
    const document = this.parts.writes.hasTables
      ? allow(this.parts.tables, id, right, precondition, versionFor(right))
      : isKeptIgnorant(precondition)
        ? forbidden(right, precondition)
        : allowTrusted(undefined, id, precondition.ifMatch);
    return document.ok ? ok(null) : document;
  }

  /** The JSON text of what the same write came to before; null if it was not done. */
  outcomeOf(once: Once): Outcome<string | null> | Promise<Outcome<string | null>> {
    const find = () => this.parts.repeats.find(once);
    return this.parts.readiness.told(
      () => this.parts.propagation.inForce(find),
      () => ok(null),
    );
  }

  exportPage(after: string | null, limit: number): Outcome<ExportPage> | Promise<Outcome<ExportPage>> {
    const page = async () => {
      // What has ended is not there for anybody, and must not come back somewhere else.
      if (after === null) await this.parts.expiry.settled();
      return this.parts.exports.page(after, limit);
    };
    return this.parts.readiness.told(page, () => ok({ documents: [], deletions: [], next: null }));
  }

  unknown(ids: readonly DocumentId[]): readonly DocumentId[] | Promise<readonly DocumentId[]> {
    return this.parts.readiness.told(
      () => this.parts.reads.unknown(ids),
      () => ids,
    );
  }

  holding(): Holding | Promise<Holding> {
    return this.parts.readiness.told(
      () => this.parts.reads.holding(),
      () => ({ documents: 0, bytes: 0 }),
    );
  }

  async traces(person: Person): Promise<Traces> {
    await this.parts.readiness.sure();
    return this.parts.writes.hasTables ? this.parts.people.traces(person) : { owned: 0, named: 0 };
  }

  usage(): TypeUsage {
    const { hasTables } = this.parts.writes;
    const holding = hasTables ? this.parts.reads.holding() : { documents: 0, bytes: 0 };
    return {
      ...holding,
      indexes: hasTables ? this.parts.tables.indexes.count : 0,
      indexed: hasTables
        ? this.parts.tables.indexes.told(this.parts.tables.records.lastSeq(), Date.now())
        : [],
      ...this.parts.tally.served,
    };
  }

  requests(): CountedRequests {
    return this.parts.requests.all;
  }

  current(id: DocumentId): Lookup {
    return this.parts.propagation.current(id);
  }

  letters(addressee: string): LettersTold | Promise<LettersTold> {
    return this.parts.readiness.told(
      () => this.parts.letters.told(addressee),
      () => NO_LETTERS,
    );
  }

  bookmark(time: number): Promise<string | null> {
    return this.parts.rewinding.bookmark(time);
  }
}
