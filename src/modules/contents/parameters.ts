/** Query parameters by family, and headers: how problems and OpenAPI write them. */
import { LIMITS } from '../../domain/limits.ts';
import * as s from './schema.ts';

/** What says the size of a picture, and how it fills it and is made. */
export const SIZE_MEMBERS = ['width', 'height', 'fit', 'format'] as const;
export const FITS = ['scale-down', 'contain', 'cover'] as const;
export const FORMATS = ['auto', 'webp', 'avif', 'jpeg'] as const;
export type SizeMember = (typeof SIZE_MEMBERS)[number];

export interface Parameter {
  /** The name before its brackets, where that is not the family's. */
  readonly name?: 'page' | 'changes';
  /** All its names, as problems write them. */
  readonly forms: readonly string[];
  readonly description: string;
  readonly schema: s.Schema;
  readonly example?: s.Json;
}

const SIDE: s.Schema = s.integer(1, LIMITS.pictureSide);
const SIZE: s.Schema = s.integer(1, LIMITS.pageSize);
const PAGE: Readonly<Record<string, s.Schema>> = {
  offset: s.described(s.integer(0), 'How many documents come before the page.'),
  limit: { ...SIZE, description: 'How many documents are on it. With `offset`.' },
  number: s.described(s.integer(1), 'Which page; the first is 1.'),
  size: { ...SIZE, description: 'How many documents are on it. With `number` or `after`.' },
  after: s.text('A cursor from the links of a page; empty for the first page.'),
  count: s.flag('Whether all matches are counted.'),
};

export const PAGE_MEMBERS: ReadonlySet<string> = new Set(Object.keys(PAGE));

/** By family. One of names in brackets is an object to OpenAPI (`deepObject`), a list has commas. */
export const PARAMETERS = byFamily({
  filter: {
    forms: ['filter[FIELD]', 'filter[*]'],
    description:
      'Conditions on a field, as JSON: a value, or operators such as `{"$gt": 5}`. ' +
      '`filter[*]` takes an expression over the whole document. All must hold.',
    schema: { type: 'object', additionalProperties: s.STRING },
    example: { published: '{"$gte":1890}' },
  },
  sort: {
    forms: ['sort'],
    description: 'Paths of fields, in their order; `-` before one is descending.',
    schema: s.listOf(s.STRING, { maxItems: LIMITS.sortFields }),
    example: ['-published', 'title'],
  },
  page: {
    forms: [...PAGE_MEMBERS].map((member) => `page[${member}]`),
    description:
      'By `offset` and `limit`, by `number` and `size`, or by `after` and `size` ' +
      '(a cursor; empty for the first page). `count=false` counts nothing. ' +
      `A page has ${LIMITS.defaultPageSize} documents, or at most ${LIMITS.pageSize}.`,
    schema: s.objectOf(s.optional(PAGE)),
    example: { size: 10, number: 1 },
  },
  size: {
    name: 'page',
    forms: ['page[size]'],
    description: `How many documents are on a page: ${LIMITS.defaultPageSize}, or at most ${LIMITS.pageSize}.`,
    schema: s.objectOf({ 'size?': SIZE }),
    example: { size: 100 },
  },
  changes: {
    forms: ['changes[since]'],
    description:
      'The `meta.mark` of an answer: what has changed since. Without it, from the beginning; with `now`, from now on.',
    schema: s.objectOf({
      'since?': s.text('A mark, as an answer gave it; `now`, or empty for the beginning.'),
    }),
    example: { since: '' },
  },
  now: {
    name: 'changes',
    forms: ['changes[since]'],
    description: 'With `now` the answer has in `meta.mark` the mark from which the feed of changes goes on.',
    schema: s.objectOf({ 'since?': { const: 'now' } }),
    example: { since: 'now' },
  },
  fields: {
    forms: ['fields[TYPE]'],
    description:
      'The fields to show of documents of a type, separated by commas: attributes and relationships.',
    schema: { type: 'object', additionalProperties: s.STRING },
    example: { articles: 'title,author' },
  },
  include: {
    forms: ['include'],
    description:
      `Paths of relationships, of at most ${LIMITS.includeLevels} names with dots between them: ` +
      'the documents that they lead to are in `included`.',
    schema: s.listOf(s.STRING),
    example: ['author', 'comments.author'],
  },
  parameters: {
    forms: ['parameters[NAME]'],
    description: 'Values for `$$parameters.<name>` of the pipeline, as JSON.',
    schema: { type: 'object', additionalProperties: s.STRING },
    example: { since: '1890' },
  },
  tokens: {
    forms: ['tokens'],
    description:
      'With what lets tokens stand where the lines are imported: types of tokens, and versions of users.',
    schema: { const: 'true' },
  },
  history: {
    forms: ['history'],
    description: 'With the former versions of documents, of a type that has a history.',
    schema: { const: 'true' },
  },
  deleted: {
    forms: ['deleted'],
    description:
      'In the place of documents, those that were deleted and can be restored. With a page by cursor.',
    schema: { type: 'string', pattern: '^true$' },
  },
  at: {
    forms: ['at'],
    description: 'A date and time: documents as they were then. A list with it is of ids.',
    schema: s.TIME,
    example: '2026-11-20T00:00:00Z',
  },
  until: {
    forms: ['until'],
    description:
      'A date of the next seven days: each file has in `meta.href` a link to its content, until then.',
    schema: s.TIME,
    example: '2026-12-01T00:00:00Z',
  },
  download: {
    forms: ['download'],
    description: 'The content is to be saved, and not to be shown.',
    schema: { const: '' },
  },
  width: {
    forms: ['width'],
    description: 'Pixels of a picture, at most: one of those that the setting `sizes` lists.',
    schema: SIDE,
  },
  height: { forms: ['height'], description: 'The same of its height.', schema: SIDE },
  fit: {
    forms: ['fit'],
    description: 'How it fills width and height, if both are said.',
    schema: s.enumOf(FITS),
  },
  format: {
    forms: ['format'],
    description: 'What it is made as; auto: WebP or JPEG, by `Accept`.',
    schema: s.enumOf(FORMATS),
  },
});

