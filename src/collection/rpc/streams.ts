/** The streams of those who follow the changes of a collection, as its object sees them; src/http/live makes them. */
import type { ApplicationId } from '../../domain/ids.ts';
import type { Environment } from './environment.ts';
import type { FeedMark } from './feed.ts';

/** Where a feed stands: its last change, and what its marks depend on. */
export type Standing = Pick<FeedMark, 'base' | 'state'>;

/** What an object gives to its streams. */
export interface StreamHost {
  readonly state: DurableObjectState;
  readonly environment: Environment;
  readonly application: ApplicationId;
  readonly standing: () => Standing;
}

export interface Streams {
  /** Whether there are any. */
  readonly any: boolean;
  /** Opens one, for a request that the Worker has made. */
  open(request: Request): Response;
  message(socket: WebSocket, message: string | ArrayBuffer): void;
  closed(socket: WebSocket): void;
  /** To be called after each commit. */
  wake(): void;
  /** Asks again for the credentials of all, and ends those that do not stand. */
  check(): Promise<void>;
  /** Ends all: the application was deleted. */
  end(): void;
}
