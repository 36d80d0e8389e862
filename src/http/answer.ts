/** Outcomes as HTTP answers: JSON:API documents, error objects, headers. */
import { errorObject, statusOf, type Problem } from '../domain/problems.ts';
import { textOfAnswer } from '../domain/values/present.ts';
import type { Answer } from '../modules/endpoint.ts';
import { formatTag } from '../modules/documents/tags/etag.ts';
import type { Reply } from './headers.ts';

/** `mediaType` if the answer has another than the common one. */
export function replyOf(answer: Answer, mediaType?: string): Reply {
  const { status, document, tag, confidential, location } = answer;
  return {
    status,
    typed: document !== undefined,
    ...(mediaType !== undefined && { mediaType }),
    ...(confidential === true && { confidential }),
    body: document === undefined ? null : textOfAnswer(document),
    headers: { ...(tag && { ETag: formatTag(tag) }), ...(location !== undefined && { Location: location }) },
  };
}

/** The status is that of the first problem. */
export function replyOfProblems(
  problems: readonly Problem[],
  extra?: Readonly<Record<string, string>>,
): Reply {
  const status = problems[0] === undefined ? 500 : statusOf(problems[0].code);
  const challenge = status === 401 ? { 'WWW-Authenticate': 'Token realm="foredge"' } : {};
  const wait = problems[0]?.meta?.['retry-after'];
  const retry = wait === undefined ? {} : { 'Retry-After': String(wait) };
  const body = JSON.stringify({ errors: problems.map(errorObject) });
  return { status, typed: true, body, headers: { ...challenge, ...retry, ...extra } };
}
