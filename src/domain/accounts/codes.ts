/**
 * The codes of account actions. They are derived from the secrets of the service and never stored: nobody who reads
 * storage can redeem an action.
 */
import { parseCredentialSecrets } from '../environment/credential-secrets.ts';
import type { ApplicationId, DocumentId } from '../ids.ts';
import { toBase64Url } from '../values/base64.ts';

/** What a code proves: that whoever has it reads the mails of an address. Another address or user has other codes. */
export interface Proof {
  readonly application: ApplicationId;
  readonly action: DocumentId;
  readonly kind: string;
  readonly user: DocumentId;
  readonly address: string;
}

export interface Codes {
  /** For links: 256 bits. */
  readonly long: string;
  /** Six digits, for people who type. */
  readonly short: string;
}

interface Secrets {
  readonly CREDENTIAL_SECRETS?: string;
}

/** The codes under each of the secrets; mails have those of the first. */
export async function codesOf(
  { CREDENTIAL_SECRETS: setting }: Secrets,
  proof: Proof,
): Promise<readonly Codes[]> {
  if (setting === undefined) throw new Error('CREDENTIAL_SECRETS is not set.');
  const { application, action, kind, user, address } = proof;
  const text = JSON.stringify(['account action', application, action, kind, user, address]);
  return Promise.all(parseCredentialSecrets(setting).map(({ secret }) => codesUnder(secret, text)));
}

async function codesUnder(secret: string, text: string): Promise<Codes> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const sign = (use: string) => crypto.subtle.sign('HMAC', key, encoder.encode(`${use} ${text}`));
  const [long, short] = await Promise.all([sign('link'), sign('digits')]);
  const number = new DataView(short).getUint32(0) % 1_000_000;
  return { long: toBase64Url(new Uint8Array(long)), short: String(number).padStart(6, '0') };
}

/** Whether one of the codes was sent. The time that it takes says nothing of them. */
export function isOneOf(codes: readonly Codes[], sent: string): boolean {
  const all = codes.flatMap(({ long, short }) => [long, short]);
  return all.map((code) => isSame(code, sent)).includes(true);
}

/** Whether two texts are the same. The time that it takes says nothing of where they differ. */
export function isSame(code: string, sent: string): boolean {
  let difference = code.length ^ sent.length;
  for (let at = 0; at < code.length; at += 1) difference |= code.charCodeAt(at) ^ (sent.charCodeAt(at) || 0);
  return difference === 0;
}
