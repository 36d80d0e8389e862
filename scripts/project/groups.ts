/** Groups that the settings of accounts link to: a file has their names, which are the same everywhere. */
import { isList } from '../../src/client/documents.ts';
import { pathOf, requestKey } from '../../src/client/paths.ts';
import type { Answer, RequestOptions, Resource } from '../../src/client/transport.ts';
import { readId } from '../../src/domain/ids.ts';
import { CORE } from '../../src/domain/types.ts';
import { GROUPS_OF_SETTINGS } from '../../src/domain/accounts/settings.ts';
import { Failure } from '../failure.ts';
import type { Json } from '../json-objects.ts';

/** The target that has the groups. */
interface Asked {
  readonly request: (method: string, path: string, options?: RequestOptions) => Promise<Answer>;
  readonly documents: (path: string, query: string) => AsyncGenerator<{ readonly resource: Resource }>;
}

/** The groups of settings, as their file has them. */
export async function groupNames(remote: Asked, { relationships = {} }: Resource): Promise<Json> {
  const named: Record<string, readonly string[]> = {};
  for (const member of GROUPS_OF_SETTINGS) {
    const { data } = relationships[member] ?? {};
    const ids = isList(data) ? data.map(({ id }) => id) : [];
    if (ids.length === 0) continue;
    const names = await groupsWhere(remote, { id: { $in: ids.map((id) => ({ $oid: id })) } });
    named[member] = ids.map((id) => names.get(id) ?? id);
  }
  return named;
}

/** Members of a file: attributes, and those that name groups. */
export function parted(type: string, members: Json) {
  const isAbout = (member: string) =>
    type === CORE.accountSettings && GROUPS_OF_SETTINGS.some((each) => each === member);
  const all = Object.entries(members);
  return {
    attributes: Object.fromEntries(all.filter(([member]) => !isAbout(member))) as Json,
    groups: all.filter(([member]) => isAbout(member)),
  };
}

export function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** Members as a request sends them. `made` is told the id of each group that was not there, and is now. */
export async function withGroups(remote: Asked, type: string, members: Json, made: (id: string) => void) {
  const { attributes, groups } = parted(type, members);
  const relationships: Record<string, object> = {};
  for (const [member, names] of groups) {
    relationships[member] = { data: await linksTo(remote, isNames(names) ? names : [], made) };
  }
  return { attributes, ...(groups.length > 0 && { relationships }) };
}

async function linksTo(remote: Asked, names: readonly string[], made: (id: string) => void) {
  const links = [];
  for (const name of names) {
    const isId = readId(name) !== undefined;
    const found = await groupsWhere(remote, isId ? { id: { $oid: name } } : { name });
    const ids = [...found.keys()].filter((id) => found.get(id) === name);
    if (ids.length > 1) throw new Failure(`There are ${ids.length} groups of the name ${name}.`);
    if (ids.length === 0 && isId) throw new Failure(`There is no group ${name} that has no name.`);
    const [id = await makeGroup(remote, name, made)] = ids;
    links.push({ type: CORE.userGroup, id });
  }
  return links;
}

async function makeGroup({ request }: Asked, name: string, made: (id: string) => void): Promise<string> {
  const { body } = await request('POST', pathOf(CORE.userGroup), {
    body: { data: { type: CORE.userGroup, attributes: { name } } },
    headers: { 'idempotency-key': requestKey() },
  });
  const { id } = body.data as Resource;
  made(id);
  return id;
}

/** Names by ids; a group without a name goes by its id. */
async function groupsWhere(remote: Asked, filter: object): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const query = new URLSearchParams({ 'filter[*]': JSON.stringify(filter), 'page[after]': '' }).toString();
  for await (const { resource } of remote.documents(pathOf(CORE.userGroup), query)) {
    const name = resource.attributes?.['name'];
    names.set(resource.id, typeof name === 'string' && name !== '' ? name : resource.id);
  }
  return names;
}
