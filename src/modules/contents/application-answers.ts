/** What the operator is told of an application: its types, usage, exports, backups, people. */
import { NUMBER_OF, type AnswerContent } from './answer-content.ts';
import { topLevel } from './envelope.ts';
import { either, listOf, NULL, objectOf, STRING, text } from './schema.ts';

const TYPE_HELD = objectOf({
  name: STRING,
  documents: NUMBER_OF,
  bytes: NUMBER_OF,
  exported: { type: 'boolean', description: 'Whether an export holds its documents.' },
});
const TRACES = objectOf({ name: STRING, owned: NUMBER_OF, named: NUMBER_OF });
const traces = {
  headers: [],
  schema: () => topLevel({ meta: objectOf({ types: listOf(TRACES), more: { type: 'boolean' } }) }),
  example: () => ({ meta: { types: [{ name: 'articles', owned: 12, named: 3 }], more: false } }),
} satisfies Omit<AnswerContent, 'says'>;

const REQUESTS = { requests: NUMBER_OF, errors: NUMBER_OF };
const TYPE_USAGE = objectOf({
  name: STRING,
  documents: NUMBER_OF,
  bytes: NUMBER_OF,
  indexes: NUMBER_OF,
  indexed: listOf(objectOf({ path: STRING, built: { type: 'number' } })),
  ...REQUESTS,
  calls: { ...NUMBER_OF, description: 'Calls of its object: a request may need several, or none.' },
  'rows-read': NUMBER_OF,
  'rows-written': NUMBER_OF,
});

export const APPLICATION_ANSWERS = {
  types: {
    says: '`{meta: {types: [{name, documents, bytes, exported}]}}`',
    headers: [],
    schema: () => topLevel({ meta: objectOf({ types: listOf(TYPE_HELD) }) }),
    example: () => ({
      meta: { types: [{ name: 'articles', documents: 12, bytes: 65_536, exported: true }] },
    }),
  },
  findings: {
    says: '`{meta: {findings: [{document, pointer, detail}]}}`',
    headers: [],
    schema: () =>
      topLevel({
        meta: objectOf({ findings: listOf(objectOf({ document: STRING, pointer: STRING, detail: STRING })) }),
      }),
    example: () => ({ meta: { findings: [] } }),
  },
  usage: {
    says: '`{meta: {requests, errors, documents, bytes, api-keys, types}}`',
    headers: [],
    schema: () =>
      topLevel({
        meta: objectOf({
          ...REQUESTS,
          documents: NUMBER_OF,
          bytes: NUMBER_OF,
          'api-keys': listOf(objectOf({ id: STRING, name: either(NULL, STRING), ...REQUESTS })),
          types: listOf(TYPE_USAGE),
        }),
      }),
    example: () => ({
      meta: {
        requests: 120,
        errors: 3,
        documents: 13,
        bytes: 131_072,
        'api-keys': [{ id: '6b011e2f6aeea231a557b680', name: 'website', requests: 120, errors: 3 }],
        types: [
          {
            name: 'articles',
            documents: 12,
            bytes: 65_536,
            indexes: 1,
            indexed: [{ path: 'year', built: 1 }],
            requests: 118,
            errors: 2,
            calls: 117,
            'rows-read': 2400,
            'rows-written': 60,
          },
        ],
      },
    }),
  },
  lines: {
    says: 'a line of JSON for each document and each deletion; `Link` with `rel="next"`, but not on the last page',
    headers: [],
    sometimes: ['Link'],
    schema: () => text('Lines of JSON.'),
    example: () => '{"type":"articles","id":"6b011e2f6aeea231a557b680"}\n',
  },
  imported: {
    says: '`{meta: {stored, unchanged}}`: how many lines were stored, and how many were there already',
    headers: [],
    schema: () => topLevel({ meta: objectOf({ stored: NUMBER_OF, unchanged: NUMBER_OF }) }),
    example: () => ({ meta: { stored: 1000, unchanged: 0 } }),
  },
  backups: {
    says: '`{meta: {backups: [{name, bytes}]}}`, the oldest first',
    headers: [],
    schema: () =>
      topLevel({ meta: objectOf({ backups: listOf(objectOf({ name: STRING, bytes: NUMBER_OF })) }) }),
    example: () => ({ meta: { backups: [{ name: '2026-11-22T03-17-00Z', bytes: 80_124 }] } }),
  },
  backup: {
    says: '`{meta: {backup, lines, whole}}`: its name, and whether it is whole; if it is not, ask again',
    headers: [],
    schema: () =>
      topLevel({ meta: objectOf({ backup: STRING, lines: NUMBER_OF, whole: { type: 'boolean' } }) }),
    example: () => ({ meta: { backup: '2026-11-22T03-17-00Z', lines: 1200, whole: true } }),
  },
  rewound: {
    says: '`{meta: {at, types}}`: the moment, and how many types have gone back to it',
    headers: [],
    schema: () => topLevel({ meta: objectOf({ at: STRING, types: NUMBER_OF }) }),
    example: () => ({ meta: { at: '2026-11-22T03-17-00Z', types: 7 } }),
  },
  file: {
    says: 'the file of `npm run app -- export`, compressed',
    headers: [],
    schema: () => text('A compressed file.'),
    example: () => '',
  },
  traces: {
    says: '`{meta: {types: [{name, owned, named}], more}}`: documents that are theirs, and others that name them',
    ...traces,
  },
  erased: {
    says: '`{meta: {types: [{name, owned, named}], more}}`: what this request deleted, and took their name out of',
    ...traces,
  },
} as const satisfies Readonly<Record<string, AnswerContent>>;
