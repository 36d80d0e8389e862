/** What the operator is told of an application: its types, usage, exports, backups, people. */
import { facts, NUMBER_OF, TYPE_NAME, type AnswerContent } from './answer-content.ts';
import { BOOLEAN, either, listOf, NULL, objectOf, STRING, text } from './schema.ts';

const MOMENT = { ...STRING, examples: ['2026-11-22T03-17-00Z'] };
const TRACES = {
  types: listOf(objectOf({ name: TYPE_NAME, owned: NUMBER_OF, named: NUMBER_OF })),
  more: BOOLEAN,
};
const REQUESTS = { requests: NUMBER_OF, errors: NUMBER_OF };
const TYPE_USAGE = objectOf({
  name: TYPE_NAME,
  documents: NUMBER_OF,
  bytes: NUMBER_OF,
  indexes: NUMBER_OF,
  indexed: listOf(objectOf({ path: STRING, built: { type: 'number' } })),
  ...REQUESTS,
  calls: { ...NUMBER_OF, description: 'Calls of its object: a request may need several, or none.' },
  'rows-read': NUMBER_OF,
  'rows-written': NUMBER_OF,
});

const TEXT_OR_NULL = either(NULL, STRING);
const REQUEST = objectOf({
  id: STRING,
  at: { ...STRING, format: 'date-time' },
  method: STRING,
  path: TEXT_OR_NULL,
  type: TEXT_OR_NULL,
  key: STRING,
  'key-name': TEXT_OR_NULL,
  user: either(NULL, objectOf({ type: STRING, id: STRING })),
  status: { ...NUMBER_OF, examples: [200] },
  code: { ...TEXT_OR_NULL, description: 'Why it was refused.' },
  milliseconds: NUMBER_OF,
  search: either(
    NULL,
    objectOf({
      way: STRING,
      scan: BOOLEAN,
      'documents-visited': NUMBER_OF,
      parameters: listOf(STRING, { description: 'Names of parameters.' }),
    }),
  ),
});

export const APPLICATION_ANSWERS = {
  types: facts({
    types: listOf(
      objectOf({
        name: TYPE_NAME,
        documents: NUMBER_OF,
        bytes: NUMBER_OF,
        exported: { ...BOOLEAN, description: 'Whether an export holds its documents.' },
      }),
    ),
  }),
  findings: facts({ findings: listOf(objectOf({ document: STRING, pointer: STRING, detail: STRING })) }),
  usage: facts({
    ...REQUESTS,
    documents: NUMBER_OF,
    bytes: NUMBER_OF,
    'api-keys': listOf(objectOf({ id: STRING, name: either(NULL, STRING), ...REQUESTS })),
    types: listOf(TYPE_USAGE),
  }),
  requests: facts(
    {
      requests: listOf(REQUEST),
      slowest: listOf(REQUEST),
      errors: listOf(objectOf({ code: STRING, count: NUMBER_OF, last: REQUEST })),
    },
    ': the last ones, and of the day (UTC) the slowest and how many errors of each kind',
  ),
  lines: {
    says: 'a line of JSON for each document and deletion; `Link` with `rel="next"`, but on the last page',
    headers: [],
    sometimes: ['Link'],
    schema: () => text('Lines of JSON.'),
    example: () => '{"type":"articles","id":"6b011e2f6aeea231a557b680"}\n',
  },
  imported: facts(
    { stored: NUMBER_OF, unchanged: NUMBER_OF, made: listOf(STRING) },
    ': how many lines were stored, how many were there already, and the ids of new documents',
  ),
  backups: facts({ backups: listOf(objectOf({ name: MOMENT, bytes: NUMBER_OF })) }, ', the oldest first'),
  backup: facts(
    { backup: MOMENT, lines: NUMBER_OF, whole: BOOLEAN },
    ': its name, and whether it is whole; if it is not, ask again',
  ),
  rewound: facts({ at: MOMENT, types: NUMBER_OF }, ': the moment, and how many types have gone back to it'),
  file: {
    says: 'the file of an export, compressed',
    headers: [],
    schema: () => text('A compressed file.'),
    example: () => '',
  },
  traces: facts(TRACES, ': documents that are theirs, and others that name them'),
  erased: facts(
    { ...TRACES, held: listOf(TYPE_NAME) },
    ': what this request deleted, and took their name out of; and types whose history is held, and may still name them',
  ),
} as const satisfies Readonly<Record<string, AnswerContent>>;
