/** The whole table of endpoints: what the service answers to, in the order of the specification. */
import { createApplication, deleteApplication } from './applications/handlers.ts';
import { isStoredType } from '../domain/documents.ts';
import { aclEndpointsOf, endpointsOf } from './documents/endpoints.ts';
import { pathOfType } from './documents/kind.ts';
import type { Endpoint, Handler, Method } from './endpoint.ts';
import { RESOURCES } from './resources/endpoints.ts';
import { USERS } from './users/endpoints.ts';

const API_KEYS = endpointsOf({
  path: '/api-keys/core.api-key',
  one: 'an API key',
  many: 'API keys',
  ready: true,
});
const SCHEMAS = endpointsOf({ path: '/schemas/core.schema', one: 'a schema', many: 'schemas', ready: true });

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

/** The ACLs of the service's own documents; those of resources stand with the resources. */
const ACLS = ['/users', '/api-keys', '/schemas', '/aggregates'].flatMap((module) =>
  aclEndpointsOf(module, (type) => pathOfType(type) === `${module}/${type}` && isStoredType(type)),
);

export const ENDPOINTS: readonly Endpoint[] = [
  ...RESOURCES,
  ...USERS,
  ...API_KEYS,
  ...SCHEMAS,
  ...AGGREGATES,
  ...ACLS,
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
