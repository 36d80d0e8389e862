/** What clients write. Each write takes the same steps (write-steps.ts); what it applies is in write/transactor.ts. */
import type { DocumentId } from '../../domain/ids.ts';
import { LIMITS } from '../../domain/limits.ts';
import { ok } from '../../domain/problems.ts';
import { packWrite } from '../rpc/packing/packing.ts';
import type { Writes } from '../rpc/contract.ts';
import { noVersion } from '../rpc/refusals.ts';
import type { Written } from '../rpc/results.ts';
import { unitsOfChange, unitsOfGrants } from '../rpc/writes/operations.ts';
import { newIdsIn, reserveContent, stepUpload } from '../write/document/contents.ts';
import type { Tables } from '../write/tables.ts';
import { perform } from '../write-steps.ts';
import type { Called, Rows } from './table.ts';
import { Bulk } from '../write/lists/bulk.ts';
import { orUndone } from '../write/lists/undone.ts';

const idOfWritten = ({ document }: Written): DocumentId => document.id;

/** Changes what is kept of a content that has no document yet. */
async function ofContent({ parts }: Called, id: DocumentId, apply: (tables: Tables) => void): Promise<void> {
  const { tables, writes } = parts;
  await writes.write(0, () => {
    if (writes.hasTables && !tables.records.isTaken(id)) apply(tables);
    return ok(null);
  });
}

export const WRITES: Rows<Writes> = {
  async create(called, draft) {
    const { parts, target } = called;
    const { replication, tables } = parts;
    const bytes = draft.content.body.length;
    const written = await perform(called, {
      adds: true,
      wanted: { documents: 1, bytes },
      once: draft.once,
      seen: draft.rule?.seen,
      apply: () => tables.findOrCreate(target.type, draft, Date.now()),
      commit: (work) => replication.write(target, null, bytes, work, idOfWritten),
    });
    return packWrite(written);
  },

  async update(called, id, change, precondition, overlay = null, once) {
    const { parts, target } = called;
    const { replication, tables } = parts;
    const bytes = unitsOfChange(change);
    const written = await perform(called, {
      ids: [id],
      wanted: { documents: 0, bytes },
      once,
      seen: precondition.rule?.seen,
      apply: () => tables.update(target.type, id, change, precondition, overlay),
      commit: (work) => replication.write(target, id, bytes, work, idOfWritten),
    });
    return packWrite(written);
  },

  outcomeOf: {
    inForce: true,
    present: ({ parts: { tables } }, once) => tables.outcomes.before(once),
    absent: () => ok(null),
  },

  async restore(called, { id, n, readers }, precondition, once) {
    const { parts, target } = called;
    const { history, replication, tables, writes } = parts;
    const isThere = !writes.hasTables || tables.records.seqOf(id) !== undefined;
    const written = await perform<Written>(called, {
      ...(!isThere && { adds: true }),
      ids: [id],
      wanted: { documents: isThere ? 0 : 1, bytes: 0 },
      once,
      seen: precondition.rule?.seen,
      apply: () => {
        const isDeleted = tables.records.seqOf(id) === undefined;
        const asReader = history.version(id, readers, n);
        const isRead = asReader.state === 'found';
        const read =
          !isRead && isDeleted && tables.couldDelete(id, precondition.viewer)
            ? history.version(
                id,
                readers.map(({ rule }) => ({ viewer: null, rule })),
                n,
              )
            : asReader;
        if (read.state !== 'found' || read.document === null) return noVersion(id, n);
        const { body, relationships } = read.document;
        const content = { body, relationships };
        return isDeleted
          ? tables.revive(target.type, id, { former: content, isRead }, precondition, Date.now())
          : tables.update(target.type, id, { kind: 'merge', content, whole: true }, precondition, null);
      },
      commit: (work) =>
        writes.hasTables
          ? replication.write(target, id, LIMITS.document, work, idOfWritten)
          : noVersion(id, n),
    });
    return packWrite(written);
  },

  remove(called, id, precondition) {
    const { parts, target } = called;
    const { replication, tables } = parts;
    return perform(called, {
      ids: [id],
      seen: precondition.rule?.seen,
      apply: () => tables.remove(target.type, id, precondition),
      commit: (work) => replication.write(target, id, 0, work, () => id),
    });
  },

  writeList: ({ parts: { listWrites }, target }, list) => listWrites.writeList(target, list),

  transact: ({ parts: { coordinator }, target }, transaction) => coordinator.run(target, transaction),

  reserveIds(called, count) {
    const { records } = called.parts.tables;
    return perform(called, {
      adds: true,
      wanted: { documents: count, bytes: 0 },
      apply: () => ok(newIdsIn(records, Math.floor(Date.now() / 1000), count)),
    });
  },

  async bulk(called, request) {
    const { parts, target } = called;
    const { counters, initialization, ownLists, tables, writes } = parts;
    await initialization.sure();
    if (!writes.hasTables) return ok(0);
    const admitted = counters.admits(request.condition);
    if (!admitted.ok) return admitted;
    const bulk = new Bulk(tables, target.type, request);
    const found = await bulk.find(ownLists);
    if (!found.ok) return found;
    return perform(called, {
      wanted: { documents: 0, bytes: request.change === null ? 0 : unitsOfChange(request.change) },
      seen: [request.reader, request.writer].flatMap(({ rule }) => rule?.seen ?? []),
      apply: () => ok(bulk.write(found.value)),
      commit: (work) => orUndone(() => writes.exclusive(work)),
    });
  },

  updateAcl(called, id, level, grants, precondition) {
    const { tables } = called.parts;
    return perform(called, {
      ids: [id],
      wanted: { documents: 0, bytes: unitsOfGrants(grants) },
      seen: precondition.rule?.seen,
      apply: () => tables.updateAcl(called.target.type, id, level, grants, precondition),
    });
  },

  reserveContent(called, bytes, begun) {
    const { parts, target } = called;
    return perform(called, {
      adds: true,
      wanted: { documents: 1, bytes },
      apply: () => reserveContent(parts.tables, target, bytes, begun, Date.now()),
    });
  },

  async stepUpload({ parts: { tables, writes } }, id, step) {
    const stepped = await writes.write(0, () =>
      ok(writes.hasTables ? stepUpload(tables, id, step, Date.now()) : null),
    );
    return stepped.ok ? stepped.value : null;
  },

  noteUpload: (called, id, upload) =>
    ofContent(called, id, ({ contents }) => {
      contents.noteUpload(id, upload);
    }),

  async releaseContent(called, id) {
    await ofContent(called, id, ({ contents }) => {
      contents.release(id, Date.now());
    });
    return !called.parts.writes.sealed;
  },

  /** An import may bring them before their holders. */
  endTokens(called, tokens) {
    const { tables } = called.parts;
    return perform(called, {
      adds: true,
      apply: () => ok(tables.endTokens(tokens, Math.floor(Date.now() / 1000))),
    });
  },

  endTokensOf(called, holder) {
    const { parts, target } = called;
    return perform(called, { ids: [holder], apply: () => parts.tables.endTokensOf(target.type, holder) });
  },
};
