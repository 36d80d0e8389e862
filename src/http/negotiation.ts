/** Media types of requests and answers (JSON:API, Content Negotiation; decisions, section 1). */
import { fail, ok, type Outcome } from '../domain/problems.ts';

export const MEDIA_TYPE = 'application/vnd.api+json';

const ACCEPTABLE: ReadonlySet<string> = new Set(['*/*', 'application/*', MEDIA_TYPE]);

/** The media type of an endpoint's answers, which names the extension of the endpoint, and the applied profile. */
export function mediaTypeOf(extension: string | undefined, profile?: string): string {
  const ext = extension === undefined ? '' : `;ext="${extension}"`;
  return `${MEDIA_TYPE}${ext}${profile === undefined ? '' : `;profile="${profile}"`}`;
}

/**
 * Whether an `Accept` header asks for a profile: the range with the greatest weight that can be served decides. Of
 * ranges with the same weight, the one with the profile is more specific.
 */
export function asksForProfile(accept: string | null, profile: string, extension?: string): boolean {
  // Most requests name no profile, and must not pay for those that do.
  if (accept?.includes(profile) !== true) return false;
  const isMeant = ({ type, parameters }: Parts) =>
    type === MEDIA_TYPE && addressesIn(parameters, 'profile').includes(profile);
  return prefers(
    rangesOf(accept).filter((range) => isAcceptable(range, extension)),
    isMeant,
  );
}

export const CSV = 'text/csv';

/** Whether an `Accept` header asks for CSV, by the same rules; `*` and `text/*` do not. */
export function asksForCsv(accept: string | null): boolean {
  if (accept?.includes(CSV) !== true) return false;
  const isMeant = ({ type }: Parts) => type === CSV;
  return prefers(
    rangesOf(accept).filter((range) => isMeant(range) || isAcceptable(range, undefined)),
    isMeant,
  );
}

/** Whether those that are meant have the greatest weight among ranges that can be served. */
function prefers(ranges: readonly Parts[], isMeant: (range: Parts) => boolean): boolean {
  let [best, without] = [0, 0];
  for (const range of ranges) {
    const weight = weightOf(range);
    if (isMeant(range)) best = Math.max(best, weight);
    else without = Math.max(without, weight);
  }
  return best > 0 && best >= without;
}

/** 406 when an `Accept` header allows nothing that can be served. */
export function checkAccept(accept: string | null, extension?: string): Outcome<null> {
  if (serves(accept, MEDIA_TYPE, (range) => isAcceptable(range, extension))) return ok(null);
  return fail('not-acceptable', `Answers are ${mediaTypeOf(extension)}.`, { header: 'Accept' });
}

/** Whether a range takes the media type, and none that is more specific refuses it (RFC 9110, 12.5.1). */
function serves(accept: string | null, mediaType: string, takes: (range: Parts) => boolean): boolean {
  if (accept === null || accept.trim() === '') return true;
  const ranges = rangesOf(accept);
  const specific = ['*/*', 'application/*', mediaType];
  const rankOf = ({ type }: Parts) => specific.indexOf(type);
  const refused = Math.max(0, ...ranges.filter((range) => weightOf(range) === 0).map(rankOf));
  return ranges.some((range) => takes(range) && rankOf(range) >= refused);
}

/** 415 when a body is declared as anything but JSON:API, with the extension of the endpoint. */
export function checkContentType(contentType: string | null, extension?: string): Outcome<null> {
  const { type, parameters } = partsOf(contentType ?? '');
  const named = addressesIn(parameters, 'ext');
  if (
    type === MEDIA_TYPE &&
    parameters.every(isKnown) &&
    named.every((each) => each === extension) &&
    (extension === undefined || named.length > 0)
  ) {
    return ok(null);
  }
  const detail =
    extension === undefined
      ? `Send the body as ${MEDIA_TYPE}, without parameters but profile; no extension is supported here.`
      : `Send the body as ${mediaTypeOf(extension)}, without other extensions or parameters but profile.`;
  return fail('unsupported-media-type', detail, { header: 'Content-Type' });
}

