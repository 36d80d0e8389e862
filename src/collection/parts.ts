/** What a collection's object is made of, each part of those before it. */
import { settingsOf } from '../domain/settings.ts';
import { Rollout } from './write/upkeep/rollout.ts';
import { Background } from './background.ts';
import { auditCarrier } from './write/notify/audit-carrier.ts';
import { fileCarrier } from './write/notify/file-carrier.ts';
import { mailCarrier } from './mail/carrier.ts';
import { Deliveries } from './write/notify/deliveries.ts';
import { webhookCarrier } from './write/notify/webhook-calls.ts';
import { Expiry } from './write/upkeep/expiry.ts';
import { Exports } from './exports.ts';
import { History } from './history.ts';
import { Feed } from './feed/feed.ts';
import { FeedUpkeep } from './feed/upkeep.ts';
import type { ListPages } from './write/lists/bulk.ts';
import { Imports } from './write/lists/imports.ts';
import { Changes } from './changes.ts';
import { ContentSweep } from './write/upkeep/content-sweep.ts';
import { type Environment, hasRoom } from './rpc/environment.ts';
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
import { Lists } from './lists.ts';
import { LinkTypesOnDemand } from './link-types-on-demand.ts';
import { PagePermit, PageSemaphore } from './search/page-semaphore.ts';
import { SearchReader } from './search/reader.ts';
import { Initialization } from './initialization.ts';
import { Reads } from './reads.ts';
import { LeaseRequests } from './quotas/lease-requests.ts';
import { Meter } from './usage/meter.ts';
import { RequestCounts } from './usage/requests.ts';
import { ServedCounters } from './usage/served.ts';
import { QuotaLeases } from './quotas/quota-leases.ts';
import { Registration, REGISTERED } from './write/registration.ts';
import { People } from './write/upkeep/people.ts';
import { ReadableCounts } from './search/counts/readable-counts.ts';
import { Searches } from './searches.ts';
import { resting, yieldToOthers } from './storage/steps.ts';
import { WordsOnDemand } from './words-on-demand.ts';
import { Transactor } from './write/transactor.ts';
import { Rewinding } from './write/upkeep/rewinding.ts';
import { Idempotency } from './write/idempotency.ts';
import { ListWrites } from './list-writes.ts';
import { WriteSteps } from './write-steps.ts';
import { Writes } from './write/writes.ts';
import { Coordinator } from './write/transactions/coordinator.ts';
import { PreparedShare } from './write/transactions/prepared.ts';

/** The object, as its parts use it. */
export interface Host {
  /** To be called after each commit. */
  readonly committed: () => void;
  /** Asks anew for the credentials of some identities, or all, whose streams there are. Whether there are any streams. */
  readonly concern: (identities: readonly string[] | null) => boolean;
  readonly endStreams: () => void;
  /** Ends the object: the next call finds another. */
  readonly beginAgain: () => void;
}

export interface Parts {
  readonly host: Host;
  readonly background: Background;
  readonly tables: Transactor;
  readonly reads: Reads;
  readonly history: History;
  readonly registration: Registration;
  readonly searches: Searches;
  readonly writes: Writes;
  readonly learning: Learning;
  readonly words: WordsOnDemand;
  readonly replication: Replication;
  readonly rollout: Rollout;
  readonly pages: PageSemaphore;
  readonly lists: Lists;
  /** Lists for the object itself: no caller takes them. */
  readonly ownLists: ListPages;
  readonly idempotency: Idempotency;
  readonly linkTypes: LinkTypesOnDemand;
  readonly expiry: Expiry;
  readonly contentSweep: ContentSweep;
  readonly deliveries: Deliveries;
  readonly initialization: Initialization;
  readonly changes: Changes;
  readonly listWrites: ListWrites;
  readonly quotaLeases: QuotaLeases;
  readonly requests: RequestCounts;
  readonly served: ServedCounters;
  readonly exports: Exports;
  readonly feed: Feed;
  readonly feedUpkeep: FeedUpkeep;
  readonly leases: Leases;
  readonly inheritance: Inheritance;
  readonly inheritors: Inheritors;
  readonly watchers: Watchers;
  readonly watching: Watching;
  readonly followers: Followers;
  readonly imports: Imports;
  readonly rewinding: Rewinding;
  readonly people: People;
  readonly prepared: PreparedShare;
  readonly coordinator: Coordinator;
}

