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

/** The ACLs of a module's documents, where they are the service's own; those of resources stand with the resources. */
function aclsOf(module: string): readonly Endpoint[] {
  return aclEndpointsOf(module, (type) => pathOfType(type) === `${module}/${type}` && isStoredType(type));
}

/** The endpoints of each module: their paths begin with its name. */
export const MODULES = {
  resources: RESOURCES,
  operations: OPERATIONS,
  users: [...USERS, ...aclsOf('/users')],
  apiKeys: [...API_KEYS, ...aclsOf('/api-keys')],
  schemas: [...SCHEMAS, ...aclsOf('/schemas')],
  aggregates: [...AGGREGATES, ...aclsOf('/aggregates')],
  applications: [...APPLICATIONS, KEYS_OF_APPLICATIONS],
} satisfies Readonly<Record<string, readonly Endpoint[]>>;

export const ENDPOINTS: readonly Endpoint[] = Object.values<readonly Endpoint[]>(MODULES).flat();
