/** Successful answers: their bodies and headers. An endpoint names its own, by status. */
import { pathOfType } from '../../domain/addresses/paths.ts';
import { EVERYONE, RIGHTS } from '../../domain/rights.ts';
import { SESSION, VERSION } from '../../domain/types.ts';
import { KINDS } from '../../domain/accounts/settings.ts';
import { WRITE_EVENTS } from '../../domain/webhooks.ts';
import { facts, NUMBER_OF, TYPE_NAME, type AnswerContent } from './answer-content.ts';
import { APPLICATION_ANSWERS } from './application-answers.ts';
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
import {
  ADDRESS,
  BOOLEAN,
  either,
  listOf,
  named,
  NULL,
  objectOf,
  optional,
  STRING,
  text,
  type Json,
  type Schema,
} from './schema.ts';
import type { Subject } from './subjects.ts';

const INCLUDED: Readonly<Record<string, Schema>> = { 'included?': listOf(named('document')) };
/** The start of addresses in examples. */
export const EXAMPLE_BASE = 'https://api.example.org';
const ARTICLE = `${EXAMPLE_BASE}/resources/articles/6b011e2f6aeea231a557b680`;

const one = ({ name }: Subject): Schema => topLevel({ data: named(name), ...INCLUDED });
const oneOrNone = ({ name }: Subject): Schema =>
  topLevel({ data: either(NULL, named(name)), ...INCLUDED }, { meta: optional(OF_VERSION) });
const MARK = text('Where `changes[since]=now` asks for it: the mark from which the feed goes on.');
const many = ({ name }: Subject): Schema =>
  topLevel(
    { data: listOf(named(name)), ...INCLUDED },
    { links: PAGE_LINKS, meta: { ...COUNT, 'mark?': MARK } },
  );

const shownExample = ({ example: { type, id, shown } }: Subject) => ({
  type,
  id,
  attributes: shown,
  links: { self: `${EXAMPLE_BASE}${pathOfType(type)}/${id}` },
});
const oneExample = (subject: Subject): Json => ({ data: shownExample(subject) });
const pageExample = (path: string) => {
  const page = `${EXAMPLE_BASE}${path}?page%5Boffset%5D=0&page%5Blimit%5D=20`;
  return { first: page, last: page, prev: null, next: null };
};
const manyExample = (subject: Subject): Json => ({
  meta: { count: 1 },
  data: [shownExample(subject)],
  links: pageExample(pathOfType(subject.example.type)),
});

const relationship = topLevel(
  { data: named('linkage'), links: objectOf({ self: ADDRESS, related: ADDRESS, ...PAGE_LINKS }) },
  { meta: COUNT },
);
const relationshipExample = (): Json => ({
  data: LINK_EXAMPLE,
  links: { self: `${ARTICLE}/relationships/author`, related: `${ARTICLE}/author` },
});

const rights = (data: Schema): Schema => topLevel({ data });
const rightsDocument = resourceOf(STRING, objectOf(rightsOf(named('grant'))));
const rightsExample = (): Json => ({
  data: {
    type: 'articles.acl',
    id: '6b011e2f6aeea231a557b680',
    attributes: { read: '*', update: [], delete: [] },
    links: { self: `${EXAMPLE_BASE}/resources/articles.acl/6b011e2f6aeea231a557b680` },
  },
});

const TYPE_LISTED = objectOf({
  name: TYPE_NAME,
  'documents?': {
    ...NUMBER_OF,
    description: 'How many are stored; absent where rights or rules decide what is seen.',
  },
});

const DELIVERY = objectOf({
  id: text('What the header `webhook-id` says, whenever it is sent.', {
    examples: ['3f1c1a8e-6f0e-4c55-9a53-1f6cf3f1d0a4'],
  }),
  state: { enum: ['waiting', 'dead'] },
  event: { enum: [...WRITE_EVENTS, ...KINDS] },
  document: named('link'),
  created: DATE,
  tries: NUMBER_OF,
  failure: {
    type: ['string', 'null'],
    description: 'What the last try came to.',
    examples: ['It answered 500.'],
  },
  'given-up?': DATE,
});
const DOCUMENT_DECIDED = objectOf({
  type: STRING,
  id: STRING,
  right: { enum: [...RIGHTS] },
  granted: {
    type: ['boolean', 'null'],
    description: 'Null where there is no such document, or the asker may not be told.',
  },
  where: {
    type: ['boolean', 'null'],
    description: 'Whether the document meets the rule `where` of the permission; null where it has none.',
  },
  reasons: listOf(
    objectOf({
      setting: {
        type: ['string', 'null'],
        description: "The entry of the type's settings that gives the right; null for the document's ACL.",
        examples: ['$channel'],
      },
      through: listOf(objectOf({ type: STRING, id: STRING, right: { enum: [...RIGHTS] } }), {
        description: 'The linked documents that the right comes through, and the right on each.',
      }),
      identity: either({ const: EVERYONE }, named('link')),
    }),
    { description: 'What gives the right, 20 at most.' },
  ),
});
const VERSION_SHOWN = resourceOf({ const: VERSION }, objectOf(OF_VERSION));
const SESSION_SHOWN = resourceOf(
  { const: SESSION },
  objectOf({
    created: DATE,
    used: { ...DATE, description: 'When it was last used, to the hour.' },
    device: either(NULL, text('As it calls itself.')),
    country: either(NULL, text('As the platform says.')),
    current: BOOLEAN,
  }),
);
const OF_UPLOAD = [
  'Tus-Resumable',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Offset',
  'Content-Location',
] as const;
const OF_CONTENT = ['ETag', 'Last-Modified', 'Accept-Ranges', 'Content-Disposition'] as const;

