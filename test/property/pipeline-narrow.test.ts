/**
 * Outputs that are asked for by their ids: where a pipeline can be narrowed to these, they are what the whole pipeline
 * gives, and in the same order, whatever becomes the id of a group.
 */
import fc from '../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { encodeText } from '../../src/domain/values/codec.ts';
import { Decimal, Double, Long, ObjectId, type Fields, type Value } from '../../src/domain/values/values.ts';
import { compilePipeline, type CompiledPipeline } from '../../src/pipeline/pipeline.ts';
import { compileMatcher } from '../../src/operators/filter/matcher.ts';
import { textMatcher } from '../../src/query/text/search.ts';
import { anyValue } from '../support/filter-arbitraries.ts';
import { anyPipeline, FIELD_NAMES } from '../support/pipeline-arbitraries.ts';
import { scaled } from '../support/long.ts';

/** Values whose texts are those of others, or whose kinds share numbers and not texts. */
const strange = fc.constantFrom<Value>(
  'null',
  'true',
  '1',
  '1.5',
  '-0',
  '[]',
  '1970-01-01T00:00:00.000Z',
  '000000000000000000000001',
  0.1,
  new Decimal('0.1'),
  new Decimal('1E+3'),
  new Double(1234567890123456800),
  new Double(1e300),
  new Double(1e21),
  new Long(1234567890123456800n),
  new Date(Date.UTC(12026, 0)),
);

const documents = fc
  .array(
    fc.uniqueArray(fc.tuple(fc.constantFrom(...FIELD_NAMES), fc.oneof(anyValue(2), strange)), {
      selector: ([name]) => name,
    }),
    { maxLength: 8 },
  )
  .map((list) =>
    list.map((entries, position): Fields => ({
      ...Object.fromEntries(entries),
      id: new ObjectId((position + 1).toString(16).padStart(24, '0')),
      type: 'thing',
    })),
  );

/** As the service does: the leading filters are the caller's. The documents as text: the order of attributes shows. */
function outputsOf(pipeline: CompiledPipeline, input: readonly Fields[]): readonly string[] | null {
  const { leading } = pipeline;
  const matches = leading === null ? () => true : compileMatcher(leading, { text: textMatcher });
  const options = { now: new Date(0), random: () => 0.5 };
  const result = pipeline.run(input.filter(matches), options);
  const made = result.ok ? pipeline.documentsOf(result.outputs) : result;
  if (!made.ok) return null;
  return made.documents.map(({ id, attributes }) => `${id}  ${encodeText(attributes)}`);
}

const idOf = (output: string): string => output.slice(0, output.indexOf('  '));

describe('a pipeline that is narrowed to some ids', () => {
  test('gives the outputs that the whole has under them', () => {
    const seen = { narrowed: 0, sought: 0 };
    const checked = (pipeline: CompiledPipeline, list: readonly Fields[], asked: readonly string[]) => {
      const narrowed = pipeline.narrowed(new Set(asked));
      if (narrowed === null) return;
      seen.narrowed += 1;
      if (narrowed.leading !== pipeline.leading) seen.sought += 1;
      const among = (outputs: readonly string[] | null) =>
        outputs?.filter((output) => asked.includes(idOf(output)));
      expect(among(outputsOf(narrowed, list))).toEqual(among(outputsOf(pipeline, list)));
    };
    const group = fc
      .tuple(fc.constantFrom('$a', '$b', '$a.b', '$d', '$id'), fc.constantFrom('$c', '$a'))
      .map(([id, value]): Value => ({ group: { id, all: { $push: value } } }));
    const taken = fc
      .tuple(fc.constantFrom<Value>(1, '$b', '$c.a'), fc.constantFrom<Value>(1, '$a'))
      .map(([a, b]): Value => ({ project: { a, b, c: 1, d: { $literal: 1 } } }));
    const grouped = fc
      .tuple(fc.array(taken, { maxLength: 2 }), group)
      .map(([before, last]): Value => [...before, last]);
    fc.assert(
      fc.property(fc.oneof(anyPipeline, grouped), documents, (stages, list) => {
        const compiled = compilePipeline({ inputType: 'thing', pipeline: stages }, new Map());
        if (!compiled.ok) return;
        const { pipeline } = compiled;
        const whole = outputsOf(pipeline, list);
        if (whole === null) return;
        const ids = whole.map(idOf);
        for (const id of ids) checked(pipeline, list, [id]);
        checked(pipeline, list, ids.slice(0, 2));
        checked(pipeline, list, ['no such id']);
      }),
      { numRuns: scaled(4_000) },
    );
    expect(seen.narrowed).toBeGreaterThan(scaled(2_000));
    expect(seen.sought).toBeGreaterThan(scaled(1_000));
  });
});
