/** Laws of values: storage loses nothing, and a number comes out of an answer as it went into a request. */
import { sentenceOf } from '../../src/domain/names.ts';
import { isDeepStrictEqual } from 'node:util';
import fc from '../support/fast-check.ts';
import { scaled } from '../support/long.ts';
import { describe, expect, test } from 'vitest';
import { decodeText, encodeText } from '../../src/domain/values/codec.ts';
import { parseDecimal } from '../../src/domain/values/decimal.ts';
import { parseJson } from '../../src/domain/values/json.ts';
import { present, presentText, presentWrapped } from '../../src/domain/values/present.ts';
import {
  doubleOf,
  integerOf,
  kindOf,
  Long,
  longOf,
  LONG_MAX,
  LONG_MIN,
  ObjectId,
  type Value,
} from '../../src/domain/values/values.ts';
import { readValue } from '../../src/domain/values/wrappers.ts';

const RUNS = { numRuns: scaled(300) };

/** Integers of any size, the edges of 32, 53 and 64 bits among them. */
const integer = fc.oneof(
  fc.bigInt({ min: LONG_MIN, max: LONG_MAX }),
  fc
    .tuple(fc.constantFrom(31n, 32n, 53n, 63n), fc.bigInt({ min: -2n, max: 2n }), fc.boolean())
    .map(([bits, offset, negative]) => (2n ** bits + offset) * (negative ? -1n : 1n))
    .filter((value) => value >= LONG_MIN && value <= LONG_MAX),
  fc.bigInt({ min: -1000n, max: 1000n }),
);

/** The text of a decimal of at most 34 digits. */
const decimal = fc
  .record({
    negative: fc.boolean(),
    digits: fc.stringMatching(/^[0-9]{1,34}$/),
    exponent: fc.integer({ min: -6176, max: 6111 }),
  })
  .map(({ negative, digits, exponent }) => `${negative ? '-' : ''}${digits}E${exponent}`);

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

/** Field names as documents may have them; those an object inherits among them. */
const fieldName = fc.oneof(
  fc.string({ minLength: 1, unit: 'binary' }).filter((name) => !name.startsWith('$') && !name.includes('.')),
  fc.constantFrom('__proto__', 'constructor', 'hasOwnProperty', 'toJSON', 'length', '0'),
);

const sure = (value: Value | undefined): Value => value ?? expect.fail('no such value');

const leaf: fc.Arbitrary<Value> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('{"$date":0}', '\ud800', '\u0000', '"$'),
  finite.map(doubleOf),
  fc.constantFrom(-0, 0, 1e300).map(doubleOf),
  integer.map((value) => sure(integerOf(value))),
  integer.map((value) => sure(longOf(value))),
  decimal.map((text) => sure(parseDecimal(text))),
  fc.date({ noInvalidDate: true }),
  fc.stringMatching(/^[0-9a-f]{24}$/).map((hex) => new ObjectId(hex)),
);

/** Arrays and objects of such leaves, to a few levels. */
function treesOf<T>(leaves: fc.Arbitrary<T>): fc.Arbitrary<T> {
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      leaves,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc
        .array(fc.tuple(fieldName, tie('tree')), { maxLength: 4 })
        .map((entries) => Object.fromEntries(entries)),
    ),
  }));
  return tree as fc.Arbitrary<T>;
}

const value: fc.Arbitrary<Value> = treesOf(leaf);

test('what storage keeps is what was put there, kinds included', () => {
  fc.assert(
    fc.property(value, (original) => {
      const decoded = decodeText(encodeText(original));
      // Prototypes, kinds and -0 count; a field named constructor must not confuse the comparison.
      expect(isDeepStrictEqual(decoded, original)).toBe(true);
      expect(kindOf(decoded)).toBe(kindOf(original));
    }),
    RUNS,
  );
});

test('an answer made of the stored text is the one made of the value', () => {
  fc.assert(
    fc.property(value, (original) => {
      expect(presentText(encodeText(original))).toBe(JSON.stringify(present(original)));
    }),
    RUNS,
  );
});

