/** The endpoints of application documents (spec, Application documents and Relationship endpoints). */
import { isResourceType } from '../../domain/types.ts';
import { PROBLEMS_OF_WARNINGS } from '../documents/warnings/problems.ts';
import { aclEndpointsOf, feedOf, PROBLEMS_OF_LISTS } from '../documents/endpoints.ts';
import { createDocument } from '../documents/creating.ts';
import { deleteDocument, listDocuments, readOneDocument, updateDocument } from '../documents/handlers.ts';
import { deleteMany, updateMany } from '../documents/many.ts';
import { relationshipEndpointsOf } from '../documents/relationship-endpoints.ts';
import type { Endpoint } from '../endpoint.ts';
import { listTypes } from './types.ts';

const COLLECTION = '/resources/{type}';
const DOCUMENT = '/resources/{type}/{id}';

const serves = isResourceType;

export const RESOURCES: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/resources',
    summary: 'Lists the types of documents that the key may list',
    parameters: ['page'],
    headers: ['If-None-Match'],
    answers: { 200: 'types of a key', 304: 'unchanged' },
    problems: ['invalid-parameter'],
    handle: listTypes,
  },
  {
    method: 'POST',
    path: COLLECTION,
    serves,
    summary: 'Creates a document',
    parameters: ['fields', 'include'],
    headers: ['Idempotency-Key'],
    preferences: ['return'],
    body: 'create',
    answers: {
      201: 'created',
      204: 'created quietly',
    },
    problems: [
      'client-id',
      'type-conflict',
      'invalid-value',
      'link-not-found',
      'invalid-relationship',
      'request-in-progress',
      'idempotency-key-reused',
    ],
    handle: createDocument,
  },
  {
    method: 'GET',
    path: COLLECTION,
    serves,
    summary: 'Lists documents',
    parameters: ['filter', 'sort', 'page', 'now', 'fields', 'include'],
    headers: ['If-None-Match'],
    preferences: ['handling'],
    answers: {
      200: 'list',
      304: 'unchanged',
    },
    problems: [...PROBLEMS_OF_LISTS, 'include-too-large', 'answer-too-large', 'storage-full'],
    handle: listDocuments,
  },
  {
    method: 'PATCH',
    path: COLLECTION,
    serves,
    bulk: true,
    summary: 'Changes every document that a filter finds, all or none; needs `bulk` among the methods',
    parameters: ['filter'],
    preferences: ['handling'],
    body: 'update many',
    answers: { 200: 'count of changed' },
    problems: [
      ...PROBLEMS_OF_WARNINGS,
      'invalid-filter',
      'too-many-matches',
      'list-too-large',
      'type-conflict',
      'change-refused',
      'rule-violated',
      'field-not-permitted',
      'invalid-value',
      'invalid-update',
      'update-failed',
      'schema-violation',
      'link-not-found',
      'invalid-relationship',
    ],
    handle: updateMany,
  },
  {
    method: 'DELETE',
    path: COLLECTION,
    serves,
    bulk: true,
    summary: 'Deletes every document that a filter finds, all or none; needs `bulk` among the methods',
    parameters: ['filter'],
    preferences: ['handling'],
    body: 'delete many',
    answers: { 200: 'count of deleted' },
    problems: [
      'rule-violated',
      ...PROBLEMS_OF_WARNINGS,
      'invalid-filter',
      'too-many-matches',
      'list-too-large',
    ],
    handle: deleteMany,
  },
  {
    method: 'GET',
    path: DOCUMENT,
    serves,
    summary: 'Reads a document',
    parameters: ['fields', 'include'],
    headers: ['If-None-Match'],
    preferences: ['handling'],
    answers: {
      200: 'one or deleted',
      304: 'unchanged',
    },
    problems: [...PROBLEMS_OF_WARNINGS, 'document-not-found', 'include-too-large'],
    handle: readOneDocument,
  },
  {
    method: 'PATCH',
    path: DOCUMENT,
    serves,
    summary: 'Changes attributes and relationships of a document',
    parameters: ['fields', 'include'],
    headers: ['If-Match'],
    preferences: ['return'],
    body: 'update',
    answers: {
      200: 'whole',
      204: 'changed',
    },
    problems: [
      'document-not-found',
      'precondition-failed',
      'type-conflict',
      'id-conflict',
      'change-refused',
      'invalid-value',
      'invalid-update',
      'update-failed',
      'link-not-found',
      'invalid-relationship',
    ],
    handle: updateDocument,
  },
  {
    method: 'DELETE',
    path: DOCUMENT,
    serves,
    summary: 'Deletes a document',
    headers: ['If-Match'],
    answers: { 204: 'deleted' },
    problems: ['document-not-found', 'precondition-failed', 'rule-violated'],
    handle: deleteDocument,
  },
  { ...feedOf(COLLECTION, 'documents'), serves },
  ...relationshipEndpointsOf({ document: DOCUMENT, serves }),
  ...aclEndpointsOf('/resources', isResourceType),
];
