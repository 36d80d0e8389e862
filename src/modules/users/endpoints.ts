/** The endpoints of users, groups, external users and their tokens (spec, Users module). */
import { pathOfType } from '../../domain/addresses/paths.ts';
import { CORE, OWN_DATA, SESSION } from '../../domain/types.ts';
import { allEndpointsOf, endpointsOf, feedOf, READ_OR_REMOVE } from '../documents/endpoints.ts';
import { relationshipReadsOf } from '../documents/linked/relationship-endpoints.ts';
import type { Endpoint, Handler } from '../endpoint.ts';
import { ACCOUNTS } from './accounts/endpoints.ts';
import { createUser, updateUser } from './accounts/sign-up.ts';
import { loginExternalUser, loginUser, logOut } from './login.ts';
import { listOwnData } from './own-data.ts';
import { endOtherSessions, listSessions } from './sessions.ts';

/** What sets a password may have to wait for its turn. */
const hashing = (handle: Handler) => ({ problems: ['too-many-requests'] as const, handle });

const followed = true;
const but = { create: hashing(createUser), change: hashing(updateUser) };

const ONES: readonly Parameters<typeof allEndpointsOf>[] = [
  [pathOfType(CORE.user), 'a user', 'users', { followed, but }],
  [pathOfType(CORE.userGroup), 'a user group', 'user groups', { followed }],
  [pathOfType(CORE.externalUser), 'an external user', 'external users', { followed }],
];

const TOKENS = pathOfType(CORE.userToken);
const EXTERNAL_TOKENS = pathOfType(CORE.externalUserToken);

export const USERS: readonly Endpoint[] = [
  ...ONES.flatMap((type) => allEndpointsOf(...type)),
  ...ONES.map(([path, , many]) => feedOf(path, many)),
  {
    method: 'POST',
    path: TOKENS,
    summary:
      'Logs a user in: `Authorization: Basic <base64 of username:password>`, or `Refresh <refresh token>`',
    logins: ['password', 'refresh'],
    preferences: ['cookie'],
    answers: { 201: 'token' },
    problems: ['invalid-login', 'rule-violated', 'second-factor-required', 'too-many-requests'],
    handle: loginUser,
  },
  {
    method: 'DELETE',
    path: `${TOKENS}/{id}`,
    summary: 'Logs a user out',
    preferences: ['cookie'],
    headers: ['If-Match', 'If-None-Match'],
    answers: { 204: 'ended' },
    problems: ['document-not-found'],
    handle: logOut,
  },
  ...relationshipReadsOf({ document: `${TOKENS}/{id}`, of: 'a user token' }),
  {
    method: 'GET',
    path: `/users/${SESSION}`,
    summary: 'Lists the logins of the user who asks; to a key without ACL, those of a user by `filter[user]`',
    parameters: ['filter'],
    answers: { 200: 'sessions' },
    handle: listSessions,
  },
  {
    method: 'DELETE',
    path: `/users/${SESSION}`,
    summary: 'Ends all other logins of the user who asks',
    answers: { 204: 'ended' },
    handle: endOtherSessions,
  },
  {
    method: 'GET',
    path: `/users/${OWN_DATA}`,
    summary: 'Lists what is stored of the user who asks',
    parameters: ['page'],
    headers: ['If-Match', 'If-None-Match'],
    answers: { 200: 'own data', 304: 'unchanged' },
    handle: listOwnData,
  },
  {
    method: 'POST',
    path: EXTERNAL_TOKENS,
    summary: 'Logs an external user in: `Authorization: External <base64 of id:ID>`, or `Bearer <id token>`',
    logins: ['external-user', 'id-token'],
    answers: { 201: 'token' },
    problems: ['invalid-login', 'rule-violated', 'too-many-requests'],
    handle: loginExternalUser,
  },
  ...endpointsOf(EXTERNAL_TOKENS, 'an external user token', 'external user tokens', { only: READ_OR_REMOVE }),
  ...relationshipReadsOf({ document: `${EXTERNAL_TOKENS}/{id}`, of: 'an external user token' }),
  ...ACCOUNTS,
];
