/**
 * The closed set of what can go wrong for a client, and the type every expected failure travels in.
 * One total table gives each code its status and title; docs/errors.md has a section on each.
 */
import type { Explained } from './explained.ts';
import type { Branch } from './values/tree.ts';

export const PROBLEMS = {
  'invalid-json': [400, 'The body is not valid JSON'],
  'invalid-body': [400, 'The body does not have the shape of a JSON:API document'],
  'missing-body': [400, 'The request needs a body'],
  'too-deep': [400, 'The JSON is nested too deeply'],
  'unknown-parameter': [400, 'The query parameter is not known here'],
  'invalid-parameter': [400, 'The query parameter has no valid value'],
  'invalid-filter': [400, 'The filter is not valid'],
  'digest-differs': [400, 'The content is not the one of the digest'],
  'invalid-header': [400, 'The header has no valid value'],
  'invalid-path': [400, 'The path is not validly encoded'],
  'include-too-large': [400, 'The include reaches too many documents'],
  'answer-too-large': [400, 'The answer would be too large'],
  'no-documents': [400, 'The type has no documents'],
  'no-such-field': [400, 'No document has the field'],
  'other-kind': [400, 'The field holds values of another kind'],
  'decides-nothing': [400, 'The rule says the same of every document'],
  'missing-application': [401, 'The application-id header is missing'],
  'missing-api-key': [401, 'The api-key header is missing'],
  'invalid-api-key': [401, 'The application or the API key is not known'],
  'token-required': [401, 'A valid user token is required'],
  'invalid-login': [401, 'The login failed'],
  'operator-required': [401, 'The operator secret is required'],
  forbidden: [403, 'The request is not permitted'],
  'rule-violated': [403, 'A rule refuses the write'],
  'field-not-permitted': [403, 'The API key does not permit the field to be written'],
  'left-out': [403, 'The API key does not show linked documents'],
  'client-id': [403, 'The service assigns ids'],
  'second-factor-required': [403, 'The login needs a second factor'],
  'invalid-code': [403, 'The code does not prove anything'],
  'read-only-member': [422, 'The member is made by the service'],
  'not-found': [404, 'There is nothing at this address'],
  'document-not-found': [404, 'The document does not exist'],
  'version-not-found': [404, 'The version does not exist'],
  'relationship-not-found': [404, 'The relationship does not exist'],
  'link-not-found': [404, 'The linked document does not exist'],
  'method-not-allowed': [405, 'The method is not allowed here'],
  'not-acceptable': [406, 'No acceptable media type can be served'],
  'body-too-slow': [408, 'The body took too long'],
  'type-conflict': [409, 'The type differs from that of the address'],
  'id-conflict': [409, 'The id differs from that of the address, or is taken'],
  'field-conflict': [409, 'The field is an attribute, not a relationship'],
  'offset-conflict': [409, 'The upload goes on elsewhere'],
  'too-many-matches': [409, 'The filter finds too many documents'],
  'change-refused': [409, 'The document does not take the change'],
  'request-in-progress': [409, 'The same request is being done'],
  'last-api-key': [409, 'The last API key of an application can not be deleted'],
  'last-way-in': [409, 'Its user could not log in any more'],
  'history-held': [409, 'The history is held'],
  'value-taken': [409, 'The value must be unique and is taken'],
  'mark-expired': [410, 'What has changed since the mark is not known any more'],
  'export-ended': [410, 'The export has ended'],
  'length-required': [411, 'The length of the content is not told'],
  'precondition-failed': [412, 'The precondition does not hold'],
  'body-too-large': [413, 'The body is too large'],
  'document-too-large': [413, 'The document is too large'],
  'list-too-large': [413, 'The list of operations is too large'],
  'path-too-long': [414, 'The path is too long'],
  'checksum-differs': [460, 'The bytes are not those of the checksum'],
  'unsupported-media-type': [415, 'The media type of the body is not supported'],
  'range-not-satisfiable': [416, 'Nothing of the content is in the range'],
  'invalid-field-name': [422, 'The field name is not valid'],
  'field-collision': [422, 'Attributes and relationships share one set of names'],
  'invalid-value': [422, 'The value is not valid'],
  'invalid-attribute': [422, 'The attribute is not valid'],
  'missing-attribute': [422, 'A required attribute is missing'],
  'invalid-relationship': [422, 'The relationship is not valid'],
  'invalid-type': [422, 'The document type is not valid here'],
  'idempotency-key-reused': [422, 'The idempotency key was used for another request'],
  'invalid-update': [422, 'The update is not valid'],
  'update-failed': [422, 'The update can not be applied to the document'],
  'pipeline-failed': [422, 'The pipeline failed on the data'],
  'schema-violation': [422, 'The document does not satisfy a schema'],
  'line-refused': [422, 'A line of the import is refused'],
  'too-many-requests': [429, 'Too many requests'],
  'rate-exceeded': [429, 'There are more requests a second than a quota allows'],
  'not-configured': [501, 'The service is not set up for this'],
  unavailable: [503, 'The service can not answer now'],
  'data-lost': [503, 'Stored data are lost or damaged'],
  'storage-full': [507, 'There is no room left for data'],
  'quota-exceeded': [507, 'A quota of the application is used up'],
  'internal-error': [500, 'The service failed'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ProblemCode = keyof typeof PROBLEMS;

/** Where in the request a problem lies (JSON:API, Error Objects). */
export type ProblemSource =
  | { readonly pointer: string }
  | { readonly parameter: string }
  | { readonly header: string };

/** One expected failure. Plain data: it crosses the object's RPC. */
export interface Problem {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly source?: ProblemSource;
  readonly meta?: Readonly<Record<string, string | number | readonly string[] | Branch<never>>>;
  /** How the request was decided, where it asks. */
  readonly explained?: Explained;
}

/** A result that may be a list of problems instead. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function failed(...problems: readonly Problem[]): {
  readonly ok: false;
  readonly problems: readonly Problem[];
} {
  return { ok: false, problems };
}

export function fail(
  code: ProblemCode,
  detail: string,
  source?: ProblemSource,
  meta?: Problem['meta'],
): { readonly ok: false; readonly problems: readonly Problem[] } {
  return failed(problem(code, detail, source, meta));
}

export function problem(
  code: ProblemCode,
  detail: string,
  source?: ProblemSource,
  meta?: Problem['meta'],
): Problem {
  return { code, detail, ...(source && { source }), ...(meta && { meta }) };
}

/** Where in the body a problem is; empty where it is not in the body. */
export function pointerIn({ source }: Problem): string {
  return source !== undefined && 'pointer' in source ? source.pointer : '';
}

export function statusOf(code: ProblemCode): number {
  return PROBLEMS[code][0];
}

/** The problems of the status that comes first in the order of checks. */
export function gravest(problems: readonly Problem[]): readonly Problem[] {
  const first = Math.min(...problems.map(({ code }) => statusOf(code)));
  return problems.filter(({ code }) => statusOf(code) === first);
}

/** A problem that kept nothing from being done, as clients see it in `meta.warnings`: it has no status. */
export function warningObject({ code, detail, source, meta }: Problem, base: string) {
  const [, title] = PROBLEMS[code];
  const links = { about: aboutCode(code, base) };
  return { code, title, detail, ...(source && { source }), ...(meta && { meta }), links };
}

/** A problem as clients see it (JSON:API, Error Objects). `base` is the start of links. */
export function errorObject({ code, detail, source, meta, explained }: Problem, base: string) {
  const [status, title] = PROBLEMS[code];
  return {
    status: String(status),
    code,
    title,
    detail,
    ...(source && { source }),
    ...((meta || explained) && { meta: { ...meta, ...(explained && { explained }) } }),
    links: { about: aboutCode(code, base) },
  };
}

/** Where the documentation tells what a code means, and what helps. */
function aboutCode(code: string, base: string): string {
  return `${base}/docs/errors#${code}`;
}
