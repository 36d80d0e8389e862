/**
 * Logins with an OpenID Connect id token, if the operator has set an issuer for the application: the first login of a
 * subject creates an external user.
 */
import { verifyIdToken, type Subject } from '../../auth/id-tokens.ts';
import { issuerOf } from '../../auth/issuers.ts';
import { collectionOf } from '../../collection/rpc/client.ts';
import type { Document } from '../../domain/documents.ts';
import type { Outcome } from '../../domain/problems.ts';
import { CORE } from '../../domain/types.ts';
import type { Fields } from '../../domain/values.ts';
import type { Exchange } from '../endpoint.ts';

/** The external user of an id token; null when there is no issuer or the token is invalid. */
export async function userOfIdToken(exchange: Exchange, idToken: string): Promise<Outcome<Document> | null> {
  const issuer = await issuerOf(exchange.environment, exchange.application);
  const subject = issuer && (await verifyIdToken(idToken, issuer));
  return subject && externalUser(exchange, issuer.issuer, subject);
}

/** One external user per issuer and subject, whatever clients write into its attributes. */
async function externalUser(
  exchange: Exchange,
  issuer: string,
  { subject, name }: Subject,
): Promise<Outcome<Document>> {
  const attributes: Fields = { source: { issuer, subject }, ...(name !== null && { name }) };
  return collectionOf(exchange, CORE.externalUser).findOrCreate({
    content: { attributes, relationships: {} },
    ownsItself: true,
    unique: { name: 'oidc', value: JSON.stringify([issuer, subject]) },
  });
}
