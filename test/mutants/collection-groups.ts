/** Breakages of what aggregates keep of their groups, in memory and stored. */
import type { Mutant } from './mutant.ts';

export const GROUPS: readonly Mutant[] = [
  {
    breaks: 'Groups are not kept where an index lists most documents',
    file: 'src/collection/aggregate/feed.ts',
    find: '(this.#listed === null || this.#listed.seqs.length > most)',
    put: 'this.#listed === null && most >= 0',
    tests: ['http/aggregates-indexes'],
  },
  {
    breaks: 'Stored groups are kept through writes',
    file: 'src/collection/write/tables.ts',
    find: "this.groups.note(this.marks.indexOf('stretch', seq));",
    put: '',
    tests: ['property/kept-groups', 'http/aggregates-kept'],
  },
  {
    breaks: 'Groups are stored that a write has changed since they were made',
    file: 'src/collection/storage/beside/stored-groups.ts',
    find: "marks.changed('stretch', stretch) <= at",
    put: 'marks.now >= at',
    tests: ['property/kept-groups'],
  },
  {
    breaks: 'A commit forgets stored groups of other stretches',
    file: 'src/collection/storage/beside/stored-groups.ts',
    find: 'for (const stretch of this.#gone) this.#stretches.delete(stretch);',
    put: 'this.#stretches.clear();',
    tests: ['property/kept-groups'],
  },
  {
    breaks: 'A stored sum is taken for one of narrower numbers',
    file: 'src/operators/numbers/total.ts',
    find: 'total.#reach(first, last);',
    put: '',
    tests: ['property/packed-groups'],
  },
  {
    breaks: 'An index of columns keeps what a write has changed',
    file: 'src/collection/storage/indexes/column-table.ts',
    find: 'ON CONFLICT DO UPDATE SET fields = excluded.fields',
    put: 'ON CONFLICT DO NOTHING',
    tests: ['property/columns', 'http/aggregates-indexes'],
  },
  {
    breaks: 'Fields that are too long to be read with others are lost',
    file: 'src/collection/search/pass-reader.ts',
    find: 'isBatched = row.fields !== null;',
    put: 'isBatched = true;',
    tests: ['property/columns'],
  },
  {
    breaks: 'Ids that a projection keeps are not read for what asks for them behind it',
    file: 'src/pipeline/reads.ts',
    find: "if (whole || fields.has('id')) return true;",
    put: 'if (whole) return true;',
    tests: ['property/pipeline-fields', 'property/columns'],
  },
];
