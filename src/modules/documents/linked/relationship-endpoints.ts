/**
 * The endpoints of relationships, the same for every type whose documents may have some (spec, Relationship endpoints).
 */
import type { Endpoint } from '../../endpoint.ts';
import {
  addToRelationship,
  readRelated,
  readRelationship,
  removeFromRelationship,
  replaceRelationship,
} from './relationships.ts';

/** Where the documents are. */
export type Owners = Pick<Endpoint, 'serves'> & {
  /** The path of a document: it ends in `{id}`. */
  readonly document: string;
  /** As in "Reads a relationship of an API key"; empty if it is obvious. */
  readonly of?: string;
};

/** GET, PATCH, POST and DELETE of a relationship, and GET of the related documents. */
export function relationshipEndpointsOf(owners: Owners): readonly Endpoint[] {
  const { path, common, of } = placed(owners);
  const [readLinks, readDocuments] = relationshipReadsOf(owners);
  return [
    readLinks,
    {
      ...common,
      method: 'PATCH',
      path,
      summary: `Replaces a relationship${of}`,
      headers: ['If-Match'],
      preferences: ['return'],
      body: 'linkage',
      answers: CHANGED,
      problems: ['document-not-found'],
      handle: replaceRelationship,
    },
    {
      ...common,
      method: 'POST',
      path,
      summary: `Appends links to a relationship${of}`,
      headers: ['If-Match', 'Idempotency-Key'],
      preferences: ['return'],
      body: 'links',
      answers: CHANGED,
      problems: ['document-not-found'],
      handle: addToRelationship,
    },
    {
      ...common,
      method: 'DELETE',
      path,
      summary: `Removes links from a relationship${of}`,
      headers: ['If-Match'],
      preferences: ['return'],
      body: 'links',
      answers: CHANGED,
      problems: ['document-not-found', 'relationship-not-found'],
      handle: removeFromRelationship,
    },
    readDocuments,
  ];
}

/** Only the two reads, for documents that clients cannot change. */
export function relationshipReadsOf(owners: Owners): readonly [links: Endpoint, documents: Endpoint] {
  const { path, common, of } = placed(owners);
  const problems = ['document-not-found', 'relationship-not-found'] as const;
  return [
    {
      ...common,
      method: 'GET',
      path,
      summary: `Reads a relationship${of}`,
      parameters: ['filter', 'sort', 'page'],
      headers: ['If-None-Match'],
      preferences: ['handling'],
      answers: { 200: 'relationship', 304: 'unchanged' },
      problems,
      handle: readRelationship,
    },
    {
      ...common,
      method: 'GET',
      path: `${owners.document}/{name}`,
      summary: `Reads the documents a relationship${of} leads to`,
      parameters: ['filter', 'sort', 'page', 'fields', 'include'],
      headers: ['If-None-Match'],
      preferences: ['handling'],
      answers: { 200: 'related', 304: 'unchanged' },
      problems,
      handle: readRelated,
    },
  ];
}

const CHANGED = { 200: 'new relationship', 204: 'changed relationship' } as const;

function placed({ document, of, serves }: Owners) {
  return {
    path: `${document}/relationships/{name}`,
    of: of === undefined ? '' : ` of ${of}`,
    common: serves && { serves },
  };
}
