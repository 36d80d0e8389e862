/** Pieces of random requests: names, values right and wrong, texts that were tampered with. */
import fc from '../../support/fast-check.ts';
import { anyValue, textOf } from '../../support/filter-arbitraries.ts';

/** Stands for something that the service has answered before (`pool.ts`); `of notes` is an id of that type. */
export const placeholder = (kind: string): fc.Arbitrary<string> =>
  fc.nat(1_000_000).map((number) => `<${kind}:${number}>`);

const NO_ID = 'f'.repeat(24);

export const id: fc.Arbitrary<string> = fc.oneof(
  { weight: 25, arbitrary: placeholder('id') },
  { weight: 1, arbitrary: fc.constantFrom(NO_ID, 'me', '0', 'x'.repeat(24), NO_ID.toUpperCase(), '') },
);

export const RESOURCE_TYPES = ['notes', 'people'];

export const type: fc.Arbitrary<string> = fc.oneof(
  { weight: 25, arbitrary: fc.constantFrom(...RESOURCE_TYPES) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'nothing',
      'notes.acl',
      'notes.acl.acl',
      'core.user',
      'core.api-key',
      'agt.sums',
      'constructor',
      '__proto__',
      'x'.repeat(129),
      'a b',
    ),
  },
);

/** Names of attributes and relationships of the documents there are, and others. */
export const field: fc.Arbitrary<string> = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('a', 'b', 'author', 'kin', 'where', 'title') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'a.b',
      'id',
      'type',
      '',
      '$a',
      'a.0',
      '__proto__',
      'a][eq',
      ' a',
      'a,b',
      'é😀',
      '\0',
    ),
  },
);

const point = fc
  .tuple(fc.integer({ min: -200, max: 200 }), fc.integer({ min: -100, max: 100 }))
  .map((coordinates) => ({ type: 'Point', coordinates }));
const ring = fc.array(fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -20, max: 20 })), {
  maxLength: 5,
});
export const geometry: fc.Arbitrary<unknown> = fc.oneof(
  point,
  ring.map((line) => ({ type: 'LineString', coordinates: line })),
  ring.map((line) => ({ type: 'Polygon', coordinates: [[...line, line[0]]] })),
  fc.constantFrom(
    { type: 'Point' },
    { type: 'Circle', coordinates: [0, 0] },
    { type: 'Polygon', coordinates: [[]] },
  ),
);

/** Wrappers, right and wrong. */
const wrapper = fc
  .tuple(
    fc.constantFrom('$date', '$numberLong', '$numberDecimal', '$oid', '$nothing', '$numberDouble'),
    fc.constantFrom<unknown>(
      '2020-02-30T00:00:00Z',
      '2020-01-02T03:04:05+14:00',
      '+275760-09-13T00:00:00Z',
      0,
      -8.64e15,
      1e300,
      '9223372036854775807',
      '-9223372036854775809',
      '1E+6144',
      '0.00',
      'NaN',
      NO_ID,
      null,
      {},
      [],
    ),
  )
  .map(([name, value]) => ({ [name]: value }));

const valid = anyValue(2).map((value): unknown => JSON.parse(textOf(value)));

export const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 20, arbitrary: valid },
  { weight: 1, arbitrary: wrapper },
  { weight: 3, arbitrary: geometry },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>('', '\0', '\ud800', 'x'.repeat(5000), 1e308, -0, 2 ** 53, 'Z͑ạl̂', {
      constructor: 1,
    }),
  },
);

/** Puts something where it does not belong, or takes something away. */
export function tampered(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const part = fc.constantFrom(
    '%',
    '%00',
    '%2e%2e/',
    '%ff',
    '//',
    '/',
    '\\',
    '"',
    '{',
    ']',
    ',',
    '&',
    '[]',
    '😀',
    '\u0000',
    '$where',
    'null',
    '1e999',
    '[['.repeat(80),
    'x'.repeat(3000),
  );
  return fc.tuple(text, fc.nat(1000), part, fc.nat(4)).map(([whole, at, inserted, removed]) => {
    const from = whole.length === 0 ? 0 : at % whole.length;
    return whole.slice(0, from) + inserted + whole.slice(from + removed);
  });
}

/** Mostly what was meant, now and then tampered with. */
export function mostly(text: fc.Arbitrary<string>, weight = 15): fc.Arbitrary<string> {
  return fc.oneof({ weight, arbitrary: text }, { weight: 1, arbitrary: tampered(text) });
}