test('an answer in the extended-json profile means the value, kinds included, when it is sent back', () => {
  fc.assert(
    fc.property(value, (original) => {
      const parsed = parseJson(JSON.stringify(presentWrapped(original)), 64);
      if (!parsed.ok) throw new Error(parsed.detail);
      const faults: string[] = [];
      const read = readValue(parsed.value, null, (_, detail) => faults.push(sentenceOf(detail)));
      expect(faults).toEqual([]);
      expect(encodeText(read)).toBe(encodeText(original));
    }),
    RUNS,
  );
});

/** From the JSON text of a request to that of an answer, through storage. */
function through(json: string): string {
  const parsed = parseJson(json, 64);
  if (!parsed.ok) throw new Error(parsed.detail);
  const faults: string[] = [];
  const read = readValue(parsed.value, null, (_, detail) => faults.push(sentenceOf(detail)));
  expect(faults).toEqual([]);
  return JSON.stringify(present(decodeText(encodeText(read))));
}

/** A decimal as its digits and the power of ten of the last one: equal iff value and trailing zeros are. */
function exact(text: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:E([+-]?\d+))?$/i.exec(text) ?? expect.fail(`no number: ${text}`);
  const digits = `${whole}${fraction}`.replace(/^0+(?=\d)/, '');
  return `${sign}${digits}e${Number(power) - fraction.length}`;
}

describe('a number of a request is that number in the answer:', () => {
  test('an integer, plain or as $numberLong, to the last digit', () => {
    fc.assert(
      fc.property(integer, (number) => {
        expect(through(`[${number.toString()}]`)).toBe(`[${number.toString()}]`);
        expect(through(`{"a":{"$numberLong":"${number.toString()}"}}`)).toBe(`{"a":${number.toString()}}`);
      }),
      RUNS,
    );
  });

  test('a double, bit by bit', () => {
    fc.assert(
      fc.property(finite, (number) => {
        // Written as a float: a plain 0 or 1 would be an integer.
        const sign = Object.is(number, -0) ? '-' : '';
        const text = Number.isInteger(number) ? `${sign}${number.toExponential()}` : String(number);
        const answer = JSON.parse(through(`[${text}]`)) as readonly [number];
        expect(Object.is(answer[0], number)).toBe(true);
      }),
      RUNS,
    );
  });

  test('a decimal, with its trailing zeros', () => {
    fc.assert(
      fc.property(decimal, (text) => {
        const answer = through(`{"$numberDecimal":"${text}"}`);
        expect(() => JSON.parse(answer) as unknown).not.toThrow();
        expect(exact(answer)).toBe(exact(text));
      }),
      RUNS,
    );
  });
});

describe('plain JSON', () => {
  test('comes back as it was sent, whatever is around it', () => {
    const plain = fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.string({ unit: 'binary' }),
      fc.maxSafeInteger(),
      finite.filter((number) => !Number.isInteger(number)),
    );
    fc.assert(
      fc.property(treesOf<unknown>(plain), (sent) => {
        const text = JSON.stringify(sent);
        expect(JSON.parse(through(text))).toEqual(JSON.parse(text));
      }),
      RUNS,
    );
  });

  test('has the same integers beside a number that needs care and without it', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (numbers) => {
        const text = JSON.stringify(numbers);
        const careful = through(`[${text},1234567890123456789]`);
        expect(careful).toBe(`[${through(text)},1234567890123456789]`);
      }),
      RUNS,
    );
  });

  test('an integer beyond 64 bits is reported, never changed', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: LONG_MAX + 1n, max: 10n ** 40n }), fc.boolean(), (big, negative) => {
        const text = `${negative ? -big - 1n : big}`;
        const parsed = parseJson(text, 64);
        const faults: string[] = [];
        if (parsed.ok) readValue(parsed.value, null, (_, detail) => faults.push(sentenceOf(detail)));
        expect(faults).toHaveLength(1);
        expect(integerOf(BigInt(text))).toBeUndefined();
      }),
      RUNS,
    );
  });

  test('a long is only made where a plain number would not do', () => {
    fc.assert(
      fc.property(integer, (number) => {
        const made = integerOf(number);
        expect(made instanceof Long).toBe(!Number.isSafeInteger(Number(number)));
      }),
      RUNS,
    );
  });
});
