/** The endpoints of files: those of any type, but a create takes the content, and it is below each document. */
import { pathOfType } from '../../domain/addresses/paths.ts';
import { CORE } from '../../domain/types.ts';
import { allEndpointsOf, feedOf } from '../documents/endpoints.ts';
import { CONTENT_HEADERS, SIZE_MEMBERS } from '../contents/parameters.ts';
import type { Endpoint } from '../endpoint.ts';
import { createFile, readContent } from './handlers.ts';
import { listFiles, makeLink } from './links.ts';
import { beginUpload, continueUpload, endUpload, lookAtUpload, UPLOADS_PATH } from './resumable.ts';

const PATH = pathOfType(CORE.file);

const MAKING = [
  'not-configured',
  'precondition-failed',
  'body-too-large',
  'unsupported-media-type',
  'field-not-permitted',
] as const;

/** The list of any type, also with links to contents; the create, with a content in the place of a document. */
const WITH_CONTENTS = {
  list: {
    parameters: [
      ...(['filter', 'sort', 'page', 'now', 'fields', 'include', 'until', 'download'] as const),
      ...SIZE_MEMBERS,
    ],
    problems: ['not-configured'],
    handle: listFiles,
  },
  create: {
    summary: 'Stores a file: the body is its content',
    body: 'content',
    content: 'body',
    headers: ['Content-Disposition', 'Content-Digest'],
    problems: ['not-configured', 'length-required', 'digest-differs'],
    handle: createFile,
  },
} as const;

/** Uploads in several requests. */
const UPLOADS: readonly Endpoint[] = [
  {
    method: 'POST',
    path: UPLOADS_PATH,
    summary: 'Begins an upload that may be continued, by tus 1.0',
    content: 'stream',
    headers: ['Tus-Resumable', 'Upload-Length', 'Upload-Metadata'],
    answers: { 201: 'upload' },
    problems: MAKING,
    handle: beginUpload,
  },
  {
    method: 'GET',
    path: `${UPLOADS_PATH}/{id}`,
    summary: 'Tells how far an upload has come',
    content: 'stream',
    answers: { 204: 'upload offset' },
    problems: ['not-configured'],
    handle: lookAtUpload,
  },
  {
    method: 'PATCH',
    path: `${UPLOADS_PATH}/{id}`,
    summary: 'Continues an upload: its last bytes make the document of the file, of the same id',
    body: 'bytes',
    content: 'stream',
    headers: ['Tus-Resumable', 'Upload-Offset', 'Upload-Checksum'],
    answers: { 204: 'upload offset' },
    problems: [...MAKING, 'offset-conflict', 'checksum-differs'],
    handle: continueUpload,
  },
  {
    method: 'DELETE',
    path: `${UPLOADS_PATH}/{id}`,
    summary: 'Ends an upload that is not whole',
    content: 'stream',
    headers: ['Tus-Resumable'],
    answers: { 204: 'ended upload' },
    problems: ['not-configured', 'precondition-failed'],
    handle: endUpload,
  },
];

export const FILES: readonly Endpoint[] = [
  ...UPLOADS,
  // Before relationships, of which none has this name.
  {
    method: 'GET',
    path: `${PATH}/{id}/content`,
    summary: 'Reads the content of a file, or a part of it',
    content: 'answer',
    parameters: ['download', ...SIZE_MEMBERS],
    headers: CONTENT_HEADERS,
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
  ...allEndpointsOf(PATH, 'a file', 'files', { followed: true, but: WITH_CONTENTS }),
  feedOf(PATH, 'files'),
];