/** The parts of an object. */
export function partsOf(state: DurableObjectState, env: Environment, host: Host): Parts {
  const { storage } = state;
  const own = collectionOfObject(state.id.name ?? '');
  const room = () => hasRoom(env);
  const background = new Background(storage);
  const memory = new Memory();
  const sql = new Meter(storage.sql);
  const tables = new Transactor(sql, {}, env.EPOCH);
  const linkTypes = new LinkTypesOnDemand(storage, tables, room);
  const rest = () => resting(storage, () => served.arrived);
  const words = new WordsOnDemand(storage, tables, { background, hasRoom: room, rest });
  const readable = new ReadableCounts(tables.marks);
  const searches: Searches = new Searches(tables, memory, {
    reader: () => new SearchReader(sql, readable),
    prepare: (type, condition) => words.prepare(type, condition),
    learn: (search, documents) => {
      learning.after(search, documents);
    },
    store: (key, segments) => {
      void learning.keep(key, segments);
    },
  });
  const pages = new PageSemaphore();
  const lists = new Lists({
    searches,
    memory,
    linkTypes,
    semaphore: pages,
    marking: () => feed.marking(),
    learn: (feedback) => {
      learning.after(feedback, memory.stateOf(tables.records).documents);
    },
  });
  const isSearched = () => searches.areRunning;
  const learning = new Learning(storage, tables, {
    isSearched,
    hasRoom: async () => (await room()) && writes.hasTables,
    pause: rest(),
  });
  const prepared = new PreparedShare(env, storage);
  const writes = new Writes(storage, tables, memory, prepared);
  const registration = new Registration(env, writes, state.id.name);
  const history = new History(tables);
  const expiry = new Expiry(storage, tables, writes, rest);
  const replication = new Replication(env, storage, tables, writes);
  const ownLists: ListPages = (type, asked) =>
    searches.list(type, asked, new PagePermit(new PageSemaphore()));
  const feedUpkeep = new FeedUpkeep({ storage, tables, writes, hasRoom: room, rest });
  const feed: Feed = new Feed({ tables, upkeep: feedUpkeep, expiry, pause: yieldToOthers, list: ownLists });
  const followers = new Followers(env, storage, own, tables.concerned);
  writes.onCommit = () => {
    followers.committed();
    feed.committed();
    feedUpkeep.committed();
    served.done();
    host.committed();
  };
  const idempotency = new Idempotency(storage, tables.outcomes);
  const leases = new Leases(env, own, tables.concerned, followers);
  const counts = { storage, writes, hasRoom: room };
  const served = new ServedCounters(counts, sql);
  const inheritance = new Inheritance(env, own, tables, writes);
  const inheritors = new Inheritors({ environment: env, own, tables, writes, expiry });
  const watchers = new Watchers({ environment: env, storage, own, tables, writes });
  const watching = new Watching(env, own, tables, prepared);
  const initialization = new Initialization({
    writes,
    registration,
    expiry,
    leases,
    inheritance,
    inheritors,
    watchers,
    served,
    prepared,
  });
  const leaseRequests = new LeaseRequests(env, tables, writes);
  const steps = new WriteSteps({
    tables,
    idempotency,
    expiry,
    inheritance,
    initialization,
    leaseRequests,
    watching,
  });
  const listWrites = new ListWrites(storage, { steps, tables, writes, initialization, prepared });
  prepared.apply = (share) => listWrites.apply(share);
  return {
    host,
    background,
    tables,
    reads: new Reads(tables, memory),
    history,
    registration,
    searches,
    writes,
    learning,
    words,
    replication,
    rollout: new Rollout(tables, writes, rest, background),
    pages,
    lists,
    ownLists,
    idempotency,
    linkTypes,
    expiry,
    contentSweep: new ContentSweep(env, storage, own, tables, writes),
    deliveries: new Deliveries({
      storage,
      writes,
      outbox: tables.outbox,
      carriers: {
        webhook: webhookCarrier(env, tables.webhooks),
        audit: auditCarrier(env, () => own?.application ?? null),
        file: fileCarrier(env, own),
        mail: mailCarrier(env, own),
      },
      settings: () => settingsOf(env),
    }),
    initialization,
    changes: new Changes({ steps, tables, writes, replication, history, initialization }),
    listWrites,
    prepared,
    coordinator: new Coordinator(env, storage, listWrites),
    quotaLeases: new QuotaLeases(env, storage, () =>
      writes.hasTables ? tables.uniques.values(REGISTERED) : [],
    ),
    requests: new RequestCounts(counts),
    served,
    exports: new Exports(storage, tables, rest),
    feed,
    feedUpkeep,
    leases,
    inheritance,
    inheritors,
    watchers,
    watching,
    followers,
    imports: new Imports(tables, writes, replication),
    rewinding: new Rewinding(storage, tables, writes, replication),
    people: new People(storage.sql, tables, writes, rest),
  };
}
