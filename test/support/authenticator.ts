/** A device that holds passkeys, for requests that no honest browser sends. */
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { fromBase64, toBase64Url } from '../../src/domain/values/base64.ts';
import { isoCBOR } from '@simplewebauthn/server/helpers';

export interface Deviation {
  readonly origin?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly party?: string;
  readonly userHandle?: string;
  /** User present is 1, user verified 4. */
  readonly flags?: number;
  readonly format?: string;
}

const PRESENT_AND_VERIFIED = 5;
const HAS_CREDENTIAL = 0x40;

export class Authenticator {
  readonly #origin: string;
  readonly #key: KeyObject;
  readonly #x: string;
  readonly #y: string;
  readonly id = toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
  counter = 0;
  #handle = '';

  constructor(origin: string) {
    this.#origin = origin;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = privateKey;
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    [this.#x, this.#y] = [x, y];
  }

  /** Answers the options of a registration. */
  register({ body }: Begun, deviation: Deviation = {}) {
    const options = body.data.attributes?.['options'] as Registration;
    this.#handle = options.user.id;
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytesOf(this.#x)],
      [-3, bytesOf(this.#y)],
    ]);
    const id = bytesOf(this.id);
    const flags = (deviation.flags ?? PRESENT_AND_VERIFIED) | HAS_CREDENTIAL;
    const data = joined([
      this.#data(deviation.party ?? options.rp.id, flags),
      new Uint8Array(16),
      new Uint8Array([0, id.length]),
      id,
      isoCBOR.encode(key),
    ]);
    const attestation = new Map<string, string | Map<string, never> | Uint8Array>([
      ['fmt', deviation.format ?? 'none'],
      ['attStmt', new Map<string, never>()],
      ['authData', data],
    ]);
    return this.#answer({
      clientDataJSON: toBase64Url(this.#clientData('webauthn.create', options.challenge, deviation)),
      attestationObject: toBase64Url(isoCBOR.encode(attestation)),
    });
  }

  /** Answers the options of a login. */
  logIn({ body }: Begun, deviation: Deviation = {}) {
    const options = body.data.attributes?.['options'] as LogIn;
    this.counter += 1;
    const clientData = this.#clientData('webauthn.get', options.challenge, deviation);
    const data = this.#data(deviation.party ?? options.rpId, deviation.flags ?? PRESENT_AND_VERIFIED);
    const signed = joined([data, sha256(clientData)]);
    return this.#answer({
      clientDataJSON: toBase64Url(clientData),
      authenticatorData: toBase64Url(data),
      signature: toBase64Url(sign('sha256', signed, this.#key)),
      userHandle: deviation.userHandle ?? this.#handle,
    });
  }

  #answer(response: Readonly<Record<string, string>>) {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #clientData(type: string, challenge: string, deviation: Deviation): Uint8Array {
    const text = JSON.stringify({ type, challenge, origin: this.#origin, ...deviation });
    return new TextEncoder().encode(text);
  }

  #data(party: string, flags: number): Uint8Array {
    const counter = new Uint8Array(4);
    new DataView(counter.buffer).setUint32(0, this.counter);
    return joined([sha256(new TextEncoder().encode(party)), new Uint8Array([flags]), counter]);
  }
}

/** An answer with options. */
type Begun = {
  readonly body: { readonly data: { readonly attributes?: Readonly<Record<string, unknown>> } };
};

interface Registration {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

interface LogIn {
  readonly challenge: string;
  readonly rpId: string;
}

function bytesOf(text: string): Uint8Array {
  return fromBase64(text) ?? new Uint8Array();
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(parts.flatMap((part) => [...part]));
}
