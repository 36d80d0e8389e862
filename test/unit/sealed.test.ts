/** Sealed texts: opened by whoever has a secret of ours, for what they were sealed for, and by nobody else. */
import { describe, expect, test } from 'vitest';
import { Signer } from '../../src/auth/credentials.ts';
import type { Bounds, Sealer } from '../../src/auth/sealed.ts';
import { fromBase64, toBase64Url } from '../../src/domain/values/base64.ts';
import { applicationId, idOf } from '../support/names.ts';
import { APPLICATION } from '../support/exchange.ts';

const OLD = `old:${'a'.repeat(32)}`;
const NEW = `new:${'b'.repeat(32)}`;
const BOUNDS: Bounds = { purpose: 'cursor', application: APPLICATION, about: ['notes', '{}', '[]'] };
const TEXT = 'the place of a document: a PIN of 4711';

async function sealerOf(setting: string): Promise<Sealer> {
  return (await Signer.from(setting)).sealer;
}

describe('a seal', () => {
  test('opens with the same bounds, and only with them', async () => {
    const sealer = await sealerOf(OLD);
    const sealed = await sealer.seal(BOUNDS, TEXT);
    expect(await sealer.open(BOUNDS, sealed)).toBe(TEXT);
    const others: readonly Bounds[] = [
      { ...BOUNDS, application: applicationId('b'.repeat(24)) },
      { ...BOUNDS, about: ['notes', '{}'] },
      { ...BOUNDS, about: ['notes', '{}', '[]', ''] },
      { ...BOUNDS, about: ['notes', '', '{}[]'] },
      { ...BOUNDS, about: ['notes', '{},[]'] },
    ];
    for (const bounds of others) expect(await sealer.open(bounds, sealed)).toBeUndefined();
  });

  test('opens after a rotation, as long as its secret verifies', async () => {
    const sealed = await (await sealerOf(OLD)).seal(BOUNDS, TEXT);
    expect(await (await sealerOf(`${NEW},${OLD}`)).open(BOUNDS, sealed)).toBe(TEXT);
    expect(await (await sealerOf(NEW)).open(BOUNDS, sealed)).toBeUndefined();
  });

  test('is the same text each time, and shows nothing of what it holds', async () => {
    const sealer = await sealerOf(OLD);
    const sealed = await sealer.seal(BOUNDS, TEXT);
    expect(await sealer.seal(BOUNDS, TEXT)).toBe(sealed);
    expect(new TextDecoder('latin1').decode(fromBase64(sealed))).not.toContain('4711');
  });

  test('does not open with any bit changed, cut, or written in another way', async () => {
    const sealer = await sealerOf(OLD);
    const sealed = await sealer.seal(BOUNDS, TEXT);
    const bytes = fromBase64(sealed) ?? expect.fail();
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = bytes.slice();
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(await sealer.open(BOUNDS, toBase64Url(changed))).toBeUndefined();
    }
    for (let length = 0; length < bytes.length; length += 1) {
      expect(await sealer.open(BOUNDS, toBase64Url(bytes.slice(0, length)))).toBeUndefined();
    }
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const twins = Array.from(alphabet, (last) => `${sealed.slice(0, -1)}${last}`);
    const opened = await Promise.all(twins.map((each) => sealer.open(BOUNDS, each)));
    expect(opened.filter((each) => each !== undefined)).toHaveLength(1);
    for (const text of ['', 'x', `${sealed}=`, ` ${sealed}`]) {
      expect(await sealer.open(BOUNDS, text)).toBeUndefined();
    }
  });

  test('is no credential, and a credential is no seal', async () => {
    const signer = await Signer.from(OLD);
    const sealed = await signer.sealer.seal(BOUNDS, 'api-key/app/0');
    expect(await signer.verify(sealed)).toBeUndefined();
    const credential = await signer.sign({ kind: 'api-key', application: APPLICATION, id: idOf('0') });
    for (const part of [credential, ...credential.split('.')]) {
      expect(await signer.sealer.open(BOUNDS, part)).toBeUndefined();
    }
  });
});
