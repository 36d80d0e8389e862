/** Outcomes as HTTP answers: JSON:API documents, error objects, headers. */
import { PROBLEMS, statusOf, type Problem } from '../domain/problems.ts';
import { textOfAnswer } from '../domain/present.ts';
import type { Answer } from '../modules/endpoint.ts';
import { formatTag } from '../modules/documents/etag.ts';
import { BARE, TYPED } from './headers.ts';

export function answerResponse(answer: Answer, withBody: boolean): Response {
  const { status, document, tag, location } = answer;
  const body = document === undefined || !withBody ? null : textOfAnswer(document);
  const response = new Response(body, { status, headers: document === undefined ? BARE : TYPED });
  if (tag !== undefined) response.headers.set('ETag', formatTag(tag));
  if (location !== undefined) response.headers.set('Location', location);
  return response;
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
  const response = new Response(body, { status, headers: TYPED });
  for (const [name, value] of Object.entries({ ...challenge, ...retry, ...extra })) {
    response.headers.set(name, value);
  }
  return response;
}

function errorObject({ code, detail, source, meta }: Problem) {
  const [status, title] = PROBLEMS[code];
  return { status: String(status), code, title, detail, ...(source && { source }), ...(meta && { meta }) };
}
