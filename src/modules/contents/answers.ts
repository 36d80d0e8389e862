/** Successful answers: their bodies and headers. An endpoint names its own, by status. */
import { pathOfType } from '../../domain/addresses/paths.ts';
import { SESSION, VERSION } from '../../domain/types.ts';
import { facts, NUMBER_OF, TYPE_NAME, type AnswerContent } from './example.ts';
import { APPLICATION_ANSWERS, META_ANSWERS } from './application-answers.ts';
import type { ResponseHeader } from './parameters.ts';
import {
  COUNT,
  DATE,
  LINK_EXAMPLE,
  OF_VERSION,
  PAGE_LINKS,
  resourceOf,
  rightsOf,
  topLevel,
} from './envelope.ts';
import * as s from './schema.ts';
import type { Subject } from './subjects.ts';

const INCLUDED: Readonly<Record<string, s.Schema>> = { 'included?': s.listOf(s.named('document')) };
/** The start of addresses in examples. */
export const EXAMPLE_BASE = 'https://api.example.org';
const ARTICLE = `${EXAMPLE_BASE}/resources/articles/6b011e2f6aeea231a557b680`;

const one = ({ name }: Subject): s.Schema => topLevel({ data: s.named(name), ...INCLUDED });
const oneOrNone = ({ name }: Subject): s.Schema =>
  topLevel({ data: s.either(s.NULL, s.named(name)), ...INCLUDED }, { meta: s.optional(OF_VERSION) });
const MARK = s.text('Where `changes[since]=now` asks for it: the mark from which the feed goes on.');
const many = ({ name }: Subject): s.Schema =>
  topLevel(
    { data: s.listOf(s.named(name)), ...INCLUDED },
    { links: PAGE_LINKS, meta: { ...COUNT, 'mark?': MARK } },
  );

const shownExample = ({ example: { type, id, shown } }: Subject) => ({
  type,
  id,
  attributes: shown,
  links: { self: `${EXAMPLE_BASE}${pathOfType(type)}/${id}` },
});
const oneExample = (subject: Subject): s.Json => ({ data: shownExample(subject) });
const pageExample = (path: string) => {
  const page = `${EXAMPLE_BASE}${path}?page%5Boffset%5D=0&page%5Blimit%5D=20`;
  return { first: page, last: page, prev: null, next: null };
};
const manyExample = (subject: Subject): s.Json => ({
  meta: { count: 1 },
  data: [shownExample(subject)],
  links: pageExample(pathOfType(subject.example.type)),
});

const relationship = topLevel(
  { data: s.named('linkage'), links: s.objectOf({ self: s.ADDRESS, related: s.ADDRESS, ...PAGE_LINKS }) },
  { meta: COUNT },
);
const ofRelationship = (says: string): AnswerContent => ({
  says,
  headers: ['ETag'],
  schema: () => relationship,
  example: () => ({
    data: LINK_EXAMPLE,
    links: { self: `${ARTICLE}/relationships/author`, related: `${ARTICLE}/author` },
  }),
});

const rightsDocument = resourceOf(s.STRING, s.objectOf(rightsOf(s.named('grant'))));
const ofRights = (says: string, data: s.Schema): AnswerContent => ({
  says,
  headers: ['ETag'],
  schema: () => topLevel({ data }),
  example: () => ({
    data: {
      type: 'articles.acl',
      id: '6b011e2f6aeea231a557b680',
      attributes: { read: '*', update: [], delete: [] },
      links: { self: `${EXAMPLE_BASE}/resources/articles.acl/6b011e2f6aeea231a557b680` },
    },
  }),
});

const VERSION_SHOWN = resourceOf({ const: VERSION }, s.objectOf(OF_VERSION));
const SESSION_SHOWN = resourceOf(
  { const: SESSION },
  s.objectOf({
    created: DATE,
    used: s.described(DATE, 'When it was last used, to the hour.'),
    device: s.either(s.NULL, s.text('As it calls itself.')),
    country: s.either(s.NULL, s.text('As the platform says.')),
    current: s.BOOLEAN,
  }),
);
const OF_UPLOAD = [
  'Tus-Resumable',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
  'Content-Location',
] as const;
const OF_CONTENT = ['ETag', 'Last-Modified', 'Accept-Ranges', 'Content-Disposition'] as const;

/** An answer without a body. */
const bare = (
  says: string,
  headers: readonly ResponseHeader[] = [],
  sometimes?: readonly ResponseHeader[],
): AnswerContent => ({ says, headers, ...(sometimes && { sometimes }) });

