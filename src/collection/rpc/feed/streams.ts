/** The streams of those who follow the changes of a collection, as its object sees them; src/http/live makes them. */
import type { ApplicationId, DocumentId } from '../../../domain/ids.ts';
import type { Seen } from '../../../domain/rules.ts';
import type { TypeName } from '../../../domain/types.ts';
import type { CollectionObject } from '../contract.ts';
import type { Environment } from '../environment.ts';
import type { FeedEntry } from './feed.ts';
import type { FeedMark } from './mark.ts';

/** Where a feed stands: its last change, and what its marks depend on. */
export type FeedStanding = Pick<FeedMark, 'base' | 'state' | 'through'>;

/** What an object gives to its streams. */
export interface StreamHost {
  readonly state: DurableObjectState;
  readonly environment: Environment;
  readonly application: ApplicationId;
  readonly type: TypeName;
  /** The object itself: it makes no call to ask itself. */
  readonly own: Pick<CollectionObject, 'call'>;
  readonly standing: () => FeedStanding;
  /** Which of some documents have changed again since these changes. */
  readonly changed: (entries: readonly FeedEntry[]) => ReadonlySet<DocumentId>;
  /** Resolves when the collections of what was seen tell of changes; and whether nothing has changed there since. */
  readonly sure: (seen: readonly Seen[]) => Promise<void>;
  readonly isSame: (seen: readonly Seen[]) => boolean;
  /** Lets `alarm` be called at a time, in milliseconds since 1970, or before it. */
  readonly ring: (at: number) => Promise<void>;
}

export interface Streams {
  readonly any: boolean;
  /** Opens one, for a request that the Worker has made. */
  open(request: Request): Response;
  message(socket: WebSocket, message: string | ArrayBuffer): void;
  closed(socket: WebSocket): void;
  /** To be called after each commit. */
  wake(): void;
  /** Asks anew for the credentials of some identities, or all. Whether there are any streams. */
  concern(identities: readonly string[] | null): boolean;
  /** To be called when documents have changed that rules look at. Whether there are streams under such rules. */
  linkedChanged(): boolean;
  /** Ends those whose tokens have ended by now. When the next ones do, in milliseconds since 1970; null for never. */
  alarm(now: number): number | null;
  /** Ends all: the application was deleted. */
  end(): void;
}
