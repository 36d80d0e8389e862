/** Secrets of an application at its providers: sealed at rest. Apple's is a key that signs a secret for each login. */
import { importPKCS8, SignJWT } from 'jose';
import { signerOf } from '../../../auth/credentials.ts';
import type { RequestContext } from '../../endpoint.ts';

/** An application at a provider. */
export interface Client {
  /** Whose names its subjects are: the issuer, or the address that tells who somebody is. */
  readonly issuer: string;
  readonly clientId: string;
  /** As it is stored. */
  readonly clientSecret: string | undefined;
  /** Whose key the secret is, as with Apple; null where it is a text. */
  readonly signing: { readonly key: string; readonly team: string } | null;
}

type Owner = Pick<RequestContext, 'application' | 'environment'>;

const boundsOf = ({ application }: Owner) => ({ purpose: 'client secret', application, about: [] }) as const;

export async function sealSecret(owner: Owner, secret: string): Promise<string> {
  const { sealer } = await signerOf(owner.environment);
  return sealer.seal(boundsOf(owner), secret);
}

/** What proves to a provider which application asks; throws where a key is none. */
export async function secretFor(
  owner: Owner,
  { clientId, clientSecret, issuer, signing }: Client,
): Promise<string | undefined> {
  if (clientSecret === undefined) return undefined;
  const { sealer } = await signerOf(owner.environment);
  // An import brings one in the open.
  const secret = (await sealer.open(boundsOf(owner), clientSecret)) ?? clientSecret;
  if (signing === null) return secret;
  return new SignJWT()
    .setProtectedHeader({ alg: ALGORITHM, kid: signing.key })
    .setIssuer(signing.team)
    .setSubject(clientId)
    .setAudience(issuer)
    .setIssuedAt()
    .setExpirationTime('5 minutes')
    .sign(await importPKCS8(secret, ALGORITHM));
}

const ALGORITHM = 'ES256';

export async function isSigningKey(secret: string): Promise<boolean> {
  const key = await importPKCS8(secret, ALGORITHM).catch(() => null);
  return key !== null;
}
