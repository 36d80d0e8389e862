/** The stored data of a collection, by subject, for callers that only read: nothing here can write. */
import type { DocumentReader } from './documents.ts';
import type { Expiries } from '../secondary/expiries.ts';
import type { PathIndexes } from '../indexes/path-indexes.ts';
import type { MembersReader } from '../secondary/members.ts';
import type { DirtyRanges } from '../dirty-ranges.ts';
import type { StoredGroups } from '../secondary/stored-groups.ts';
import type { RightsReader } from './rights.ts';
import type { TokensReader } from '../secondary/tokens.ts';
import type { UniqueValuesReader } from '../secondary/unique-values.ts';
import type { WordIndex } from '../words.ts';

export interface Readers {
  readonly records: DocumentReader;
  readonly rights: RightsReader;
  readonly uniques: UniqueValuesReader;
  readonly members: MembersReader;
  readonly tokens: TokensReader;
  readonly words: Pick<WordIndex, 'complete'>;
  readonly indexes: Pick<PathIndexes, 'find' | 'counts'>;
  readonly expiries: Pick<Expiries, 'ended' | 'has'>;
  readonly dirtyRanges: DirtyRanges;
  readonly groups: Pick<StoredGroups, 'has' | 'find'>;
}
