/**
 * The problems that a request to an endpoint may have: those that its table names, and those that come with what it
 * takes. OpenAPI shows them, and the tests check every refusal against them.
 */
import type { ProblemCode } from '../../domain/problems.ts';
import { PROBLEMS_OF_WARNINGS } from '../documents/warnings/warnings.ts';
import { audienceOf, type Endpoint } from '../endpoint.ts';

const ALWAYS: readonly ProblemCode[] = [
  'invalid-path',
  'path-too-long',
  'not-found',
  'not-acceptable',
  'unknown-parameter',
  'invalid-parameter',
  'invalid-header',
  'unavailable',
  'data-lost',
  'internal-error',
];

/** Of those who need a key. */
export const OF_CALLERS: readonly ProblemCode[] = [
  'missing-application',
  'missing-api-key',
  'invalid-api-key',
  'rate-exceeded',
  'token-required',
  'forbidden',
];

const OF_BODIES: readonly ProblemCode[] = [
  'unsupported-media-type',
  'missing-body',
  'invalid-json',
  'invalid-body',
  'too-deep',
  'body-too-slow',
  'body-too-large',
];

/** Of what changes documents. */
const OF_CONTENT: readonly ProblemCode[] = [
  'rule-violated',
  'field-not-permitted',
  'change-refused',
  'document-too-large',
  'link-not-found',
  'field-collision',
  'field-conflict',
  'invalid-field-name',
  'invalid-value',
  'invalid-attribute',
  'missing-attribute',
  'invalid-relationship',
  'read-only-member',
  'type-conflict',
  'id-conflict',
  'value-taken',
  'schema-violation',
  'invalid-update',
];

/** Of what reads documents that others link to. */
const OF_READS: readonly ProblemCode[] = ['answer-too-large'];

export function problemsOf(endpoint: Endpoint): readonly ProblemCode[] {
  const { method, body, headers = [], parameters = [], preferences = [], problems = [] } = endpoint;
  const audience = audienceOf(endpoint);
  const codes: readonly ProblemCode[] = [
    ...ALWAYS,
    ...(audience === 'operator' ? (['operator-required'] as const) : OF_CALLERS),
    ...(method === 'GET' ? [] : (['storage-full'] as const)),
    ...(audience === 'operator' || method === 'GET' || method === 'DELETE'
      ? []
      : (['quota-exceeded'] as const)),
    ...(body === undefined ? [] : OF_BODIES),
    ...(body === undefined || body === 'delete many' ? [] : OF_CONTENT),
    ...(method === 'GET' ? OF_READS : []),
    ...(preferences.includes('handling') ? PROBLEMS_OF_WARNINGS : []),
    ...(parameters.includes('filter') ? (['invalid-filter'] as const) : []),
    ...(parameters.includes('include') ? (['include-too-large'] as const) : []),
    ...(headers.includes('If-None-Match') ? (['precondition-failed'] as const) : []),
    ...(headers.includes('Idempotency-Key')
      ? (['request-in-progress', 'idempotency-key-reused'] as const)
      : []),
    ...problems,
  ];
  return [...new Set(codes)];
}