export const ANSWERS = {
  created: {
    says: 'the document',
    headers: ['Location'],
    // Not for who may not read what they have made.
    sometimes: ['ETag'],
    schema: one,
    example: oneExample,
  },
  'created application': {
    says: 'the document, `meta.api-key` (the `secure-id` of its first API key)',
    headers: ['Location', 'ETag'],
    schema: ({ name }) =>
      topLevel({ data: named(name) }, { meta: { 'api-key': text('The `secure-id` of its first API key.') } }),
    example: (subject) => ({ data: shownExample(subject), meta: { 'api-key': 'eyJhbGciOiJI…' } }),
  },
  token: { says: 'the token document', headers: ['ETag'], schema: one, example: oneExample },
  'token or passkey': {
    says: 'the token document, or the new passkey; `meta.recovery-codes` of a second factor',
    headers: ['ETag'],
    schema: ({ name }) =>
      topLevel(
        { data: either(named(name), named('document')), ...INCLUDED },
        { meta: { 'recovery-codes?': listOf(text('Good once, in the place of a code of the app.')) } },
      ),
    example: oneExample,
  },
  list: {
    says: '`{meta: {count}, data: [documents], links, included?}`; also [CSV](search.md#csv)',
    headers: ['ETag'],
    sometimes: ['Link'],
    csv: true,
    schema: many,
    example: manyExample,
  },
  changes: {
    says: '`{data: [documents], meta: {deleted, mark, transactions?}, links, included?}`; also [Server-Sent Events](live.md#streams)',
    headers: [],
    sometimes: ['ETag'],
    events:
      'Events `add`, `update`, `remove`, `ready`, `error` and `end`: `id` is the mark, `data` a JSON object. It does not end by itself.',
    schema: ({ name }) =>
      topLevel(
        { data: listOf(named(name)), ...INCLUDED },
        {
          links: { next: { type: ['string', 'null'] } },
          meta: {
            deleted: listOf(named('link'), { description: 'Those that were shown, and are not any more.' }),
            mark: text('The next mark.'),
            'transactions?': {
              type: 'object',
              description: 'Ids of the lists of operations that have made the changes, by ids of documents.',
              additionalProperties: STRING,
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
  one: { says: '`{data: document, included?}`', headers: ['ETag'], schema: one, example: oneExample },
  'one or deleted': {
    says: '`{data: document, included?}`, `{data: null}` after a deletion; with `at`, the version in `meta`',
    headers: ['ETag'],
    schema: oneOrNone,
    example: oneExample,
  },
  whole: { says: 'the document', headers: ['ETag'], schema: one, example: oneExample },
  'created quietly': {
    says: 'with `return=minimal`',
    headers: ['Location'],
    sometimes: ['ETag'],
  },
  changed: {
    says: 'with `If-Match`, with `return=minimal`, or unreadable',
    headers: ['ETag'],
  },
  'changed relationship': {
    says: 'with `return=minimal`, or unreadable',
    headers: ['ETag'],
  },
  deleted: { says: 'deleted', headers: [] },
  ended: { says: 'ended', headers: [] },
  redeemed: { says: 'redeemed: the address is confirmed, or the password is set', headers: [] },
  action: {
    says: 'the action: its id, its kind, and when its code ends. The same, whoever has an account',
    headers: [],
    schema: one,
    example: oneExample,
  },
  socket: {
    says: '[a WebSocket](live.md#streams) of changes',
    headers: [],
    sometimes: ['Sec-WebSocket-Protocol'],
  },
  unchanged: { says: 'nothing changed', headers: ['ETag'] },
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
  relationship: {
    says: '`{data: link}` or `{data: [links]}`, `links`; `meta.count` with `page`',
    headers: ['ETag'],
    schema: () => relationship,
    example: relationshipExample,
  },
  'new relationship': {
    says: 'the new relationship',
    headers: ['ETag'],
    schema: () => relationship,
    example: relationshipExample,
  },
  related: {
    says: '`{data: [documents], included?}`; `meta.count` and `links` with `page`',
    headers: ['ETag'],
    schema: many,
    example: manyExample,
  },
  rights: {
    says: 'the ACL document, `{data: null}` after a deletion',
    headers: ['ETag'],
    schema: () => rights(either(NULL, rightsDocument)),
    example: rightsExample,
  },
  'new rights': {
    says: 'the ACL document',
    headers: ['ETag'],
    schema: () => rights(rightsDocument),
    example: rightsExample,
  },
  'count of changed': facts({ count: NUMBER_OF }),
  'count of sent': facts({ count: NUMBER_OF }),
  'count of deleted': facts({ count: NUMBER_OF }),
  results: {
    says: '`{"atomic:results": [{data?, meta?}]}` in their order; of several types `meta.transaction`',
    headers: ['ETag'],
    schema: () =>
      topLevel(
        { 'atomic:results': listOf(named('operation-result')) },
        { meta: { 'transaction?': text('The id of the list, if it has written.') } },
      ),
    example: () => ({
      'atomic:results': [
        { data: { type: 'articles', id: '6b011e2f6aeea231a557b680', attributes: { title: 'Dracula' } } },
        {},
      ],
      meta: { transaction: '3f1c1a8e-6f0e-4c55-9a53-1f6cf3f1d0a4' },
    }),
  },
  versions: {
    says: '`{data: [versions], links}`, newest first; without a history, documents of a relationship of this name',
    headers: ['ETag'],
    schema: () =>
      topLevel(
        { data: listOf(either(VERSION_SHOWN, named('document'))), ...INCLUDED },
        { links: PAGE_LINKS, meta: COUNT },
      ),
    example: () => ({ data: [] }),
  },
  version: {
    says: '`{data: document}` as it was, `{data: null}` for a deletion; `meta: {number, at, change, user, key}`',
    headers: ['ETag'],
    schema: ({ name }) => topLevel({ data: either(NULL, named(name)) }, { meta: OF_VERSION }),
    example: (subject) => ({
      data: shownExample(subject),
      meta: { number: 2, change: 'update', at: '2026-11-22T09:30:00.000Z', user: null, key: null },
    }),
  },
  'types of a key': {
    says: '`{meta: {count, types: [{name, documents?}]}, links}`',
    headers: ['ETag'],
    schema: () => topLevel({}, { links: PAGE_LINKS, meta: { ...COUNT, types: listOf(TYPE_LISTED) } }),
    example: () => ({
      meta: { count: 1, types: [{ name: 'articles', documents: 12 }] },
      links: pageExample('/resources'),
    }),
  },
  deliveries: facts(
    { waiting: NUMBER_OF, dead: NUMBER_OF, deliveries: listOf(DELIVERY) },
    ': how many wait and how many were given up, the last of these and the first of those',
  ),
  contents: facts({ restored: NUMBER_OF, missing: NUMBER_OF, offset: NUMBER_OF, more: BOOLEAN }),
  'content stored': { says: 'stored, or there already', headers: [] },
  sessions: {
    says: '`{data: [sessions]}`, the last first: at most 100',
    headers: [],
    schema: () => topLevel({ data: listOf(SESSION_SHOWN) }),
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
  },
  upload: { says: 'begun, `Location`, `Upload-Expires`', headers: ['Location'], sometimes: OF_UPLOAD },
  'upload offset': { says: '`Upload-Offset`, `Upload-Length`', headers: [], sometimes: OF_UPLOAD },
  'ended upload': { says: 'ended', headers: [], sometimes: OF_UPLOAD },
  link: facts({ href: ADDRESS, 'until?': DATE }),
  mail: facts({ subject: STRING, text: STRING, html: STRING }),
  decision: facts({
    admitted: BOOLEAN,
    acl: { ...BOOLEAN, description: 'Whether the rights of the user on documents are asked for.' },
    paths: listOf(named('decided-path'), {
      description: 'The path that was asked, and what `me` stands for.',
    }),
    document: either(NULL, DOCUMENT_DECIDED),
    errors: listOf(named('error'), { description: 'Those of the refusal.', examples: [[]] }),
  }),
  ...APPLICATION_ANSWERS,
  'only removed': { says: 'where all were removals', headers: [] },
} as const satisfies Readonly<Record<string, AnswerContent>>;

export type AnswerName = keyof typeof ANSWERS;

/** Whether the answer may be rows of CSV. */
export function isListed(answers: Readonly<Record<number, AnswerName>>): boolean {
  const { csv }: AnswerContent = ANSWERS[answers[200] ?? 'deleted'];
  return csv === true;
}
