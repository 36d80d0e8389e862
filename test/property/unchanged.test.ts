/** A document that a PATCH sends back as answered is stored as it was, kinds included (decisions, section 2). */
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { applyChange } from '../../src/collection/write/document/change.ts';
import { decodeFields } from '../../src/domain/values/codec.ts';
import { parseDecimal } from '../../src/domain/values/decimal.ts';
import { parseJson } from '../../src/domain/values/json.ts';
import { present } from '../../src/domain/values/present.ts';
import {
  Decimal,
  doubleOf,
  integerOf,
  Long,
  longOf,
  LONG_MAX,
  LONG_MIN,
  ObjectId,
  type Fields,
  type Value,
} from '../../src/domain/values/values.ts';
import { readDocument } from '../../src/modules/documents/body/read-body.ts';
import { keyOf } from '../../src/domain/documents.ts';
import { ok } from '../../src/domain/problems.ts';
import { packContent, unpackContent } from '../../src/domain/values/stored.ts';
import { idOf, typeOf } from '../support/names.ts';
import { scaled } from '../support/long.ts';
import { memberOf } from '../../src/domain/values/tree.ts';

const ID = 'a'.repeat(24);
const sure = (value: Value | undefined): Value => value ?? expect.fail('no such value');

const integer = fc.oneof(
  fc.bigInt({ min: LONG_MIN, max: LONG_MAX }),
  fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n }),
  fc.bigInt({ min: -1000n, max: 1000n }),
);
const decimal = fc
  .record({
    digits: fc.oneof(fc.stringMatching(/^-?[0-9]{1,34}$/), fc.stringMatching(/^-?[0-9]{1,4}$/)),
    exponent: fc.oneof(fc.integer({ min: -6176, max: 6111 }), fc.integer({ min: -8, max: 3 })),
  })
  .map(({ digits, exponent }) => parseDecimal(`${digits}E${exponent}`))
  .filter((value) => value !== undefined);
const double = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer().map(Number),
  fc.constantFrom(-0, 0, 1e20, 1e21, 1e300, 5e-324, 2 ** 60),
);
const leaf: fc.Arbitrary<Value> = fc.oneof(
  fc.constantFrom(null, true, false, '', 'a', '2020-01-01T00:00:00.000Z', 'a'.repeat(24)),
  double.map(doubleOf),
  integer.map((value) => sure(integerOf(value))),
  integer.map((value) => sure(longOf(value))),
  decimal,
  fc.date({ noInvalidDate: true }),
  fc.stringMatching(/^[0-9a-f]{24}$/).map((hex) => new ObjectId(hex)),
);

function valuesOf(depth: number, leaves: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  if (depth === 0) return leaves;
  const inner = valuesOf(depth - 1, leaves);
  return fc.oneof(leaves, fc.array(inner, { maxLength: 4 }), fieldsOf(inner));
}

function fieldsOf(value: fc.Arbitrary<Value>): fc.Arbitrary<Fields> {
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', '1', '0', '__proto__'), value), {
      selector: ([name]) => name,
      maxLength: 4,
    })
    .map((entries) => Object.fromEntries(entries));
}

/** What is stored after a PATCH of attributes with this JSON text. */
function patched(before: Fields, attributes: string): string {
  const body = parseJson(`{"data":{"type":"t","id":"${ID}","attributes":${attributes}}}`, 64);
  if (!body.ok) throw new Error(body.detail);
  const read = readDocument(body.value, 't', ID);
  if (!read.ok || read.value.problems.length > 0) throw new Error(JSON.stringify(read));
  const content = packContent(read.value.content);
  const whole = packContent({ attributes: before, relationships: {} });
  const after = applyChange(whole, { kind: 'merge', content }, new Date());
  if (!after.ok) throw new Error(JSON.stringify(after));
  return after.value.body;
}

function stored(attributes: Fields): string {
  return packContent({ attributes, relationships: {} }).body;
}

test('as the text that an answer holds', () => {
  fc.assert(
    fc.property(fieldsOf(valuesOf(3, leaf)), (document) => {
      expect(patched(document, JSON.stringify(present(document)))).toBe(stored(document));
    }),
    { numRuns: scaled(2000) },
  );
});

/** Whether JavaScript reads the number that is shown, and loses no digit of an integer. */
function survives(value: Value): boolean {
  if (value instanceof Long) return Number.isSafeInteger(Number(value.value));
  if (!(value instanceof Decimal)) return true;
  const read = Number(value.text);
  if (read === 0) return !/[1-9]/.test(value.text.replace(/E.*/, ''));
  return Number.isFinite(read) && (!Number.isInteger(read) || Number.isSafeInteger(read));
}

test('through a client that reads and writes with JSON.parse and JSON.stringify, where no digit is lost', () => {
  fc.assert(
    fc.property(fieldsOf(valuesOf(3, leaf.filter(survives))), (document) => {
      const shown = JSON.parse(JSON.stringify(present(document))) as unknown;
      expect(patched(document, JSON.stringify(shown))).toBe(stored(document));
    }),
    { numRuns: scaled(2000) },
  );
});

test('and what differs is stored as it was sent, beside what does not', () => {
  fc.assert(
    fc.property(valuesOf(2, leaf), valuesOf(2, leaf), (kept, replaced) => {
      const before = { kept, changed: [replaced] };
      const after = decodeFields(
        patched(before, `{"kept":${JSON.stringify(present(kept))},"changed":["new"]}`),
      );
      expect(stored({ v: memberOf(after, 'kept') ?? null })).toBe(stored({ v: kept }));
      expect(memberOf(after, 'changed')).toEqual(['new']);
    }),
    { numRuns: scaled(500) },
  );
});

test('what a change does not name stays as it is stored, relationships behind attributes', () => {
  const field = fc.constantFrom('a', 'b', '1', '0', '__proto__');
  const link = fc.option(
    fc.record({ type: fc.constant(typeOf('t')), id: fc.constantFrom(idOf(ID), idOf('b'.repeat(24))) }),
  );
  const linkage = fc.oneof(
    link,
    fc.uniqueArray(
      link.filter((each) => each !== null),
      { selector: keyOf },
    ),
  );
  const relationship = fc.constantFrom('r', 's', '2');
  const content = fc.record({
    attributes: fc.dictionary(field, fc.oneof(fc.constantFrom(null, 'x', true), leaf)),
    relationships: fc.dictionary(relationship, linkage),
  });
  // None of these is what a stored value is shown as.
  const sent = fc.record({
    attributes: fc.dictionary(
      fc.oneof(field, fc.constant('c')),
      fc.constantFrom<Value>(null, 'y', ['z'], { q: 'z' }),
    ),
    relationships: fc.dictionary(relationship, linkage),
  });
  fc.assert(
    fc.property(content, sent, (before, change) => {
      const stored = packContent(before);
      const after = applyChange(stored, { kind: 'merge', content: packContent(change) }, new Date());
      const whole = unpackContent(stored);
      expect(after).toEqual(
        ok(
          packContent({
            attributes: { ...whole.attributes, ...change.attributes },
            relationships: { ...whole.relationships, ...change.relationships },
          }),
        ),
      );
    }),
    { numRuns: scaled(500) },
  );
});
