/** The whole table of endpoints: what the service answers to, in the order of the specification. */
import { createApplication, deleteApplication } from './applications/handlers.ts';
import { endpointsOf } from './documents/endpoints.ts';
import type { Endpoint, Handler, Method } from './endpoint.ts';
import { RESOURCES } from './resources/endpoints.ts';

const API_KEYS = endpointsOf({
  path: '/api-keys/core.api-key',
  one: 'an API key',
  many: 'API keys',
  ready: true,
});
const SCHEMAS = endpointsOf({ path: '/schemas/core.schema', one: 'a schema', many: 'schemas', ready: false });

const USERS = [
  { path: '/users/core.user', one: 'a user', many: 'users' },
  { path: '/users/core.user-group', one: 'a user group', many: 'user groups' },
  { path: '/users/core.external-user', one: 'an external user', many: 'external users' },
  { path: '/users/core.external-user.token', one: 'an external user token', many: 'external user tokens' },
]
  .flatMap((type) => endpointsOf({ ...type, ready: false }))
  .filter(({ method, path }) => !(path.startsWith('/users/core.external-user.token') && method === 'PATCH'));

const USER_TOKENS: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/users/core.user.token',
    summary: 'Logs a user in',
    answers: { 201: 'the token document' },
    handle: null,
  },
  {
    method: 'DELETE',
    path: '/users/core.user.token/{id}',
    summary: 'Logs a user out',
    answers: { 204: 'the token has ended' },
    handle: null,
  },
];

const AGGREGATES: readonly Endpoint[] = [
  ...endpointsOf({
    path: '/aggregates/core.aggregate',
    one: 'an aggregate definition',
    many: 'aggregate definitions',
    ready: false,
  }),
  planned('/aggregates/{type}', 'Lists the documents of an aggregate'),
  planned('/aggregates/{type}/{id}', 'Reads a document of an aggregate'),
  planned('/aggregates/{type}/{id}/relationships/{name}', 'Reads a relationship of an aggregate document'),
  planned('/aggregates/{type}/{id}/{name}', 'Reads the documents a relationship of an aggregate leads to'),
];

/** The operator's endpoints differ from the common ones where an application is more than its document. */
const APPLICATION_HANDLERS: Partial<Record<Method, Handler>> = {
  POST: createApplication,
  DELETE: deleteApplication,
};

const APPLICATIONS = endpointsOf({
  path: '/applications/core.application',
  one: 'an application',
  many: 'applications',
  audience: 'operator',
  ready: true,
}).map((endpoint): Endpoint => ({
  ...endpoint,
  handle: APPLICATION_HANDLERS[endpoint.method] ?? endpoint.handle,
}));

export const ENDPOINTS: readonly Endpoint[] = [
  ...RESOURCES,
  ...USERS,
  ...USER_TOKENS,
  ...API_KEYS,
  ...SCHEMAS,
  ...AGGREGATES,
  ...APPLICATIONS,
];

function planned(path: string, summary: string): Endpoint {
  return {
    method: 'GET',
    path,
    summary,
    serves: (type) => type.startsWith('agt.'),
    knowsId: (id) => id !== '',
    answers: { 200: '`{data}`' },
    handle: null,
  };
}