/** 415 when a body is declared as compressed, or coded otherwise: the runtime decodes none (RFC 9110, 8.4). */
export function checkContentEncoding(coding: string | null): Outcome<null> {
  if (coding === null || ['', 'identity'].includes(coding.trim().toLowerCase())) return ok(null);
  const detail = 'Send the body as it is: no content coding is read.';
  return fail('unsupported-media-type', detail, { header: 'Content-Encoding' });
}

/** Server-Sent Events. */
export const EVENTS = 'text/event-stream';

/** Whether an `Accept` header asks for events; `*` does not. */
export function acceptsEvents(accept: string | null): boolean {
  if (accept?.includes(EVENTS) !== true) return false;
  return rangesOf(accept).some((range) => range.type === EVENTS && weightOf(range) > 0);
}

/** What browsers send of a form that has files (RFC 7578). */
export const FORM = 'multipart/form-data';

/** Lines of JSON, for what is too large to be one document. */
export const LINES = 'application/x-ndjson';

/** 406 when an `Accept` header does not allow a media type that is not JSON:API's. */
export function checkAcceptsOther(accept: string | null, mediaType: string): Outcome<null> {
  if (serves(accept, mediaType, (range) => weightOf(range) > 0)) return ok(null);
  return fail('not-acceptable', `Answers are ${mediaType}.`, { header: 'Accept' });
}

/** 415 when a body is declared as anything but lines of JSON. */
export function checkIsLines(contentType: string | null): Outcome<null> {
  if (partsOf(contentType ?? '').type === LINES) return ok(null);
  return fail('unsupported-media-type', `Send the body as ${LINES}.`, { header: 'Content-Type' });
}

/** The boundary of a form, empty where it names none; null for what is no form. */
export function boundaryOf(contentType: string | null): string | null {
  const { type, parameters } = partsOf(contentType ?? '');
  if (type !== FORM) return null;
  const { value = '' } = parameters.find(({ name }) => name === 'boundary') ?? {};
  return /^[\x20-\x7e]{1,70}$/.test(value) ? value : '';
}

function isAcceptable(range: Parts, extension: string | undefined): boolean {
  const { type, parameters } = range;
  if (weightOf(range) === 0 || !ACCEPTABLE.has(type)) return false;
  if (type !== MEDIA_TYPE) return true;
  // A range without the extension accepts answers with it, as any range accepts answers with more parameters.
  return (
    parameters.every((each) => each.name === 'q' || isKnown(each)) &&
    addressesIn(parameters, 'ext').every((each) => each === extension)
  );
}

interface Parameter {
  readonly name: string;
  /** Without quotes. */
  readonly value: string;
}

/** A profile may always be ignored; extensions are checked elsewhere. */
function isKnown({ name }: Parameter): boolean {
  return name === 'profile' || name === 'ext';
}

/** The weight of a range (RFC 9110, 12.4.2); a weight that is not a number counts as none. */
function weightOf({ parameters }: Parts): number {
  const weight = Number(parameters.find(({ name }) => name === 'q')?.value ?? 1);
  return Number.isNaN(weight) ? 1 : weight;
}

function addressesIn(parameters: readonly Parameter[], member: 'ext' | 'profile'): readonly string[] {
  return parameters
    .filter(({ name }) => name === member)
    .flatMap(({ value }) => value.split(/\s+/))
    .filter((address) => address !== '');
}

interface Parts {
  readonly type: string;
  readonly parameters: readonly Parameter[];
}

/** Parameters may be empty (RFC 9110, 5.6.6). */
const isNotBlank = (text: string): boolean => text.trim() !== '';

const rangesOf = (accept: string): readonly Parts[] => splitUnquoted(accept, ',').map(partsOf);

function partsOf(header: string): Parts {
  const [type = '', ...parameters] = splitUnquoted(header, ';');
  return {
    type: type.trim().toLowerCase(),
    parameters: parameters.filter(isNotBlank).map((text) => {
      const at = text.indexOf('=');
      const [name, value] = at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1).trim()];
      const quoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
      return { name: name.trim().toLowerCase(), value: quoted ? value.slice(1, -1) : value };
    }),
  };
}

/** Splits at a separator, but not inside quoted strings. One pass, whatever the header holds. */
export function splitUnquoted(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quoted && character === '\\') at += 1;
    else if (character === '"') quoted = !quoted;
    else if (character === separator && !quoted) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}
