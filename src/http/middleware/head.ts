/**
 * The head of a request to an endpoint, in the order of checks: media types (415, 406), the query, the conditions
 * (400). Hono's `etag` compares tags after the handler, when everything is read and written already; here they travel
 * with the request to where versions are known.
 */
import type { Context } from 'hono';
import { recallSigner, signerOf, type Signer } from '../../auth/credentials.ts';
import { LIMITS } from '../../domain/limits.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { isListed } from '../../modules/contents/answers.ts';
import { parseTagList, TAG_LIST_FORM, type TagList } from '../../modules/documents/tags/etag.ts';
import type { Endpoint, ReadHead } from '../../modules/endpoint.ts';
import { replyOfProblems } from '../answer.ts';
import { baseOf } from './surroundings.ts';
import {
  asksForCsv,
  asksForProfile,
  checkAccept,
  checkAcceptsOther,
  checkContentEncoding,
  checkContentType,
  checkIsLines,
  LINES,
} from '../negotiation.ts';
import { EXTENDED_JSON } from '../pages/profile-page.ts';
import { readPrefer } from '../prefer.ts';
import { readQuery } from '../query.ts';
import type { RequestCheck, Types } from '../types.ts';
import { asksForStream } from './stream.ts';

export function head({
  method,
  extension,
  body,
  parameters = [],
  headers: taken = [],
  preferences = [],
  lines,
  content,
  file = lines === 'answer' ? LINES : undefined,
  streams,
  answers,
}: Endpoint): RequestCheck {
  const hasRows = isListed(answers);
  const asked = (c: Context<Types>, signer: Signer): Outcome<ReadHead> => {
    const { headers, body: sent } = c.req.raw;
    // A body of no bytes counts as missing: a later check says so, whatever its media type.
    const isSent = body !== undefined && sent !== null && headers.get('content-length') !== '0';
    const coding = isSent ? checkContentEncoding(headers.get('content-encoding')) : ok(null);
    if (!coding.ok) return coding;
    if (isSent && content === undefined) {
      const declared = headers.get('content-type');
      const contentType = lines === 'body' ? checkIsLines(declared) : checkContentType(declared, extension);
      if (!contentType.ok) return contentType;
    }
    const accepted = headers.get('accept');
    const isStream = streams === true && asksForStream(c.req.raw);
    const csv = hasRows && asksForCsv(accepted);
    // The content of a file is what it is.
    const accept =
      content === 'answer'
        ? ok(null)
        : file === undefined
          ? checkAccept(accepted, extension)
          : checkAcceptsOther(accepted, file);
    if (!accept.ok && !isStream && !csv) return accept;
    const query = readQuery(c.get('surroundings').arrival.address?.query ?? '', parameters);
    if (!query.ok) return query;
    if (csv && query.value.include !== null) {
      const detail = 'Rows of CSV have no place for included documents.';
      return fail('invalid-parameter', detail, { parameter: 'include' });
    }
    const ifMatch = readTags(c, signer, 'If-Match');
    if (!ifMatch.ok) return ifMatch;
    const ifNoneMatch = readTags(c, signer, 'If-None-Match');
    if (!ifNoneMatch.ok) return ifNoneMatch;
    if (method !== 'GET' && ifMatch.value !== null && !taken.includes('If-Match'))
      return notTaken('If-Match');
    const idempotencyKey = method === 'GET' ? ok(null) : readKey(headers, taken.includes('Idempotency-Key'));
    if (!idempotencyKey.ok) return idempotencyKey;
    return ok({
      query: query.value,
      ifMatch: ifMatch.value,
      ifNoneMatch: ifNoneMatch.value,
      idempotencyKey: idempotencyKey.value,
      preferences: readPrefer(headers.get('prefer'), preferences),
      csv,
      wrapped: !csv && asksForProfile(accepted, `${baseOf(c)}${EXTENDED_JSON}`, extension),
    });
  };
  const step: RequestCheck = (c) => {
    const signer = recallSigner(c.env);
    // The first request of an isolate waits.
    if (signer === undefined) return signerOf(c.env).then(() => step(c));
    const read = asked(c, signer);
    if (!read.ok) return c.render(replyOfProblems(read.problems));
    c.set('asked', read.value);
    return undefined;
  };
  return step;
}

/** Visible characters: a key may be quoted, as drafts of the header have it, and then its quotes are part of it. */
const KEY = /^[\x21-\x7e]+$/;

/** A client that sends a header where it has no effect would rely on it. */
function notTaken(header: 'If-Match' | 'Idempotency-Key') {
  return fail('invalid-header', `This endpoint takes no ${header}.`, { header });
}

/** The `Idempotency-Key`, or 400. */
function readKey(headers: Headers, isTaken: boolean): Outcome<string | null> {
  const header = 'Idempotency-Key';
  const key = headers.get(header);
  if (key === null) return ok(null);
  if (!isTaken) return notTaken(header);
  return KEY.test(key) && key.length <= LIMITS.idempotencyKey
    ? ok(key)
    : fail('invalid-header', `${header} must have 1 to ${LIMITS.idempotencyKey} visible ASCII characters.`, {
        header,
      });
}

/** The entity tags of a header, or 400. `If-Match` compares strongly, `If-None-Match` weakly (RFC 9110, 13.1). */
function readTags(c: Context<Types>, signer: Signer, header: 'If-Match' | 'If-None-Match'): Outcome<TagList> {
  const text = c.req.raw.headers.get(header);
  if (text === null) return ok(null);
  const seal = signer.tagSeal(c.get('caller').application, c.env.EPOCH);
  const list = parseTagList(seal, text, header === 'If-None-Match');
  return list === undefined
    ? fail('invalid-header', `${header} must be ${TAG_LIST_FORM}.`, { header })
    : ok(list);
}
