/** Webhooks: what they hear of, and the form of their secrets (docs/webhooks.md, Standard Webhooks). */
import type { Value } from './values/values.ts';

/** What a write does to a document. */
export const WRITE_EVENTS = ['create', 'update', 'delete'] as const;

export type WriteEvent = (typeof WRITE_EVENTS)[number];

export function isWriteEvent(value: Value): value is WriteEvent {
  return WRITE_EVENTS.some((event) => event === value);
}

const PREFIX = 'whsec_';

/** Bytes of a secret, as Standard Webhooks has them. */
const LEAST = 24;
const MOST = 64;

export function newSecret(): string {
  return `${PREFIX}${crypto.getRandomValues(new Uint8Array(MOST / 2)).toBase64()}`;
}

/** The key that a secret stands for; undefined for a text that is none. */
export function keyOfSecret(secret: string): Uint8Array<ArrayBuffer> | undefined {
  if (!secret.startsWith(PREFIX)) return undefined;
  try {
    const key = Uint8Array.fromBase64(secret.slice(PREFIX.length));
    return key.length >= LEAST && key.length <= MOST ? key : undefined;
  } catch {
    return undefined;
  }
}

/** What a secret must be, for people. */
export const SECRET_FORM =
  `A secret is ${PREFIX} and the Base64 of ${LEAST} to ${MOST} bytes; ` +
  'without one, the service makes it.';
