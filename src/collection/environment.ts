/** The bindings of wrangler.toml, as the Worker and its objects see them. */
import type { Collection } from './collection.ts';

export interface Environment {
  readonly COLLECTIONS: DurableObjectNamespace<Collection>;
  readonly LOOKUPS: KVNamespace;
  /** Secrets that sign credentials: `kid:secret`, comma-separated, the first one signs. */
  readonly CREDENTIAL_SECRETS?: string;
  /** The secret of the operator's commands. Without it there are no operator endpoints. */
  readonly OPERATOR_SECRET?: string;
  /** Origins that browsers may call from: comma-separated, or `*` (the default). */
  readonly CORS_ORIGINS?: string;
}
