/**
 * What answers and bodies are made of, whatever they are about: the top level, resource objects, links, errors. A member
 * that every answer may have is declared here, once. OpenAPI shows these schemas, and the tests check every answer
 * against them: each object has no members but those declared.
 */
import { RULE_MEMBERS } from '../../auth/rules.ts';
import { PROBLEMS } from '../../domain/problems.ts';
import { MEMBERS } from '../../domain/rights.ts';
import {
  ADDRESS,
  BOOLEAN,
  either,
  listOf,
  named,
  NULL,
  objectOf,
  openObjectOf,
  optional,
  STRING,
  text,
  type Schema,
} from './schema.ts';

export const LINK_EXAMPLE = { type: 'people', id: '6b011e2f6aeea231a557b680' };

/** Members that the top level of every answer may have. */
const EVERYWHERE: Readonly<Record<string, Schema>> = { 'jsonapi?': named('jsonapi') };

/** The `links` of an answer that is no list; with a profile the link says so. */
const SELF: Readonly<Record<string, Schema>> = {
  'self?': either(ADDRESS, objectOf({ href: ADDRESS, 'type?': STRING })),
  'describedby?': ADDRESS,
};

/** Members that the `meta` of every answer may have. */
const META: Readonly<Record<string, Schema>> = {
  'warnings?': listOf(named('warning')),
  'explained?': objectOf(
    {
      by: { const: 'key' },
      user: either(NULL, named('link')),
      paths: listOf(named('decided-path')),
    },
    {
      description:
        'What has decided, where `Prefer: explain` asks for it; of a refusal, in the `meta` of its first error.',
    },
  ),
  'plan?': { description: 'How a search was done, for the operator who asks.' },
};

/** The top level of an answer with these members. */
export function topLevel(
  members: Readonly<Record<string, Schema>>,
  {
    links = {},
    meta = {},
  }: Readonly<Partial<Record<'links' | 'meta', Readonly<Record<string, Schema>>>>> = {},
): Schema {
  const hasMeta = Object.keys(meta).some((name) => !name.endsWith('?'));
  return objectOf({
    'links?': objectOf({ ...SELF, ...links }),
    [hasMeta ? 'meta' : 'meta?']: objectOf({ ...META, ...meta }),
    ...EVERYWHERE,
    ...members,
  });
}

/** The links of a page. */
export const PAGE_LINKS: Readonly<Record<string, Schema>> = Object.fromEntries(
  ['first', 'last', 'prev', 'next'].map((name) => [`${name}?`, { type: ['string', 'null'] }]),
);

export const COUNTED: Schema = { type: 'integer', minimum: 0 };

/** How many documents match, on all pages; absent where it was not asked for. */
export const COUNT: Readonly<Record<string, Schema>> = {
  'count?': { ...COUNTED, description: 'How many match, on all pages.' },
};

/** A resource object in an answer. */
export function resourceOf(
  type: Schema,
  attributes: Schema,
  relationships: Schema = named('relationships'),
): Schema {
  return objectOf({
    type,
    id: text('24 hexadecimal digits; of an aggregate, what its pipeline makes.'),
    'attributes?': attributes,
    'relationships?': relationships,
    'links?': objectOf({ 'self?': ADDRESS }),
    'meta?': named('document-meta'),
  });
}

const LINKAGE = either(NULL, named('link'), listOf(named('link')));

/** A date, as answers show it; in the extended-json profile in its wrapper. */
export const DATE = either({ type: 'string', format: 'date-time' }, named('date'));

/** How a version came about. */
export const OF_VERSION: Readonly<Record<string, Schema>> = {
  number: { type: 'integer', minimum: 1 },
  change: { enum: ['create', 'update', 'relationships', 'delete', 'restore', 'unknown'] },
  'at?': DATE,
  'until?': either(NULL, DATE),
  'user?': either(NULL, named('link'), { const: 'erased' }),
  'key?': { type: ['string', 'null'], description: 'Not for users.' },
};

/** What a request may send beside `data`. */
export const SENT_MEMBERS: Readonly<Record<string, Schema>> = {
  'links?': { type: 'object' },
  'meta?': { type: 'object' },
};

/** An object with what each right has, or each of some names. */
export function rightsOf(
  of: Schema,
  names: readonly string[] = Object.keys(MEMBERS.acl),
): Readonly<Record<string, Schema>> {
  return optional(Object.fromEntries(names.map((right) => [right, of])));
}

