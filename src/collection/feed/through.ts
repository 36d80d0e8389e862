/** What marks of feeds say about rights that come through links. */
import { digest64 } from '../../domain/digest.ts';
import type { FeedRequest } from '../rpc/feed/feed.ts';
import type { Through } from '../rpc/feed/mark.ts';
import type { InheritedReader } from '../storage/secondary/inherited.ts';

/** The rights through links of those as whom a feed is read; undefined where a type has none. */
export function throughOf(
  inherited: Pick<InheritedReader, 'changed' | 'withHeld'>,
  { viewer, again }: Pick<FeedRequest, 'viewer' | 'again'>,
): Through | undefined {
  const { changed } = inherited;
  if (changed === null) return undefined;
  const viewers = [viewer, ...(again?.groups.map((group) => group.viewer) ?? [])];
  const held = viewers.map((each) => (each === null ? '' : inherited.withHeld(each).join(' ')));
  return { changed, held: digest64(JSON.stringify(held)) };
}