/** An answer with a document, or with what else is said. */
const shows = (says: string, more: Partial<AnswerContent> = {}): AnswerContent => ({
  says,
  headers: ['ETag'],
  schema: one,
  example: oneExample,
  ...more,
});

export const ANSWERS = {
  created: shows('the document', {
    headers: ['Location'],
    // Not for who may not read what they have made.
    sometimes: ['ETag'],
  }),
  'created application': shows('the document, `meta.api-key` (the `secure-id` of its first API key)', {
    headers: ['Location', 'ETag'],
    schema: ({ name }) =>
      topLevel(
        { data: s.named(name) },
        { meta: { 'api-key': s.text('The `secure-id` of its first API key.') } },
      ),
    example: (subject) => ({ data: shownExample(subject), meta: { 'api-key': 'eyJhbGciOiJI…' } }),
  }),
  token: shows('the token document'),
  'token or passkey': shows(
    'the token document, or the new passkey; `meta.recovery-codes` of a second factor',
    {
      schema: ({ name }) =>
        topLevel(
          { data: s.either(s.named(name), s.named('document')), ...INCLUDED },
          { meta: { 'recovery-codes?': s.listOf(s.text('Good once, in the place of a code of the app.')) } },
        ),
    },
  ),
  list: shows('`{meta: {count}, data: [documents], links, included?}`; also [CSV](search.md#csv)', {
    sometimes: ['Link'],
    csv: true,
    schema: many,
    example: manyExample,
  }),
  changes: shows(
    '`{data: [documents], meta: {deleted, mark, transactions?}, links, included?}`; ' +
      'also [Server-Sent Events](live.md#streams)',
    {
      headers: [],
      sometimes: ['ETag'],
      events:
        'Events `add`, `update`, `remove`, `ready`, `error` and `end`: `id` is the mark, `data` a JSON object. ' +
        'It does not end by itself.',
      schema: ({ name }) =>
        topLevel(
          { data: s.listOf(s.named(name)), ...INCLUDED },
          {
            links: { next: s.nullable('string') },
            meta: {
              deleted: s.listOf(s.named('link'), {
                description: 'Those that were shown, and are not any more.',
              }),
              mark: s.text('The next mark.'),
              'transactions?': {
                type: 'object',
                description:
                  'Ids of the lists of operations that have made the changes, by ids of documents.',
                additionalProperties: s.STRING,
              },
            },
          },
        ),
      example: (subject) => ({
        data: [shownExample(subject)],
        meta: { deleted: [], mark: 'kq0…' },
        links: { next: null },
      }),
    },
  ),
  one: shows('`{data: document, included?}`'),
  'one or deleted': shows(
    '`{data: document, included?}`, `{data: null}` after a deletion; with `at`, the version in `meta`',
    { schema: oneOrNone },
  ),
  whole: shows('the document'),
  'created quietly': bare('with `return=minimal`', ['Location'], ['ETag']),
  changed: bare('with `If-Match`, with `return=minimal`, or unreadable', ['ETag']),
  'changed relationship': bare('with `return=minimal`, or unreadable', ['ETag']),
  deleted: bare('deleted'),
  explained: shows('with `Prefer: explain`: `meta.explained`', {
    headers: [],
    schema: () => topLevel({}),
    example: () => ({}),
  }),
  ended: bare('ended'),
  redeemed: bare('redeemed: the address is confirmed, or the password is set'),
  action: shows('the action: its id, its kind, and when its code ends. The same, whoever has an account', {
    headers: [],
  }),
  socket: bare('[a WebSocket](live.md#streams) of changes', [], ['Sec-WebSocket-Protocol']),
  unchanged: bare('nothing changed', ['ETag']),
  content: {
    says: 'the content, as its media type; `ETag`, `Last-Modified`, `Content-Disposition`',
    headers: OF_CONTENT,
    schema: () => ({}),
  },
  'part of content': {
    says: 'the part that `Range` asks for, with `Content-Range`',
    headers: [...OF_CONTENT, 'Content-Range'],
    schema: () => ({}),
  },
  relationship: ofRelationship('`{data: link}` or `{data: [links]}`, `links`; `meta.count` with `page`'),
  'new relationship': ofRelationship('the new relationship'),
  related: shows('`{data: [documents], included?}`; `meta.count` and `links` with `page`', {
    schema: many,
    example: manyExample,
  }),
  rights: ofRights('the ACL document, `{data: null}` after a deletion', s.either(s.NULL, rightsDocument)),
  'new rights': ofRights('the ACL document', rightsDocument),
  'count of changed': facts({ count: NUMBER_OF }),
  'count of sent': facts({ count: NUMBER_OF }),
  'count of deleted': facts({ count: NUMBER_OF }),
  results: shows(
    '`{"atomic:results": [{data?, meta?}]}` in their order; of several types `meta.transaction`',
    {
      schema: () =>
        topLevel(
          { 'atomic:results': s.listOf(s.named('operation-result')) },
          { meta: { 'transaction?': s.text('The id of the list, if it has written.') } },
        ),
      example: () => ({
        'atomic:results': [
          { data: { type: 'articles', id: '6b011e2f6aeea231a557b680', attributes: { title: 'Dracula' } } },
          {},
        ],
        meta: { transaction: '3f1c1a8e-6f0e-4c55-9a53-1f6cf3f1d0a4' },
      }),
    },
  ),
  versions: shows(
    '`{data: [versions], links}`, newest first; without a history, documents of a relationship of this name',
    {
      schema: () =>
        topLevel(
          { data: s.listOf(s.either(VERSION_SHOWN, s.named('document'))), ...INCLUDED },
          { links: PAGE_LINKS, meta: COUNT },
        ),
      example: () => ({ data: [] }),
    },
  ),
  version: shows(
    '`{data: document}` as it was, `{data: null}` for a deletion; `meta: {number, at, change, user, key}`',
    {
      schema: ({ name }) => topLevel({ data: s.either(s.NULL, s.named(name)) }, { meta: OF_VERSION }),
      example: (subject) => ({
        data: shownExample(subject),
        meta: { number: 2, change: 'update', at: '2026-11-22T09:30:00.000Z', user: null, key: null },
      }),
    },
  ),
  'types of a key': shows('`{meta: {count, types: [{name, documents?}]}, links}`', {
    schema: () =>
      topLevel(
        {},
        {
          links: PAGE_LINKS,
          meta: {
            ...COUNT,
            types: s.listOf(
              s.objectOf({
                name: TYPE_NAME,
                'documents?': s.described(
                  NUMBER_OF,
                  'How many are stored; absent where rights or rules decide what is seen.',
                ),
              }),
            ),
          },
        },
      ),
    example: () => ({
      meta: { count: 1, types: [{ name: 'articles', documents: 12 }] },
      links: pageExample('/resources'),
    }),
  }),
  contents: facts({ restored: NUMBER_OF, missing: NUMBER_OF, offset: NUMBER_OF, more: s.BOOLEAN }),
  'content stored': bare('stored, or there already'),
  sessions: shows('`{data: [sessions]}`, the last first: at most 100', {
    headers: [],
    schema: () => topLevel({ data: s.listOf(SESSION_SHOWN) }),
    example: () => ({
      data: [
        {
          type: SESSION,
          id: '6b011e2f6aeea231a557b680',
          attributes: {
            created: '2026-11-22T09:30:00.000Z',
            used: '2026-11-22T11:00:00.000Z',
            device: 'Mozilla/5.0 …',
            country: 'DE',
            current: true,
          },
        },
      ],
    }),
  }),
  'own data': shows('`{data: [documents], links}`, of all types', {
    schema: () => topLevel({ data: s.listOf(s.named('document')) }, { links: PAGE_LINKS }),
    example: () => ({ data: [], links: { first: null, last: null, prev: null, next: null } }),
  }),
  upload: bare('begun, `Location`, `Upload-Expires`', ['Location'], OF_UPLOAD),
  'upload offset': bare('`Upload-Offset`, `Upload-Length`', [], OF_UPLOAD),
  'ended upload': bare('ended', [], OF_UPLOAD),
  link: facts({ href: s.ADDRESS, 'until?': DATE }),
  mail: facts({ subject: s.STRING, text: s.STRING, html: s.STRING }),
  ...META_ANSWERS,
  ...APPLICATION_ANSWERS,
  'only removed': bare('where all were removals'),
} as const satisfies Readonly<Record<string, AnswerContent>>;

export type AnswerName = keyof typeof ANSWERS;

export function isListed(answers: Readonly<Record<number, AnswerName>>): boolean {
  const { csv }: AnswerContent = ANSWERS[answers[200] ?? 'deleted'];
  return csv === true;
}
