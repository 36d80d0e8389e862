/** The whole table of endpoints, in the order of the specification. */
import { pathOfType } from '../domain/addresses/paths.ts';
import { CORE } from '../domain/types.ts';
import { typeInfo, isLinkable, type Module } from '../domain/types/facts.ts';
import {
  createApplication,
  createKey,
  deleteApplication,
  endApplication,
  keepApplication,
} from './applications/handlers.ts';
import { BACKUP_ENDPOINTS } from './applications/backups/endpoints.ts';
import { PEOPLE } from './applications/people/endpoints.ts';
import { TRANSFERS } from './applications/transfer/endpoints.ts';
import { AGGREGATES } from './aggregates/endpoints.ts';
import { aclEndpointsOf, allEndpointsOf, endpointsOf } from './documents/endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { FILES } from './files/endpoints.ts';
import { RESOURCES } from './resources/endpoints.ts';
import { USERS } from './users/endpoints.ts';
import { WEBHOOKS } from './webhooks/endpoints.ts';
import { decideRequest } from './api-keys/decision.ts';
import { LIMITS } from '../domain/limits.ts';
import { runOperations } from './operations/handler.ts';

/** The levels around a document that its own request lacks: the list, and the operation in it. */
const LEVELS_AROUND = 2;

/** JSON:API's Atomic Operations extension (https://jsonapi.org/ext/atomic). */
const OPERATIONS: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/operations',
    summary: 'Adds, changes and removes documents, all or none, or as many as can be',
    parameters: ['fields'],
    headers: ['Idempotency-Key'],
    preferences: ['return'],
    body: 'operations',
    extension: 'https://jsonapi.org/ext/atomic',
    bodyLimit: LIMITS.operationsBody,
    bodyDepth: LIMITS.jsonDepth + LEVELS_AROUND,
    answers: { 200: 'results', 204: 'only removed' },
    problems: [
      'list-too-large',
      'invalid-type',
      'client-id',
      'document-not-found',
      'relationship-not-found',
      'precondition-failed',
      'update-failed',
    ],
    handle: runOperations,
  },
];

const KEYS = pathOfType(CORE.apiKey);

const DECISION: Endpoint = {
  method: 'POST',
  path: `${KEYS}/{id}/decision`,
  summary: 'Says whether the key would admit a request, by which permission, or why not',
  body: 'question',
  answers: { 200: 'decision' },
  problems: ['document-not-found'],
  handle: decideRequest,
};

const API_KEYS: readonly Endpoint[] = [
  ...allEndpointsOf(KEYS, 'an API key', 'API keys', { but: { remove: { problems: ['last-api-key'] } } }),
  DECISION,
];

/** The audit trail (docs/audit.md): read by keys that permit it, written by the service alone. */
const AUDIT = endpointsOf(
  pathOfType(CORE.auditEntry),
  'an entry of the audit trail',
  'entries of the audit trail',
  { only: ['list', 'read'] },
);

const SCHEMAS = allEndpointsOf(pathOfType(CORE.schema), 'a schema', 'schemas');

/** What a history may hold back. */
const HELD = { problems: ['history-held'] } as const;

const TYPE_SETTINGS = allEndpointsOf(
  pathOfType(CORE.typeSettings),
  'the settings of a type',
  'settings of types',
  { but: { change: HELD, remove: HELD } },
);

/** Creates an API key from outside of its application, so that no application is ever locked. */
const KEYS_OF_APPLICATIONS: Endpoint = {
  method: 'POST',
  path: `${pathOfType(CORE.application)}/{id}/api-keys`,
  documents: CORE.apiKey,
  summary: 'Creates an API key of the application',
  parameters: ['fields'],
  body: 'create',
  answers: { 201: 'created' },
  problems: ['document-not-found', 'client-id'],
  handle: createKey,
};

/** A deletion that can be undone until its time has come: a resource of its own. */
const DELETION = {
  path: `${pathOfType(CORE.application)}/{id}/deletion`,
  documents: CORE.application,
  headers: ['If-Match', 'If-None-Match'],
  answers: { 200: 'whole' },
  problems: ['document-not-found'],
} as const satisfies Partial<Endpoint>;

const DELETIONS: readonly Endpoint[] = [
  {
    ...DELETION,
    method: 'POST',
    summary: 'Ends an application: its keys are not known any more, and when its grace is over it is deleted',
    problems: ['document-not-found', 'history-held'],
    handle: endApplication,
  },
  {
    ...DELETION,
    method: 'DELETE',
    summary: 'Restores an application whose grace is not over',
    handle: keepApplication,
  },
];

/** An application is more than its document. */
const APPLICATIONS = allEndpointsOf(pathOfType(CORE.application), 'an application', 'applications', {
  but: {
    create: { answers: { 201: 'created application' }, handle: createApplication },
    change: HELD,
    remove: { ...HELD, handle: deleteApplication },
  },
});

/** The ACLs of a module's own types; those of resources are with the resources. */
function aclsOf(module: Module): readonly Endpoint[] {
  return aclEndpointsOf(`/${module}`, (type) => isLinkable(type) && typeInfo(type).module === module);
}

/** The endpoints of each module, by the first segment of their paths. */
export const MODULES = {
  resources: RESOURCES,
  operations: OPERATIONS,
  files: [...FILES, ...aclsOf('files')],
  users: [...USERS, ...aclsOf('users')],
  'api-keys': [...API_KEYS, ...aclsOf('api-keys')],
  schemas: [...SCHEMAS, ...TYPE_SETTINGS, ...aclsOf('schemas')],
  aggregates: [...AGGREGATES, ...aclsOf('aggregates')],
  webhooks: WEBHOOKS,
  audit: AUDIT,
  // Before those that take any name in the place of `types`.
  applications: [
    ...TRANSFERS,
    ...BACKUP_ENDPOINTS,
    ...PEOPLE,
    ...DELETIONS,
    ...APPLICATIONS,
    KEYS_OF_APPLICATIONS,
  ],
} satisfies Readonly<Record<string, readonly Endpoint[]>>;

export const ENDPOINTS: readonly Endpoint[] = Object.values<readonly Endpoint[]>(MODULES).flat();
