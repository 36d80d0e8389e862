/** Users and external users: how they are found, made, changed and logged out. */
import { pathOf } from '../../../client/paths.ts';
import type { Link, Resource } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { documentOf, listOf } from '../../session/answers.ts';
import { application, isOperator } from '../../session/credentials.ts';
import { ask, askAsOperator, pathOfApplications } from '../../session/service.ts';

export const USER = 'core.user';
export const EXTERNAL_USER = 'core.external-user';
export const GROUP = 'core.user-group';
const EXTERNAL_TOKEN = 'core.external-user.token';

export type PersonType = typeof USER | typeof EXTERNAL_USER;

export const PERSON_TYPES: readonly (readonly [PersonType, string])[] = [
  [USER, 'Users'],
  [EXTERNAL_USER, 'External users'],
];

type Attributes = Readonly<Record<string, Json>>;

/** How many a page has. */
const SIZE = 50;
const ID = /^[0-9a-f]{24}$/i;
/** What people and groups are called by. */
const CALLED = ['username', 'name', 'email'] as const;

export interface PageOf {
  readonly documents: readonly Resource[];
  readonly count: number | undefined;
  /** The cursor of the next page. */
  readonly next: string | undefined;
}

/** A page of a type, by a part of a name or by an id; `after` is '' for the first one. */
export async function readPage(
  type: string,
  text: string,
  after: string,
  signal: AbortSignal,
): Promise<PageOf> {
  const query = new URLSearchParams({ 'page[size]': String(SIZE), 'page[after]': after });
  if (text !== '') query.set('filter[*]', JSON.stringify(filterOf(text)));
  // The members of a group may be thousands.
  if (type === GROUP) query.set(`fields[${type}]`, 'name');
  return pageOf(pathOf(type), query, signal);
}

/** A page of what a path lists. */
export async function pageOf(path: string, query: URLSearchParams, signal: AbortSignal): Promise<PageOf> {
  const { body } = await ask('GET', path, { query: query.toString(), signal });
  const next = body.links?.next ?? null;
  return {
    documents: listOf(body),
    count: body.meta?.count,
    next: next === null ? undefined : (new URL(next).searchParams.get('page[after]') ?? undefined),
  };
}

function filterOf(text: string) {
  if (ID.test(text)) return { id: { $oid: text } };
  const $regex = text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
  return { $or: CALLED.map((name) => ({ [name]: { $regex, $options: 'i' } })) };
}

/** A document with the tag that a change of it needs. Undefined for one that was deleted. */
export interface Current {
  readonly document: Resource;
  readonly etag: string | undefined;
}

export async function readCurrent(
  type: string,
  id: string,
  signal?: AbortSignal,
): Promise<Current | undefined> {
  const query = type === GROUP ? new URLSearchParams({ [`fields[${type}]`]: 'name' }).toString() : '';
  const { body, etag } = await ask('GET', pathOf(type, id), { query, signal });
  const document = documentOf(body);
  return document === null ? undefined : { document, etag };
}

export async function create(
  type: string,
  attributes: Attributes,
  links?: Readonly<Record<string, readonly Link[]>>,
): Promise<Resource> {
  const relationships = Object.entries(links ?? {}).map(([name, data]) => [name, { data }]);
  const { body } = await ask('POST', pathOf(type), {
    body: {
      data: {
        type,
        attributes,
        ...(relationships.length > 0 && { relationships: Object.fromEntries(relationships) as unknown }),
      },
    },
  });
  const made = documentOf(body);
  if (made === null) throw new Error('The service has not shown what it made.');
  return made;
}

/**
 * Replaces attributes, and removes those that `before` has and `attributes` has not. Only if the document is as the tag
 * says.
 */
export async function change(
  { document: { type, id }, etag }: Current,
  attributes: Attributes,
  removed: readonly string[] = [],
): Promise<void> {
  const update = { $unset: Object.fromEntries(removed.map((name) => [name, true])) };
  const data = { type, id, attributes, ...(removed.length > 0 && { meta: { update } }) };
  await ask('PATCH', pathOf(type, id), { body: { data }, headers: { 'if-match': etag } });
}

export async function remove({ type, id }: Link): Promise<void> {
  await ask('DELETE', pathOf(type, id));
}

/** Any change of a user ends all tokens of theirs; the operator has an endpoint for that. */
export async function endAllTokens({ type, id }: Link): Promise<void> {
  const open = application.value;
  if (isOperator.value && open !== undefined) {
    await askAsOperator('DELETE', pathOfApplications(open.id, 'users', type, id, 'tokens'));
    return;
  }
  await ask('PATCH', pathOf(type, id), { body: { data: { type, id } } });
}

/** The groups that have somebody among their members. */
export async function groupsOf({ id }: Link, signal: AbortSignal): Promise<readonly Resource[]> {
  const query = new URLSearchParams({
    'filter[users.id]': JSON.stringify({ $oid: id }),
    [`fields[${GROUP}]`]: 'name',
    'page[size]': '1000',
  });
  return listOf((await ask('GET', pathOf(GROUP), { query: query.toString(), signal })).body);
}

export async function addToGroup(group: string, member: Link): Promise<void> {
  await ask('POST', pathOf(GROUP, group, 'relationships', 'users'), { body: { data: [member] } });
}

export async function removeFromGroup(group: string, member: Link): Promise<void> {
  await ask('DELETE', pathOf(GROUP, group, 'relationships', 'users'), { body: { data: [member] } });
}

/** The tokens of an external user. What they are worth is not asked for: no page shows it. */
export async function tokensOf({ id }: Link, signal: AbortSignal): Promise<readonly Resource[]> {
  const query = new URLSearchParams({
    'filter[user.id]': JSON.stringify({ $oid: id }),
    [`fields[${EXTERNAL_TOKEN}]`]: 'created',
    sort: '-created',
    'page[size]': '1000',
  });
  return listOf((await ask('GET', pathOf(EXTERNAL_TOKEN), { query: query.toString(), signal })).body);
}
