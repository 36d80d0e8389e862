/** Breakages of lists of several types. */
import type { Mutant } from './mutant.ts';

const COORDINATOR = 'src/collection/write/transactions/coordinator.ts';

export const TRANSACTIONS: readonly Mutant[] = [
  {
    breaks: 'A read does not ask whether what is prepared is committed',
    file: 'src/collection/initialization.ts',
    find: 'if (prepared.isHeld) await prepared.seen();',
    put: '',
    tests: ['http/transactions-faults'],
  },
  {
    breaks: 'A share is prepared while another is',
    file: 'src/collection/write/writes.ts',
    find: 'while (this.#parts.prepared.isHeld) await this.#parts.prepared.free();',
    put: '',
    tests: ['http/transactions'],
  },
  {
    breaks: 'The commit of a transaction is not noted',
    file: COORDINATOR,
    find: 'this.#parts.storage.kv.put(`${COMMITTED}${id}`, commit);',
    put: '',
    tests: ['http/transactions'],
  },
  {
    breaks: 'What is not decided passes for committed',
    file: COORDINATOR,
    find: "if (!patient) return 'pending';",
    put: "if (!patient) return 'committed';",
    tests: ['http/transactions-faults'],
  },
  {
    breaks: 'A commit is forgotten before all have heard of it',
    file: COORDINATOR,
    find: '    const results = await Promise.all(\n      types.map(',
    put: '    this.#storage.kv.delete(`${COMMITTED}${id}`);\n    const results = await Promise.all(\n      types.map(',
    tests: ['http/transactions-faults'],
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
    tests: ['http/transactions-faults'],
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
];
