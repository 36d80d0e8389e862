/** What clients write: changes.ts has the steps. */
import { ok } from '../../domain/problems.ts';
import { packWrite } from '../rpc/packing/packing.ts';
import type { Writes } from '../rpc/contract.ts';
import type { Rows } from './table.ts';

export const WRITES: Rows<Writes> = {
  create: async ({ parts: { changes }, target }, draft) => packWrite(await changes.create(target, draft)),

  findOrCreate: async ({ parts: { changes }, target }, draft) =>
    packWrite(await changes.findOrCreate(target, draft)),

  update: async ({ parts: { changes }, target }, id, change, precondition, overlay = null, once) =>
    packWrite(await changes.update(target, id, change, precondition, overlay, once)),

  outcomeOf: {
    inForce: true,
    present: ({ parts: { idempotency } }, once) => idempotency.find(once),
    absent: () => ok(null),
  },

  restore: async ({ parts: { changes }, target }, version, precondition, once) =>
    packWrite(await changes.restore(target, version, precondition, once)),

  remove: ({ parts: { changes }, target }, id, precondition) => changes.remove(target, id, precondition),

  writeList: ({ parts: { listWrites }, target }, list) => listWrites.writeList(target, list),

  transact: ({ parts: { coordinator }, target }, transaction) => coordinator.run(target, transaction),

  reserveIds: ({ parts: { listWrites }, target }, count) => listWrites.reserveIds(target, count),

  bulk: ({ parts: { listWrites, ownLists }, target }, request) => listWrites.bulk(target, request, ownLists),

  updateAcl: ({ parts: { changes }, target }, id, level, grants, precondition) =>
    changes.updateAcl(target, id, level, grants, precondition),

  reserveContent: ({ parts: { changes }, target }, bytes, begun) =>
    changes.reserveContent(target, bytes, begun),

  stepUpload: ({ parts: { changes } }, id, step) => changes.stepUpload(id, step),

  noteUpload: ({ parts: { changes } }, id, upload) => changes.noteUpload(id, upload),

  releaseContent: ({ parts: { changes } }, id) => changes.releaseContent(id),

  endTokens: ({ parts: { changes }, target }, tokens) => changes.endTokens(target, tokens),
};
