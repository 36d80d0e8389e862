/** Second factors: codes of an app (RFC 6238), or passkeys beside a password. Begins to add or remove a user's own. */
import type { AccountSettings, FactorKind } from '../../../domain/accounts/settings.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import type { Outcome } from '../../../domain/problems.ts';
import { fromBase64 } from '../../../domain/values/base64.ts';
import type { Answer, RequestContext } from '../../endpoint.ts';
import { begin, readBegun, refusalOf, freshUserOf } from '../accounts/begun.ts';
import { closed, codesFor, nameOf } from '../accounts/settings.ts';
import { proofOf } from '../passkeys/begin.ts';

export async function beginFactor(
  context: RequestContext,
  settings: AccountSettings,
  kind: FactorKind,
): Promise<Outcome<Answer>> {
  const read = readBegun(context, kind);
  if (!read.ok) return read;
  const fresh = freshUserOf(context);
  if (!fresh.ok) return fresh;
  const user = fresh.value;
  if (kind === 'add-second-factor' && settings.secondFactor === 'off') return closed();
  const refused = await refusalOf(context, kind, user);
  if (refused !== null) return refused;
  return begin(context, settings, { kind, user, tries: 0 }, async (id) => ({
    ...(kind === 'add-second-factor' && { location: await locationOf(context, id, user, settings.name) }),
    ...(await proofOf(context, settings, { id, kind, user })),
  }));
}

/** The address that apps take, by a link or a picture of it. */
export async function locationOf(
  context: RequestContext,
  action: DocumentId,
  user: DocumentId,
  issuer: string,
): Promise<string> {
  const [secret = ''] = await newSecrets(context, action);
  const label = await nameOf(context, user);
  const { TOTP } = await import('otpauth');
  return new TOTP({ issuer, label, secret }).toString();
}

/** Bytes of a secret, as RFC 4226 wants them. */
const BYTES = 20;

/** The secret that an action adds, in base 32: derived, only stored with the factor. One for each of the service's. */
export async function newSecrets(context: RequestContext, action: DocumentId): Promise<readonly string[]> {
  const { Secret } = await import('otpauth');
  return (await codesFor(context, action, 'second factor')).map((code) => {
    const bytes = (fromBase64(code) ?? new Uint8Array()).slice(0, BYTES);
    return new Secret({ buffer: bytes.buffer }).base32;
  });
}
