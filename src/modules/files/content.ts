/** The answer with a content: whole or in part, or that the client has it already. */
import { ok, fail, type Outcome } from '../../domain/problems.ts';
import { notAs } from '../../collection/rpc/refusals.ts';
import { namesTag } from '../documents/tags/conditions.ts';
import type { Answer, ContentRequest } from '../endpoint.ts';
import { answeredAs, dispositionOf } from './names.ts';
import { recallContent, rememberContent, SMALL } from './small.ts';

/** What an answer with a content says of it. */
export interface File {
  /** Absent where the rule of the key does not show it. */
  readonly name: string | undefined;
  readonly mediaType: string;
  readonly size: number;
  /** The digest, or what else tells it from others, in hexadecimal. */
  readonly digest: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  /** Of a picture, where its beginning tells how many it has. */
  readonly pixels?: number | undefined;
}

/** Nothing runs in a content, whatever it is. */
const HARMLESS = "default-src 'none'; sandbox; frame-ancestors 'none'";

/** Where a content is, and how it is to be shown. */
export interface ContentPlace {
  readonly bucket: R2Bucket;
  readonly key: string;
  /** Whether it is to be saved. */
  readonly download: boolean;
  readonly caching?: string;
  /** Whether this isolate may remember a small content: a collection has just said that its document is there. */
  readonly remembered?: true;
}

async function smallContent(
  { bucket, key }: ContentPlace,
  digest: string,
  offset: number,
  length: number,
): Promise<Response | null> {
  let bytes = recallContent(key, digest);
  if (bytes === undefined) {
    const found = await bucket.get(key);
    if (found === null) return null;
    bytes = new Uint8Array(await found.arrayBuffer());
    rememberContent(key, digest, bytes);
  }
  return new Response(bytes.subarray(offset, offset + length));
}

/** Null where the bucket has no such content. */
export async function answerContent(
  place: ContentPlace,
  file: File,
  request: ContentRequest,
): Promise<Outcome<Answer | null>> {
  const { bucket, key, download, caching } = place;
  const { name, size } = file;
  const mediaType = answeredAs(file.mediaType);
  const [tag, modified] = validatorsOf(file);
  const headers = {
    ...{ ETag: tag, 'Last-Modified': modified },
    ...(caching !== undefined && { 'Cache-Control': caching, Vary: 'Accept' }),
  };
  const unmet = unmetBy(request, file);
  if (unmet !== null) return notAs(unmet);
  if (isCurrent(request, file)) return ok({ status: 304, content: { mediaType, body: null, headers } });
  const asksRange =
    request.range !== null && (request.ifRange === null || [tag, modified].includes(request.ifRange));
  const range = asksRange ? rangeIn(request.range, size) : null;
  if (range === 'none') {
    const detail = `The content has ${size} bytes.`;
    return fail('range-not-satisfiable', detail, { header: 'Range' }, { size });
  }
  const { offset, length } = range ?? { offset: 0, length: size };
  const isSmall = place.remembered === true && !request.isHead && size <= SMALL;
  const found = isSmall
    ? await smallContent(place, file.digest, offset, length)
    : request.isHead
      ? await bucket.head(key)
      : await bucket.get(key, range === null ? {} : { range: { offset, length } });
  if (found === null) return ok(null);
  return ok({
    status: range === null ? 200 : 206,
    content: {
      mediaType,
      body: 'body' in found && found.body instanceof ReadableStream ? found.body : null,
      headers: {
        ...headers,
        'Accept-Ranges': 'bytes',
        'Content-Disposition': dispositionOf(name, file.mediaType, download),
        'Content-Length': String(length),
        'Content-Security-Policy': HARMLESS,
        ...(range !== null && { 'Content-Range': `bytes ${offset}-${offset + length - 1}/${size}` }),
      },
    },
  });
}

function validatorsOf({ digest, created }: File): readonly [tag: string, modified: string] {
  return [`"${digest}"`, new Date(created).toUTCString()];
}

/** The precondition that does not hold of a content (RFC 9110, section 13.2.2). */
function unmetBy({ ifMatch, ifUnmodifiedSince }: ContentRequest, file: File) {
  const [tag, modified] = validatorsOf(file);
  if (ifMatch !== null) return namesTag(ifMatch, tag, true) ? null : 'If-Match';
  return Date.parse(modified) > dateOf(ifUnmodifiedSince) ? 'If-Unmodified-Since' : null;
}

/** Whether a client has the content already. */
function isCurrent({ ifNoneMatch, ifModifiedSince }: ContentRequest, file: File): boolean {
  const [tag, modified] = validatorsOf(file);
  if (ifNoneMatch !== null) return namesTag(ifNoneMatch, tag);
  return dateOf(ifModifiedSince) >= Date.parse(modified);
}

/** All forms of dates of HTTP begin with the day of the week, and have seconds; others say nothing: NaN. */
function dateOf(header: string | null): number {
  return /^[A-Z][a-z]{2,8},? .*\d:\d\d:\d\d/.test(header ?? '') ? Date.parse(header ?? '') : NaN;
}

/** The range (RFC 9110, section 14) of a header in so many bytes: null for the whole, `none` for an empty one. */
function rangeIn(header: string | null, size: number) {
  const [, first, last] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  // What is no range, or several, may be answered with the whole.
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  // Where there are no bytes, the last ones are all, and no part can be told.
  if (first === '' && size === 0 && Number(last) > 0) return null;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null;
  return from > to ? 'none' : { offset: from, length: to - from + 1 };
}
