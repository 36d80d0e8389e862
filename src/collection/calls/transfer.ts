/** What the operator asks: exports, imports, what there is of a person, and what is used. */
import { ok } from '../../domain/problems.ts';
import { isToken } from '../../domain/types/facts.ts';
import type { Transfer } from '../rpc/contract.ts';
import { NOTHING } from '../rpc/writes/target.ts';
import type { Rows } from './table.ts';
import { exportPage } from '../exports.ts';
import { takeImport } from '../write/lists/imports.ts';
import { erasePerson, namedAfter, removeUser, tracesOf } from '../write/upkeep/people.ts';

export const TRANSFER: Rows<Transfer> = {
  exportPage: {
    async present({ parts, target }, after, limit, request) {
      // What has ended is not there for anybody, and must not come back somewhere else.
      if (after === null) await parts.expiry.settled();
      return exportPage(parts, after, limit, { ...request, areTokens: isToken(target.type) });
    },
    absent: () => ok({ versions: [], documents: [], deletions: [], next: null }),
  },

  async importLines({ parts, target }, batch) {
    const { initialization, registration } = parts;
    const registered = await registration.ready(target);
    if (!registered.ok) return registered;
    await initialization.sure();
    return initialization.reminded(takeImport(parts, target, batch));
  },

  contents: {
    present: ({ parts: { tables } }, after, last, limit) => tables.contents.between(after, last, limit),
    absent: () => [],
  },

  holding: {
    present: ({ parts: { tables } }) => tables.held,
    absent: () => NOTHING,
  },

  traces: {
    present: ({ parts }, person) => tracesOf(parts, person),
    absent: () => ({ owned: 0, named: 0 }),
  },

  named: {
    present: ({ parts }, ...asked) => namedAfter(parts, ...asked),
    absent: () => ({ ids: [], next: null }),
  },

  async erasePerson({ parts, target }, person) {
    const { initialization, writes } = parts;
    await initialization.sure();
    if (!writes.hasTables) return { owned: 0, named: 0, more: false, held: false };
    // First, and told, so that nobody logs in, and no token is valid, while the rest goes.
    const removed = await initialization.reminded(removeUser(parts, target.type, person));
    const erased = await initialization.reminded(erasePerson(parts, target.type, person));
    // What an entry said that is on its way is as it was: the trail is asked after all others.
    await parts.deliveries.audited();
    return { ...erased, owned: erased.owned + removed };
  },

  usage({ parts: { served, tables, writes } }) {
    const { indexes, records, words } = tables;
    const { hasTables } = writes;
    const last = hasTables ? records.lastSeq() : 0;
    return {
      ...(hasTables ? tables.held : NOTHING),
      indexes: hasTables ? indexes.count : 0,
      indexed: hasTables ? [...indexes.usage(last, Date.now()), ...words.usage(last)] : [],
      ...served.all,
    };
  },

  requests: ({ parts }) => parts.requests.all,

  countRequests({ parts: { requests } }, counted) {
    requests.add(counted);
  },
};
