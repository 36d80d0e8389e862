/**
 * What the operator is told of an application: types, usage, exports, backups, people. And answers of facts in `meta`:
 * what keys decide, and what webhooks deliver.
 */
import { facts, NUMBER_OF, TYPE_NAME, type AnswerContent } from './example.ts';
import * as s from './schema.ts';
import { KINDS } from '../../domain/accounts/settings.ts';
import { EVERYONE, RIGHTS } from '../../domain/rights.ts';
import { WRITE_EVENTS } from '../../domain/webhooks.ts';
import { DATE } from './envelope.ts';

const MOMENT = { ...s.STRING, examples: ['2026-11-22T03-17-00Z'] };
const TRACES = {
  types: s.listOf(s.objectOf({ name: TYPE_NAME, owned: NUMBER_OF, named: NUMBER_OF })),
  more: s.BOOLEAN,
};
const REQUESTS = { requests: NUMBER_OF, errors: NUMBER_OF };
const TYPE_USAGE = s.objectOf({
  name: TYPE_NAME,
  documents: NUMBER_OF,
  bytes: NUMBER_OF,
  indexes: NUMBER_OF,
  indexed: s.listOf(s.objectOf({ path: s.STRING, built: { type: 'number' } })),
  ...REQUESTS,
  calls: s.described(NUMBER_OF, 'Calls of its object: a request may need several, or none.'),
  'rows-read': NUMBER_OF,
  'rows-written': NUMBER_OF,
});

const TEXT_OR_NULL = s.either(s.NULL, s.STRING);
const REQUEST = s.objectOf({
  id: s.STRING,
  at: { ...s.STRING, format: 'date-time' },
  method: s.STRING,
  path: TEXT_OR_NULL,
  type: TEXT_OR_NULL,
  key: s.STRING,
  'key-name': TEXT_OR_NULL,
  user: s.either(s.NULL, s.objectOf({ type: s.STRING, id: s.STRING })),
  status: { ...NUMBER_OF, examples: [200] },
  code: s.described(TEXT_OR_NULL, 'Why it was refused.'),
  milliseconds: NUMBER_OF,
  search: s.either(
    s.NULL,
    s.objectOf({
      way: s.STRING,
      scan: s.BOOLEAN,
      'documents-visited': NUMBER_OF,
      parameters: s.listOf(s.STRING, { description: 'Names of parameters.' }),
    }),
  ),
});

export const APPLICATION_ANSWERS = {
  types: facts({
    types: s.listOf(
      s.objectOf({
        name: TYPE_NAME,
        documents: NUMBER_OF,
        bytes: NUMBER_OF,
        exported: s.flag('Whether an export holds its documents.'),
      }),
    ),
  }),
  findings: facts({
    findings: s.listOf(s.objectOf({ document: s.STRING, pointer: s.STRING, detail: s.STRING })),
  }),
  usage: facts({
    ...REQUESTS,
    documents: NUMBER_OF,
    bytes: NUMBER_OF,
    'api-keys': s.listOf(s.objectOf({ id: s.STRING, name: s.either(s.NULL, s.STRING), ...REQUESTS })),
    types: s.listOf(TYPE_USAGE),
  }),
  requests: facts(
    {
      requests: s.listOf(REQUEST),
      slowest: s.listOf(REQUEST),
      errors: s.listOf(s.objectOf({ code: s.STRING, count: NUMBER_OF, last: REQUEST })),
    },
    ': the last ones, and of the day (UTC) the slowest and how many errors of each kind',
  ),
  lines: {
    says: 'a line of JSON for each document and deletion; `Link` with `rel="next"`, but on the last page',
    headers: [],
    sometimes: ['Link'],
    schema: () => s.text('Lines of JSON.'),
    example: () => '{"type":"articles","id":"6b011e2f6aeea231a557b680"}\n',
  },
  imported: facts(
    { stored: NUMBER_OF, unchanged: NUMBER_OF, made: s.listOf(s.STRING) },
    ': how many lines were stored, how many were there already, and the ids of new documents',
  ),
  backups: facts({ backups: s.listOf(s.objectOf({ name: MOMENT, bytes: NUMBER_OF })) }, ', the oldest first'),
  backup: facts(
    { backup: MOMENT, lines: NUMBER_OF, whole: s.BOOLEAN },
    ': its name, and whether it is whole; if it is not, ask again',
  ),
  rewound: facts({ at: MOMENT, types: NUMBER_OF }, ': the moment, and how many types have gone back to it'),
  file: {
    says: 'the file of an export, compressed',
    headers: [],
    schema: () => s.text('A compressed file.'),
    example: () => '',
  },
  traces: facts(TRACES, ': documents that are theirs, and others that name them'),
  erased: facts(
    { ...TRACES, held: s.listOf(TYPE_NAME) },
    ': what this request deleted, and took their name out of; and types whose history is held, and may still name them',
  ),
} as const satisfies Readonly<Record<string, AnswerContent>>;

const DELIVERY = s.objectOf({
  id: s.text('What the header `webhook-id` says, whenever it is sent.', {
    examples: ['3f1c1a8e-6f0e-4c55-9a53-1f6cf3f1d0a4'],
  }),
  state: { enum: ['waiting', 'dead'] },
  event: { enum: [...WRITE_EVENTS, ...KINDS] },
  document: s.named('link'),
  created: DATE,
  tries: NUMBER_OF,
  failure: {
    ...s.described(s.nullable('string'), 'What the last try came to.'),
    examples: ['It answered 500.'],
  },
  'given-up?': DATE,
});
const DOCUMENT_DECIDED = s.objectOf({
  type: s.STRING,
  id: s.STRING,
  right: s.enumOf(RIGHTS),
  granted: s.described(
    s.nullable('boolean'),
    'Null where there is no such document, or the asker may not be told.',
  ),
  where: s.described(
    s.nullable('boolean'),
    'Whether the document meets the rule `where` of the permission; null where it has none.',
  ),
  reasons: s.listOf(
    s.objectOf({
      setting: {
        type: ['string', 'null'],
        description: "The entry of the type's settings that gives the right; null for the document's ACL.",
        examples: ['$channel'],
      },
      through: s.listOf(s.objectOf({ type: s.STRING, id: s.STRING, right: s.enumOf(RIGHTS) }), {
        description: 'The linked documents that the right comes through, and the right on each.',
      }),
      identity: s.either({ const: EVERYONE }, s.named('link')),
    }),
    { description: 'What gives the right, 20 at most.' },
  ),
});
export const META_ANSWERS = {
  deliveries: facts(
    { waiting: NUMBER_OF, dead: NUMBER_OF, deliveries: s.listOf(DELIVERY) },
    ': how many wait and how many were given up, the last of these and the first of those',
  ),
  decision: facts({
    admitted: s.BOOLEAN,
    acl: s.flag('Whether the rights of the user on documents are asked for.'),
    paths: s.listOf(s.named('decided-path'), {
      description: 'The path that was asked, and what `me` stands for.',
    }),
    document: s.either(s.NULL, DOCUMENT_DECIDED),
    errors: s.listOf(s.named('error'), { description: 'Those of the refusal.', examples: [[]] }),
  }),
} as const satisfies Readonly<Record<string, AnswerContent>>;
