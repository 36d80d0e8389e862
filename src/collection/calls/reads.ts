/** What a collection answers about what it holds. Nothing here changes anything that a caller can see. */
import { keyOf } from '../../domain/documents.ts';
import { ok } from '../../domain/problems.ts';
import { isRestricted, TRUSTED } from '../../domain/rules.ts';
import { expired } from '../rpc/feed/mark.ts';
import { countsOf } from '../counters.ts';
import { pageOfNothing } from '../searches.ts';
import { NOTHING_CHANGED } from '../rpc/feed/feed.ts';
import { neverThere, NONE_READ } from '../rpc/results.ts';
import type { Reads } from '../rpc/contract.ts';
import { forbidden } from '../rpc/refusals.ts';
import { allow, allowTrusted, versionFor } from '../storage/documents/checks.ts';
import type { Rows } from './table.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { namedBy, type Right, type Viewer } from '../../domain/rights.ts';
import type { Reason } from '../rpc/maintenance/rights.ts';
import type { Transactor } from '../write/transactor.ts';

export const READS: Rows<Reads> = {
  read: {
    inForce: true,
    present({ parts: { counters, expiry, history, reads } }, id, principal, auditFields = false, names) {
      expiry.finish(id);
      const reader = principal ?? TRUSTED;
      const read = reads.read(id, reader, auditFields);
      const isRefused = typeof read !== 'string' && read.state === 'forbidden';
      if (isRefused && history.couldRead(id, reader)) return reads.gone(id);
      const shown = counters.shown(names, reader.rule);
      return typeof read !== 'string' || shown.length === 0 ? read : counters.read(read, shown);
    },
    absent: (_, __, principal) => neverThere(principal ?? TRUSTED),
  },

  readMany: {
    inForce: true,
    present({ parts: { counters, reads } }, request) {
      const read = reads.readMany(request);
      const shown = counters.shown(request.counters, request.rule);
      return shown.length === 0 ? read : counters.many(read, shown);
    },
    absent: () => NONE_READ,
  },

  missing: {
    present({ parts: { reads, tables } }, ids, how) {
      if (how === 'claimed') tables.claims.add(ids, Date.now());
      return how === 'ever' ? reads.unknown(ids) : reads.missing(ids);
    },
    absent: (_, ids) => ids,
  },

  unclaim({ parts: { tables } }, ids) {
    tables.claims.drop(ids);
  },

  knows: {
    present: ({ parts: { tables } }, numbers) => numbers.map((number) => tables.records.knows(number)),
    absent: (_, numbers) => numbers.map(() => false),
  },

  versions: {
    inForce: true,
    present({ parts: { expiry, history } }, id, ...args) {
      expiry.finish(id);
      return history.versions(id, ...args);
    },
    absent: () => ({ state: 'off' }),
  },

  version: {
    inForce: true,
    async present({ parts: { expiry, history, prepared } }, id, principals, which) {
      // Whether what is prepared has happened then is not known: a moment always shows the same.
      const { since = Infinity } = prepared.state ?? {};
      if (typeof which !== 'number' && which.at >= since) await prepared.free();
      expiry.finish(id);
      return history.version(id, principals, which);
    },
    absent: () => ({ state: 'off' }),
  },

  trash: {
    inForce: true,
    present: ({ parts: { history } }, ...args) => history.trash(...args),
    absent: () => ({ state: 'off' }),
  },

  readAcl: {
    present({ parts: { expiry, reads } }, id, principal) {
      expiry.finish(id);
      return reads.readAcl(id, principal);
    },
    absent: (_, __, principal) => neverThere(principal),
  },

  findUnique: {
    present: ({ parts: { reads } }, name, value) => reads.findUnique(name, value),
    absent: () => null,
  },

  groupsOf({ parts: { initialization, leases, reads } }, identity) {
    leases.give(identity);
    return initialization.whenReady(
      () => reads.groupsOf(identity),
      () => [],
    );
  },

  settings: {
    present: ({ parts: { tables } }) => tables.settings.current,
    absent: () => null,
  },

  vouches({ parts: { initialization, leases, reads } }, holder, version, token) {
    leases.give(keyOf(holder));
    return initialization.whenReady(
      () => reads.vouches(holder.id, version, token),
      () => null,
    );
  },

  ended: {
    present: ({ parts: { tables } }, tokens) => tables.tokens.ended(tokens),
    absent: () => [],
  },

  hasType: ({ parts: { reads, registration } }, type) =>
    registration.has(type, (name, value) => reads.findUnique(name, value)),

  list: {
    inForce: true,
    present: ({ parts: { counters, searches }, target }, packed) =>
      counters.any
        ? counters.page(packed, (each) => searches.page(target.type, each))
        : searches.page(target.type, packed),
    absent: (_, packed) => pageOfNothing(packed),
  },

  feed: {
    inForce: true,
    async present({ parts: { counters, feed, linkTypes }, target }, request) {
      const { condition, through = [] } = request;
      const admitted = counters.admits(condition);
      if (!admitted.ok) return admitted;
      const linked = through.length === 0 ? [] : await linkTypes.of(through);
      return linked.length > 0 ? { linked } : feed.page(target.type, request);
    },
    // A mark of what was there, where nothing ever was, is of a past that is gone.
    absent: (_, { mark }) =>
      mark !== null && mark !== 'now' && mark.state !== '' ? expired() : ok(NOTHING_CHANGED),
  },

  linkTypes: {
    present: ({ parts: { linkTypes } }, names) => linkTypes.of(names),
    absent: () => [],
  },

  matching: {
    inForce: true,
    async present({ parts: { counters, searches }, target }, request) {
      const settled = counters.any ? await counters.settled(request) : ok(request);
      return settled.ok ? searches.matching(target.type, settled.value) : settled;
    },
    absent: (_, { conditions }) => ok(conditions.map(() => [])),
  },

  matchingSince: {
    inForce: true,
    async present({ parts: { counters, searches, tables }, target }, request) {
      const { chosenIds, id } = tables.records.last();
      const seen = { counter: tables.records.counter(), last: chosenIds ? null : (id ?? '') };
      // What is counted changes though nothing here does.
      const refused = request.conditions.map((each) => counters.admits(each)).find((each) => !each.ok);
      return { ...seen, found: refused ?? (await searches.matching(target.type, request)) };
    },
    absent: (_, { conditions }) => ({ counter: 0, last: '', found: ok(conditions.map(() => [])) }),
  },

  counts: {
    inForce: true,
    present: ({ parts, target }, request) => countsOf(parts, target.type, request),
    absent: (_, { ids }) => ids.map(() => 0),
  },

  taken({ parts: { pages } }) {
    pages.release();
  },

  aggregate: {
    present: ({ parts: { searches }, target }, request) => searches.aggregate(target.type, request),
    absent: ({ parts: { searches }, target }, request) => searches.aggregateOfNothing(target.type, request),
  },

  reasons: {
    inForce: true,
    present: ({ parts: { tables } }, id, right, viewer) => reasonsOf(tables, id, right, viewer),
    absent: () => [],
  },

  async allows({ parts: { expiry, initialization, tables, writes } }, id, right, precondition) {
    await initialization.sure();
    expiry.finish(id);
    const document = writes.hasTables
      ? allow(tables, id, right, precondition, versionFor(right))
      : isRestricted(precondition)
        ? forbidden(right, precondition)
        : allowTrusted(undefined, id, precondition);
    return document.ok ? ok(null) : document;
  },
};

/** Reasons that are told at most. */
const MOST = 20;

/** Why somebody has a right on a document: the table of rights says that, its ACL and the settings say by what. */
function reasonsOf(
  { constraints, inherited, records, rights }: Transactor,
  id: DocumentId,
  right: Right,
  viewer: Viewer,
): readonly Reason[] {
  const document = records.find(id);
  if (document === undefined || viewer === null) return [];
  const all = new Set(rights.identitiesOf(viewer));
  const own = namedBy(rights.of(document.seq)[right]).map((identity) => ({ entry: null, identity }));
  return [...own, ...constraints.entriesOf(document, right)]
    .filter(({ identity }) => all.has(identity))
    .slice(0, MOST)
    .map(({ entry, identity }) => ({ entry, identities: inherited.wayTo(identity, new Set(viewer)) }));
}
