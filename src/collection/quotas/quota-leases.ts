/**
 * The leases of an application's quotas, in the registry of its types: how much each type may hold. Together they never
 * exceed a quota. A collection that needs more gets that and a little more, so that it asks rarely while much is free;
 * where nothing is free, the others give back what they do not use.
 */
import pLimit from 'p-limit';
import type { CollectionName } from '../../domain/documents.ts';
import { isResourceType, storedType } from '../../domain/types.ts';
import { isUnderQuotas } from '../../domain/types/facts.ts';
import { collectionOf } from '../rpc/client.ts';
import type { Amount, LeaseRequest, Lease } from '../rpc/writes/target.ts';
import { storedUnder } from '../storage/alarm.ts';
import { Part, type Ground } from '../write/ground.ts';
import { REGISTERED } from '../write/registration.ts';

/** Where leases stand in the object's storage, each under the name of its type. */
const PREFIX = 'share/';

/** The part of what is free that a collection gets beside what it needs. */
const BESIDE = 16;

/** Types that are asked for what they hold, for one request and at a time: each is a call. */
const ASKED = 500;
const AT_ONCE = 16;

/** Milliseconds between two times that all types are asked, and how many more for each type. */
const ASK_AGAIN = 1_000;
const ASK_AGAIN_FOR_EACH = 10;

export class QuotaLeases extends Part<Ground> {
  /** By type; those that were asked longest ago come first. */
  #leases: Map<string, Amount> | null = null;
  #askedAt = 0;
  #number = 0;
  readonly #turns = pLimit(1);

  /** The names of the types that are registered. */
  get #registered(): readonly string[] {
    const { tables, writes } = this.parts;
    return writes.hasTables ? tables.uniques.values(REGISTERED) : [];
  }

  /** One request after the other. */
  grant({ application }: Pick<CollectionName, 'application'>, request: LeaseRequest): Promise<Lease> {
    return this.#turns(() => this.#grant(application, request));
  }

  async #grant(application: CollectionName['application'], request: LeaseRequest): Promise<Lease> {
    const { type } = request;
    const leases = this.#load();
    // What was stored before there were quotas.
    const unknown = this.#registered.filter((each) => !leases.has(each));
    await this.#lease(application, unknown, type);
    const { present } = request;
    const lease = leases.get(type) ?? present;
    const held = {
      documents: Math.max(lease.documents, present.documents),
      bytes: Math.max(lease.bytes, present.bytes),
    };
    this.#put(type, held);
    const again = this.#askedAt + ASK_AGAIN + leases.size * ASK_AGAIN_FOR_EACH;
    if (!this.#suffices(request, held) && Date.now() >= again) {
      await this.#lease(application, [...leases.keys()], type);
      this.#askedAt = Date.now();
    }
    const admitted = this.#admits(request, held);
    const granted = admitted ? this.#granted(request, held) : held;
    this.#put(type, granted);
    return { ...granted, admitted, number: this.#next() };
  }

  #next(): number {
    this.#number = Math.max(this.#number + 1, Date.now());
    return this.#number;
  }

  #suffices(request: LeaseRequest, held: Amount): boolean {
    const granted = this.#granted(request, held);
    const fits = (what: keyof Amount) =>
      granted[what] >= Math.min(request.needed[what], Number.MAX_SAFE_INTEGER);
    return this.#admits(request, held) && fits('documents') && fits('bytes');
  }

  /** Whether the type is among those that may hold documents. */
  #admits({ type, quotas, needed }: LeaseRequest, held: Amount): boolean {
    if (quotas.types === null || !isResourceType(type)) return true;
    if (held.documents > 0 || needed.documents === 0) return true;
    const others = [...this.#load()].filter(
      ([each, { documents }]) => each !== type && documents > 0 && isResourceType(each),
    );
    return others.length < quotas.types;
  }

  /** How much of the quotas the type gets: never less than it has. */
  #granted({ type, quotas, needed }: LeaseRequest, held: Amount): Amount {
    const grant = (what: keyof Amount) => {
      const quota = quotas[what];
      if (quota === null) return Math.max(held[what], needed[what]);
      let free = quota - held[what];
      for (const [each, lease] of this.#load()) if (each !== type) free -= lease[what];
      const more = Math.max(0, needed[what] - held[what]);
      if (more === 0 || free <= 0) return held[what];
      return held[what] + (free <= more ? free : more + Math.floor((free - more) / BESIDE));
    };
    return { documents: grant('documents'), bytes: grant('bytes') };
  }

  /** Asks types for what they hold, and lets them keep no more. One that cannot be reached keeps its lease. */
  async #lease(
    application: CollectionName['application'],
    types: readonly string[],
    but: string,
  ): Promise<void> {
    const leases = this.#load();
    const others = types.filter((each) => each !== but && isUnderQuotas(each)).slice(0, ASKED);
    for (let at = 0; at < others.length; at += AT_ONCE) {
      const some = others.slice(at, at + AT_ONCE).map(async (type) => {
        const caller = { environment: this.parts.environment, application };
        const held = await collectionOf(caller, storedType(type)).calls.giveBack(this.#next());
        leases.delete(type);
        this.#put(type, held);
      });
      await Promise.allSettled(some);
    }
  }

  #put(type: string, { documents, bytes }: Amount): void {
    const leases = this.#load();
    const before = leases.get(type);
    leases.set(type, { documents, bytes });
    if (before?.documents === documents && before.bytes === bytes) return;
    this.parts.storage.kv.put(`${PREFIX}${type}`, { documents, bytes });
  }

  #load(): Map<string, Amount> {
    return (this.#leases ??= storedUnder(this.parts.storage.kv, PREFIX));
  }
}
