/**
 * What answers and bodies are made of, whatever they are about: the top level, resource objects, links, errors. A
 * member that every answer may have is declared here, once. OpenAPI shows these schemas, and the tests check every
 * answer against them: each object has no members but those declared.
 */
import { RULE_MEMBERS } from '../../auth/rules.ts';
import { PROBLEMS } from '../../domain/problems.ts';
import { MEMBERS } from '../../domain/rights.ts';
import * as s from './schema.ts';

export const LINK_EXAMPLE = { type: 'people', id: '6b011e2f6aeea231a557b680' };

/** Members that the top level of every answer may have. */
const EVERYWHERE: Readonly<Record<string, s.Schema>> = { 'jsonapi?': s.named('jsonapi') };

/** The `links` of an answer that is no list; with a profile the link says so. */
const SELF: Readonly<Record<string, s.Schema>> = {
  'self?': s.either(s.ADDRESS, s.objectOf({ href: s.ADDRESS, 'type?': s.STRING })),
  'describedby?': s.ADDRESS,
};

const EXPLAINED = s.objectOf(
  {
    by: { const: 'key' },
    user: s.either(s.NULL, s.named('link')),
    paths: s.listOf(s.named('decided-path')),
  },
  {
    description:
      'What has decided, where `Prefer: explain` asks for it; of a refusal, in the `meta` of its first error.',
  },
);

/** Members that the `meta` of every answer may have. */
const META: Readonly<Record<string, s.Schema>> = {
  'warnings?': s.listOf(s.named('warning')),
  'explained?': EXPLAINED,
  'plan?': { description: 'How a search was done, for the operator who asks.' },
};

export function topLevel(
  members: Readonly<Record<string, s.Schema>>,
  {
    links = {},
    meta = {},
  }: Readonly<Partial<Record<'links' | 'meta', Readonly<Record<string, s.Schema>>>>> = {},
): s.Schema {
  const hasMeta = Object.keys(meta).some((name) => !name.endsWith('?'));
  return s.objectOf({
    'links?': s.objectOf({ ...SELF, ...links }),
    [hasMeta ? 'meta' : 'meta?']: s.objectOf({ ...META, ...meta }),
    ...EVERYWHERE,
    ...members,
  });
}

export const PAGE_LINKS: Readonly<Record<string, s.Schema>> = Object.fromEntries(
  ['first', 'last', 'prev', 'next'].map((name) => [`${name}?`, s.nullable('string')]),
);

export const COUNTED: s.Schema = s.integer(0);

/** How many documents match, on all pages; absent where it was not asked for. */
export const COUNT: Readonly<Record<string, s.Schema>> = {
  'count?': s.described(COUNTED, 'How many match, on all pages.'),
};

/** A resource object in an answer. */
export function resourceOf(type: s.Schema, attributes: s.Schema): s.Schema {
  return s.objectOf({
    type,
    id: s.text('24 hexadecimal digits; of an aggregate, what its pipeline makes.'),
    'attributes?': attributes,
    'relationships?': s.named('relationships'),
    'links?': s.objectOf({ 'self?': s.ADDRESS }),
    'meta?': s.named('document-meta'),
  });
}

const LINKAGE = s.either(s.NULL, s.named('link'), s.listOf(s.named('link')));

/** A date, as answers show it; in the extended-json profile in its wrapper. */
export const DATE = s.either(s.TIME, s.named('date'));

/** How a version came about. */
export const OF_VERSION: Readonly<Record<string, s.Schema>> = {
  number: s.integer(1),
  change: { enum: ['create', 'update', 'relationships', 'delete', 'restore', 'unknown'] },
  'at?': DATE,
  'until?': s.either(s.NULL, DATE),
  'user?': s.either(s.NULL, s.named('link'), { const: 'erased' }),
  'key?': s.described(s.nullable('string'), 'Not for users.'),
};

/** What a request may send beside `data`. */
export const SENT_MEMBERS: Readonly<Record<string, s.Schema>> = {
  'links?': s.OBJECT,
  'meta?': s.OBJECT,
};

/** An object with what each right has, or each of some names. */
export function rightsOf(
  of: s.Schema,
  names: readonly string[] = Object.keys(MEMBERS.acl),
): Readonly<Record<string, s.Schema>> {
  return s.optional(Object.fromEntries(names.map((right) => [right, of])));
}

