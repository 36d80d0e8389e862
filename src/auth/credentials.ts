/**
 * Credentials that prove themselves: a secure-id is a signed text (JWS, HS256) over its kind, application and id, so
 * a made-up one is refused without any storage read, and nothing stored can forge one. Signing is deterministic:
 * reads show the value again by signing again.
 */
import { CompactSign, compactVerify, errors } from 'jose';
import { Lru } from '../domain/lru.ts';

/** What a credential stands for. */
export interface Claims {
  readonly kind: 'api-key';
  readonly application: string;
  readonly id: string;
}

interface Secret {
  readonly kid: string;
  readonly key: CryptoKey;
}

/** Genuine credentials seen lately: verifying costs a hash of its own, remembering does not. Made-up ones never get in. */
const REMEMBERED = 10_000;

export class Signer {
  readonly #secrets: readonly Secret[];
  readonly #verified = new Lru<string, Claims>(REMEMBERED);

  private constructor(secrets: readonly Secret[]) {
    this.#secrets = secrets;
  }

  /** From `kid:secret,kid:secret`; the first one signs, all of them verify. Throws when the setting is unusable. */
  static async from(setting: string): Promise<Signer> {
    const secrets = setting.split(',').map(async (entry) => {
      const [kid = '', secret = ''] = entry.trim().split(':');
      if (kid === '' || secret.length < 32) {
        throw new Error(
          'CREDENTIAL_SECRETS must be kid:secret pairs with secrets of at least 32 characters.',
        );
      }
      const bytes = new TextEncoder().encode(secret);
      const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
        'sign',
        'verify',
      ]);
      return { kid, key };
    });
    return new Signer(await Promise.all(secrets));
  }

  /** The credential of the claims. The same claims give the same text until the first secret changes. */
  async sign({ kind, application, id }: Claims): Promise<string> {
    const [current] = this.#secrets;
    if (current === undefined) throw new Error('There is no secret to sign with.');
    const payload = new TextEncoder().encode(`${kind}/${application}/${id}`);
    return new CompactSign(payload).setProtectedHeader({ alg: 'HS256', kid: current.kid }).sign(current.key);
  }

  /** The claims of a genuine credential of this kind, or undefined. */
  async verify(credential: string, kind: Claims['kind']): Promise<Claims | undefined> {
    const claims = this.#verified.get(credential) ?? (await this.#read(credential));
    if (claims?.kind !== kind) return undefined;
    this.#verified.set(credential, claims);
    return claims;
  }

  async #read(credential: string): Promise<Claims | undefined> {
    if (credential.length > 1024) return undefined;
    try {
      const { payload } = await compactVerify(
        credential,
        ({ kid }) => {
          const secret = this.#secrets.find((each) => each.kid === kid);
          if (secret === undefined) throw new errors.JWSInvalid('unknown kid');
          return secret.key;
        },
        { algorithms: ['HS256'] },
      );
      const [kind, application, id] = new TextDecoder().decode(payload).split('/');
      return kind === 'api-key' && application !== undefined && id !== undefined
        ? { kind, application, id }
        : undefined;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}

const signers = new Map<string, Promise<Signer>>();

/** The signer of an environment's secrets, made once per isolate. */
export function signerOf({
  CREDENTIAL_SECRETS: setting,
}: {
  readonly CREDENTIAL_SECRETS?: string;
}): Promise<Signer> {
  if (setting === undefined) return Promise.reject(new Error('CREDENTIAL_SECRETS is not set.'));
  const signer = signers.get(setting) ?? Signer.from(setting);
  signers.set(setting, signer);
  return signer;
}
