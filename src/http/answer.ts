/** Outcomes as HTTP answers: JSON:API documents, error objects, headers. */
import { PROBLEMS, statusOf, type Problem } from '../domain/problems.ts';
import type { Answer } from '../modules/endpoint.ts';
import { formatTag } from '../modules/documents/etag.ts';
import { MEDIA_TYPE } from './negotiation.ts';

/** What never changes from answer to answer. Answers depend on who asks, so no shared cache may keep them. */
const COMMON = { 'Content-Type': MEDIA_TYPE, 'Cache-Control': 'private, no-cache' };

/** `mediaType` where the answer's is not the common one. */
export function answerResponse(answer: Answer, withBody: boolean, mediaType = MEDIA_TYPE): Response {
  const headers = new Headers({ 'Cache-Control': COMMON['Cache-Control'] });
  if (answer.document !== undefined) headers.set('Content-Type', mediaType);
  if (mediaType !== MEDIA_TYPE) headers.set('Vary', 'Accept');
  if (answer.tag !== undefined) headers.set('ETag', formatTag(answer.tag));
  if (answer.location !== undefined) headers.set('Location', answer.location);
  const body = answer.document === undefined || !withBody ? null : JSON.stringify(answer.document);
  return new Response(body, { status: answer.status, headers });
}

/** The status is that of the first problem. */
export function problemResponse(
  problems: readonly Problem[],
  extra?: Readonly<Record<string, string>>,
  withBody = true,
): Response {
  const status = problems[0] === undefined ? 500 : statusOf(problems[0].code);
  const challenge = status === 401 ? { 'WWW-Authenticate': 'Token realm="foredge"' } : {};
  const wait = problems[0]?.meta?.['retry-after'];
  const retry = wait === undefined ? {} : { 'Retry-After': String(wait) };
  const body = withBody ? JSON.stringify({ errors: problems.map(errorObject) }) : null;
  return new Response(body, { status, headers: { ...COMMON, ...challenge, ...retry, ...extra } });
}

function errorObject({ code, detail, source, meta }: Problem) {
  const [status, title] = PROBLEMS[code];
  return { status: String(status), code, title, detail, ...(source && { source }), ...(meta && { meta }) };
}
