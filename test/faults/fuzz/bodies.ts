/** Random bodies by what an endpoint takes: documents, links, rights, keys, schemas, definitions, operations. */
import fc from '../../support/fast-check.ts';
import type { Endpoint } from '../../../src/modules/endpoint.ts';
import { textOf } from '../../support/filter-arbitraries.ts';
import { anyPipeline } from '../../support/pipeline-arbitraries.ts';
import { field, id, mostly, placeholder, RESOURCE_TYPES, tampered, type, value } from './values.ts';

const link = fc.oneof(
  { weight: 15, arbitrary: fc.constantFrom(...RESOURCE_TYPES).chain(linkTo) },
  { weight: 1, arbitrary: fc.record({ type, id }) },
);

function linkTo(target: string): fc.Arbitrary<{ readonly type: string; readonly id: string }> {
  return placeholder(`of ${target}`).map((each) => ({ type: target, id: each }));
}

const linkage: fc.Arbitrary<unknown> = fc.oneof(link, fc.constant(null), fc.array(link, { maxLength: 3 }));
const relationships = fc.dictionary(
  fc.oneof({ weight: 15, arbitrary: fc.constantFrom('author', 'kin') }, { weight: 1, arbitrary: field }),
  fc.record({ data: linkage }),
  { maxKeys: 2 },
);
const attributes: fc.Arbitrary<object> = fc.dictionary(
  fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom('a', 'b', 'where', 'title') },
    { weight: 1, arbitrary: field },
  ),
  value,
  { maxKeys: 4 },
);

const identity = fc.record({
  type: fc.constantFrom('core.user', 'core.user-group', 'core.external-user', 'notes'),
  id,
});
const grant = fc.oneof(fc.constantFrom<unknown>('*', [], 'all', null), fc.array(identity, { maxLength: 3 }));
const rights = fc.dictionary(fc.constantFrom('read', 'update', 'delete', 'other'), grant, { maxKeys: 3 });

