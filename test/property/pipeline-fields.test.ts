/**
 * A pipeline that is fed with no more of each document than it says that it looks at gives what it gives over whole
 * documents; so does one that is narrowed to outputs of some ids, whatever becomes the id of a group. What SQLite takes
 * out of a stored body is what the body holds.
 */
import { DatabaseSync } from 'node:sqlite';
import fc from '../support/fast-check.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jsonPathOf } from '../../src/query/sql/json-paths.ts';
import { decodeText, encodeText } from '../../src/domain/values/codec.ts';
import {
  Decimal,
  Double,
  doubleOf,
  Long,
  ObjectId,
  type Fields,
  type Value,
} from '../../src/domain/values/values.ts';
import { compilePipeline, type CompiledPipeline } from '../../src/pipeline/pipeline.ts';
import { fieldsOfCondition } from '../../src/operators/filter/map.ts';
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

/** As the service does: the leading filters are the caller's. Documents as text: the order of attributes shows. */
function outputsOf(pipeline: CompiledPipeline, input: readonly Fields[]): readonly string[] | string {
  const { leading } = pipeline;
  const matches = leading === null ? () => true : compileMatcher(leading, { text: textMatcher });
  const options = { now: new Date(0), random: () => 0.5 };
  const result = pipeline.run(input.filter(matches), options);
  const made = result.ok ? pipeline.documentsOf(result.outputs) : result;
  if (!made.ok) return JSON.stringify(made);
  return made.documents.map(({ id, attributes }) => `${id}  ${encodeText(attributes)}`);
}

/** The document with these fields alone, the last one first, but for the id and the type. */
function pick({ id, type, ...document }: Fields, fields: ReadonlySet<string>): Fields {
  const entries = [...Object.entries(document).toReversed(), ['id', id], ['type', type]] as [string, Value][];
  return Object.fromEntries(entries.filter(([name]) => fields.has(name)));
}

function fieldsOf(pipeline: CompiledPipeline): ReadonlySet<string> | null {
  const filtered = pipeline.leading === null ? new Set<string>() : fieldsOfCondition(pipeline.leading);
  return pipeline.fields && filtered && new Set([...pipeline.fields, ...filtered]);
}

describe('a pipeline', () => {
  const seen = { few: 0, whole: 0 };

  test('over the fields that it looks at gives what it gives over whole documents', () => {
    fc.assert(
      fc.property(anyPipeline, documents, (stages, list) => {
        const compiled = compilePipeline({ inputType: 'thing', pipeline: stages }, new Map());
        if (!compiled.ok) return;
        const fields = fieldsOf(compiled.pipeline);
        seen[fields === null ? 'whole' : 'few'] += 1;
        if (fields === null) return;
        const picked = list.map((each) => pick(each, fields));
        expect(outputsOf(compiled.pipeline, picked)).toEqual(outputsOf(compiled.pipeline, list));
      }),
      { numRuns: scaled(6_000) },
    );
    expect(seen.few).toBeGreaterThan(scaled(1_000));
    expect(seen.whole).toBeGreaterThan(scaled(200));
  });
});

describe('what SQLite takes out of a body', () => {
  let database: DatabaseSync;
  beforeAll(() => {
    database = new DatabaseSync(':memory:');
  });
  afterAll(() => {
    database.close();
  });

  /** Also strings whose JSON has escapes, and numbers of every form. */
  const held = fc.oneof(
    anyValue(3),
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(doubleOf),
  );

  const name = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }),
    fc.stringMatching(/^[[\]$#'" .*-]{1,3}$/),
    fc.constantFrom('a', 'é', '\u2028', '\u007f', '😀', "'", '[0]', '#-1', 'a"', '\\u0061', 'constructor'),
  );

  test('is what the body holds, whatever the names', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(name, held), { selector: ([each]) => each, minLength: 1 }),
        name,
        (entries, other) => {
          const body: Fields = Object.fromEntries(entries);
          const asked = [...entries.map(([each]) => each), other];
          for (const each of asked) {
            const path = jsonPathOf(each);
            if (path === null) continue;
            const row = database.prepare('SELECT jsonb(?) -> ? AS text').get(encodeText(body), path);
            const text = row?.['text'];
            const found: Value | undefined = typeof text === 'string' ? decodeText(text) : undefined;
            expect(found).toEqual(Object.hasOwn(body, each) ? body[each] : undefined);
          }
        },
      ),
      { numRuns: scaled(1_000) },
    );
  });
});

const idOf = (output: string): string => output.slice(0, output.indexOf('  '));

describe('a pipeline that is narrowed to some ids', () => {
  test('gives the outputs that the whole has under them', () => {
    const seen = { narrowed: 0, sought: 0 };
    const checked = (pipeline: CompiledPipeline, list: readonly Fields[], asked: readonly string[]) => {
      const narrowed = pipeline.narrowed(new Set(asked));
      if (narrowed === null) return;
      seen.narrowed += 1;
      if (narrowed.leading !== pipeline.leading) seen.sought += 1;
      const among = (outputs: readonly string[] | string) =>
        typeof outputs === 'string' ? outputs : outputs.filter((output) => asked.includes(idOf(output)));
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
        if (typeof whole === 'string') return;
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
