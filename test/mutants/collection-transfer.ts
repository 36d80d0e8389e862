/** Breakages of exports and imports. */
import type { Mutant } from './mutant.ts';

export const TRANSFER: readonly Mutant[] = [
  {
    breaks: 'An export has documents as they are, not as they were at its moment',
    file: 'src/collection/storage/moments.ts',
    find: "for (const change of ['UPDATE', 'DELETE']) {\n      this.#sql.exec(\n        `CREATE",
    put: "for (const change of ['DELETE']) {\n      this.#sql.exec(\n        `CREATE",
    tests: ['property/export-moment', 'unit/moments'],
  },
  {
    breaks: 'An export lacks documents that are deleted meanwhile',
    file: 'src/collection/storage/moments.ts',
    find: "for (const change of ['UPDATE', 'DELETE']) {\n      this.#sql.exec(\n        `CREATE",
    put: "for (const change of ['UPDATE']) {\n      this.#sql.exec(\n        `CREATE",
    tests: ['property/export-moment', 'unit/moments'],
  },
  {
    breaks: 'An export has new documents at the positions of deleted ones',
    file: 'src/collection/storage/moments.ts',
    find: 'AND version <= ? AND acl_version <= ?\n',
    put: 'AND 1 < ? + 2 AND 1 < ? + 2\n',
    tests: ['unit/moments'],
  },
  {
    breaks: 'An export has the deletions after its moment',
    file: 'src/collection/storage/moments.ts',
    find: "WHERE id > unhex(coalesce(?, '')) AND version <= ?",
    put: "WHERE id > unhex(coalesce(?, '')) AND 1 < ? + 2",
    tests: ['property/export-moment'],
  },
  {
    breaks: 'What an export has kept stays for ever',
    file: 'src/collection/storage/moments.ts',
    find: 'moment NOT IN (SELECT id FROM moments)',
    put: 'moment IN (SELECT id FROM moments)',
    tests: ['unit/moments'],
  },
  {
    breaks: 'A tag from before an import matches what was changed since',
    file: 'src/collection/storage/document-writer.ts',
    find: 'this.#held.counter = Math.max(this.#held.counter, number);',
    put: 'this.#held.counter = Math.min(this.#held.counter, number);',
    tests: ['http/transfer/round-trip'],
  },
  {
    breaks: 'An import makes again what was deleted',
    file: 'src/collection/write/transactor.ts',
    find: 'if (this.records.deletion(id) !== undefined) return wasDeleted();',
    put: '',
    tests: ['http/transfer/pages'],
  },
  {
    breaks: 'An id of the future is the last that an import has brought',
    file: 'src/collection/write/restored.ts',
    find: ' && parseInt(id.slice(0, 8), 16) * 1000 <= now',
    put: '',
    tests: ['http/transfer/pages'],
  },
  {
    breaks: 'An import stores the other lines of a batch with a refused one',
    file: 'src/modules/applications/transfer/import.ts',
    find: 'stores: refused.length === 0,',
    put: 'stores: true,',
    tests: ['http/transfer/pages'],
  },
  {
    breaks: 'A password of an import may be no hash',
    file: 'src/modules/applications/transfer/read-line.ts',
    find: '...(kind.faultsOfStored?.(document.content) ?? []),',
    put: '',
    tests: ['http/transfer/pages'],
  },
  {
    breaks: 'Rights do not come with an import',
    file: 'src/collection/write/transactor.ts',
    find: 'if (Object.keys(acl).length > 0) this.rights.set(document.seq, {}, acl, version);',
    put: '',
    tests: ['http/transfer/round-trip'],
  },
];