const permission = fc.record(
  {
    path: fc.constantFrom('.*', '/resources/notes', '(a+)+', '[', '(?<=a)b', 1, '(a{100}){100}'),
    methods: fc.subarray<unknown>(['get', 'post', 'patch', 'delete', 'put', 1]),
    acl: fc.record(
      {
        active: fc.constantFrom<unknown>(true, false, 1),
        'endpoint-access-list-flavor': fc.constantFrom('black', 'white', 'grey'),
        'endpoint-access-list': fc.array(identity, { maxLength: 2 }),
        'document-access-list': fc.array(identity, { maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['path', 'methods'] },
);
const key = fc.record(
  { name: value, permissions: fc.array(permission, { maxLength: 3 }) },
  { requiredKeys: [] },
);

const subschema: fc.Arbitrary<unknown> = fc.letrec<{ s: unknown }>((tie) => ({
  s: fc.oneof(
    { maxDepth: 3, withCrossShrink: false },
    fc.constantFrom<unknown>(true, false, {}, { type: 'string' }, { type: 'thing' }, { pattern: '(a+)+$' }),
    fc.constantFrom<unknown>(
      { $ref: '#' },
      { $ref: '#/definitions/x' },
      { multipleOf: 0 },
      { minimum: 1, maximum: 2 },
    ),
    fc
      .dictionary(fc.constantFrom('a', 'b', 'author'), tie('s'), { maxKeys: 2 })
      .map((properties) => ({ properties })),
    fc.array(tie('s'), { minLength: 1, maxLength: 2 }).map((oneOf) => ({ oneOf })),
    fc.tuple(tie('s'), fc.boolean()).map(([items, uniqueItems]) => ({ items, uniqueItems })),
    fc
      .subarray(['a', 'b', 'title'])
      .map((required) => ({ required, additionalProperties: required.length > 1 })),
    fc.tuple(tie('s'), tie('s')).map(([one, other]) => ({ not: one, allOf: [other] })),
  ),
})).s;
const schema = fc.record({
  target: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('targeted', 'other') },
    { weight: 1, arbitrary: type },
  ),
  content: fc.oneof(
    subschema.map((attributesSchema) => ({ properties: { attributes: attributesSchema } })),
    value,
  ),
});

const definition = fc.record({
  'input-type': fc.oneof(type, fc.constantFrom('core.user', 'agt.sums')),
  'output-type': fc.oneof(
    fc.nat(200).map((n) => `agt.fuzz-${n}`),
    fc.constantFrom('agt.sums', 'sums', 'agt.'),
  ),
  pipeline: fc.oneof(
    { weight: 6, arbitrary: anyPipeline.map((each): unknown => JSON.parse(textOf(each))) },
    { weight: 1, arbitrary: fc.array(fc.dictionary(fc.constantFrom('filter', 'group', 'sort', 'x'), value)) },
  ),
});

const user = fc.record(
  {
    username: fc.oneof(
      fc.nat(500).map((n) => `user-${n}`),
      fc.constantFrom<unknown>('ab', 'a b', 1, 'x'.repeat(300)),
    ),
    // Hashing is dear, so few are long enough.
    password: fc.constantFrom<unknown>('short', 'short', '', 1, null, 'x'.repeat(1025), 'a good secret'),
  },
  { requiredKeys: [] },
);

/** What an endpoint's documents are made of, by a part of its path. */
const CONTENTS: readonly (readonly [part: string, fc.Arbitrary<object>])[] = [
  ['.acl', rights],
  ['/core.api-key', key],
  ['/core.schema', schema],
  ['/core.aggregate', definition],
  ['/core.user-group', attributes],
  ['/core.user', user],
];

const operation = fc.record(
  {
    op: fc.constantFrom('add', 'add', 'update', 'remove', 'copy'),
    ref: fc.record(
      { type, id, relationship: fc.constantFrom('author', 'kin') },
      { requiredKeys: ['type', 'id'] },
    ),
    data: fc.oneof(
      fc.record(
        { type, id, attributes, relationships, lid: fc.constantFrom('one', 'two') },
        { requiredKeys: ['type'] },
      ),
      linkage,
    ),
  },
  { requiredKeys: ['op'] },
);

const garbage = fc.oneof(
  tampered(fc.constant('{"data":{"type":"notes","attributes":{"a":1}}}')),
  fc.constantFrom(
    '',
    'null',
    '[]',
    '"',
    '{"data":null}',
    '{"data":[]}',
    '{"data":{}}',
    '['.repeat(70),
    '{"a":1,"a":2}',
  ),
  fc.constantFrom(
    '\u0000',
    '\ufeff{}',
    '{"data":{"type":"notes","attributes":{"n":1e999999}}}',
    `"${'x'.repeat(100_000)}"`,
  ),
  value.map((each) => JSON.stringify(each)),
);

/** A body for an endpoint, as text; null for none. `own` is the type that its address names. */
export function bodyOf(
  { path, body }: Pick<Endpoint, 'path' | 'body'>,
  own: string,
): fc.Arbitrary<string | null> {
  if (body === undefined)
    return fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: garbage });
  const meant = meantFor(path, own).map((each) => JSON.stringify(each));
  return fc.oneof(
    { weight: 14, arbitrary: mostly(meant, 20) },
    { weight: 1, arbitrary: garbage },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}

function meantFor(path: string, own: string): fc.Arbitrary<unknown> {
  if (path === '/operations')
    return fc.array(operation, { maxLength: 4 }).map((list) => ({ 'atomic:operations': list }));
  if (path.includes('/relationships/')) return linkage.map((data) => ({ data }));
  const content = CONTENTS.find(([part]) => path.includes(part))?.[1] ?? attributes;
  const members = {
    type: fc.oneof({ weight: 15, arbitrary: fc.constant(own) }, { weight: 1, arbitrary: type }),
    attributes: content,
    relationships,
    // The id of the address, where there is one.
    id: fc.oneof({ weight: 15, arbitrary: fc.constant('<same>') }, { weight: 1, arbitrary: id }),
  };
  const required: ('type' | 'attributes' | 'id')[] = path.includes('{id}')
    ? ['type', 'id']
    : content === attributes
      ? ['type']
      : ['type', 'attributes'];
  const { id: withId, ...without } = members;
  const data: fc.Arbitrary<object> = path.includes('{id}')
    ? fc.record({ ...without, id: withId }, { requiredKeys: ['type', 'id'] })
    : fc.record(without, { requiredKeys: required.filter((each) => each !== 'id') });
  return data.map((each) => ({ data: each }));
}
