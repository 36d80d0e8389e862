/** The endpoints of files: those of any type, but that a create takes the content, and the content below each document. */
import { pathOfType } from '../../domain/addresses/paths.ts';
import { CORE } from '../../domain/types.ts';
import { allEndpointsOf, feedOf } from '../documents/endpoints.ts';
import type { Endpoint } from '../endpoint.ts';
import { createFile, readContent } from './handlers.ts';
import { makeLink } from './links.ts';

const PATH = pathOfType(CORE.file);

/** The create of any type, with a content in the place of a document. */
function uploading(endpoint: Endpoint): Endpoint {
  if (endpoint.method !== 'POST' || endpoint.path !== PATH) return endpoint;
  return {
    ...endpoint,
    summary: 'Stores a file: the body is its content',
    body: 'content',
    content: 'body',
    headers: ['Content-Disposition', 'Content-Digest'],
    problems: [...(endpoint.problems ?? []), 'not-configured', 'length-required', 'digest-differs'],
    handle: createFile,
  };
}

export const FILES: readonly Endpoint[] = [
  // Before relationships, of which none has this name.
  {
    method: 'GET',
    path: `${PATH}/{id}/content`,
    summary: 'Reads the content of a file, or a part of it',
    content: 'answer',
    parameters: ['download'],
    headers: ['Range', 'If-Range', 'If-None-Match', 'If-Modified-Since'],
    answers: { 200: 'content', 206: 'part of content', 304: 'unchanged' },
    problems: ['document-not-found', 'range-not-satisfiable', 'not-configured'],
    handle: readContent,
  },
  {
    method: 'POST',
    path: `${PATH}/{id}/links`,
    summary: 'Makes a link to the content, which needs no key until it ends',
    body: 'link',
    answers: { 200: 'link' },
    problems: ['document-not-found', 'not-configured'],
    handle: makeLink,
  },
  ...allEndpointsOf({ path: PATH, one: 'a file', many: 'files', followed: true }).map(uploading),
  feedOf(PATH, 'files'),
];
