/** The endpoints of application documents (spec, Application documents and Relationship endpoints). */
import { isResourceType } from '../../domain/types.ts';
import { PROBLEMS_OF_WARNINGS } from '../documents/warnings/warnings.ts';
import { aclEndpointsOf, endpointsOf, feedOf } from '../documents/endpoints.ts';
import { listDocuments, readOneDocument } from '../documents/handlers.ts';
import { deleteMany, updateMany } from '../documents/write/many.ts';
import { listAt, listDeleted, listVersions, readVersion, restoreVersion } from '../documents/versions.ts';
import { relationshipEndpointsOf } from '../documents/linked/relationship-endpoints.ts';
import type { Endpoint } from '../endpoint.ts';
import { listTypes } from './types.ts';

const COLLECTION = '/resources/{type}';
const DOCUMENT = '/resources/{type}/{id}';

const serves = isResourceType;

const [create, list, read, change, remove] = endpointsOf({
  path: COLLECTION,
  one: 'a document',
  many: 'documents',
  followed: true,
});

export const RESOURCES: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/resources',
    summary: 'Lists the types of documents that the key may list',
    parameters: ['page'],
    headers: ['If-None-Match'],
    answers: { 200: 'types of a key', 304: 'unchanged' },
    handle: listTypes,
  },
  { ...create, serves },
  {
    ...list,
    serves,
    parameters: ['filter', 'sort', 'page', 'now', 'fields', 'include', 'deleted', 'at'],
    handle: (context) =>
      (context.query.deleted ? listDeleted : context.query.at !== null ? listAt : listDocuments)(context),
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
    problems: [...PROBLEMS_OF_WARNINGS, 'too-many-matches', 'list-too-large', 'update-failed'],
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
    problems: ['rule-violated', ...PROBLEMS_OF_WARNINGS, 'too-many-matches', 'list-too-large'],
    handle: deleteMany,
  },
  {
    ...read,
    serves,
    parameters: ['fields', 'include', 'at'],
    problems: [...(read.problems ?? []), 'version-not-found'],
    handle: (context) => (context.query.at === null ? readOneDocument : readVersion)(context),
  },
  { ...change, serves, summary: 'Changes attributes and relationships of a document' },
  { ...remove, serves },
  { ...feedOf(COLLECTION, 'documents'), serves },
  {
    method: 'GET',
    path: `${DOCUMENT}/versions`,
    serves,
    summary: 'Lists the versions of a document, newest first, where its type has a history',
    parameters: ['filter', 'sort', 'page', 'fields', 'include'],
    headers: ['If-None-Match'],
    preferences: ['handling'],
    answers: { 200: 'versions', 304: 'unchanged' },
    problems: ['document-not-found', 'relationship-not-found', ...PROBLEMS_OF_WARNINGS],
    handle: listVersions,
  },
  {
    method: 'GET',
    path: `${DOCUMENT}/versions/{number}`,
    serves,
    summary: 'Reads a document as it was in a version',
    parameters: ['fields'],
    headers: ['If-None-Match'],
    answers: { 200: 'version', 304: 'unchanged' },
    problems: ['version-not-found'],
    handle: readVersion,
  },
  {
    method: 'POST',
    path: `${DOCUMENT}/versions/{number}/restore`,
    serves,
    summary: 'Makes a version what the document is, also after a deletion',
    parameters: ['fields', 'include'],
    headers: ['If-Match', 'Idempotency-Key'],
    preferences: ['return'],
    answers: { 200: 'whole', 204: 'changed' },
    problems: [
      'version-not-found',
      'document-not-found',
      'change-refused',
      'rule-violated',
      'field-not-permitted',
      'schema-violation',
      'value-taken',
      'field-conflict',
    ],
    handle: restoreVersion,
  },
  ...relationshipEndpointsOf({ document: DOCUMENT, serves }),
  ...aclEndpointsOf('/resources', isResourceType),
];
