/** The endpoint of JSON:API's Atomic Operations extension (https://jsonapi.org/ext/atomic). */
import { LIMITS } from '../../domain/limits.ts';
import type { Endpoint } from '../endpoint.ts';
import { runOperations } from './handler.ts';

/** The levels around a document that its own request lacks: the list, and the operation in it. */
const LEVELS_AROUND = 2;

export const OPERATIONS: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/operations',
    summary: 'Adds, changes and removes documents, all or none, or as many as can be',
    parameters: ['fields'],
    headers: ['Idempotency-Key'],
    preferences: ['return'],
    body: 'operations',
    extension: 'https://jsonapi.org/ext/atomic',
    bodyLimit: LIMITS.operationsBody,
    bodyDepth: LIMITS.jsonDepth + LEVELS_AROUND,
    answers: { 200: 'results', 204: 'only removed' },
    problems: [
      'list-too-large',
      'invalid-type',
      'client-id',
      'document-not-found',
      'relationship-not-found',
      'precondition-failed',
      'update-failed',
    ],
    handle: runOperations,
  },
];
