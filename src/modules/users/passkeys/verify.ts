/** What devices sign, verified by the library: all that it throws says that the response is wrong. */
import type { Passkey } from '../../../domain/accounts/ceremonies.ts';
import { fromBase64, toBase64Url } from '../../../domain/values/base64.ts';
import { memberAt, type ParsedObject } from '../../../domain/values/json.ts';
import { textAt } from '../../../domain/values/tree.ts';

export interface Expected {
  /** One under each secret of the service. */
  readonly challenges: readonly string[];
  readonly origins: readonly string[];
  readonly party: string;
}

/** Other formats have certificates: the library would fetch lists of revoked ones, at addresses of the sender. */
const FORMATS = ['none', 'packed'];

export async function verifiedRegistration(sent: ParsedObject, expected: Expected) {
  const [attestation] = textsOf(sent, ['attestationObject']);
  const bytes = attestation === undefined ? undefined : fromBase64(attestation);
  if (attestation === undefined || bytes === undefined) return null;
  // Few requests need it, and it is large.
  const [{ verifyRegistrationResponse }, { decodeAttestationObject }] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  try {
    if (!FORMATS.includes(decodeAttestationObject(bytes).get('fmt'))) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...envelopeOf(sent), response: { ...clientData(sent), attestationObject: attestation } },
      ...expectationsOf(expected),
    });
    if (!verified) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    return { id, publicKey: toBase64Url(publicKey), counter };
  } catch {
    return null;
  }
}

/** A counter that did not grow is refused, unless the device has none. */
export async function verifiedLogin(
  sent: ParsedObject,
  expected: Expected,
  { credential, publicKey, counter }: Passkey,
) {
  const [authenticatorData, signature, handle] = textsOf(sent, [
    'authenticatorData',
    'signature',
    'userHandle',
  ]);
  const key = fromBase64(publicKey);
  if (authenticatorData === undefined || signature === undefined || key === undefined) return null;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...envelopeOf(sent), response: { ...clientData(sent), authenticatorData, signature } },
      credential: { id: credential, publicKey: key, counter },
      ...expectationsOf(expected),
    });
    return verified ? { counter: authenticationInfo.newCounter, handle } : null;
  } catch {
    return null;
  }
}

function expectationsOf({ challenges, origins, party }: Expected) {
  return {
    expectedChallenge: (challenge: string) => challenges.includes(challenge),
    expectedOrigin: [...origins],
    expectedRPID: party,
    requireUserVerification: true,
  };
}

function envelopeOf(sent: ParsedObject) {
  const [id = '', rawId = ''] = ['id', 'rawId'].map((name) => textAt(sent, name));
  return { id, rawId, type: 'public-key', clientExtensionResults: {} } as const;
}

function clientData(sent: ParsedObject) {
  const [clientDataJSON = ''] = textsOf(sent, ['clientDataJSON']);
  return { clientDataJSON };
}

/** Texts of the response inside; undefined for what is none. */
function textsOf(sent: ParsedObject, names: readonly string[]): readonly (string | undefined)[] {
  return names.map((name) => {
    const value = memberAt(sent, 'response', name);
    return typeof value === 'string' ? value : undefined;
  });
}
