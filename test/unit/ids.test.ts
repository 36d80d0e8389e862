/** Ids ascend with creation, whatever the clock does. */
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { nextId } from '../../src/collection/storage/ids.ts';

const seconds = fc.integer({ min: 0, max: 2 ** 32 - 2 });
const random = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((bits) => BigUint64Array.of(bits));

test('an id is 24 hexadecimal digits, and above the one before when the clock goes on, stands or goes back', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(seconds, random), { minLength: 2, maxLength: 20 }), (moments) => {
      let last: string | null = null;
      for (const [now, bits] of moments) {
        const id = nextId(last, now, bits);
        expect(id).toMatch(/^[0-9a-f]{24}$/);
        expect(last === null || id > last).toBe(true);
        last = id;
      }
    }),
  );
});

test('an id begins with the second of its creation', () => {
  expect(nextId(null, 0x65f0c0ff, BigUint64Array.of(5n))).toBe('65f0c0ff0000000000000002');
  expect(nextId('65f0c0fe0000000000000002', 0x65f0c0ff, BigUint64Array.of(5n)).slice(0, 8)).toBe('65f0c0ff');
});
