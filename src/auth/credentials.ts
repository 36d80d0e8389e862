/**
 * Signed credentials: API keys and user tokens are signed texts (JWS, HS256) over their claims, so a forged one is
 * refused without a storage read, and stored data cannot forge one. Signing is deterministic: reads sign again.
 */
import { CompactSign, compactVerify, errors } from 'jose';
import { fromBase64 } from '../domain/values/base64.ts';
import { digest64 } from '../domain/digest.ts';
import { storedId, type DocumentId, type ApplicationId, isApplicationId } from '../domain/ids.ts';
import { Lru } from '../domain/caching/lru.ts';
import { isHolderType } from '../domain/types/facts.ts';
import type { HolderType } from '../domain/types.ts';
import { Sealer } from './sealed.ts';
import { parseCredentialSecrets } from '../domain/environment/credential-secrets.ts';
import { roundKeys, TagSeal, type TagKeys } from './tag-seal.ts';
import { recall } from '../domain/caching/recall.ts';

export interface KeyClaims {
  readonly kind: 'api-key';
  readonly application: ApplicationId;
  readonly id: DocumentId;
}

export interface TokenClaims {
  readonly kind: 'token';
  readonly application: ApplicationId;
  /** Of the token's document. */
  readonly id: DocumentId;
  readonly holder: { readonly type: HolderType; readonly id: DocumentId };
  /** The version of the holder's document that the token was made for. */
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly created: number;
  /** When it ends, in seconds since 1970, if that is not after the longest time that a token has. */
  readonly ends?: number | undefined;
}

/** The claims of a credential. */
export type Claims = KeyClaims | TokenClaims;

interface Secret {
  readonly kid: string;
  readonly key: CryptoKey;
}

/** Recently seen genuine credentials: this saves the hash of a verification. Forged ones never get in. */
const REMEMBERED = 10_000;

/** Applications whose tags were sealed lately: 27 words for each. */
const REMEMBERED_SEALS = 1_000;

/** Longer than any credential of ours. */
const LONGEST = 1024;

/**
 * Three parts in base64url, the last one of 32 bytes in the one way of writing them: a decoder would also take
 * spaces and stray bits, and one credential would have many texts.
 */
const FORM = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

export class Signer {
  /** For texts that are no credentials, under the same secrets. */
  readonly sealer: Sealer;
  /** Distinguishes the signing secret from every other one, and reveals nothing else of it. */
  readonly signature: string;
  readonly #secrets: readonly Secret[];
  readonly #tagKeys: TagKeys;
  readonly #seals = new Lru<string, TagSeal>(REMEMBERED_SEALS);
  readonly #verified = new Lru<string, Claims>(REMEMBERED);

  private constructor(
    secrets: readonly Secret[],
    sealer: Sealer,
    made: { readonly signature: string; readonly tagKeys: TagKeys },
  ) {
    this.sealer = sealer;
    this.signature = made.signature;
    this.#tagKeys = made.tagKeys;
    this.#secrets = secrets;
  }

