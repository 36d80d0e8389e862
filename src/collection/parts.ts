/** What a collection's object is made of. */
import { Rollout } from './write/upkeep/rollout.ts';
import { Background } from './background.ts';
import { auditCarrier } from './write/notify/audit-carrier.ts';
import { fileCarrier } from './write/notify/file-carrier.ts';
import { mailCarrier } from './mail/carrier.ts';
import { Counters } from './counters.ts';
import { Deliveries } from './write/notify/deliveries.ts';
import { webhookCarrier } from './write/notify/webhook-calls.ts';
import { Expiry } from './write/upkeep/expiry.ts';
import { History } from './history.ts';
import { Feed } from './feed/feed.ts';
import { FeedUpkeep } from './feed/upkeep.ts';
import type { ListPages } from './write/lists/bulk.ts';
import { type Environment, hasRoom } from './rpc/environment.ts';
import type { Streams } from './rpc/feed/streams.ts';
import { Followers } from './write/notify/followers.ts';
import { Inheritance } from './write/notify/inheritance.ts';
import { Inheritors } from './write/notify/inheritors.ts';
import { Watchers } from './write/rules/watchers.ts';
import { Watching } from './write/rules/watching.ts';
import { Leases } from './write/notify/leases.ts';
import { collectionOfObject } from './rpc/objects.ts';
import { Replication } from './write/notify/replication.ts';
import { Memory } from './storage/caching/answer-cache.ts';
import { Learning } from './learning.ts';
import { PageSemaphore } from './search/page-semaphore.ts';
import { SearchReader } from './search/reading/reader.ts';
import { Initialization } from './initialization.ts';
import { Reads } from './reads.ts';
import { LeaseRequests } from './quotas/lease-requests.ts';
import { RequestCounts, ServedCounters, CountingSql } from './usage/served.ts';
import { QuotaLeases } from './quotas/quota-leases.ts';
import { Registration } from './write/registration.ts';
import { ReadableCounts } from './search/reading/readable-reader.ts';
import { Searches } from './searches.ts';
import { resting } from './storage/steps.ts';
import { WordsOnDemand, LinkTypesOnDemand } from './on-demand.ts';
import { Transactor } from './write/transactor.ts';
import { ListWrites } from './list-writes.ts';
import { Writes } from './write/writes.ts';
import { Coordinator } from './write/transactions/coordinator.ts';
import { PreparedShare } from './write/transactions/prepared.ts';
import type { CollectionName } from '../domain/documents.ts';
import type { Ground } from './write/ground.ts';

/** The object, as its parts use it. */
interface Host {
  /** Its streams, once there have been any. */
  readonly streams: () => Streams | null;
  /** Ends the object: the next call finds another. */
  readonly beginAgain: () => void;
}

/** What there is before all parts. */
class Given {
  readonly environment: Environment;
  readonly host: Host;
  readonly storage: DurableObjectStorage;
  readonly sql: CountingSql;
  readonly own: CollectionName | null;

  constructor(state: DurableObjectState, environment: Environment, host: Host) {
    this.environment = environment;
    this.host = host;
    this.storage = state.storage;
    this.sql = new CountingSql(state.storage.sql);
    this.own = collectionOfObject(state.id.name ?? '');
  }
}

/** The parts of an object. Each names those that it uses; what asks them when it is made stands after them. */
export class Parts extends Given implements Ground {
  readonly hasRoom = () => hasRoom(this.environment);
  readonly rest = () => resting(this.storage, () => this.served.arrived);
  readonly background = new Background(this);
  readonly memory = new Memory();
  readonly tables = new Transactor(this.sql, {}, this.environment.EPOCH);
  readonly prepared: PreparedShare = new PreparedShare(this);
  readonly writes = new Writes(this);
  readonly served: ServedCounters = new ServedCounters(this);
  readonly requests = new RequestCounts(this);
  readonly registration = new Registration(this);
  readonly expiry = new Expiry(this);
  readonly replication = new Replication(this);
  readonly rollout = new Rollout(this);
  readonly followers = new Followers(this);
  readonly leases = new Leases(this);
  readonly inheritance = new Inheritance(this);
  readonly inheritors = new Inheritors(this);
  readonly watchers = new Watchers(this);
  readonly watching = new Watching(this);
  readonly initialization = new Initialization(this);
  readonly leaseRequests = new LeaseRequests(this);
  readonly listWrites = new ListWrites(this);
  readonly coordinator = new Coordinator(this);
  readonly quotaLeases = new QuotaLeases(this);
  readonly reads = new Reads(this.tables, this.memory);
  readonly history = new History(this.tables);
  readonly linkTypes = new LinkTypesOnDemand(this);
  readonly counters = new Counters(this);
  readonly words = new WordsOnDemand(this);
  readonly pages = new PageSemaphore();
  readonly #readable = new ReadableCounts(this.tables.dirtyRanges);
  readonly reader = () => new SearchReader(this.sql, this.#readable);
  readonly searches: Searches = new Searches(this);

  readonly learning = new Learning({
    storage: this.storage,
    tables: this.tables,
    isSearched: () => this.searches.areRunning,
    hasRoom: async () => (await this.hasRoom()) && this.writes.hasTables,
    pause: this.rest(),
  });

  /** Lists for the object itself. */
  readonly ownLists: ListPages = (type, request) => this.searches.list(type, request);

  readonly feedUpkeep = new FeedUpkeep(this);
  readonly feed: Feed = new Feed(this);

  readonly carriers = {
    webhook: webhookCarrier(this.environment, this.tables.webhooks),
    audit: auditCarrier(this),
    file: fileCarrier(this),
    mail: mailCarrier(this),
  };
  readonly deliveries = new Deliveries(this);

  /** To be called after each commit. */
  committed(): void {
    this.followers.committed();
    this.feed.committed();
    this.feedUpkeep.committed();
    this.served.done();
    this.host.streams()?.wake();
  }
}
