/** Endpoints that several modules share: those of a collection of one fixed type. */
import { audienceOf, type Endpoint } from '../endpoint.ts';
import { aclTarget } from '../../domain/addresses/paths.ts';
import { readAcl, updateAcl } from './rights/acl.ts';
import { createDocument } from './write/creating.ts';
import { deleteDocument, listDocuments, readOneDocument, updateDocument } from './handlers.ts';
import { listChanges } from './feed/changes.ts';
import { relationshipEndpointsOf } from './linked/relationship-endpoints.ts';

/** The feed of a type (docs/live.md). */
export function feedOf(path: string, many: string): Endpoint {
  return {
    method: 'GET',
    path: `${path}/changes`,
    summary: `Lists the ${many} that have changed since a mark, and those that are gone`,
    parameters: ['filter', 'size', 'changes', 'fields', 'include'],
    headers: ['If-Match', 'If-None-Match', 'Last-Event-ID', 'Sec-WebSocket-Protocol'],
    preferences: ['handling'],
    streams: true,
    answers: { 101: 'socket', 200: 'changes', 304: 'unchanged' },
    problems: ['mark-expired', 'too-many-requests', 'storage-full'],
    handle: listChanges,
  };
}

/** The endpoints of a type, by what they do. */
const VERBS = ['create', 'list', 'read', 'change', 'remove'] as const;
type Verb = (typeof VERBS)[number];

/** Of what the service alone makes. */
export const READ_OR_REMOVE = ['list', 'read', 'remove'] as const;

/** How the endpoints of a type differ from those of others. */
interface Differences {
  /** Whether it has a feed of changes. */
  readonly followed?: boolean;
  /** Those that it has, if not all. */
  readonly only?: readonly Verb[];
  /** What is otherwise; problems are beside those of every type. */
  readonly but?: Readonly<Partial<Record<Verb, Partial<Endpoint>>>>;
}

/** All endpoints of one type: of its collection and documents, and of their relationships. */
export function allEndpointsOf(...of: Parameters<typeof endpointsOf>): readonly Endpoint[] {
  const [path, one] = of;
  return [...endpointsOf(...of), ...relationshipEndpointsOf({ document: `${path}/{id}`, of: one })];
}

/** POST, GET, GET one, PATCH, DELETE of one type: `one` as in "Creates an API key", `many` as in "Lists API keys". */
export function endpointsOf(
  path: string,
  one: string,
  many: string,
  { followed, only = VERBS, but = {} }: Differences = {},
): readonly Endpoint[] {
  const common = commonEndpointsOf(path, one, many, followed);
  return only.map((verb) => {
    const { problems = [], ...others } = but[verb] ?? {};
    return { ...common[verb], ...others, problems: [...(common[verb].problems ?? []), ...problems] };
  });
}

/** The same by verb, for whoever puts other endpoints between them. */
export function commonEndpointsOf(
  path: string,
  one: string,
  many: string,
  followed = false,
): Readonly<Record<Verb, Endpoint>> {
  const document = `${path}/{id}`;
  const audience = audienceOf({ path });
  // What the operator writes leads nowhere.
  const writing = audience === 'application' ? (['fields', 'include'] as const) : (['fields'] as const);
  return {
    create: {
      method: 'POST',
      path,
      summary: `Creates ${one}`,
      parameters: writing,
      // What the operator makes is more than one document.
      ...(audience === 'application' && { headers: ['Idempotency-Key'] as const }),
      // The operator's answer shows the first API key.
      ...(audience === 'application' && { preferences: ['return'] as const }),
      body: 'create',
      answers: { 201: 'created', 204: 'created quietly' },
      problems: ['client-id', 'request-in-progress', 'idempotency-key-reused'],
      handle: createDocument,
    },
    list: {
      method: 'GET',
      path,
      summary: `Lists ${many}`,
      parameters: ['filter', 'sort', 'page', ...(followed ? (['now'] as const) : []), 'fields', 'include'],
      headers: ['If-Match', 'If-None-Match'],
      preferences: ['handling'],
      answers: { 200: 'list', 304: 'unchanged' },
      ...(followed && { problems: ['storage-full'] as const }),
      handle: listDocuments,
    },
    read: {
      method: 'GET',
      path: document,
      summary: `Reads ${one}`,
      parameters: ['fields', 'include'],
      headers: ['If-Match', 'If-None-Match'],
      preferences: ['handling'],
      answers: { 200: 'one or deleted', 304: 'unchanged' },
      problems: ['document-not-found'],
      handle: readOneDocument,
    },
    change: {
      method: 'PATCH',
      path: document,
      summary: `Changes ${one}`,
      parameters: writing,
      headers: ['If-Match', 'If-None-Match'],
      preferences: ['return'],
      body: 'update',
      answers: { 200: 'whole', 204: 'changed' },
      problems: ['document-not-found', 'update-failed'],
      handle: updateDocument,
    },
    remove: {
      method: 'DELETE',
      path: document,
      summary: `Deletes ${one}`,
      headers: ['If-Match', 'If-None-Match'],
      answers: { 200: 'explained', 204: 'deleted' },
      problems: ['document-not-found', 'rule-violated'],
      handle: deleteDocument,
    },
  };
}

/** GET and PATCH of the ACLs of a module's types. `owns` says which types these are. */
export function aclEndpointsOf(module: string, owns: (type: string) => boolean): readonly Endpoint[] {
  const path = `${module}/{type}.acl/{id}`;
  const serves = (type: string): boolean => {
    const target = aclTarget(type);
    return target !== undefined && owns(target.type);
  };
  return [
    {
      method: 'GET',
      path,
      serves,
      summary: 'Reads the rights on a document; with `.acl.acl`, the rights on its rights',
      headers: ['If-Match', 'If-None-Match'],
      answers: { 200: 'rights', 304: 'unchanged' },
      problems: ['document-not-found', 'field-not-permitted'],
      handle: readAcl,
    },
    {
      method: 'PATCH',
      path,
      serves,
      summary: 'Changes the rights on a document; with `.acl.acl`, the rights on its rights',
      headers: ['If-Match', 'If-None-Match'],
      preferences: ['return'],
      body: 'acl',
      answers: { 200: 'new rights', 204: 'changed' },
      problems: ['document-not-found'],
      handle: updateAcl,
    },
  ];
}