  /** From `kid:secret,kid:secret`; the first one signs, all of them verify. Throws when the setting is unusable. */
  static async from(setting: string): Promise<Signer> {
    const entries = parseCredentialSecrets(setting).map(async ({ kid, secret }) => {
      const algorithm = { name: 'HMAC', hash: 'SHA-256' };
      const bytes = new TextEncoder().encode(secret);
      const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify']);
      return { kid, key };
    });
    const secrets = await Promise.all(entries);
    const sealer = await Sealer.from(secrets.map(({ key }) => key));
    const [current, ...former] = secrets;
    if (current === undefined) throw new Error('There is no secret to sign with.');
    const signature = digest64(await signWith(current, SIGNATURE_OF));
    const tagKeysOf = async ({ key }: Secret) => {
      const derived = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(TAGS_OF));
      return roundKeys([...new Uint32Array(derived, 0, 4)]);
    };
    const tagKeys: TagKeys = [await tagKeysOf(current), ...(await Promise.all(former.map(tagKeysOf)))];
    return new Signer(secrets, sealer, { signature, tagKeys });
  }

  /** What seals the entity tags of an application; `epoch` as TagSeal has it. */
  tagSeal(application: ApplicationId, epoch = ''): TagSeal {
    return recall(
      this.#seals,
      `${application} ${epoch}`,
      () => new TagSeal(this.#tagKeys, application, epoch),
    );
  }

  /** The credential of the claims. The same claims give the same text until the first secret changes. */
  async sign(claims: Claims): Promise<string> {
    const [current] = this.#secrets;
    if (current === undefined) throw new Error('There is no secret to sign with.');
    return signWith(current, formatClaims(claims));
  }

  async verify(credential: string): Promise<Claims | undefined> {
    const known = this.recall(credential);
    if (known !== undefined) return known;
    const claims = await this.#read(credential);
    if (claims !== undefined) this.#verified.set(credential, claims);
    return claims;
  }

  /** The claims of a recently verified credential, without waiting. */
  recall(credential: string): Claims | undefined {
    return this.#verified.get(credential);
  }

  async #read(credential: string): Promise<Claims | undefined> {
    if (credential.length > LONGEST || !FORM.test(credential)) return undefined;
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
      return parseClaims(new TextDecoder().decode(payload));
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}

/** Texts that hold no claims. */
const SIGNATURE_OF = 'signature';
const TAGS_OF = 'foredge entity tags';

function signWith({ kid, key }: Secret, text: string): Promise<string> {
  const payload = new TextEncoder().encode(text);
  return new CompactSign(payload).setProtectedHeader({ alg: 'HS256', kid }).sign(key);
}

function formatClaims(claims: Claims): string {
  const { kind, application, id } = claims;
  if (claims.kind === 'api-key') return [kind, application, id].join('/');
  const { holder, version, created, ends } = claims;
  const end = ends === undefined ? [] : [ends];
  return [kind, application, id, holder.type, holder.id, version, created, ...end].join('/');
}

function parseClaims(text: string): Claims | undefined {
  const [kind, application, id, type, holder, version, created, ends] = text.split('/');
  if (application === undefined || !isApplicationId(application) || id === undefined) return undefined;
  if (kind === 'api-key') return { kind, application, id: storedId(id) };
  if (kind !== 'token' || type === undefined || !isHolderType(type) || holder === undefined) return undefined;
  const holderLink = { type, id: storedId(holder) } as const;
  return {
    kind,
    application,
    id: storedId(id),
    holder: holderLink,
    version: Number(version),
    created: Number(created),
    ...(ends !== undefined && { ends: Number(ends) }),
  };
}

/** The claims of a credential, genuine or not; undefined for a text of another form. */
export function claimsOf(credential: string): Claims | undefined {
  if (credential.length > LONGEST || !FORM.test(credential)) return undefined;
  const payload = fromBase64(credential.split('.')[1] ?? '');
  return payload && parseClaims(new TextDecoder().decode(payload));
}

const signers = new Map<string, Signer>();

interface Signing {
  readonly CREDENTIAL_SECRETS?: string;
}

/** The signer, if this isolate has made it: undefined for its first request alone. None waits for what is known. */
export function recallSigner({ CREDENTIAL_SECRETS: setting }: Signing): Signer | undefined {
  return setting === undefined ? undefined : signers.get(setting);
}

/**
 * The signer of an environment's secrets, made once per isolate. The cache holds the signer and not its promise: a
 * promise ends with the request that made it, and others would wait forever.
 */
export async function signerOf(environment: Signing): Promise<Signer> {
  const known = recallSigner(environment);
  if (known !== undefined) return known;
  const { CREDENTIAL_SECRETS: setting } = environment;
  if (setting === undefined) throw new Error('CREDENTIAL_SECRETS is not set.');
  const signer = await Signer.from(setting);
  signers.set(setting, signer);
  return signer;
}
