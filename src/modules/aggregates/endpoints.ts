/** The endpoints of aggregates: their definitions, and their documents (spec, Aggregates module). */
import { pathOfType } from '../../domain/addresses/paths.ts';
import { CORE, isAggregateType } from '../../domain/types.ts';
import { allEndpointsOf } from '../documents/endpoints.ts';
import type { Endpoint } from '../endpoint.ts';
import { listAggregate, readAggregate, readAggregateRelated, readAggregateRelationship } from './handlers.ts';

const COLLECTION = '/aggregates/{type}';
const DOCUMENT = '/aggregates/{type}/{id}';

/** Every text that a pipeline makes can be an id. */
const OUTPUTS = {
  method: 'GET' as const,
  serves: isAggregateType,
  knowsId: (id: string) => id !== '',
  headers: ['If-Match' as const, 'If-None-Match' as const],
  preferences: ['handling' as const],
};

export const AGGREGATES: readonly Endpoint[] = [
  ...allEndpointsOf(pathOfType(CORE.aggregate), 'an aggregate definition', 'aggregate definitions'),
  {
    ...OUTPUTS,
    path: COLLECTION,
    summary: 'Lists the documents of an aggregate',
    parameters: ['filter', 'sort', 'page', 'fields', 'include', 'parameters'],
    answers: { 200: 'list', 304: 'unchanged' },
    problems: ['pipeline-failed'],
    handle: listAggregate,
  },
  {
    ...OUTPUTS,
    path: DOCUMENT,
    summary: 'Reads a document of an aggregate',
    parameters: ['fields', 'include', 'parameters'],
    answers: { 200: 'one', 304: 'unchanged' },
    problems: ['document-not-found', 'pipeline-failed'],
    handle: readAggregate,
  },
  {
    ...OUTPUTS,
    path: `${DOCUMENT}/relationships/{name}`,
    summary: 'Reads a relationship of an aggregate document',
    parameters: ['parameters'],
    answers: { 200: 'relationship', 304: 'unchanged' },
    problems: ['document-not-found', 'relationship-not-found', 'pipeline-failed'],
    handle: readAggregateRelationship,
  },
  {
    ...OUTPUTS,
    path: `${DOCUMENT}/{name}`,
    summary: 'Reads the documents a relationship of an aggregate leads to',
    parameters: ['filter', 'sort', 'page', 'fields', 'include', 'parameters'],
    answers: { 200: 'related', 304: 'unchanged' },
    problems: ['document-not-found', 'relationship-not-found', 'pipeline-failed'],
    handle: readAggregateRelated,
  },
];
