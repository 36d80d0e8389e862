/** Stored groups: what is packed and unpacked is what it was, whatever is in it and whatever is put beside it. */
import fc from '../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { encodeText } from '../../src/domain/values/codec.ts';
import { Decimal, Double, Long, type Fields, type Value } from '../../src/domain/values/values.ts';
import { compilePipeline, type PipelinePart, type PipelineParts } from '../../src/pipeline/pipeline.ts';
import { anyValue } from '../support/filter-arbitraries.ts';
import { ALL } from '../support/cached-groups-arbitraries.ts';
import { definitionOf } from '../support/pipeline-run.ts';
import { scaled } from '../support/long.ts';

const ROOM = 1e9;

function partsOf(group: unknown): PipelineParts {
  const compiled = compilePipeline(definitionOf(JSON.stringify([{ group }]), null), new Map());
  if (!compiled.ok || compiled.pipeline.parts === null) throw new Error('It is not made in parts.');
  return compiled.pipeline.parts;
}

const PARTS = partsOf({ id: '$kind', ...ALL });

function made(parts: PipelineParts, documents: readonly Fields[]): PipelinePart {
  const { run, table } = parts.begin(ROOM, ROOM);
  for (const document of documents) run.push(document);
  expect(run.finish().ok).toBe(true);
  return { table, held: run.held };
}

/** The groups as text, in their order; null where they are not exact. */
function shown(parts: PipelineParts, list: readonly PipelinePart[]): readonly string[] | null {
  const joined = parts.join(list);
  if (joined === null) return null;
  const result = parts.end(joined).finish();
  return result.ok ? result.outputs.map(encodeText) : null;
}

const number = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map((value) => new Long(value)),
  fc.double().map((value) => new Double(value)),
  fc
    .tuple(fc.bigInt(-(10n ** 33n), 10n ** 33n), fc.integer({ min: -40, max: 40 }))
    .map(([digits, exponent]) => new Decimal(`${digits}E${exponent}`)),
  fc.constantFrom<Value>(-0, 0.1, new Double(-0), new Decimal('0.10'), new Decimal('-0'), new Decimal('NaN')),
);
const value = fc.oneof(number, anyValue(2));
const documents = fc.array(
  fc
    .record(
      { kind: fc.oneof(fc.constantFrom<Value>('a', 1, null), anyValue(1)), value },
      { requiredKeys: [] },
    )
    .map((fields): Fields => fields),
  { maxLength: 12 },
);

describe('packed groups', () => {
  test('are what they were, also where others are put in front of them and behind', () => {
    let packed = 0;
    const property = fc.property(documents, documents, documents, (before, here, behind) => {
      const [first, part, last] = [made(PARTS, before), made(PARTS, here), made(PARTS, behind)];
      const text = PARTS.pack(part, ROOM);
      const isExact = shown(PARTS, [part]) !== null;
      expect(text !== null).toBe(isExact);
      if (text === null) return;
      packed += 1;
      const again = PARTS.unpack(text);
      if (again === null) throw new Error(text);
      expect(PARTS.pack(again, ROOM)).toBe(text);
      expect(shown(PARTS, [again])).toEqual(shown(PARTS, [part]));
      expect(shown(PARTS, [first, again, last])).toEqual(shown(PARTS, [first, part, last]));
      expect(shown(PARTS, [again, again])).toEqual(shown(PARTS, [part, part]));
    });
    fc.assert(property, { numRuns: scaled(500) });
    expect(packed).toBeGreaterThan(scaled(100));
  });

  test('are not put together, nor packed, where a sum depends on their order', () => {
    const parts = partsOf({ id: null, sum: { $sum: '$n' } });
    const partOf = (...texts: readonly string[]) =>
      made(
        parts,
        texts.map((text) => ({ n: new Decimal(text) })),
      );
    const [great, other] = [partOf('1E+150'), partOf('-1E+150', '1E-150')];
    expect(shown(parts, [great, partOf('-1E+150')])).toHaveLength(1);
    expect(shown(parts, [great, other])).toBe(null);
    expect([parts.pack(great, ROOM), parts.pack(other, ROOM)]).toEqual([expect.any(String), null]);
  });

  test('are no text that is longer than it may be', () => {
    const parts = partsOf({ id: '$n', count: { $count: {} } });
    const part = made(parts, [{ n: 'a' }, { n: 'b' }]);
    const text = '[["a",["1"]],["b",["1"]]]';
    expect(parts.pack(part, text.length)).toBe(text);
    expect(parts.pack(part, text.length - 1)).toBe(null);
  });

  test.each([
    'null',
    '{}',
    '[1]',
    '[[1]]',
    '[[1,[]]]',
    '[[1,{}]]',
    '[["a",[null,null]]]',
    '[["a",["1",[]]]]',
    '[["a",["1",["int",1,"1",5,null]]]]',
  ])('are not made of what is none of theirs: %s', (text) => {
    const parts = partsOf({ id: '$kind', count: { $count: {} }, sum: { $sum: '$value' } });
    expect(parts.unpack(text)).toBe(null);
  });

  // What is stored outlives a release. Where a line changes, raise FORM in stored-groups.ts: former rows are left then.
  test.each([
    ['n', '["int",3,"3",[{"$double":"0"}],null]', '["int",1,"1",[{"$double":"0"}],null]'],
    ['count', '"3"', '"1"'],
    ['sum', '["decimal",3,"5",[0.1,0.1],["0.10",-1,-2]]', '["int",0,"0",[{"$double":"0"}],null]'],
    ['mean', '["decimal",3,"5",[0.1,0.1],["0.10",-1,-2]]', '["int",0,"0",[{"$double":"0"}],null]'],
    ['least', '{"$decimal":"0.10"}', 'null'],
    ['most', '{"$long":"5"}', 'null'],
    ['first', '[0.1]', '[null]'],
    ['last', '[{"$long":"5"}]', '[null]'],
    ['all', '[0.1,{"$decimal":"0.10"},{"$long":"5"}]', '[null]'],
    ['some', '[0.1,{"$decimal":"0.10"},{"$long":"5"}]', '[null]'],
  ] as const)('have the form of what earlier releases stored: %s', (name, ofThree, ofNull) => {
    const parts = partsOf({ id: '$kind', [name]: ALL[name] });
    const values: readonly Value[] = [0.1, new Decimal('0.10'), new Long(5n)];
    const part = made(parts, [...values.map((value) => ({ kind: 'a', value })), { value: null }]);
    expect(parts.pack(part, ROOM)).toBe(`[["a",[${ofThree}]],[null,[${ofNull}]]]`);
  });
});
