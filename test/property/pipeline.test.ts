/** What holds of pipelines whatever the documents are. */
import fc from '../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import {
  Decimal,
  Double,
  isFields,
  Long,
  ObjectId,
  type Fields,
  type Value,
} from '../../src/domain/values/values.ts';
import { encodeText } from '../../src/domain/values/codec.ts';
import { compilePipeline } from '../../src/pipeline/pipeline.ts';
import { keyOfOperand } from '../../src/operators/core/keys.ts';
import { exactOfText } from '../../src/domain/values/exact.ts';
import { compareValues } from '../../src/query/order/compare.ts';
import { parseSort } from '../../src/query/order/sort.ts';
import { compareDocuments } from '../support/sorting.ts';
import { compileMatcher } from '../../src/operators/filter/matcher.ts';
import { anyDocument, anyValue } from '../support/filter-arbitraries.ts';
import { scaled } from '../support/long.ts';

const RUNS = { numRuns: scaled(200) };

function compile(pipeline: Value) {
  const compiled = compilePipeline({ inputType: 'thing', pipeline }, new Map());
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.faults));
  return compiled.pipeline;
}

/** Runs a pipeline as the service does: the leading filters are the caller's. */
function run(pipeline: Value, documents: readonly Fields[]): readonly Fields[] {
  const compiled = compile(pipeline);
  const { leading } = compiled;
  const result = compiled.run(leading === null ? documents : documents.filter(compileMatcher(leading)));
  if (!result.ok) throw new Error(result.detail);
  return result.outputs;
}

const texts = (documents: readonly Fields[]) => documents.map(encodeText);

const documents = fc
  .array(anyDocument, { maxLength: 12 })
  .map((list) =>
    list.map((each, index): Fields => ({ ...each, id: new ObjectId(index.toString(16).padStart(24, '0')) })),
  );

describe('grouping', () => {
  it('keeps apart exactly what comparison keeps apart', () => {
    fc.assert(
      fc.property(anyValue(3), anyValue(3), (a, b) => {
        expect(keyOfOperand(a) === keyOfOperand(b)).toBe(compareValues(a, b) === 0);
      }),
      { numRuns: scaled(2_000) },
    );
  });
});

describe('a filter', () => {
  it('holds first as well as last where they commute', () => {
    fc.assert(
      fc.property(documents, fc.constantFrom('a', 'b', 'a.b'), anyValue(1), (list, path, operand) => {
        const filter = { filter: { [path]: { $gte: operand } } };
        const others = [{ sort: 'b,-a' }, { unwind: { path: '$c', preserveNullAndEmptyArrays: true } }];
        expect(texts(run([...others, filter], list))).toEqual(texts(run([filter, ...others], list)));
      }),
      RUNS,
    );
  });
});

describe('a sort', () => {
  it('is stable and in the order of searches', () => {
    fc.assert(
      fc.property(documents, fc.constantFrom('a', '-a', 'b,-a', 'a.b,b', '-a.0'), (list, text) => {
        const parsed = parseSort(text);
        const compare = compareDocuments(parsed.ok ? parsed.value : []);
        expect(texts(run([{ sort: text }], list))).toEqual(texts(list.toSorted(compare)));
      }),
      RUNS,
    );
  });

  it('with a limit gives the first of all', () => {
    fc.assert(
      fc.property(documents, fc.nat({ max: 5 }), fc.integer({ min: 1, max: 5 }), (list, skip, limit) => {
        const whole = run([{ sort: '-a,b' }], list);
        const part = run([{ sort: '-a,b' }, { skip }, { limit }], list);
        expect(texts(part)).toEqual(texts(whole.slice(skip, skip + limit)));
      }),
      RUNS,
    );
  });
});

describe('sums', () => {
  const digits = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });

  it('of decimals are exact', () => {
    fc.assert(
      fc.property(fc.array(digits, { maxLength: 50 }), (list) => {
        const rows = list.map((cents): Fields => ({ v: new Decimal(`${cents}E-2`) }));
        const [sum] = run([{ group: { v: { $sum: '$v' } } }], rows);
        if (list.length === 0) return;
        const value = sum?.['v'];
        const exact = exactOfText(value instanceof Decimal ? value.text : '');
        const hundredths = exact && exact.coefficient * 10n ** BigInt(exact.exponent + 2);
        expect(hundredths).toBe(list.reduce((total, cents) => total + cents, 0n));
      }),
      RUNS,
    );
  });

  it('of longs are exact as long as they fit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: -(2n ** 57n), max: 2n ** 57n }), { minLength: 1, maxLength: 30 }),
        (list) => {
          const [sum] = run(
            [{ group: { v: { $sum: '$v' } } }],
            list.map((value): Fields => ({ v: new Long(value) })),
          );
          const value = sum?.['v'];
          const total = list.reduce((all, each) => all + each, 0n);
          expect(value instanceof Long ? value.value : BigInt(Number(value))).toBe(total);
        },
      ),
      RUNS,
    );
  });

  it('of doubles do not depend on their order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1 }), (list) => {
        const rows = list.map((n): Fields => ({ v: Number.isInteger(n / 10) ? new Double(n / 10) : n / 10 }));
        const sum = (input: readonly Fields[]) => texts(run([{ group: { v: { $sum: '$v' } } }], input));
        expect(sum(rows.toReversed())).toEqual(sum(rows));
      }),
      RUNS,
    );
  });
});

describe('feeding a run', () => {
  it('ends with enough behind a limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), (limit) => {
        const steps = compile([{ project: { a: 1 } }, { limit }]).start();
        let pushed = 0;
        while (steps.push({ id: pushed, a: pushed }) === 'more') pushed += 1;
        expect(pushed + 1).toBe(limit);
      }),
    );
  });
});

describe('an expression', () => {
  const operators = fc.constantFrom(
    '$add',
    '$concat',
    '$eq',
    '$size',
    '$toString',
    '$toDecimal',
    '$setUnion',
    '$mergeObjects',
    '$first',
    '$year',
    '$round',
    '$ifNull',
    '$in',
    '$type',
  );
  const expression: fc.Arbitrary<Value> = fc.letrec<{ e: Value }>((tie) => ({
    e: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<Value>('$a', '$b', '$a.b', '$$ROOT', 'text', null, 1, new Decimal('1.5')),
      fc
        .tuple(operators, fc.array(tie('e'), { maxLength: 3 }))
        .map(([name, operands]): Value => ({ [name]: operands })),
      fc.array(tie('e'), { maxLength: 3 }),
    ),
  })).e;

  it('is refused, fails or has a value, and never throws', () => {
    fc.assert(
      fc.property(expression, documents, (value, list) => {
        const compiled = compilePipeline(
          { inputType: 'thing', pipeline: [{ project: { value: [value] } }] },
          new Map(),
        );
        if (!compiled.ok) {
          for (const { pointer } of compiled.faults)
            expect(pointer).toMatch(/^\/pipeline\/0\/project\/value/);
          return;
        }
        const result = compiled.pipeline.run(list);
        if (result.ok) expect(result.outputs.every(isFields)).toBe(true);
        else expect(result.stage).toBe(0);
      }),
      { numRuns: scaled(1_000) },
    );
  });
});
