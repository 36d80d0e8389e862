/**
 * Logging in with an OpenID Connect id token, where the operator configured an issuer for the application: the token
 * is verified against the issuer's keys, and its subject becomes an external user on first sight.
 */
import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { packContent } from '../../collection/change.ts';
import { stubOf, SYSTEM_APPLICATION } from '../../collection/collection.ts';
import type { StoredDocument } from '../../collection/records.ts';
import { Lru } from '../../domain/lru.ts';
import { fieldOf, isFields, type Fields } from '../../domain/values.ts';
import { APPLICATION_TYPE } from '../applications/kind.ts';
import { collectionOf } from '../documents/kind.ts';
import { openDocument } from '../documents/resource.ts';
import type { Exchange } from '../endpoint.ts';
import { EXTERNAL_USER_TYPE } from './kinds.ts';

/** Seconds that the clocks of issuer and service may differ. */
const CLOCK_SKEW = 60;

/** Algorithms with public keys: a shared secret has no place between a site and its issuer. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Key sets by issuer; each refreshes itself when it meets a key it does not know. */
const keySets = new Lru<string, Promise<JWTVerifyGetKey>>(100);

interface Issuer {
  readonly issuer: string;
  readonly audience: string;
}

/** The external user of an id token; null when there is no issuer or the token does not hold. */
export async function identityFromIdToken(
  exchange: Exchange,
  idToken: string,
): Promise<StoredDocument | null> {
  const configured = await issuerOf(exchange);
  if (configured === null) return null;
  const { issuer, audience } = configured;
  try {
    const keys = await keySetOf(issuer);
    const options = {
      issuer,
      audience,
      clockTolerance: CLOCK_SKEW,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp', 'sub'],
    };
    const { payload } = await jwtVerify(idToken, keys, options);
    return payload.sub === undefined
      ? null
      : await externalUser(exchange, issuer, payload.sub, payload['name']);
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/** The issuer that the operator set in the attribute `oidc` of the application. */
async function issuerOf({ environment, application }: Exchange): Promise<Issuer | null> {
  const stub = stubOf(environment.COLLECTIONS, { application: SYSTEM_APPLICATION, type: APPLICATION_TYPE });
  const read = await stub.read(application, null);
  if (read.state !== 'found') return null;
  const oidc = fieldOf(openDocument(APPLICATION_TYPE, read.document).attributes, 'oidc');
  if (oidc === undefined || !isFields(oidc)) return null;
  const { issuer, audience } = oidc;
  return typeof issuer === 'string' && typeof audience === 'string' ? { issuer, audience } : null;
}

async function keySetOf(issuer: string): Promise<JWTVerifyGetKey> {
  const known = keySets.get(issuer) ?? discover(issuer);
  keySets.set(issuer, known);
  // A failed discovery must not be remembered.
  known.catch(() => keySets.delete(issuer));
  return known;
}

/** The issuer's key set, by its published configuration (OpenID Connect Discovery 1.0, section 4). */
async function discover(issuer: string): Promise<JWTVerifyGetKey> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(address, { headers: { accept: 'application/json' } }).catch(() => null);
  const configuration = response?.ok === true ? await response.json<unknown>().catch(() => null) : null;
  const uri =
    typeof configuration === 'object' && configuration !== null && 'jwks_uri' in configuration
      ? configuration.jwks_uri
      : undefined;
  if (typeof uri !== 'string' || !URL.canParse(uri))
    throw new errors.JWKSInvalid('The issuer publishes no key set.');
  return createRemoteJWKSet(new URL(uri));
}

/** One external user per issuer and subject, whatever clients write into its attributes. */
async function externalUser(
  exchange: Exchange,
  issuer: string,
  subject: string,
  name: unknown,
): Promise<StoredDocument | null> {
  const collection = collectionOf(exchange, EXTERNAL_USER_TYPE);
  const attributes: Fields = { source: { issuer, subject }, ...(typeof name === 'string' && { name }) };
  const made = await collection.stub.findOrCreate(collection.name, {
    content: packContent({ attributes, relationships: {} }),
    owners: [],
    ownsItself: true,
    unique: { name: 'oidc', value: JSON.stringify([issuer, subject]) },
  });
  return made.ok ? made.value.document : null;
}