/** The schemas that others name, by their names. */
export const ENVELOPE: Readonly<Record<string, s.Schema>> = {
  jsonapi: s.objectOf({
    'version?': s.STRING,
    'ext?': s.listOf(s.ADDRESS),
    'profile?': s.listOf(s.ADDRESS),
    'meta?': s.OBJECT,
  }),
  warning: s.objectOf(
    {
      'code?': s.STRING,
      'title?': s.STRING,
      detail: s.STRING,
      'source?': s.named('source'),
      'links?': s.OBJECT,
      'meta?': s.OBJECT,
    },
    { description: 'What the answer may lack, and why.' },
  ),
  link: s.objectOf(
    { type: s.STRING, id: s.STRING, 'meta?': s.OBJECT },
    { description: 'A resource identifier.', examples: [LINK_EXAMPLE] },
  ),
  linkage: { ...LINKAGE, description: 'To-one, empty, or to-many.' },
  relationship: s.objectOf({
    data: s.named('linkage'),
    links: s.objectOf({ self: s.ADDRESS, related: s.ADDRESS }),
  }),
  relationships: { type: 'object', additionalProperties: s.named('relationship') },
  attributes: {
    type: 'object',
    description: 'Any JSON. Dates, long integers, decimals and object ids are sent in their wrappers.',
    examples: [{ title: 'Dracula', published: 1897 }],
  },
  'sent-link': s.openObjectOf(
    { type: s.STRING, 'id?': s.STRING, 'lid?': s.STRING },
    { description: 'A resource identifier, by `id`, or by `lid` in the document or list of operations.' },
  ),
  'sent-linkage': s.either(s.NULL, s.named('sent-link'), s.listOf(s.named('sent-link'))),
  'sent-relationship': s.objectOf({ data: s.named('sent-linkage'), ...SENT_MEMBERS }),
  date: s.objectOf({ $date: s.TIME }),
  long: s.objectOf({ $numberLong: s.STRING }),
  decimal: s.objectOf({ $numberDecimal: s.STRING }),
  'sent-relationships': {
    type: 'object',
    additionalProperties: s.named('sent-relationship'),
    examples: [{ author: { data: LINK_EXAMPLE } }],
  },
  'document-meta': s.objectOf(
    {
      'creator?': s.either(s.NULL, s.named('link')),
      'created?': s.either(s.NULL, DATE),
      'updated?': s.either(s.NULL, DATE),
      'distance?': s.described(s.nullable('number'), 'Metres, where $near found the document.'),
      'score?': s.described(s.nullable('number'), 'How well $text found the document.'),
      'href?': {
        ...s.ADDRESS,
        description: 'Of a file, where `until` asks for it: the link to its content.',
      },
      'deleted?': {
        ...s.objectOf(OF_VERSION),
        description:
          'Where `deleted=true` asks for it: the deletion; `number` is that of the version to restore.',
      },
      'version?': {
        ...s.objectOf(OF_VERSION),
        description: 'Where `at` asks for it: the version that is shown.',
      },
      'inverses?': {
        type: 'object',
        additionalProperties: s.listOf(s.named('link')),
        description: 'The links of each inverse that `include` names.',
      },
    },
    {
      description:
        'What `fields[<type>]` asks for by `$creator`, `$created`, `$updated`, `$distance`, `$score`, ' +
        'and the included inverses.',
    },
  ),
  grant: s.either(
    { const: '*', description: 'All users.' },
    s.listOf(s.named('link'), { description: 'Users, user groups and external users.' }),
  ),
  source: s.objectOf({ 'pointer?': s.STRING, 'parameter?': s.STRING, 'header?': s.STRING }),
  error: s.objectOf({
    status: s.text('The HTTP status of this error.', { pattern: '^[45][0-9]{2}$' }),
    code: { type: 'string', enum: Object.keys(PROBLEMS) },
    title: s.STRING,
    detail: s.text('What is wrong, and what would be right.'),
    'source?': s.named('source'),
    'links?': s.objectOf({ 'about?': s.ADDRESS, 'type?': s.ADDRESS }),
    'meta?': s.OBJECT,
  }),
  errors: topLevel({ errors: s.listOf(s.named('error'), { minItems: 1 }) }),
  'decided-path': s.objectOf({
    path: { ...s.STRING, examples: ['/resources/articles/6b011e2f6aeea231a557b680'] },
    permission: s.described(s.nullable('integer'), 'The place of the permission that admits it, from 0.'),
    rules: s.listOf(s.enumOf(RULE_MEMBERS), { description: 'What rules that permission has.' }),
    passed: s.listOf(
      { enum: ['method', 'path', 'acl', 'token', 'endpoint-access-list'] },
      { description: 'What keeps each permission before it from that.' },
    ),
  }),
  'update-operators': {
    type: 'object',
    description: 'Operators such as `{"$inc": {"count": 1}}` on dotted paths.',
    examples: [{ $inc: { count: 1 } }],
  },
  'operation-result': s.objectOf({
    'data?': s.either(s.NULL, s.named('document'), s.listOf(s.named('link')), s.named('link')),
    'meta?': s.objectOf({
      'etag?': s.STRING,
      'errors?': s.listOf(s.named('error')),
      'explained?': EXPLAINED,
    }),
  }),
  operation: s.openObjectOf({
    op: { enum: ['add', 'update', 'remove', 'test'] },
    'ref?': s.objectOf({ type: s.STRING, 'id?': s.STRING, 'lid?': s.STRING, 'relationship?': s.STRING }),
    'href?': s.ADDRESS,
    'data?': {},
    'meta?': s.openObjectOf({ 'if-match?': s.STRING, 'if-none-match?': s.STRING }),
  }),
  'new-rights': s.objectOf(rightsOf(s.named('grant')), { description: "Rights beside the creator's own." }),
  atomic: s.objectOf({ 'atomic?': s.BOOLEAN }, { description: '`false` goes on after a failure.' }),
};
