/** Random queries: the parameters that an endpoint knows, some that it does not, right and wrong values. */
import fc from '../../support/fast-check.ts';
import type { ParameterFamily } from '../../../src/modules/contents/parameters.ts';
import type { Endpoint } from '../../../src/modules/endpoint.ts';
import { anyFilter, textOf } from '../../support/filter-arbitraries.ts';
import { field, geometry, mostly, placeholder, RESOURCE_TYPES, value } from './values.ts';

type Parameter = readonly [name: string, value: string];

const geoFilter = fc
  .tuple(
    fc.constantFrom('$geoIntersects', '$geoWithin', '$near', '$nearSphere'),
    geometry,
    fc.option(fc.integer()),
  )
  .map(([operator, shape, most]) =>
    JSON.stringify({
      where: { [operator]: { $geometry: shape, ...(most !== null && { $maxDistance: most }) } },
    }),
  );
const textFilter = fc
  .constantFrom('ash', '-ash', '"ash elm"', '', 'x '.repeat(150), '😀', 'Ελλάδα ash')
  .map((search) => JSON.stringify({ $text: { $search: search } }));
const patternFilter = fc
  .tuple(
    fc.constantFrom(
      '^a',
      '(a+)+$',
      '(?=a)',
      '[',
      'a{1001}',
      '\\p{L}',
      '(?i)A',
      '(a|b)*c',
      '\\1',
      '.*'.repeat(300),
    ),
    fc.constantFrom('', 'i', 'msx', 'z'),
  )
  .map(([pattern, options]) => JSON.stringify({ a: { $regex: pattern, $options: options } }));
const wrongFilter = fc.constantFrom(
  '{"$where":"1"}',
  '{"a":{"$no":1}}',
  '{"a":{"$in":1}}',
  '{"$and":{}}',
  '{"a":{"$gt":{"$date":"x"}}}',
  '{"a":{"$elemMatch":[]}}',
  '{"$and":['.repeat(60) + '{}' + ']}'.repeat(60),
  '[]',
  '1',
  '',
);
const whole = fc.oneof(
  { weight: 6, arbitrary: anyFilter(2).map(textOf) },
  { weight: 2, arbitrary: geoFilter },
  { weight: 1, arbitrary: textFilter },
  { weight: 1, arbitrary: patternFilter },
  { weight: 1, arbitrary: wrongFilter },
);

const sortText = fc
  .array(fc.tuple(fc.constantFrom('', '-'), field), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map((part) => part.join('')).join(','));
const number = fc.constantFrom(
  '1',
  '1',
  '2',
  '3',
  '5',
  '7',
  '9',
  '20',
  '100',
  '0',
  '1000',
  '1001',
  '-1',
  '1.5',
  '1e3',
  '',
  'x',
  '9'.repeat(30),
);

const FAMILIES: Readonly<Record<ParameterFamily, fc.Arbitrary<Parameter>>> = {
  filter: fc.oneof(
    mostly(whole).map((text): Parameter => ['filter[*]', text]),
    fc
      .tuple(
        field,
        fc.oneof(
          value.map((each) => JSON.stringify(each)),
          fc.constantFrom('text', '{"$exists":true}'),
        ),
      )
      .map(([name, text]): Parameter => [`filter[${name}]`, text]),
  ),
  sort: mostly(sortText).map((text): Parameter => ['sort', text]),
  page: fc.oneof(
    fc
      .tuple(fc.constantFrom('offset', 'limit', 'number', 'size', 'other'), number)
      .map(([name, text]): Parameter => [`page[${name}]`, text]),
    mostly(placeholder('cursor')).map((text): Parameter => ['page[after]', text]),
  ),
  size: number.map((text): Parameter => ['page[size]', text]),
  until: fc.constantFrom<Parameter>(['until', '2100-01-01T00:00:00Z'], ['until', 'soon']),
  tokens: fc.constantFrom<Parameter>(['tokens', 'true'], ['tokens', '']),
  history: fc.constantFrom<Parameter>(['history', 'true'], ['history', 'no']),
  now: fc.constantFrom<Parameter>(['changes[since]', 'now'], ['changes[since]', '']),
  changes: mostly(placeholder('cursor')).map((text): Parameter => ['changes[since]', text]),
  fields: fc
    .tuple(fc.constantFrom(...RESOURCE_TYPES, 'core.user', 'nothing'), fc.array(field, { maxLength: 3 }))
    .map(([type, names]): Parameter => [`fields[${type}]`, names.join(',')]),
  include: fc
    .array(
      fc.array(fc.constantFrom('author', 'kin', 'nothing', 'users', 'user'), { minLength: 1, maxLength: 6 }),
      {
        maxLength: 3,
      },
    )
    .map((paths): Parameter => ['include', paths.map((path) => path.join('.')).join(',')]),
  deleted: fc.constantFrom<Parameter>(['deleted', 'true'], ['deleted', 'false']),
  at: fc.constantFrom<Parameter>(['at', '2026-11-20T00:00:00Z'], ['at', '2026-11-20'], ['at', '9999']),
  width: fc.constantFrom('64', '65', '').map((text): Parameter => ['width', text]),
  height: number.map((text): Parameter => ['height', text]),
  fit: fc.constantFrom('cover', '').map((text): Parameter => ['fit', text]),
  format: fc.constantFrom('webp', 'tiff').map((text): Parameter => ['format', text]),
  download: fc.constantFrom('', 'true').map((text): Parameter => ['download', text]),
  parameters: fc
    .tuple(fc.constantFrom('least', 'other'), value)
    .map(([name, each]): Parameter => [`parameters[${name}]`, JSON.stringify(each)]),
};

const unknown: fc.Arbitrary<Parameter> = fc.constantFrom<Parameter>(
  ['filter', '{}'],
  ['filter[]', '1'],
  ['filter[a][eq]', '1'],
  ['page', '1'],
  ['fields', 'a'],
  ['q', 'x'],
  ['__proto__[a]', '1'],
);

/** The query of a request, with its question mark, or nothing. */
export function queryOf({ parameters = [] }: Pick<Endpoint, 'parameters'>): fc.Arbitrary<string> {
  const families = parameters.map((family) => ({ weight: 12, arbitrary: FAMILIES[family] }));
  const some = fc.array(fc.oneof(...families, { weight: 1, arbitrary: unknown }), {
    maxLength: families.length === 0 ? 1 : 4,
  });
  const text = some.map((list) => list.map(([name, each]) => `${encode(name)}=${encode(each)}`).join('&'));
  const query = mostly(text, 25).map((each) => (each === '' ? '' : `?${each}`));
  return fc.oneof(
    { weight: parameters.length === 0 ? 1 : 20, arbitrary: query },
    { weight: 12, arbitrary: fc.constant('') },
  );
}

/** Placeholders stay as they are, and lone surrogates are no text of a URL. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(/%3C([a-z]+)%3A([0-9]+)%3E/g, '<$1:$2>');
}
