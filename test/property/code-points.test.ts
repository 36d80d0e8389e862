/** Texts counted by code points: `$strLenCP`, `$substrCP` and `$indexOfCP` count what a text's own iterator gives. */
import { expect, test } from 'vitest';
import { byCodePoints } from '../../src/operators/core/text.ts';
import { Meter } from '../../src/operators/core/meter.ts';
import fc from '../support/fast-check.ts';
import { scaled } from '../support/long.ts';

/** Characters of one and two UTF-16 units, and halves of a pair. */
const TEXT = fc
  .array(fc.constantFrom('a', 'é', '\u{1f4d0}', '\u{1d4b3}', '\ud83d', '\udcd0'), { maxLength: 9 })
  .map((parts) => parts.join(''));

test('a code point is what the iterator of a text gives, for lengths, parts and places', () => {
  fc.assert(
    fc.property(TEXT, fc.nat(10), fc.nat(10), fc.nat(18), (text, one, other, place) => {
      const characters = Array.from(text);
      const [from, to] = [one, other]
        .map((unit) => Math.min(unit, characters.length))
        .toSorted((a, b) => a - b);
      const at = Math.min(place, text.length);
      const counted = byCodePoints(text, new Meter({ work: Infinity, held: Infinity, made: Infinity }));
      expect([
        counted.length,
        counted.slice(from ?? 0, to ?? 0),
        counted.positionOf(from ?? 0),
        counted.unitAt(at),
      ]).toEqual([
        characters.length,
        characters.slice(from, to).join(''),
        characters.slice(0, from).join('').length,
        Array.from(text.slice(0, at)).length,
      ]);
    }),
    { numRuns: scaled(3000) },
  );
});
