/**
 * The key of a request's `api-key` and `application-id` headers: the signature first, without any storage; then the
 * key's permissions from this isolate, from KV, or from the key's collection.
 */
import { collectionOf, type CollectionClient } from '../collection/rpc/client.ts';
import type { Environment } from '../collection/rpc/environment.ts';
import { decodeFields } from '../domain/values/codec.ts';
import { digest64 } from '../domain/digest.ts';
import { Lru } from '../domain/caching/lru.ts';
import { fail, ok, type Outcome } from '../domain/problems.ts';
import { signerOf } from './credentials.ts';
import { readPermissions, type Permission } from './permissions.ts';
import { LOOKUP_TTL, lookupKey, type Lookup } from '../collection/rpc/lookup.ts';
import type { DocumentId, ApplicationId } from '../domain/ids.ts';
import { CORE } from '../domain/types.ts';
import { memberOf } from '../domain/values/tree.ts';

/** A key that may be used. */
export interface ApiKey {
  readonly application: ApplicationId;
  readonly id: DocumentId;
  /** Null for none. */
  readonly name: string | null;
  readonly permissions: readonly Permission[];
  /** Changes with the key and with its permissions. */
  readonly digest: string;
}

/**
 * How long an isolate caches a key, in milliseconds. Together with the seconds for which an edge location may keep its
 * copy (LOOKUP_TTL), this is within the 60 seconds that a change of permissions may take (decisions, section 4).
 */
const BELIEVED = 30_000;

interface Known {
  /** Null for a deleted key. */
  readonly key: ApiKey | null;
  readonly until: number;
  /** The number of the call to the key's collection whose answer this is; 0 for a copy in KV. */
  readonly question: number;
}

/** Per isolate; keyed by application and id. Only genuine credentials get here, so forged ones cannot fill it. */
const known = new Lru<string, Known>(10_000);

/** The key of a request's headers, or 401. */
export async function authenticate(environment: Environment, headers: Headers): Promise<Outcome<ApiKey>> {
  const application = headers.get('application-id');
  const credential = headers.get('api-key');
  if (application === null)
    return fail('missing-application', 'Send the application-id header.', { header: 'application-id' });
  if (credential === null) return fail('missing-api-key', 'Send the api-key header.', { header: 'api-key' });
  const signer = await signerOf(environment);
  const claims = await signer.verify(credential);
  const key =
    claims?.kind === 'api-key' && claims.application === application
      ? await lookUp(environment, claims.application, claims.id)
      : null;
  return key === null
    ? fail('invalid-api-key', 'The application or the API key is not known.', { header: 'api-key' })
    : ok(key);
}

/**
 * To be called after a key was changed or deleted: the next request here uses the change. The answer of the key's
 * collection is cached until the location's copy in KV cannot be older than the change.
 */
export async function refreshKey(
  environment: Environment,
  application: ApplicationId,
  id: DocumentId,
): Promise<void> {
  // The change itself has written the copy.
  const ask = (keys: CollectionClient) => keys.current(id);
  await learn(environment, application, id, BELIEVED + LOOKUP_TTL * 1000, ask);
}

/** The number of calls so far: the answer to an earlier call never replaces that of a later one. */
let questions = 0;

async function lookUp(
  environment: Environment,
  application: ApplicationId,
  id: DocumentId,
): Promise<ApiKey | null> {
  const believed = recall(application, id);
  if (believed !== undefined) return believed.key;
  // If KV fails, the collection is asked, as if KV had no copy.
  const copy = await environment.LOOKUPS.get<Lookup>(lookupKey(application, CORE.apiKey, id), {
    type: 'json',
    cacheTtl: LOOKUP_TTL,
  }).catch(() => null);
  if (copy === null || copy.state === 'changing') {
    const ask = (keys: CollectionClient) => keys.lookUp(id);
    return learn(environment, application, id, BELIEVED, ask);
  }
  const key = openKey(application, id, copy);
  remember(application, id, { key, until: Date.now() + BELIEVED, question: 0 });
  return key;
}

/** Asks the key's collection, and caches the answer for a number of milliseconds. */
async function learn(
  environment: Environment,
  application: ApplicationId,
  id: DocumentId,
  milliseconds: number,
  ask: (keys: CollectionClient) => Promise<Lookup>,
): Promise<ApiKey | null> {
  questions += 1;
  const question = questions;
  const keys = collectionOf({ environment, application }, CORE.apiKey);
  const key = openKey(application, id, await ask(keys));
  remember(application, id, { key, until: Date.now() + milliseconds, question });
  return key;
}

/** The cached state of a key, if it is still valid. */
function recall(application: ApplicationId, id: DocumentId): Known | undefined {
  const found = known.get(cacheKey(application, id));
  return found !== undefined && found.until > Date.now() ? found : undefined;
}

function remember(application: ApplicationId, id: DocumentId, found: Known): void {
  const believed = recall(application, id);
  if (believed === undefined || believed.question <= found.question) {
    known.set(cacheKey(application, id), found);
  }
}

function openKey(application: ApplicationId, id: DocumentId, copy: Lookup): ApiKey | null {
  if (copy.state !== 'current') return null;
  const { body } = copy;
  const digest = digest64(`${id} ${body}`);
  // Compiling a thousand patterns takes long, so unchanged permissions are not compiled again.
  const former = known.get(cacheKey(application, id))?.key;
  if (former?.digest === digest) return former;
  const fields = decodeFields(body);
  const name = memberOf(fields, 'name');
  const { permissions } = readPermissions(memberOf(fields, 'permissions') ?? [], null);
  return { application, id, name: typeof name === 'string' ? name : null, permissions, digest };
}

function cacheKey(application: ApplicationId, id: DocumentId): string {
  return `${application}/${id}`;
}
