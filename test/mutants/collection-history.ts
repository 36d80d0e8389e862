/** Breakages of the history of documents: versions, restores, the trash and holds. */
import type { Mutant } from './mutant.ts';

export const HISTORY: readonly Mutant[] = [
  {
    breaks: 'A former version of a document of others keeps the name of an erased person',
    file: 'src/collection/write/upkeep/people.ts',
    find: ': named.disown(version, identity);',
    put: ': 1;',
    tests: ['http/erasing-history'],
  },
  {
    breaks: 'What an erased person had deleted is still in the history',
    file: 'src/collection/write/upkeep/people.ts',
    find: 'isTheirs ? named.forgetVersions(version.row, left)',
    put: 'isTheirs ? 1',
    tests: ['http/erasing-history'],
  },
  {
    breaks: 'An edit that stays when its versions go moves to where an erasure has been',
    file: 'src/collection/storage/secondary/edits.ts',
    find: 'sql.exec(kept, row,',
    put: 'sql.exec(kept, null,',
    tests: ['unit/edits'],
  },
  {
    breaks: 'One step of erasing forgets all versions of a document',
    file: 'src/collection/write/upkeep/people.ts',
    find: 'named.forgetVersions(version.row, left)',
    put: 'named.forgetVersions(version.row, 10_000)',
    tests: ['unit/erasing-steps'],
  },
  {
    breaks: 'The trash shows documents to those who could not read them',
    file: 'src/collection/history.ts',
    find: 'if (identities !== null && !readers.some((each) => identities.has(each))) continue;',
    put: '',
    tests: ['http/history-trash'],
  },
  {
    breaks: 'The trash shows documents that are there again',
    file: 'src/collection/history.ts',
    find: 'if (readers === null) continue;',
    put: '',
    tests: ['http/history-trash'],
  },
  {
    breaks: 'The trash shows what the rule of the key hides',
    file: 'src/collection/history.ts',
    find: 'if (sees?.(document) === false) continue;',
    put: '',
    tests: ['http/history-trash'],
  },
  {
    breaks: 'A version is not there yet at the moment when it came about',
    file: 'src/collection/storage/secondary/edits.ts',
    find: "'at <= ?'",
    put: "'at < ?'",
    tests: ['http/history-at', 'property/history'],
  },
  {
    breaks: 'Whoever could read a deleted document restores it',
    file: 'src/collection/write/document/restorer.ts',
    find: 'rows.has(`delete ${identity}`)',
    put: 'rows.has(`read ${identity}`)',
    tests: ['http/history-restore', 'property/history'],
  },
  {
    breaks: 'A hold is shortened',
    file: 'src/collection/write/upkeep/rollout.ts',
    find: '(settings?.history?.hold ?? 0) < hold ?',
    put: 'hold > 0 && settings?.history?.hold === undefined ?',
    tests: ['http/history-hold'],
  },
  {
    breaks: 'Users get a history, with their passwords',
    file: 'src/modules/schemas/type-settings.ts',
    find: "'count', 'history'];",
    put: "'count'];",
    tests: ['http/history-secrets'],
  },
];
