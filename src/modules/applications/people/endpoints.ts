/** The operator's endpoints for the users of an application, and for its documents in bulk. */
import { pathOfType } from '../../../domain/addresses/paths.ts';
import { CORE, isResourceType } from '../../../domain/types.ts';
import { isHolderType } from '../../../domain/types/facts.ts';
import type { Endpoint } from '../../endpoint.ts';
import { erasePerson, readTraces } from './person.ts';
import { collectionOf } from '../../../collection/rpc/client.ts';
import { ok } from '../../../domain/problems.ts';
import { listDocuments } from '../../documents/handlers.ts';
import { deleteMany } from '../../documents/write/many.ts';
import { within } from '../transfer/types.ts';

const listInside = within(listDocuments);
const deleteManyInside = within(deleteMany);

const endTokens = within(async (inside) => {
  const { type, user } = inside.parameters;
  const ended = await collectionOf(inside, type).calls.endTokensOf(user);
  return ended.ok ? ok({ status: 204 }) : ended;
});

const APPLICATION = `${pathOfType(CORE.application)}/{id}`;
const USERS = `${APPLICATION}/users/{type}`;
const RESOURCES = `${APPLICATION}/resources/{type}`;

const LIST = {
  method: 'GET',
  parameters: ['filter', 'sort', 'page', 'fields'],
  headers: ['If-Match', 'If-None-Match'],
  answers: { 200: 'list', 304: 'unchanged' },
  problems: ['document-not-found'],
  handle: listInside,
} as const satisfies Partial<Endpoint>;

const OF_USER = {
  serves: isHolderType,
  problems: ['document-not-found'],
} as const satisfies Partial<Endpoint>;

export const PEOPLE: readonly Endpoint[] = [
  { ...LIST, path: USERS, serves: isHolderType, summary: 'Lists users of the application' },
  {
    ...OF_USER,
    method: 'DELETE',
    path: `${USERS}/{user}/tokens`,
    summary: 'Ends all tokens of a user',
    answers: { 204: 'ended' },
    handle: endTokens,
  },
  {
    ...OF_USER,
    method: 'GET',
    path: `${USERS}/{user}/data`,
    summary: 'Counts the documents that belong to a user, and the others that name the user',
    answers: { 200: 'traces' },
    handle: readTraces,
  },
  {
    ...OF_USER,
    method: 'DELETE',
    path: `${USERS}/{user}/data`,
    summary:
      'Erases a user with all that is theirs, and their name in the rest; to be repeated while there is more',
    answers: { 200: 'erased' },
    handle: erasePerson,
  },
  { ...LIST, path: RESOURCES, serves: isResourceType, summary: 'Lists documents of the application' },
  {
    method: 'DELETE',
    path: RESOURCES,
    serves: isResourceType,
    summary: 'Deletes every document of the application that a filter finds, all or none',
    parameters: ['filter'],
    body: 'delete many',
    answers: { 200: 'count of deleted' },
    problems: ['document-not-found', 'too-many-matches', 'list-too-large'],
    handle: deleteManyInside,
  },
];
