/** The endpoints of users, groups, external users and their tokens (spec, Users module). */
import { pathOfType } from '../../domain/addresses/paths.ts';
import { CORE, SESSION } from '../../domain/types.ts';
import { allEndpointsOf, endpointsOf, feedOf } from '../documents/endpoints.ts';
import { relationshipReadsOf } from '../documents/linked/relationship-endpoints.ts';
import type { Endpoint } from '../endpoint.ts';
import { ACCOUNTS } from './accounts/endpoints.ts';
import { createUser, updateUser } from './accounts/sign-up.ts';
import { loginExternalUser, loginUser, logOut } from './login.ts';
import { endOtherSessions, listSessions } from './sessions.ts';

/** The same for users: what sets a password may have to wait for its turn. */
function hashing(endpoint: Endpoint): Endpoint {
  const { method, path, problems = [] } = endpoint;
  if (path === PATH && method === 'POST')
    return { ...endpoint, problems: [...problems, 'too-many-requests'], handle: createUser };
  if (path === `${PATH}/{id}` && method === 'PATCH')
    return { ...endpoint, problems: [...problems, 'too-many-requests'], handle: updateUser };
  return endpoint;
}

const PATH = pathOfType(CORE.user);

const ONES = [
  { path: pathOfType(CORE.user), one: 'a user', many: 'users' },
  { path: pathOfType(CORE.userGroup), one: 'a user group', many: 'user groups' },
  { path: pathOfType(CORE.externalUser), one: 'an external user', many: 'external users' },
];

const TOKENS = pathOfType(CORE.userToken);
const EXTERNAL_TOKENS = pathOfType(CORE.externalUserToken);

export const USERS: readonly Endpoint[] = [
  ...ONES.flatMap((type) => allEndpointsOf({ ...type, followed: true })).map(hashing),
  ...ONES.map(({ path, many }) => feedOf(path, many)),
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
    headers: ['If-Match'],
    answers: { 204: 'ended' },
    problems: ['document-not-found'],
    handle: logOut,
  },
  ...relationshipReadsOf({ document: `${TOKENS}/{id}`, of: 'a user token' }),
  {
    method: 'GET',
    path: `/users/${SESSION}`,
    summary: 'Lists the logins of the user who asks',
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
    method: 'POST',
    path: EXTERNAL_TOKENS,
    summary: 'Logs an external user in: `Authorization: External <base64 of id:ID>`, or `Bearer <id token>`',
    logins: ['external-user', 'id-token'],
    answers: { 201: 'token' },
    problems: ['invalid-login', 'rule-violated', 'too-many-requests'],
    handle: loginExternalUser,
  },
  ...endpointsOf({
    path: EXTERNAL_TOKENS,
    one: 'an external user token',
    many: 'external user tokens',
  }).filter(({ method }) => method === 'GET' || method === 'DELETE'),
  ...relationshipReadsOf({ document: `${EXTERNAL_TOKENS}/{id}`, of: 'an external user token' }),
  ...ACCOUNTS,
];
