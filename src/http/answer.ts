/** Outcomes as HTTP answers: JSON:API documents, error objects, headers. */
import { errorObject, statusOf, type Problem } from '../domain/problems.ts';
import { textOfAnswer } from '../domain/values/present.ts';
import type { Answer, AnswerDocument } from '../modules/endpoint.ts';
import { formatTag } from '../modules/documents/tags/etag.ts';
import type { Reply } from './headers.ts';
import { CSV, LINES, mediaTypeOf } from './negotiation.ts';

/** The version of JSON:API that all answers have, and what is applied to a few of them. */
const VERSION = '1.1';
const PLAIN = textOfImplementation({});

/** What is applied to an answer beside JSON:API: addresses. */
interface Applied {
  readonly extension?: string | undefined;
  readonly profile?: string | undefined;
}

/** The `jsonapi` member (JSON:API, JSON:API Object). */
function textOfImplementation({ extension, profile }: Applied): string {
  const implementation = {
    version: VERSION,
    ...(extension !== undefined && { ext: [extension] }),
    ...(profile !== undefined && { profile: [profile] }),
  };
  return `"jsonapi":${JSON.stringify(implementation)}`;
}

/** What an answer to a request with `self` as its address says about itself; nothing of it is in a page without one. */
export interface Framing {
  readonly self?: string | undefined;
  readonly applied?: Applied | undefined;
  /** The media type of an answer that is a file. */
  readonly file?: string | undefined;
}

/** The answer as it is sent: its document says where it can be had again, and what is applied to it. */
export function replyOf(answer: Answer, { self, applied, file: fileType }: Framing = {}): Reply {
  const { status, document, tag, confidential, location, lines, file, content } = answer;
  if (lines !== undefined) return replyOfLines(answer, lines);
  if (content !== undefined)
    return { status, typed: status !== 304, confidential: confidential ?? false, ...content };
  if (file !== undefined) {
    const mediaType = fileType ?? 'application/octet-stream';
    return { status, typed: true, mediaType, confidential: confidential ?? false, body: file, headers: {} };
  }
  const mediaType = applied && mediaTypeOf(applied.extension, applied.profile);
  const headers: Record<string, string> = { ...answer.headers };
  if (tag !== undefined) headers['ETag'] = formatTag(tag);
  if (location !== undefined) headers['Location'] = location;
  return {
    status,
    typed: document !== undefined,
    mediaType,
    confidential: confidential === true,
    body: document === undefined ? null : framed(document, self, applied),
    headers,
  };
}

/**
 * The text of a document with `links.self`, if it has primary data and no such link, and with `jsonapi`. With a profile
 * the link says so (JSON:API, Top Level).
 */
function framed(document: AnswerDocument, self: string | undefined, applied: Applied | undefined): string {
  const implementation = applied === undefined ? PLAIN : textOfImplementation(applied);
  if (self === undefined || !('data' in document)) return textOfAnswer(document, implementation);
  const type = applied && mediaTypeOf(applied.extension, applied.profile);
  const links = { self: type === undefined ? self : { href: self, type } };
  return document.links === undefined
    ? textOfAnswer(document, `"links":${textOfAnswer(links)},${implementation}`)
    : textOfAnswer({ ...document, links: { ...links, ...document.links } }, implementation);
}

/** The body that tells of problems. */
export function textOfProblems(problems: readonly Problem[], base: string): string {
  const errors = problems.map((each) => errorObject(each, base));
  return JSON.stringify({ errors, jsonapi: { version: VERSION } });
}

function replyOfLines(
  { status, tag, confidential = false }: Answer,
  { text, next, isCsv = false }: Exclude<Answer['lines'], undefined>,
): Reply {
  const headers = {
    ...(tag !== undefined && { ETag: formatTag(tag) }),
    ...(next !== null && { Link: `<${next}>; rel="next"` }),
  };
  const mediaType = isCsv ? `${CSV}; charset=utf-8; header=present` : LINES;
  return { status, typed: true, mediaType, confidential, body: text, headers };
}

/** The status is that of the first problem. */
export function replyOfProblems(
  problems: readonly Problem[],
  extra?: Readonly<Record<string, string>>,
): Reply {
  const status = problems[0] === undefined ? 500 : statusOf(problems[0].code);
  const challenge = status === 401 ? { 'WWW-Authenticate': 'Token realm="foredge"' } : {};
  const { size, 'retry-after': wait } = problems[0]?.meta ?? {};
  const range = status === 416 && typeof size === 'number' ? { 'Content-Range': `bytes */${size}` } : {};
  const retry = typeof wait === 'number' ? { 'Retry-After': String(wait) } : {};
  const isExplained = problems[0]?.explained !== undefined;
  return {
    status,
    typed: true,
    body: null,
    problems,
    preferred: isExplained,
    headers: {
      ...challenge,
      ...range,
      ...retry,
      ...(isExplained && { 'Preference-Applied': 'explain' }),
      ...extra,
    },
  };
}
