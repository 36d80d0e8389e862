/** The bindings of wrangler.toml, as the Worker and its objects see them. */
import type { Collection } from './collection.ts';

export interface Environment {
  readonly COLLECTIONS: DurableObjectNamespace<Collection>;
  readonly LOOKUPS: KVNamespace;
  /** Secrets that sign credentials: `kid:secret`, comma-separated, the first one signs. */
  readonly CREDENTIAL_SECRETS?: string;
  /** The secret of the operator's commands. Without it there are no operator endpoints. */
  readonly OPERATOR_SECRET?: string;
  /** Limits on failed logins: the bindings, and what each counts in a minute (10 and 100). */
  readonly LOGINS_BY_USER?: RateLimit;
  readonly LOGINS_BY_ADDRESS?: RateLimit;
  readonly LOGIN_FAILURES_BY_USER?: string;
  readonly LOGIN_FAILURES_BY_ADDRESS?: string;
  /** Origins that browsers may call from: comma-separated, or `*` (the default). */
  readonly CORS_ORIGINS?: string;
  /** Milliseconds that a line of the log may wait for others, to be written with them; 0 when absent. */
  readonly LOG_DELAY?: string;
}
