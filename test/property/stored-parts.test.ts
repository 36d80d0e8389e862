/** Stored content that is parted without being decoded has the parts that decoding gives. */
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { decodeFields } from '../../src/domain/values/codec.ts';
import type { Linkage } from '../../src/domain/documents.ts';
import { anyValue } from '../support/filter-arbitraries.ts';
import { packContent, relationshipsOf, splitContent, unpackContent } from '../../src/domain/values/stored.ts';
import { presentText } from '../../src/domain/values/present.ts';
import { idOf, typeOf } from '../support/names.ts';
import { scaled } from '../support/long.ts';

/** Names that end alike, nest, are positions, or must be escaped. */
const names = ['author', '"author', 'co-author', '\\author', 'a', 'b', '1', '0', 'é', '__proto__'];
const link = fc.record({
  type: fc.constantFrom('people', 'a.b-c_d', '1').map(typeOf),
  id: fc.constantFrom('0123456789abcdef01234567', 'ffffffffffffffffffffffff').map(idOf),
});
const linkage: fc.Arbitrary<Linkage> = fc.oneof(
  fc.constant(null),
  link,
  fc.uniqueArray(link, { maxLength: 3, selector: ({ type, id }) => type + id }),
);
const content = fc
  .shuffledSubarray(names)
  .chain((chosen) =>
    fc.tuple(fc.constant(chosen), fc.nat(chosen.length), fc.infiniteStream(fc.tuple(anyValue(3), linkage))),
  )
  .map(([chosen, related, values]) => {
    const all = chosen.map((name) => [name, values.next().value as [never, Linkage]] as const);
    return {
      attributes: Object.fromEntries(all.slice(related).map(([name, [value]]) => [name, value])),
      relationships: Object.fromEntries(all.slice(0, related).map(([name, [, to]]) => [name, to])),
    };
  });

test('the parts of stored content', () => {
  let parted = 0;
  fc.assert(
    fc.property(content, (each) => {
      const stored = packContent(each);
      const split = splitContent(stored);
      if (split === null) return;
      const { attributes, relationships } = unpackContent(stored);
      expect(decodeFields(`${split.attributes}}`)).toEqual(attributes);
      expect(Object.entries(relationshipsOf(split))).toEqual(Object.entries(relationships));
      expect(
        split.linkages.map(({ linkage }) =>
          typeof linkage === 'string' ? presentText(linkage) : JSON.stringify(linkage),
        ),
      ).toEqual(Object.values(relationships).map((linkage) => JSON.stringify(linkage)));
      parted += 1;
    }),
    { numRuns: scaled(5000) },
  );
  // What is not parted is decoded: that must be rare.
  expect(parted).toBeGreaterThan(scaled(2000));
});

test('content as most is', () => {
  const plain = {
    attributes: { title: 'x', nested: { author: null } },
    relationships: { author: { type: typeOf('people'), id: idOf('0123456789abcdef01234567') }, tags: [] },
  };
  const split = splitContent(packContent(plain));
  expect(split?.attributes).toBe('{"title":"x","nested":{"author":null}');
  expect(split && relationshipsOf(split)).toEqual(plain.relationships);
});
