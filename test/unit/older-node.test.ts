/** What Nodes before 25 lack, and commands need: it does what newer ones do by themselves. */
import { afterEach, expect, test } from 'vitest';
import { fromBase64, toBase64, toBase64Url } from '../../src/domain/values/base64.ts';

const OWN = [
  [Uint8Array, 'fromBase64', Object.getOwnPropertyDescriptor(Uint8Array, 'fromBase64')],
  [Uint8Array.prototype, 'toBase64', Object.getOwnPropertyDescriptor(Uint8Array.prototype, 'toBase64')],
] as const;
afterEach(() => {
  for (const [holder, name, own] of OWN) Object.defineProperty(holder, name, own ?? {});
});

test('base64 in both alphabets, without padding', async () => {
  const written = Array.from({ length: 9 }, (_, length) => {
    const bytes = Uint8Array.from({ length }, (_byte, index) => 251 + index * 5);
    return { bytes, ordinary: toBase64(bytes), forUrls: toBase64Url(bytes) };
  });
  for (const [holder, name] of OWN) Reflect.deleteProperty(holder, name);
  expect(() => toBase64(new Uint8Array())).toThrow(TypeError);
  // Another test may have loaded it before.
  await import(`${import.meta.resolve('../../scripts/older-node.ts')}?again`);
  for (const { bytes, ordinary, forUrls } of written) {
    expect(toBase64(bytes)).toBe(ordinary);
    expect(toBase64Url(bytes)).toBe(forUrls);
    expect(fromBase64(ordinary)).toEqual(bytes);
    expect(fromBase64(forUrls)).toEqual(bytes);
  }
  expect(fromBase64('#')).toBeUndefined();
});
