/** The seal of the numbers of entity tags. */
import { expect, test } from 'vitest';
import { Signer } from '../../src/auth/credentials.ts';
import { decrypt, encrypt, roundKeys } from '../../src/auth/tag-seal.ts';
import { formatTag, parseTag, tagOf } from '../../src/modules/documents/tags/etag.ts';
import fc from '../support/fast-check.ts';
import { APPLICATION } from '../support/exchange.ts';
import { applicationId } from '../support/names.ts';

const SECRETS = [`1:${'a'.repeat(40)}`, `2:${'b'.repeat(40)}`] as const;
const sealOf = async (secrets: string, application = APPLICATION, epoch = '') =>
  (await Signer.from(secrets)).tagSeal(application, epoch);
const textOf = (seal: Awaited<ReturnType<typeof sealOf>>, counter: number, types = ['people']) =>
  formatTag(tagOf(seal, APPLICATION, new Map(types.map((type) => [type, counter])))).slice(1, -1);

test('the cipher is Speck64/128, by the test vector of its paper', () => {
  const keys = roundKeys([0x03020100, 0x0b0a0908, 0x13121110, 0x1b1a1918]);
  expect(encrypt(keys, [0x3b726574, 0x7475432d])).toEqual([0x8c6fa548, 0x454e028b]);
  expect(decrypt(keys, [0x8c6fa548, 0x454e028b])).toEqual([0x3b726574, 0x7475432d]);
});

test('what is sealed is opened again', async () => {
  const seal = await sealOf(SECRETS[0]);
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 32 - 1 }), fc.maxSafeNat(), (type, number) => {
      expect(seal.open(type, seal.seal(type, number))).toBe(number);
    }),
  );
});

test('tags of numbers that follow each other have half of their bits in common, as any two texts', async () => {
  const seal = await sealOf(SECRETS[0]);
  const bytes = Array.from({ length: 400 }, (_, n) =>
    Uint8Array.fromBase64(textOf(seal, n), { alphabet: 'base64url' }),
  );
  let different = 0;
  for (const [n, each] of bytes.slice(1).entries()) {
    // The seal is at the end.
    for (let at = 1; at <= 8; at += 1) {
      const changed = (each.at(-at) ?? 0) ^ (bytes[n]?.at(-at) ?? 0);
      different += changed.toString(2).replaceAll('0', '').length;
    }
  }
  expect(different / 399 / 64).toBeCloseTo(0.5, 1);
});

test('equal numbers of two types have two seals, and equal tags one text', async () => {
  const seal = await sealOf(SECRETS[0]);
  expect(seal.seal(1, 5)).not.toEqual(seal.seal(2, 5));
  // Another instance of the service.
  expect(textOf(await sealOf(SECRETS[0]), 7, ['a', 'b'])).toBe(textOf(seal, 7, ['b', 'a']));
});

test.each([
  ['another secret', SECRETS[1], APPLICATION, '', false],
  ['a new secret before the old one', `${SECRETS[1]},${SECRETS[0]}`, APPLICATION, '', true],
  ['another application', SECRETS[0], applicationId('b'.repeat(24)), '', false],
  ['another process', SECRETS[0], APPLICATION, '0123456789abcdef', true],
  ['a second secret behind the first', SECRETS.join(','), APPLICATION, '', true],
] as const)('under %s', async (_, secrets, application, epoch, opens) => {
  const text = textOf(await sealOf(SECRETS[0]), 1_000);
  const parsed = parseTag(await sealOf(secrets, application, epoch), text);
  expect(parsed?.own ?? false).toBe(opens && epoch === '');
  expect([...(parsed?.counters.values() ?? [])].includes(1_000)).toBe(opens);
});
