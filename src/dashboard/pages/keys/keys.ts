/** API keys: how they are read, made, changed, deleted, and asked what they would decide. */
import { pathOf } from '../../../client/paths.ts';
import type { Link, Resource } from '../../../client/transport.ts';
import type { ErrorObject } from '../../../client/errors.ts';
import type { Json } from '../../../client/values.ts';
import { textOf } from '../../parts/json.ts';
import { documentOf, listOf } from '../../session/answers.ts';
import { ask } from '../../session/service.ts';
import { isObject, permissionsOf, type Permission } from './permissions.ts';

const KEY = 'core.api-key';
/** The secure-id is asked for where somebody wants to see it, and nowhere else. */
const FIELDS = 'name,permissions,quotas';

export interface Key {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** Requests a second; undefined for any number. */
  readonly requests: number | undefined;
  readonly etag: string | undefined;
}

export async function readKeys(signal: AbortSignal): Promise<readonly Key[]> {
  const query = new URLSearchParams({ [`fields[${KEY}]`]: FIELDS, 'page[size]': '1000', sort: 'name' });
  const { body } = await ask('GET', pathOf(KEY), { query: query.toString(), signal });
  return listOf(body).map((document) => keyOf(document, undefined));
}

/** Undefined for one that was deleted. */
export async function readKey(id: string, signal: AbortSignal): Promise<Key | undefined> {
  const query = new URLSearchParams({ [`fields[${KEY}]`]: FIELDS });
  const { body, etag } = await ask('GET', pathOf(KEY, id), { query: query.toString(), signal });
  const document = documentOf(body);
  return document === null ? undefined : keyOf(document, etag);
}

function keyOf({ id, attributes = {} }: Resource, etag: string | undefined): Key {
  const quotas = attributes['quotas'];
  const requests = isObject(quotas) ? quotas['requests'] : undefined;
  return {
    id,
    name: textOf(attributes['name']),
    permissions: permissionsOf(attributes['permissions']),
    requests: typeof requests === 'number' ? requests : undefined,
    etag,
  };
}

/** The id of the new key, and what goes into the header `api-key`. */
export async function createKey(
  name: string,
  permissions: readonly Permission[],
): Promise<{ readonly id: string; readonly secureId: string }> {
  const data = { type: KEY, attributes: { name, permissions } };
  const { body } = await ask('POST', pathOf(KEY), { body: { data } });
  const document = documentOf(body);
  return { id: document?.id ?? '', secureId: textOf(document?.attributes?.['secure-id']) };
}

export async function readSecureId(id: string): Promise<string> {
  const query = new URLSearchParams({ [`fields[${KEY}]`]: 'secure-id' });
  const { body } = await ask('GET', pathOf(KEY, id), { query: query.toString() });
  return textOf(documentOf(body)?.attributes?.['secure-id']);
}

export type Draft = Pick<Key, 'name' | 'permissions' | 'requests'>;

/** Saves a key, only if it is as it was read. */
export async function saveKey({ id, etag, ...before }: Key, draft: Draft): Promise<void> {
  const { name, permissions, requests } = draft;
  const quotas: Json = requests === undefined ? {} : { requests };
  const attributes = { name, permissions, ...(requests !== before.requests && { quotas }) };
  const data = { type: KEY, id, attributes };
  await ask('PATCH', pathOf(KEY, id), { body: { data }, headers: { 'if-match': etag } });
}

export async function deleteKey(id: string): Promise<void> {
  await ask('DELETE', pathOf(KEY, id));
}

export interface Question {
  readonly method: string;
  readonly path: string;
  readonly user: Link | null;
}

/** What the service answers (docs/api-keys.md, What a key decides). */
export interface Decision {
  readonly admitted: boolean;
  readonly acl: boolean;
  readonly paths: readonly {
    readonly path: string;
    readonly permission: number | null;
    readonly passed: readonly ('method' | 'path' | 'token' | 'endpoint-access-list')[];
  }[];
  readonly document: {
    readonly type: string;
    readonly id: string;
    readonly right: string;
    readonly granted: boolean | null;
  } | null;
  readonly errors: readonly ErrorObject[];
}

/** Asks what the key would decide if it had these permissions. */
export async function readDecision(
  id: string,
  question: Question,
  permissions: readonly Permission[],
): Promise<Decision> {
  const data = { type: KEY, id, attributes: { permissions } };
  const { body } = await ask('POST', pathOf(KEY, id, 'decision'), { body: { data, meta: question } });
  // The answer of the service's own endpoint.
  return body.meta as unknown as Decision;
}
