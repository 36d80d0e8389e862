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
  const change = { ...common, path, ...CHANGE } as const;
  return [
    readLinks,
    {
      ...change,
      method: 'PATCH',
      summary: `Replaces a relationship${of}`,
      body: 'linkage',
      handle: replaceRelationship,
    },
    {
      ...change,
      method: 'POST',
      summary: `Appends links to a relationship${of}`,
      headers: ['If-Match', 'If-None-Match', 'Idempotency-Key'],
      body: 'links',
      handle: addToRelationship,
    },
    {
      ...change,
      method: 'DELETE',
      summary: `Removes links from a relationship${of}`,
      body: 'links',
      problems: ['document-not-found', 'relationship-not-found'],
      handle: removeFromRelationship,
    },
    readDocuments,
  ];
}

/** Only the two reads, for documents that clients cannot change. */
export function relationshipReadsOf(owners: Owners): readonly [links: Endpoint, documents: Endpoint] {
  const { path, common, of } = placed(owners);
  const read = {
    ...common,
    method: 'GET',
    headers: ['If-Match', 'If-None-Match'],
    preferences: ['handling'],
    problems: ['document-not-found', 'relationship-not-found'],
  } as const;
  return [
    {
      ...read,
      path,
      summary: `Reads a relationship${of}`,
      parameters: ['filter', 'sort', 'page'],
      answers: { 200: 'relationship', 304: 'unchanged' },
      handle: readRelationship,
    },
    {
      ...read,
      path: `${owners.document}/{name}`,
      summary: `Reads the documents a relationship${of} leads to`,
      parameters: ['filter', 'sort', 'page', 'fields', 'include'],
      answers: { 200: 'related', 304: 'unchanged' },
      handle: readRelated,
    },
  ];
}

const CHANGE = {
  headers: ['If-Match', 'If-None-Match'],
  preferences: ['return'],
  answers: { 200: 'new relationship', 204: 'changed relationship' },
  problems: ['document-not-found'],
} as const;

function placed({ document, of, serves }: Owners) {
  return {
    path: `${document}/relationships/{name}`,
    of: of === undefined ? '' : ` of ${of}`,
    common: serves && { serves },
  };
}
