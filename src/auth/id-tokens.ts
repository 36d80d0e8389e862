/**
 * Id tokens (OpenID Connect Core 1.0, section 3.1.3.7): who an issuer says the user is. An invalid token gives null and
 * never an exception, whatever the token and the issuer's keys contain.
 */
import { jwtVerify, type JWTPayload } from 'jose';
import { keysOf } from './issuer-keys.ts';
import type { Issuer } from './issuers.ts';
import { ACTION_LIFETIME } from '../domain/types/facts.ts';
import { textAt } from '../domain/values/tree.ts';

/** Seconds that the clocks of issuer and service may differ. */
const CLOCK_SKEW = 60;

/** Seconds: of an older one, nobody would know any more that it has logged in (login/id-token.ts). */
const OLDEST = ACTION_LIFETIME - 2 * CLOCK_SKEW;

/** Algorithms with public keys: with a shared secret, everybody who can check a token could also make one. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** The longest subject (section 2), in characters. */
const LONGEST_SUBJECT = 255;

export interface Subject {
  /** Whose name the subject is. */
  readonly issuer: string;
  readonly subject: string;
  /** The user's name for display, if the token has it. */
  readonly name: string | null;
  /** The address, where the issuer has verified it. */
  readonly email: string | null;
  readonly username: string | null;
  readonly nonce: string | null;
  /** All that is said. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/**
 * The subject of a token of this issuer; null when the token is invalid, or when the issuer's keys cannot be fetched.
 */
export async function verifyIdToken(
  idToken: string,
  { issuer, audience }: Issuer,
  outward?: Fetcher,
): Promise<Subject | null> {
  try {
    const { payload, protectedHeader } = await jwtVerify(idToken, keysOf(issuer, outward), {
      issuer,
      audience,
      clockTolerance: CLOCK_SKEW,
      maxTokenAge: OLDEST,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp', 'sub'],
    });
    return isIdToken(payload, protectedHeader.typ, audience) ? subjectOf(issuer, payload) : null;
  } catch {
    // Besides the library's own errors, failing issuers and broken keys throw errors of the platform.
    return null;
  }
}

/** Issuers sign access and logout tokens with the same keys; these are no logins. */
function isIdToken(
  { aud, azp, events, exp }: JWTPayload,
  type: string | undefined,
  audience: string,
): boolean {
  // JSON can hold 1e999, which is infinite.
  if (!Number.isFinite(exp)) return false;
  if (type !== undefined && type.toLowerCase() !== 'jwt') return false;
  if (events !== undefined) return false;
  const single = !Array.isArray(aud) || aud.length === 1;
  return azp === undefined ? single : azp === audience;
}

/** Null where nobody is named. */
export function subjectOf(issuer: string, { sub, ...claims }: JWTPayload): Subject | null {
  if (typeof sub !== 'string' || sub === '' || sub.length > LONGEST_SUBJECT) return null;
  const textOf = (name: string) => textAt(claims, name) ?? null;
  const isVerified = claims['email_verified'] === true || claims['email_verified'] === 'true';
  return {
    issuer,
    subject: sub,
    name: textOf('name'),
    email: isVerified ? textOf('email') : null,
    username: textOf('preferred_username'),
    nonce: textOf('nonce'),
    claims,
  };
}
