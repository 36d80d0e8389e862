/** Ceremonies of passkeys: account actions that a device proves by signing a challenge, in place of a code by mail. */
import { memberOf } from '../values/tree.ts';
import type { Fields } from '../values/values.ts';
import { readId, type DocumentId } from '../ids.ts';

export const CEREMONIES = ['register-passkey', 'log-in-passkey'] as const;
export type CeremonyKind = (typeof CEREMONIES)[number];

/** A passkey, as its document says it. */
export interface Passkey {
  readonly credential: string;
  readonly user: DocumentId;
  /** In base64 for URLs, as COSE. */
  readonly publicKey: string;
  readonly counter: number;
}

export function passkeyOf(attributes: Fields): Passkey | undefined {
  const [credential, user, publicKey, counter] = ['credential', 'user', 'public-key', 'counter'].map((name) =>
    memberOf(attributes, name),
  );
  const id = typeof user === 'string' ? readId(user) : undefined;
  if (typeof credential !== 'string' || typeof publicKey !== 'string') return undefined;
  return id === undefined || typeof counter !== 'number'
    ? undefined
    : { credential, user: id, publicKey, counter };
}