/** The schemas that others name, by their names. */
export const ENVELOPE: Readonly<Record<string, Schema>> = {
  jsonapi: objectOf({
    'version?': STRING,
    'ext?': listOf(ADDRESS),
    'profile?': listOf(ADDRESS),
    'meta?': { type: 'object' },
  }),
  warning: objectOf(
    {
      'code?': STRING,
      'title?': STRING,
      detail: STRING,
      'source?': named('source'),
      'links?': { type: 'object' },
      'meta?': { type: 'object' },
    },
    { description: 'What the answer may lack, and why.' },
  ),
  link: objectOf(
    { type: STRING, id: STRING, 'meta?': { type: 'object' } },
    { description: 'A resource identifier.', examples: [LINK_EXAMPLE] },
  ),
  linkage: { ...LINKAGE, description: 'To-one, empty, or to-many.' },
  relationship: objectOf({
    data: named('linkage'),
    links: objectOf({ self: ADDRESS, related: ADDRESS }),
  }),
  relationships: { type: 'object', additionalProperties: named('relationship') },
  attributes: {
    type: 'object',
    description: 'Any JSON. Dates, long integers, decimals and object ids are sent in their wrappers.',
    examples: [{ title: 'Dracula', published: 1897 }],
  },
  'sent-link': openObjectOf(
    { type: STRING, 'id?': STRING, 'lid?': STRING },
    { description: 'A resource identifier, by `id`, or by `lid` in the document or list of operations.' },
  ),
  'sent-linkage': either(NULL, named('sent-link'), listOf(named('sent-link'))),
  'sent-relationship': objectOf({ data: named('sent-linkage'), ...SENT_MEMBERS }),
  date: objectOf({ $date: { type: 'string', format: 'date-time' } }),
  long: objectOf({ $numberLong: STRING }),
  decimal: objectOf({ $numberDecimal: STRING }),
  'sent-relationships': {
    type: 'object',
    additionalProperties: named('sent-relationship'),
    examples: [{ author: { data: LINK_EXAMPLE } }],
  },
  'document-meta': objectOf(
    {
      'creator?': either(NULL, named('link')),
      'created?': either(NULL, DATE),
      'updated?': either(NULL, DATE),
      'distance?': { type: ['number', 'null'], description: 'Metres, where $near found the document.' },
      'score?': { type: ['number', 'null'], description: 'How well $text found the document.' },
      'deleted?': {
        ...objectOf(OF_VERSION),
        description:
          'Where `deleted=true` asks for it: the deletion; `number` is that of the version to restore.',
      },
      'version?': {
        ...objectOf(OF_VERSION),
        description: 'Where `at` asks for it: the version that is shown.',
      },
      'inverses?': {
        type: 'object',
        additionalProperties: listOf(named('link')),
        description: 'The links of each inverse that `include` names.',
      },
    },
    {
      description:
        'What `fields[<type>]` asks for by `$creator`, `$created`, `$updated`, `$distance`, `$score`, and the included inverses.',
    },
  ),
  grant: either(
    { const: '*', description: 'All users.' },
    listOf(named('link'), { description: 'Users, user groups and external users.' }),
  ),
  source: objectOf({ 'pointer?': STRING, 'parameter?': STRING, 'header?': STRING }),
  error: objectOf({
    status: text('The HTTP status of this error.', { pattern: '^[45][0-9]{2}$' }),
    code: { type: 'string', enum: Object.keys(PROBLEMS) },
    title: STRING,
    detail: text('What is wrong, and what would be right.'),
    'source?': named('source'),
    'links?': objectOf({ 'about?': ADDRESS, 'type?': ADDRESS }),
    'meta?': { type: 'object' },
  }),
  errors: topLevel({ errors: listOf(named('error'), { minItems: 1 }) }),
  'decided-path': objectOf({
    path: { ...STRING, examples: ['/resources/articles/6b011e2f6aeea231a557b680'] },
    permission: {
      type: ['integer', 'null'],
      description: 'The place of the permission that admits it, from 0.',
    },
    rules: listOf({ enum: [...RULE_MEMBERS] }, { description: 'What rules that permission has.' }),
    passed: listOf(
      { enum: ['method', 'path', 'token', 'endpoint-access-list'] },
      { description: 'What keeps each permission before it from that.' },
    ),
  }),
  'update-operators': {
    type: 'object',
    description: 'Operators such as `{"$inc": {"count": 1}}` on dotted paths.',
    examples: [{ $inc: { count: 1 } }],
  },
  'operation-result': objectOf({
    'data?': either(NULL, named('document'), listOf(named('link')), named('link')),
    'meta?': objectOf({ 'etag?': STRING, 'errors?': listOf(named('error')) }),
  }),
  operation: openObjectOf({
    op: { enum: ['add', 'update', 'remove', 'test'] },
    'ref?': objectOf({ type: STRING, 'id?': STRING, 'lid?': STRING, 'relationship?': STRING }),
    'href?': ADDRESS,
    'data?': {},
    'meta?': openObjectOf({ 'if-match?': STRING, 'if-none-match?': STRING }),
  }),
  'new-rights': objectOf(rightsOf(named('grant')), { description: "Rights beside the creator's own." }),
  atomic: objectOf({ 'atomic?': BOOLEAN }, { description: '`false` goes on after a failure.' }),
};