export type ParameterFamily = keyof typeof PARAMETERS;

function byFamily<Family extends string>(parameters: Readonly<Record<Family, Parameter>>) {
  return parameters;
}

export interface Header {
  readonly description: string;
  readonly schema: s.Schema;
}

const header = (description: string, schema: s.Schema = s.STRING): Header => ({ description, schema });

export const REQUEST_HEADERS = {
  'If-Match': header('The request is done only if the document is as this `ETag` says; else 412.'),
  'If-None-Match': header(
    'While nothing has changed since this `ETag`, a read is 304 without a body, a write 412.',
  ),
  'Idempotency-Key': header(
    'A name for this request: sent again within 24 hours, it is done once, and its first answer is given again.',
    { type: 'string', minLength: 1, maxLength: LIMITS.idempotencyKey, pattern: '^[!-~]+$' },
  ),
  'Content-Disposition': header('The name of the file, as `filename` or `filename*`.'),
  'Content-Digest': header(
    'The SHA-256 of the content, as `sha-256=:BASE64:`: another content is not stored.',
  ),
  Range: header('One range of bytes.'),
  'If-Range': header(
    'The range is heeded only if this is the `ETag`, or the `Last-Modified`, of the content.',
  ),
  'If-Modified-Since': header('The answer is 304 if this is the `Last-Modified` of the content.'),
  'If-Unmodified-Since': header('The answer is 412 if the `Last-Modified` of the content is later.'),
  'Tus-Resumable': header('The version of tus: 1.0.0.'),
  'Upload-Checksum': header('sha1 or sha256, and the digest of these bytes in base64: others are not taken.'),
  'Upload-Length': header('The bytes of the whole content.'),
  'Upload-Metadata': header('filename and filetype, each with its value in base64.'),
  'Upload-Offset': header('How many bytes have come before these.'),
  'Last-Event-ID': header('The mark after which Server-Sent Events go on, in the place of `changes[since]`.'),
  'Sec-WebSocket-Protocol': header(
    'Of an upgrade: `foredge.v1`, and the credentials where headers can not be sent, ' +
      'as `application-id.…`, `api-key.…` and `token.…`, the last two in base64url.',
  ),
} satisfies Readonly<Record<string, Header>>;

export type RequestHeader = keyof typeof REQUEST_HEADERS;

/** Of the content of a file. */
export const CONTENT_HEADERS = [
  'Range',
  'If-Range',
  'If-Match',
  'If-Unmodified-Since',
  'If-None-Match',
  'If-Modified-Since',
] as const satisfies readonly RequestHeader[];

export const RESPONSE_HEADERS = {
  'X-Request-Id': s.text('The id of the request in the log.'),
  ETag: s.text('The entity tag of the answer, for `If-Match` and `If-None-Match` of any document in it.'),
  Location: s.text('The address of the new document.', { format: 'uri' }),
  'Retry-After': s.text('Seconds after which to try again.'),
  'WWW-Authenticate': s.text('What a login is.'),
  'Sec-WebSocket-Protocol': s.text('`foredge.v1`, if the request has named it.'),
  'Accept-Ranges': s.text('`bytes`.'),
  'Content-Disposition': s.text('Whether it is to be shown, and its name.'),
  'Content-Range': s.text('Which bytes these are, and how many there are.'),
  'Last-Modified': s.text('When the file was stored.'),
  'Content-Location': s.text('The address of the document that was made.'),
  'Tus-Resumable': s.text('1.0.0.'),
  'Upload-Expires': s.text('When the upload ends, if nothing more comes.'),
  'Upload-Length': s.text('The bytes of the whole content.'),
  'Upload-Metadata': s.text('As it was sent.'),
  'Upload-Offset': s.text('The bytes that have come.'),
  Link: s.text('Where the next lines or rows are, with `rel="next"`.'),
} as const satisfies Readonly<Record<string, s.Schema>>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;
