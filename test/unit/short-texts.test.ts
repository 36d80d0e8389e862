/** Short texts that are written without the platform's serializers: each is what those would write. */
import fc from '../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { quoted } from '../../src/domain/values/present.ts';

const text = fc.string({ unit: 'binary' });

describe('a text as a JSON string', () => {
  test('is what JSON.stringify writes', () => {
    fc.assert(fc.property(text, (each) => quoted(each) === JSON.stringify(each)));
  });

  test.each(['', 'é', '"', '\\', '\n', '\u0000', '\u001f', '\u007f', '\u2028', '\ud800', '\udfff', '😀'])(
    'is so for %j',
    (each) => {
      expect(quoted(each)).toBe(JSON.stringify(each));
    },
  );
});
