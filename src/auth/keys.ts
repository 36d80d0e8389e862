/**
 * The key of a request's `api-key` and `application-id` headers: the signature first, without any storage; then the
 * key's permissions and the application's standing from this isolate, from KV, or from their collections.
 */
import type { Environment } from '../collection/rpc/environment.ts';
import { decodeFields } from '../domain/values/codec.ts';
import { digest64 } from '../domain/digest.ts';
import { fail, ok, type Outcome } from '../domain/problems.ts';
import { KEY_QUOTAS, readQuotas } from '../domain/applications/quotas.ts';
import type { ApplicationStanding } from '../domain/applications/standing.ts';
import { recallStanding, standingOfApplication } from './applications.ts';
import { recallSigner, signerOf, type Claims, type KeyClaims } from './credentials.ts';
import { Lookups, type Looked } from './lookups.ts';
import { readPermissions, type Permission } from './permissions.ts';

import type { ApplicationId, DocumentId } from '../domain/ids.ts';
import { CORE } from '../domain/types.ts';
import { memberOf, textAt } from '../domain/values/tree.ts';

/** A key that may be used. */
export interface ApiKey extends Looked {
  /** Null for none. */
  readonly name: string | null;
  readonly permissions: readonly Permission[];
  /** Requests a second that it may send; null for any number. */
  readonly requests: number | null;
  /** Changes with the key and with its permissions. */
  readonly digest: string;
}

/** A key of a request, and what holds for its application. */
export interface Authenticated {
  readonly key: ApiKey;
  readonly standing: ApplicationStanding;
}

const keys = new Lookups<ApiKey>(CORE.apiKey, openKey);

/** The key of a request's headers, or 401. What this isolate knows of both is answered without waiting. */
export function authenticate(
  environment: Environment,
  headers: Pick<Headers, 'get'>,
): Outcome<Authenticated> | Promise<Outcome<Authenticated>> {
  const application = headers.get('application-id');
  const credential = headers.get('api-key');
  if (application === null)
    return fail('missing-application', 'Send the application-id header.', { header: 'application-id' });
  if (credential === null) return fail('missing-api-key', 'Send the api-key header.', { header: 'api-key' });
  const claims = recallSigner(environment)?.recall(credential);
  if (claims === undefined) return authenticateAnew(environment, application, credential);
  return authenticateGenuine(environment, application, claims);
}

/** The same for a credential that was not seen here before. */
async function authenticateAnew(
  environment: Environment,
  application: string,
  credential: string,
): Promise<Outcome<Authenticated>> {
  const signer = await signerOf(environment);
  const claims = await signer.verify(credential);
  return claims === undefined ? unknownKey() : authenticateGenuine(environment, application, claims);
}

function authenticateGenuine(
  environment: Environment,
  application: string,
  claims: Claims,
): Outcome<Authenticated> | Promise<Outcome<Authenticated>> {
  if (claims.kind !== 'api-key' || claims.application !== application) return unknownKey();
  const key = keys.recall(claims);
  const standing = recallStanding(claims.application);
  return key === undefined || standing === undefined ? lookUp(environment, claims) : judged(key, standing);
}

async function lookUp(environment: Environment, claims: KeyClaims): Promise<Outcome<Authenticated>> {
  // It never fails, so it may be under way while the key is looked up.
  const standing = standingOfApplication(environment, claims.application);
  const key = await keys.find(environment, claims);
  return judged(key, await standing);
}

function judged(key: ApiKey | null, standing: ApplicationStanding): Outcome<Authenticated> {
  // An application that is to be deleted can be had back, and until then it is as if it were not there.
  return key === null || standing.ends !== null ? unknownKey() : ok({ key, standing });
}

/** To be called after a key was changed or deleted: the next request here uses the change. */
export async function refreshKey(
  environment: Environment,
  application: ApplicationId,
  id: DocumentId,
): Promise<void> {
  await keys.refresh(environment, { application, id });
}

function unknownKey() {
  return fail('invalid-api-key', 'The application or the API key is not known.', { header: 'api-key' });
}

function openKey({ application, id }: Looked, body: string, former: ApiKey | null): ApiKey {
  const digest = digest64(`${id} ${body}`);
  // Compiling a thousand patterns takes long, so unchanged permissions are not compiled again.
  if (former?.digest === digest) return former;
  const fields = decodeFields(body);
  const { permissions } = readPermissions(memberOf(fields, 'permissions') ?? [], null);
  const { requests } = readQuotas(memberOf(fields, 'quotas'), KEY_QUOTAS).quotas;
  return { application, id, name: textAt(fields, 'name') ?? null, permissions, requests, digest };
}
