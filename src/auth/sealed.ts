/**
 * Sealed texts: the service gives them to a client, and wants them back unread and unchanged (a cursor). A seal is
 * valid for one purpose and for the bounds of the text, and only the service can open it. Nothing is stored: the same
 * text with the same bounds has the same seal.
 *
 * The construction is that of a synthetic IV (as RFC 5297 has it): HMAC-SHA-256 over bounds and text is the tag, and
 * its first half begins the counter under which AES encrypts the text. So equal seals reveal that texts are equal, and
 * nothing else.
 */
import { fromBase64, toBase64Url } from '../domain/values/base64.ts';
import { joined } from '../domain/values/bytes.ts';
import type { ApplicationId } from '../domain/ids.ts';

/** The purpose of a sealed text, and everything that must be the same when it comes back. */
export interface Bounds {
  /** A separate name for each use: no seal of one is valid for another. */
  readonly purpose:
    | 'client'
    | 'client secret'
    | 'cursor'
    | 'file'
    | 'mark'
    | 'refresh'
    | 'request body'
    | 'stream';
  readonly application: ApplicationId;
  /** Anything else, in an order that each purpose decides. */
  readonly about: readonly string[];
}

interface Keys {
  readonly tag: CryptoKey;
  readonly text: CryptoKey;
}

const TAG_BYTES = 32;
const COUNTER_BYTES = 16;
const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;

export class Sealer {
  readonly #keys: readonly Keys[];

  private constructor(keys: readonly Keys[]) {
    this.#keys = keys;
  }

  /** From secrets (HMAC keys that may sign): the first one seals, all of them open. */
  static async from(secrets: readonly CryptoKey[]): Promise<Sealer> {
    const keys = secrets.map(async (secret): Promise<Keys> => {
      // Separate keys: no credential is a seal, and no seal is a credential.
      const derive = (use: string) =>
        crypto.subtle.sign('HMAC', secret, new TextEncoder().encode(`foredge sealed text: ${use}`));
      const [tag, text] = await Promise.all([derive('tag'), derive('text')]);
      return {
        tag: await crypto.subtle.importKey('raw', tag, HMAC, false, ['sign', 'verify']),
        text: await crypto.subtle.importKey('raw', text, 'AES-CTR', false, ['encrypt', 'decrypt']),
      };
    });
    return new Sealer(await Promise.all(keys));
  }

  /** Digests of a text, in base64url: without a secret nobody can tell the text, nor whether a guess is right. */
  async digests(bounds: Bounds, text: string): Promise<readonly string[]> {
    const bytes = framed(bounds, new TextEncoder().encode(text));
    return Promise.all(
      this.#keys.map(async ({ tag }) =>
        toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', tag, bytes))),
      ),
    );
  }

  /** The sealed text, in base64url. */
  async seal(bounds: Bounds, text: string): Promise<string> {
    const [keys] = this.#keys;
    if (keys === undefined) throw new Error('There is no secret to seal with.');
    const bytes = new TextEncoder().encode(text);
    const tag = new Uint8Array(await crypto.subtle.sign('HMAC', keys.tag, framed(bounds, bytes)));
    const hidden = await crypto.subtle.encrypt(counterOf(tag), keys.text, bytes);
    return toBase64Url(joined(tag, new Uint8Array(hidden)));
  }

  /** The text of a genuine seal with these bounds; undefined for everything else. */
  async open(bounds: Bounds, sealed: string): Promise<string | undefined> {
    const bytes = bytesOf(sealed);
    if (bytes === undefined || bytes.length < TAG_BYTES) return undefined;
    const tag = bytes.slice(0, TAG_BYTES);
    for (const keys of this.#keys) {
      const hidden = bytes.slice(TAG_BYTES);
      const text = new Uint8Array(await crypto.subtle.decrypt(counterOf(tag), keys.text, hidden));
      // WebCrypto compares in constant time.
      const genuine = await crypto.subtle.verify('HMAC', keys.tag, tag, framed(bounds, text));
      if (genuine) return new TextDecoder().decode(text);
    }
    return undefined;
  }
}

function counterOf(tag: Uint8Array): { name: string; counter: Uint8Array; length: number } {
  return { name: 'AES-CTR', counter: tag.slice(0, COUNTER_BYTES), length: 64 };
}

/** Bounds and text as one unambiguous text. */
function framed({ purpose, application, about }: Bounds, text: Uint8Array): Uint8Array {
  return joined(new TextEncoder().encode(`${JSON.stringify([purpose, application, ...about])}\n`), text);
}

/** Only the canonical encoding: a decoder would accept stray bits, and a seal would have many texts. */
function bytesOf(sealed: string): Uint8Array | undefined {
  const bytes = fromBase64(sealed);
  return bytes !== undefined && toBase64Url(bytes) === sealed ? bytes : undefined;
}
