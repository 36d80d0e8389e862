/**
 * Logging in with an OpenID Connect id token, where the operator configured an issuer for the application: the
 * token's subject becomes an external user on first sight.
 */
import { verifyIdToken, type Subject } from '../../auth/id-tokens.ts';
import { issuerOf } from '../../auth/issuers.ts';
import type { Outcome } from '../../domain/problems.ts';
import type { Fields } from '../../domain/values.ts';
import { collectionOf } from '../documents/kind.ts';
import type { Exchange } from '../endpoint.ts';
import { EXTERNAL_USER_TYPE } from './kinds.ts';
import { packContent, type StoredDocument } from '../../collection/rpc/content.ts';

/** The external user of an id token; null when there is no issuer or the token does not hold. */
export async function userOfIdToken(
  exchange: Exchange,
  idToken: string,
): Promise<Outcome<StoredDocument> | null> {
  const issuer = await issuerOf(exchange.environment, exchange.application);
  const subject = issuer && (await verifyIdToken(idToken, issuer));
  return subject && externalUser(exchange, issuer.issuer, subject);
}

/** One external user per issuer and subject, whatever clients write into its attributes. */
async function externalUser(
  exchange: Exchange,
  issuer: string,
  { subject, name }: Subject,
): Promise<Outcome<StoredDocument>> {
  const collection = collectionOf(exchange, EXTERNAL_USER_TYPE);
  const attributes: Fields = { source: { issuer, subject }, ...(name !== null && { name }) };
  const made = await collection.stub.findOrCreate(collection.name, {
    content: packContent({ attributes, relationships: {} }),
    owners: [],
    ownsItself: true,
    unique: { name: 'oidc', value: JSON.stringify([issuer, subject]) },
  });
  return made.ok ? { ok: true, value: made.value.document } : made;
}
