/** The whole table of endpoints: what the service answers to, in the order of the specification. */
import { createApplication, createKey, deleteApplication } from './applications/handlers.ts';
import { isStoredType } from '../domain/documents.ts';
import { AGGREGATES } from './aggregates/endpoints.ts';
import { aclEndpointsOf, allEndpointsOf } from './documents/endpoints.ts';
import { pathOfType } from './documents/kind.ts';
import type { Endpoint, Handler, Method } from './endpoint.ts';
import { OPERATIONS } from './operations/endpoints.ts';
import { RESOURCES } from './resources/endpoints.ts';
import { USERS } from './users/endpoints.ts';

const API_KEYS = allEndpointsOf({
  path: '/api-keys/core.api-key',
  one: 'an API key',
  many: 'API keys',
}).map((endpoint): Endpoint =>
  endpoint.method === 'DELETE' && endpoint.path.endsWith('{id}')
    ? { ...endpoint, problems: [...(endpoint.problems ?? []), 'last-api-key'] }
    : endpoint,
);
const SCHEMAS = allEndpointsOf({ path: '/schemas/core.schema', one: 'a schema', many: 'schemas' });

/** The operator's endpoints differ from the common ones where an application is more than its document. */
const APPLICATION_HANDLERS: Partial<Record<Method, Handler>> = {
  POST: createApplication,
  DELETE: deleteApplication,
};

const APPLICATIONS = allEndpointsOf({
  path: '/applications/core.application',
  one: 'an application',
  many: 'applications',
  audience: 'operator',
}).map((endpoint): Endpoint => ({
  ...endpoint,
  handle:
    (endpoint.path.endsWith('{name}') ? undefined : APPLICATION_HANDLERS[endpoint.method]) ?? endpoint.handle,
}));

/** An API key made from outside of its application: with it, no application is ever locked. */
const KEYS_OF_APPLICATIONS: Endpoint = {
  method: 'POST',
  path: '/applications/core.application/{id}/api-keys',
  audience: 'operator',
  summary: 'Creates an API key of the application',
  parameters: ['fields'],
  body: '`{data: {type: "core.api-key", attributes}}`',
  answers: { 201: 'the API key, `Location`, `ETag`' },
  problems: ['document-not-found', 'client-id', 'type-conflict', 'invalid-attribute'],
  handle: createKey,
};

/** The ACLs of the service's own documents; those of resources stand with the resources. */
const ACLS = ['/users', '/api-keys', '/schemas', '/aggregates'].flatMap((module) =>
  aclEndpointsOf(module, (type) => pathOfType(type) === `${module}/${type}` && isStoredType(type)),
);

export const ENDPOINTS: readonly Endpoint[] = [
  ...RESOURCES,
  ...OPERATIONS,
  ...USERS,
  ...API_KEYS,
  ...SCHEMAS,
  ...AGGREGATES,
  ...ACLS,
  ...APPLICATIONS,
  KEYS_OF_APPLICATIONS,
];
