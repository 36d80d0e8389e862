/** Random pipelines for property tests, over documents with few names of fields, so that stages meet one another. */
import fc from './fast-check.ts';
import { Decimal, type Value } from '../../src/domain/values/values.ts';

export const FIELD_NAMES = ['a', 'b', 'c', 'd', '0'];

const name = fc.constantFrom(...FIELD_NAMES);
const path = fc.oneof(
  { weight: 4, arbitrary: name },
  { weight: 1, arbitrary: fc.constantFrom('a.b', 'b.a', 'c.0', 'a.b.a', 'id', 'type') },
);
const reference = path.map((text): Value => `$${text}`);

/** An expression; few of them look at the whole document. */
const expression: fc.Arbitrary<Value> = fc.letrec<{ e: Value }>((tie) => ({
  e: fc.oneof(
    { maxDepth: 3 },
    { weight: 8, arbitrary: reference },
    { weight: 2, arbitrary: fc.constantFrom<Value>(1, null, 'text', new Decimal('1.5')) },
    { weight: 1, arbitrary: path.map((text): Value => `$$CURRENT.${text}`) },
    { weight: 1, arbitrary: path.map((text): Value => `$$ROOT.${text}`) },
    { weight: 1, arbitrary: fc.constantFrom<Value>('$$ROOT', '$$CURRENT', { $getField: 'a' }) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom('$type', '$isArray', '$ifNull', '$eq', '$and', '$cmp'), tie('e'), tie('e'))
        .map(([operator, one, other]): Value => ({
          [operator]: operator === '$type' || operator === '$isArray' ? [one] : [one, other],
        })),
    },
    {
      weight: 1,
      arbitrary: tie('e').map((value): Value => ({
        $let: { vars: { CURRENT: { a: value, b: '$b' } }, in: ['$a', '$b', '$$ROOT.c'] },
      })),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(tie('e'), tie('e')).map(([input, inner]): Value => ({
        $map: { input: [input], as: 'each', in: ['$$each', inner] },
      })),
    },
    { weight: 1, arbitrary: fc.tuple(name, tie('e')).map(([field, value]): Value => ({ [field]: value })) },
    { weight: 1, arbitrary: fc.array(tie('e'), { maxLength: 2 }) },
  ),
})).e;

const sortText = fc
  .uniqueArray(path, { minLength: 1, maxLength: 2 })
  .chain((paths) =>
    fc
      .array(fc.constantFrom('', '-'), { minLength: paths.length, maxLength: paths.length })
      .map((signs) => paths.map((each, index) => `${signs[index] ?? ''}${each}`).join(',')),
  );

const filter: fc.Arbitrary<Value> = fc.oneof(
  fc
    .tuple(path, fc.constantFrom<Value>(1, null, { $exists: true }, { $gt: 0 }, { $ne: 'a' }))
    .map(([text, value]): Value => ({ [text]: value })),
  fc.tuple(path, path).map(([one, other]): Value => ({
    $or: [{ [one]: { $type: 'array' } }, { $nor: [{ [other]: { $elemMatch: { a: 1 } } }] }],
  })),
  fc.constant<Value>({ $text: { $search: 'a' } }),
);

const accumulator: fc.Arbitrary<Value> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('$sum', '$avg', '$min', '$max', '$first', '$last', '$push', '$addToSet', '$stdDevPop'),
      expression,
    )
    .map(([operator, value]): Value => ({ [operator]: value })),
  fc.constant<Value>({ $count: {} }),
  fc
    .tuple(fc.constantFrom('$top', '$bottom'), sortText, expression)
    .map(([operator, sortBy, output]): Value => ({ [operator]: { sortBy, output } })),
  expression.map((input): Value => ({ $firstN: { input, n: 2 } })),
);

const group = fc
  .tuple(expression, fc.uniqueArray(fc.tuple(name, accumulator), { selector: ([each]) => each }))
  .map(([id, fields]): Value => ({ group: { ...Object.fromEntries(fields), id } }));

const inclusion = fc
  .uniqueArray(
    fc.tuple(
      path.filter((each) => each !== 'id'),
      fc.oneof(fc.constant<Value>(1), expression),
    ),
    {
      selector: ([each]) => each.split('.')[0],
      minLength: 1,
      maxLength: 3,
    },
  )
  .chain((fields) =>
    fc.constantFrom<Value>({}, { id: 0 }, { id: '$a' }).map((id): Value => ({
      project: { ...Object.fromEntries(fields), ...(id as object) },
    })),
  );

const exclusion = fc
  .uniqueArray(path, { selector: (each) => each.split('.')[0], minLength: 1, maxLength: 2 })
  .map((paths): Value => ({ project: Object.fromEntries(paths.map((each) => [each, 0])) }));

const unwind = fc
  .tuple(
    path,
    fc.constantFrom<Value>({}, { includeArrayIndex: 'd' }, { includeArrayIndex: 'a.b' }),
    fc.boolean(),
  )
  .map(([text, index, keep]): Value => ({
    unwind: { path: `$${text}`, ...(index as object), preserveNullAndEmptyArrays: keep },
  }));

const stage: fc.Arbitrary<Value> = fc.oneof(
  { weight: 2, arbitrary: filter.map((argument): Value => ({ filter: argument })) },
  { weight: 2, arbitrary: sortText.map((argument): Value => ({ sort: argument })) },
  { weight: 1, arbitrary: fc.constantFrom<Value>({ skip: 1 }, { limit: 3 }, { sample: 3 }) },
  { weight: 2, arbitrary: unwind },
  { weight: 3, arbitrary: group },
  { weight: 3, arbitrary: inclusion },
  { weight: 2, arbitrary: exclusion },
);

const output = fc
  .uniqueArray(name, { maxLength: 3 })
  .map((attributes): Value => ({ output: { attributes, relationships: [] } }));

/** A pipeline; a few of them are refused. */
export const anyPipeline: fc.Arbitrary<Value> = fc
  .tuple(fc.array(stage, { minLength: 1, maxLength: 4 }), fc.option(output))
  .map(([stages, last]): Value => (last === null ? stages : [...stages, last]));
