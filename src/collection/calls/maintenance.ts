/** What the service itself asks of a collection, on behalf of no user. */
import { ok } from '../../domain/problems.ts';
import { LIMITS } from '../../domain/limits.ts';
import { NO_MESSAGES, type MessageSummary } from '../rpc/maintenance/usage.ts';
import type { Summary } from '../storage/outbox/message.ts';
import { TRUSTED } from '../../domain/rules.ts';
import { NONE_READ } from '../rpc/results.ts';
import type { Maintenance } from '../rpc/contract.ts';
import { NOTHING } from '../rpc/writes/target.ts';
import type { Rows } from './table.ts';
import { history } from '../storage/history.ts';

export const MAINTENANCE: Rows<Maintenance> = {
  current: ({ parts: { replication } }, id) => replication.current(id),

  async lookUp({ parts: { initialization, replication }, target }, id) {
    await initialization.sure();
    return replication.lookUp(target, id);
  },

  async setPushed({ parts: { registration, tables, writes }, target }, part, number, documents) {
    const registered = await registration.ready(target);
    if (!registered.ok) return;
    await writes.exclusive(() => {
      tables.setPushed(part, number, documents);
      return ok(null);
    });
  },

  messages: {
    present({ parts: { tables } }, queue) {
      const { outbox } = tables;
      const dead = outbox.dead.list(queue, LIMITS.messagesShown).map((each) => summaryOf(each, each.died));
      const waiting = outbox.waiting(queue, LIMITS.messagesShown).map((each) => summaryOf(each, null));
      return { ...outbox.counts(queue), messages: [...dead, ...waiting] };
    },
    absent: () => NO_MESSAGES,
  },

  sendAgain: {
    present({ parts: { tables, writes } }, queue, ids) {
      const { outbox } = tables;
      const chosen = ids ?? outbox.dead.ids(queue);
      const sent = writes.alone(() => ok(chosen.filter((id) => outbox.revive(queue, id, Date.now())).length));
      return sent.ok ? sent.value : 0;
    },
    absent: () => 0,
  },

  async stageSettings({ parts: { expiry, registration, rollout }, target }, number, settings) {
    const registered = await registration.ready(target);
    if (!registered.ok) return registered;
    expiry.know(target.type);
    return rollout.stage(number, settings);
  },

  async settleSettings({ parts, target }, number, settings) {
    const { expiry, feedUpkeep, initialization, registration, rollout, words } = parts;
    const registered = await registration.ready(target);
    if (!registered.ok) return;
    expiry.know(target.type);
    // What has ended by the settings that go does not come back.
    await expiry.settled();
    await initialization.reminded(rollout.settle(number, settings));
    await words.remind();
    // The log of a history that has begun, or ended, is pruned.
    await feedUpkeep.remind(Date.now());
  },

  leaseQuota: ({ parts: { quotaLeases }, target }, request) => quotaLeases.grant(target, request),

  giveBack({ parts: { prepared, tables, writes } }, number) {
    const { documents, bytes } = writes.hasTables ? tables.held : NOTHING;
    const { wanted } = prepared;
    const held = { documents: documents + wanted.documents, bytes: bytes + wanted.bytes };
    tables.quotaLease.giveBack(held, number);
    return held;
  },

  bookmark: ({ parts: { storage } }, time) => history.at(storage, time),

  withdrawLookups: ({ parts: { replication }, target }, withdrawal) =>
    replication.withdrawLookups(target, withdrawal),

  async prepareRewind({ parts: { storage, writes } }, bookmark) {
    writes.hold();
    await history.restore(storage, bookmark);
  },

  beginAgain({ parts: { host } }) {
    host.beginAgain();
  },

  /**
   * Gives every document a version that none has had, as the counter goes back with the rest: no entity tag and no
   * token of the lost time holds now. Nor does a mark of its feed: documents made since are gone without a trace.
   */
  async finishRewind({ parts: { replication, storage, tables, writes }, target }, ids) {
    if (writes.hasTables) {
      const { edits, feed, records, versions } = tables;
      writes.alone(() => {
        if (feed.active) feed.end();
        versions.end();
        records.jump();
        records.restamp();
        edits.restamp();
        versions.follow();
        return ok(null);
      });
      // What was pending then is pending again.
      await storage.setAlarm(Date.now());
    }
    await replication.settleLookups(target, ids);
  },

  async follow({ parts: { followers, registration }, target }, follower) {
    const registered = await registration.ready(target);
    if (registered.ok) followers.follow(follower);
  },

  tellFollowers: ({ parts: { followers } }) => followers.notify(null),

  concern: ({ parts: { host } }, identities) => host.streams()?.concern(identities) ?? false,

  async rights({ parts: { inheritors, prepared, registration }, target }, inheritor, cursor) {
    const registered = await registration.ready(target);
    // Who relies on what was before a transaction must not have heard of that since.
    await prepared.seen();
    return registered.ok ? prepared.lend(() => inheritors.page(inheritor, cursor)) : registered;
  },

  rightsChanged: ({ parts: { inheritance } }, type) => inheritance.changed(type),

  async watch({ parts }, watcher, ids) {
    const { initialization, prepared, reads, replication, watchers, writes } = parts;
    await initialization.sure();
    const lend = () => {
      watchers.watch(watcher);
      const most = { limit: ids.length, units: LIMITS.answer };
      const read = { ...TRUSTED, ids, ...most, auditFields: true };
      return writes.hasTables ? reads.readMany(read) : NONE_READ;
    };
    return prepared.lend(() => replication.inForce(lend));
  },

  async linkedChanged({ parts: { host, watching } }, type, counter) {
    await watching.notified(type, counter);
    return host.streams()?.linkedChanged() ?? false;
  },

  prepare: ({ parts: { listWrites } }, preparation) => listWrites.prepare(preparation),

  decide: ({ parts: { prepared } }, id, committed) => prepared.decide(id, committed),

  decided: ({ parts: { coordinator } }, id, patient) => coordinator.decided(id, patient),

  async prepared({ parts: { prepared } }) {
    // Where the coordinator can be asked, that ends what is decided.
    await prepared.seen().catch(() => undefined);
    return prepared.state;
  },

  seal({ parts: { writes } }) {
    writes.seal();
  },

  async erase({ parts: { background, host, writes } }) {
    await writes.erase();
    host.streams()?.end();
    // No alarm is left to do what waits.
    await background.ring(() => Promise.resolve());
  },
};

function summaryOf(
  { id, key, about, created, tries, failure }: Summary,
  died: number | null,
): MessageSummary {
  const state = died === null ? 'waiting' : 'dead';
  return { id, state, document: key, about, created, tries, failure, died };
}
