/** The endpoints of application documents (spec, Application documents and Relationship endpoints). */
import { isResourceType, type TypeName } from '../../domain/types.ts';
import { aclEndpointsOf, commonEndpointsOf, feedOf } from '../documents/endpoints.ts';
import { listDocuments, readOneDocument } from '../documents/handlers.ts';
import { deleteMany, updateMany } from '../documents/write/many.ts';
import {
  answerDigested,
  listAt,
  listDeleted,
  listVersions,
  readVersion,
  restoreVersion,
} from '../documents/versions.ts';
import { relationshipEndpointsOf } from '../documents/linked/relationship-endpoints.ts';
import type { Endpoint, RequestContext, Handler } from '../endpoint.ts';
import { collectionOf } from '../../collection/rpc/client.ts';
import type { ListPage } from '../../collection/rpc/results.ts';
import { typesOf } from '../../collection/rpc/maintenance/applications.ts';
import { inTurns } from '../in-turns.ts';
import { pathOfType } from '../../domain/addresses/paths.ts';
import { LIMITS } from '../../domain/limits.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { isRestricted } from '../../domain/rules.ts';
import { listPageOf, pageLinks, type ListedPage } from '../documents/answer/paging.ts';

/** The list of types is always the same one, in the same order: all, by name. */
const LISTED: ListedPage = { condition: '', sort: [] };

/** A type that the caller may list. */
interface Listable {
  readonly name: TypeName;
  /** Whether the caller may see every document of it. */
  readonly isWhole: boolean;
}

/**
 * `GET /resources`: the types of documents that the key may list, by name. Names are those of the registry, so a page
 * that counts nothing wakes no other object; a count is told only where neither rights nor rules decide what is seen.
 */
const listTypes: Handler = async (context) => {
  const page = await listPageOf(context, LISTED);
  if (!page.ok) return page;
  const listable = await listableTypes(context);
  if (!listable.ok) return listable;
  const all = listable.value;
  const { counted = true, limit } = page.value;
  const start = startOf(page.value, all);
  const types = await withCounts(context, all.slice(start, start + limit), counted);
  const more = start + limit < all.length;
  const extent = {
    total: counted ? all.length : null,
    more,
    next: types.at(-1)?.name ?? null,
    documents: types,
  };
  const links = await pageLinks(context, LISTED, extent);
  const meta = { ...(counted && { count: all.length }), types };
  // No counter covers several types.
  return answerDigested(context, [context.application, meta], { meta, links });
};

/** The types whose collections the key and the user may GET, by name. */
async function listableTypes(context: RequestContext): Promise<Outcome<readonly Listable[]>> {
  const listable: Listable[] = [];
  const names = (await typesOf(context, LIMITS.typesListed)).filter(isResourceType);
  for (const name of names.toSorted()) {
    const principal = context.access.viewerOf(pathOfType(name));
    if (principal === 'exhausted') {
      return fail('forbidden', 'The patterns of the API key take too much work on the paths of all types.', {
        header: 'api-key',
      });
    }
    if (principal !== null) listable.push({ name, isWhole: !isRestricted(principal) });
  }
  return ok(listable);
}

/** The place of the page's first type. */
function startOf(page: ListPage, all: readonly Listable[]): number {
  if ('offset' in page) return page.offset;
  const { after } = page;
  const start = after === null ? 0 : all.findIndex(({ name }) => name > after);
  return start === -1 ? all.length : start;
}

function withCounts(context: RequestContext, types: readonly Listable[], counted: boolean) {
  const isCounted = counted && types.length <= LIMITS.typesCounted;
  return inTurns(types, async ({ name, isWhole }) => {
    if (!isCounted || !isWhole) return { name };
    const { documents } = await collectionOf(context, name).calls.holding();
    return { name, documents };
  });
}

const COLLECTION = '/resources/{type}';
const DOCUMENT = '/resources/{type}/{id}';

const serves = isResourceType;

const { create, list, read, change, remove } = commonEndpointsOf(COLLECTION, 'a document', 'documents', true);

export const RESOURCES: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/resources',
    summary: 'Lists the types of documents that the key may list',
    parameters: ['page'],
    headers: ['If-Match', 'If-None-Match'],
    answers: { 200: 'types of a key', 304: 'unchanged' },
    handle: listTypes,
  },
  { ...create, serves },
  {
    ...list,
    serves,
    parameters: ['filter', 'sort', 'page', 'now', 'fields', 'include', 'deleted', 'at'],
    handle: (context) =>
      (context.query.single.has('deleted')
        ? listDeleted
        : context.query.at !== null
          ? listAt
          : listDocuments)(context),
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
    problems: ['too-many-matches', 'list-too-large', 'update-failed'],
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
    problems: ['rule-violated', 'too-many-matches', 'list-too-large'],
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
    headers: ['If-Match', 'If-None-Match'],
    preferences: ['handling'],
    answers: { 200: 'versions', 304: 'unchanged' },
    problems: ['document-not-found', 'relationship-not-found'],
    handle: listVersions,
  },
  {
    method: 'GET',
    path: `${DOCUMENT}/versions/{number}`,
    serves,
    summary: 'Reads a document as it was in a version',
    parameters: ['fields'],
    headers: ['If-Match', 'If-None-Match'],
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
    headers: ['If-Match', 'If-None-Match', 'Idempotency-Key'],
    preferences: ['return'],
    answers: { 200: 'whole', 204: 'changed' },
    problems: [
      'version-not-found',
      'document-not-found',
      'link-not-found',
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
