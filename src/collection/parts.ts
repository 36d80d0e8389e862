/** What a collection's object is made of, each part of those before it. */
import { settingsOf } from '../domain/settings.ts';
import { Adoption } from './write/adoption.ts';
import { auditCarrier } from './write/telling/audit-carrier.ts';
import { Deliveries } from './write/telling/deliveries.ts';
import { Letters } from './write/telling/letters.ts';
import { webhookCarrier } from './write/telling/webhook-calls.ts';
import { Expiry } from './write/expiry.ts';
import { Exports } from './exports.ts';
import { Feed } from './feed/feed.ts';
import { Imports } from './write/lists/imports.ts';
import { Changes } from './changes.ts';
import type { Environment } from './rpc/environment.ts';
import { Followers } from './write/telling/followers.ts';
import { Leases } from './write/telling/leases.ts';
import { collectionOfObject } from './rpc/objects.ts';
import { Propagation } from './write/telling/propagation.ts';
import { Memory } from './storage/answer-cache.ts';
import { Learning } from './learning.ts';
import { Lists } from './lists.ts';
import { LinkTypesOnDemand } from './link-types-on-demand.ts';
import { PageSemaphore } from './search/page-semaphore.ts';
import { SearchReader } from './search/reader.ts';
import { Readiness } from './readiness.ts';
import { Reads } from './reads.ts';
import { Claims } from './quotas/claims.ts';
import { Meter } from './usage/meter.ts';
import { RequestCounts } from './usage/requests.ts';
import { Tally } from './usage/tally.ts';
import { Shares } from './quotas/shares.ts';
import { Registration, REGISTERED } from './write/registration.ts';
import { People } from './write/people.ts';
import { hasRoom } from './rpc/upkeep/room.ts';
import { Searches } from './searches.ts';
import { resting, yieldToOthers } from './storage/steps.ts';
import { WordsOnDemand } from './words-on-demand.ts';
import { Transactor } from './write/transactor.ts';
import { Rewinding } from './write/rewinding.ts';
import { Repeats } from './write/repeats.ts';
import { Writes } from './write/writes.ts';

export interface Parts {
  readonly tables: Transactor;
  readonly reads: Reads;
  readonly registration: Registration;
  readonly searches: Searches;
  readonly writes: Writes;
  readonly learning: Learning;
  readonly propagation: Propagation;
  readonly adoption: Adoption;
  readonly pages: PageSemaphore;
  readonly lists: Lists;
  readonly repeats: Repeats;
  readonly linkTypes: LinkTypesOnDemand;
  readonly expiry: Expiry;
  readonly deliveries: Deliveries;
  readonly letters: Letters;
  readonly readiness: Readiness;
  readonly changes: Changes;
  readonly shares: Shares;
  readonly requests: RequestCounts;
  readonly tally: Tally;
  readonly exports: Exports;
  readonly feed: Feed;
  readonly leases: Leases;
  readonly followers: Followers;
  readonly imports: Imports;
  readonly rewinding: Rewinding;
  readonly people: People;
}

/** The parts of an object. `committed` is called after each commit. */
export function partsOf(state: DurableObjectState, env: Environment, committed: () => void): Parts {
  const { storage } = state;
  const own = collectionOfObject(state.id.name ?? '');
  const room = () => hasRoom(env);
  const memory = new Memory();
  const sql = new Meter(storage.sql);
  const tables = new Transactor(sql);
  const linkTypes = new LinkTypesOnDemand(storage, tables, room);
  const rest = () => resting(storage, () => tally.arrived);
  const words = new WordsOnDemand(storage, tables, { hasRoom: room, rest });
  const searches: Searches = new Searches(tables, memory, {
    reader: () => new SearchReader(sql),
    prepare: (type, condition) => words.prepare(type, condition),
    learn: (search, documents) => {
      learning.after(search, documents);
    },
    store: (key, stretches) => {
      void learning.keep(key, stretches);
    },
  });
  const pages = new PageSemaphore();
  const lists = new Lists({
    searches,
    memory,
    linkTypes,
    semaphore: pages,
    learn: (lesson) => {
      learning.after(lesson, memory.stateOf(tables.records).documents);
    },
  });
  const isSearched = () => searches.areRunning;
  const learning = new Learning(storage, tables, {
    isSearched,
    hasRoom: async () => (await room()) && writes.hasTables,
    pause: rest(),
  });
  const writes = new Writes(storage, tables, memory);
  const registration = new Registration(env, writes, state.id.name);
  const expiry = new Expiry(storage, tables, writes, rest);
  const propagation = new Propagation(env, storage, tables, writes);
  const feed = new Feed({ storage, tables, writes, expiry, hasRoom: room, pause: yieldToOthers, rest });
  const followers = new Followers(env, storage, own, tables.concerned);
  writes.onCommit = () => {
    followers.committed();
    feed.committed();
    committed();
  };
  const repeats = new Repeats(storage, tables.outcomes);
  const leases = new Leases(env, own, tables.concerned, followers);
  const counts = { storage, writes, hasRoom: room };
  const tally = new Tally(counts, sql);
  const readiness = new Readiness({ writes, registration, expiry, leases, tally });
  const claims = new Claims(env, tables, writes);
  return {
    tables,
    reads: new Reads(tables, memory),
    registration,
    searches,
    writes,
    learning,
    propagation,
    adoption: new Adoption(tables, writes, rest),
    pages,
    lists,
    repeats,
    linkTypes,
    expiry,
    deliveries: new Deliveries({
      storage,
      writes,
      outbox: tables.outbox,
      carriers: {
        webhook: webhookCarrier(env, tables.webhooks),
        audit: auditCarrier(env, () => own?.application ?? null),
      },
      settings: () => settingsOf(env),
    }),
    letters: new Letters(tables.outbox, writes),
    readiness,
    changes: new Changes(storage, { tables, writes, repeats, propagation, expiry, readiness, claims }),
    shares: new Shares(env, storage, () => (writes.hasTables ? tables.uniques.values(REGISTERED) : [])),
    requests: new RequestCounts(counts),
    tally,
    exports: new Exports(storage, sql, rest),
    feed,
    leases,
    followers,
    imports: new Imports(tables, writes, propagation),
    rewinding: new Rewinding(storage, tables, writes, propagation),
    people: new People(storage.sql, tables, writes, rest),
  };
}
