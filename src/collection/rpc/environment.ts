/** The bindings of wrangler.toml, for the Worker and its objects, and what the runtime can; not settings (domain). */
import type { CollectionObject } from './contract.ts';
import type { SessionObject } from './sessions/contract.ts';

export interface Environment {
  readonly COLLECTIONS: DurableObjectNamespace<CollectionObject>;
  readonly SESSIONS: DurableObjectNamespace<SessionObject>;
  /** Copies of API keys, by which these are looked up. */
  readonly LOOKUPS: KVNamespace;
  /** Copies of what was last known of user tokens (auth/tokens/copies.ts). */
  readonly TOKENS: KVNamespace;
  /** Secrets that sign credentials: `kid:secret`, comma-separated, the first one signs. */
  readonly CREDENTIAL_SECRETS?: string;
  /**
   * 16 hexadecimal digits, others in every process: a copy may have replaced its data. Not on the platform, where
   * storage goes back by `rewind` alone.
   */
  readonly EPOCH?: string;
  /** The secret of the operator's commands. Without it there are no operator endpoints. */
  readonly OPERATOR_SECRET?: string;
  /** Limits on failed logins at an edge location. Settings say what each counts (domain/environment/settings.ts). */
  readonly LOGINS_BY_USER?: RateLimit;
  readonly LOGINS_BY_ADDRESS?: RateLimit;
  /** Takes a data point of each request with a genuine key. Without it, the registry of types counts them. */
  readonly USAGE?: AnalyticsEngineDataset;
  /** The bucket for backups of applications. Without it there are none. */
  readonly BACKUPS?: R2Bucket;
  /** The bucket of the contents of files. Without it there are no files. */
  readonly FILES?: R2Bucket;
  /** Makes pictures in sizes. Without it there are none but those that were stored. */
  readonly IMAGES?: ImagesBinding;
  /** Sends mails. Without it, and without a mailbox, none are sent. */
  readonly MAIL?: SendEmail;
  /** Where we watch the disk: 200 while it has room for data, else 507. */
  readonly ROOM?: Fetcher;
  /** Calls of addresses that clients have written down, where the runtime has to keep them from private networks. */
  readonly OUTWARD?: Fetcher;
  /** What `foredge dev` has beside the Worker: the package of the client, and what is wrong in a project. */
  readonly DEVELOPMENT?: Fetcher;
  /** The files of `.assets` by their names; `src/http/pages/assets.ts` serves them. */
  readonly ASSETS?: Fetcher;
}

/** Milliseconds for which an answer about room is valid. */
const HOLDS = 1_000;

let full = false;
let until = 0;

/**
 * Whether there is room for writes; always true where nobody watches the disk. On a full disk no object can be
 * opened, not even for reads: so writes are refused while there is still room to open objects.
 */
export async function hasRoom({ ROOM }: Pick<Environment, 'ROOM'>): Promise<boolean> {
  if (ROOM === undefined) return true;
  const now = Date.now();
  if (now >= until) {
    // Requests during the check use the last answer.
    until = now + HOLDS;
    full = (await ROOM.fetch('http://room/').catch(() => null))?.status === 507;
  }
  return !full;
}

/** What the runtime on one machine says of jurisdictions. */
const NONE = 'Jurisdiction restrictions are not implemented in workerd.';

/** Whether objects can be kept in a jurisdiction: on one machine, all are where it is. */
export function hasJurisdictions<T extends Rpc.DurableObjectBranded>(
  namespace: DurableObjectNamespace<T>,
): boolean {
  try {
    namespace.jurisdiction('eu');
    return true;
  } catch (error) {
    if (error instanceof Error && error.message === NONE) return false;
    throw error;
  }
}
