/** Media types of requests and answers (JSON:API, Content Negotiation; decisions, section 1). */
import { fail, ok, type Outcome } from '../domain/problems.ts';

export const MEDIA_TYPE = 'application/vnd.api+json';

const ACCEPTABLE: ReadonlySet<string> = new Set(['*/*', 'application/*', MEDIA_TYPE]);

/** 406 when an `Accept` header leaves nothing that can be served. */
export function checkAccept(accept: string | null): Outcome<null> {
  if (accept === null || accept.trim() === '' || accept.split(',').some(isAcceptable)) return ok(null);
  return fail('not-acceptable', `Answers are ${MEDIA_TYPE}.`, { header: 'Accept' });
}

/** 415 when a body is declared as anything but JSON:API. */
export function checkContentType(contentType: string | null): Outcome<null> {
  const [type = '', ...parameters] = partsOf(contentType ?? '');
  if (type === MEDIA_TYPE && parameters.every(isHarmless)) return ok(null);
  const detail = `Send the body as ${MEDIA_TYPE}, without parameters but profile; no extension is supported.`;
  return fail('unsupported-media-type', detail, { header: 'Content-Type' });
}

function isAcceptable(range: string): boolean {
  const [type = '', ...parameters] = partsOf(range);
  const weight = parameters.find((each) => each.startsWith('q='));
  if (weight !== undefined && Number(weight.slice(2)) === 0) return false;
  return (
    ACCEPTABLE.has(type) &&
    parameters.every((each) => each.startsWith('q=') || type !== MEDIA_TYPE || isHarmless(each))
  );
}

/** A profile may always be ignored; an extension may not, and there is none but the empty one. */
function isHarmless(parameter: string): boolean {
  return parameter.startsWith('profile=') || /^ext=(?:"\s*")?$/.test(parameter);
}

function partsOf(header: string): readonly string[] {
  return header.split(';').map((part) =>
    part
      .trim()
      .toLowerCase()
      .replace(/\s*=\s*/, '='),
  );
}
