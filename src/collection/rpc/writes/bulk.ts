/** A write of every document that a search finds. Plain data: it crosses the object's RPC. */
import type { Principal } from '../../../domain/rules.ts';
import type { StoredContent } from '../../../domain/values/stored.ts';
import type { Change } from './operations.ts';
import type { ListRequest } from '../results.ts';

export interface BulkRequest<Encoding = StoredContent> extends Pick<ListRequest, 'condition' | 'hidden'> {
  /** Who would be shown the list of the documents, and who writes them: two permissions may admit these. */
  readonly reader: Principal;
  readonly writer: Principal;
  /** If more are found, none is written. */
  readonly limit: number;
  /** Null where they are deleted. */
  readonly change: Change<Encoding> | null;
}
