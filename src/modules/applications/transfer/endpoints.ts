/** The operator's endpoints for exports and imports. */
import { pathOfType } from '../../../domain/addresses/paths.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { CORE } from '../../../domain/types.ts';
import { isLinkable } from '../../../domain/types/facts.ts';
import { CONTENT_HEADERS } from '../../contents/parameters.ts';
import type { Endpoint } from '../../endpoint.ts';
import { contentStored, readOneContent, restoreContents, storesOneContent } from './contents.ts';
import { exportDocuments } from './export.ts';
import { importDocuments } from './import.ts';
import { readFindings } from '../doctor.ts';
import { readRecent } from '../usage/recent.ts';
import { readUsage } from '../usage/handler.ts';
import { readTypes } from './types.ts';

const APPLICATION = `${pathOfType(CORE.application)}/{id}`;

export const TRANSFERS: readonly Endpoint[] = [
  {
    method: 'GET',
    path: `${APPLICATION}/types`,
    summary: 'Lists the types that an application has stored',
    answers: { 200: 'types' },
    problems: ['document-not-found'],
    handle: readTypes,
  },
  {
    method: 'GET',
    path: `${APPLICATION}/findings`,
    summary: 'Lists rules, filters and pipelines that would be refused now, and lost or unknown contents',
    answers: { 200: 'findings' },
    problems: ['document-not-found'],
    handle: readFindings,
  },
  {
    method: 'GET',
    path: `${APPLICATION}/usage`,
    summary: 'Counts the documents, bytes, indexes, requests, errors and rows of an application',
    answers: { 200: 'usage' },
    problems: ['document-not-found'],
    handle: readUsage,
  },
  {
    method: 'GET',
    path: `${APPLICATION}/requests`,
    summary:
      'Lists what this isolate has served of an application: the last requests, the slowest and the errors of the day',
    answers: { 200: 'requests' },
    problems: ['document-not-found'],
    handle: readRecent,
  },
  {
    method: 'GET',
    path: `${APPLICATION}/documents/{type}`,
    summary: 'Exports a page of a type as it was when the first page was read',
    parameters: ['page', 'tokens', 'history'],
    serves: isLinkable,
    lines: 'answer',
    answers: { 200: 'lines' },
    problems: ['document-not-found', 'export-ended'],
    handle: exportDocuments,
  },
  {
    method: 'GET',
    path: `${APPLICATION}/contents/{name}`,
    summary: 'Reads the content of a file of an application, by the id of the file',
    content: 'answer',
    headers: CONTENT_HEADERS,
    answers: { 200: 'content', 206: 'part of content', 304: 'unchanged' },
    problems: ['document-not-found', 'range-not-satisfiable', 'not-configured'],
    handle: readOneContent,
  },
  {
    method: 'POST',
    path: `${APPLICATION}/contents/{name}`,
    summary: 'Stores the content of a file whose document was imported, if it has the digest of that',
    body: 'content',
    content: 'body',
    stores: storesOneContent,
    answers: { 204: 'content stored' },
    problems: ['document-not-found', 'not-configured', 'length-required', 'digest-differs'],
    handle: contentStored,
  },
  {
    method: 'POST',
    path: `${APPLICATION}/contents`,
    summary: 'Brings back contents of restored files from what backups have kept, for some seconds',
    body: 'contents',
    answers: { 200: 'contents' },
    problems: ['document-not-found'],
    handle: restoreContents,
  },
  {
    method: 'POST',
    path: `${APPLICATION}/documents/{type}`,
    summary: 'Imports lines of an export, all or none',
    // The line of the application itself makes it.
    serves: (type) => isLinkable(type) || type === CORE.application,
    body: 'lines',
    lines: 'body',
    bodyLimit: LIMITS.importBody,
    answers: { 200: 'imported' },
    problems: ['document-not-found', 'list-too-large', 'line-refused'],
    handle: importDocuments,
  },
];
