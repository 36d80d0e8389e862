/**
 * Breakages of lists of several types. Each safeguard of the protocol has one that the model notices (faults/transactions):
 * the run tells by which seed.
 */
import type { Mutant } from './mutant.ts';

const COORDINATOR = 'src/collection/write/transactions/coordinator.ts';
const PREPARED = 'src/collection/write/transactions/prepared.ts';

export const TRANSACTIONS: readonly Mutant[] = [
  {
    breaks: 'A read does not ask whether what is prepared is committed',
    file: 'src/collection/initialization.ts',
    find: 'if (prepared.isHeld) await prepared.seen();',
    put: '',
    tests: ['faults/transactions'],
  },
  {
    breaks: 'A share is prepared while another is',
    file: 'src/collection/write/writes.ts',
    find: 'while (this.#parts.prepared.isHeld) await this.#parts.prepared.free();',
    put: '',
    tests: ['faults/transactions', 'http/transactions'],
  },
  {
    breaks: 'The commit of a transaction is not noted',
    file: COORDINATOR,
    find: 'this.#parts.storage.kv.put(`${COMMITTED}${id}`, commit);',
    put: '',
    tests: ['faults/transactions'],
  },
  {
    breaks: 'What is not decided passes for committed',
    file: COORDINATOR,
    find: "if (!patient) return 'pending';",
    put: "if (!patient) return 'committed';",
    tests: ['faults/transactions', 'http/transactions-faults'],
  },
  {
    breaks: 'A commit is forgotten before all have heard of it',
    file: COORDINATOR,
    find: '    await Promise.all(types.map((type) => collectionOf(',
    put: '    this.#parts.storage.kv.delete(`${COMMITTED}${id}`);\n    await Promise.all(types.map((type) => collectionOf(',
    tests: ['faults/transactions'],
  },
  {
    breaks: 'Collections are locked in the order of the list',
    file: 'src/collection/rpc/writes/transactions.ts',
    find: 'one.type < other.type ? -1 : 1',
    put: 'one.type === other.type ? 1 : 0',
    tests: ['http/transactions'],
  },
  {
    breaks: 'Whoever finds others prepared prepares beside them',
    file: 'src/collection/list-writes.ts',
    find: 'taken.isHeld = prepared.isHeld;',
    put: 'taken.isHeld = false;',
    tests: ['faults/transactions', 'http/transactions-faults'],
  },
  {
    breaks: 'What is added has another id than its rehearsal',
    file: 'src/collection/list-writes.ts',
    find: 'return { ...operation, given: each.id };',
    put: 'return operation;',
    tests: ['http/transactions'],
  },
  {
    breaks: 'The failure of a later operation is told',
    file: COORDINATOR,
    find: '.toSorted((one, other) => one.place - other.place)',
    put: '.toSorted((one, other) => other.place - one.place)',
    tests: ['http/transactions'],
  },
  {
    breaks: 'One that fails takes those with it that are decided together with it',
    file: COORDINATOR,
    find: 'if (!alone && result?.ok !== true) return false;',
    put: '',
    tests: ['http/transactions-together'],
  },
  {
    breaks: 'What is decided together is all written by the first sender',
    file: 'src/collection/list-writes.ts',
    find: 'const { quotas: _, ...target } = prepared;',
    put: 'const { quotas: _, ...target } = { ...prepared, auditor: undefined };',
    tests: ['http/transactions-together'],
  },
  {
    breaks: 'A key that is sent twice at once has nothing done for the second',
    file: 'src/collection/list-writes.ts',
    find: 'else if (shares.length > 1) throw new Undone(notEven([]));',
    put: '',
    tests: ['http/transactions-together'],
  },
  {
    breaks: 'The room of what is prepared is given to others',
    file: 'src/collection/calls/maintenance.ts',
    find: 'documents: documents + wanted.documents,',
    put: 'documents,',
    tests: ['http/transactions'],
  },
  {
    breaks: 'An object that begins again does not know what is prepared',
    file: PREPARED,
    find: 'this.#held = load(parts.storage);\n  }\n\n  /** Whether the collection waits',
    put: 'this.#held = null;\n  }\n\n  /** Whether the collection waits',
    tests: ['faults/transactions'],
  },
  {
    breaks: 'A read relies on an answer that was asked for before it began',
    file: PREPARED,
    find: 'if (this.#asking !== null) {',
    put: 'if (this.#asking !== null) return this.#asking;\n    if (this.#asking !== null) {',
    tests: ['faults/transactions'],
  },
  {
    breaks: 'What is not decided passes for aborted',
    file: COORDINATOR,
    find: "if (!patient) return 'pending';",
    put: "if (!patient) return 'aborted';",
    tests: ['faults/transactions'],
  },
  {
    breaks: 'A share that is committed is dropped',
    file: PREPARED,
    find: "if (decision === 'aborted') this.release();",
    put: "if (decision !== 'pending') this.release();",
    tests: ['faults/transactions'],
  },
  {
    breaks: 'A share that is aborted is applied',
    file: PREPARED,
    find: "if (decision === 'aborted') this.release();\n      else ",
    put: '',
    tests: ['faults/transactions'],
  },
  {
    breaks: 'What another call has decided meanwhile is decided again',
    file: PREPARED,
    find: 'if (this.#held?.id === held.id) {',
    put: 'if (this.#held !== null || this.#applied?.id === held.id) {',
    tests: ['faults/transactions'],
  },
  {
    breaks: 'A write that waits for others does not look again whether a share is prepared',
    file: 'src/collection/write/writes.ts',
    find: 'this.#parts.prepared.isHeld ? null : (this.#refusal() ?? work()),',
    put: 'this.#refusal() ?? work(),',
    tests: ['faults/transactions'],
  },
  {
    breaks: 'A commit has no outcome for the key of its list',
    file: 'src/collection/list-writes.ts',
    find: 'const done = performPart(tables, part.target, once, () => {',
    put: 'const done = performPart(tables, part.target, undefined, () => {',
    tests: ['faults/transactions'],
  },
  {
    breaks: 'A document that is tested may have changed',
    file: 'src/collection/write/lists/batch.ts',
    find: "const found = allow(this.#tables, id, 'read', { ...principal, ifMatch });",
    put: "const found = allow(this.#tables, id, 'read', { ...principal, ifMatch: null });",
    tests: ['faults/transactions'],
  },
];
