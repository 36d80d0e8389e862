/** Who may do what with a document: its ACL and the ACL of that, as one table of identities. */
import { pathOf } from '../../../../client/paths.ts';
import type { Link } from '../../../../client/transport.ts';
import type { Json } from '../../../../client/values.ts';
import { documentOf } from '../../../session/answers.ts';
import { ask } from '../../../session/service.ts';
import { keyOfLink } from '../related/names.ts';
import { isItems, isMembers } from '../values/kinds.ts';

/** Who has a right: everybody, or these. */
export type Holders = '*' | readonly Link[];

/** The five rights, where each is stored, and its words. */
export const RIGHTS = [
  { acl: '.acl', right: 'read', words: 'Read' },
  { acl: '.acl', right: 'update', words: 'Change' },
  { acl: '.acl', right: 'delete', words: 'Delete' },
  { acl: '.acl.acl', right: 'read', words: 'See rights' },
  { acl: '.acl.acl', right: 'update', words: 'Change rights' },
] as const;
export type Right = (typeof RIGHTS)[number];

/** One of the two ACLs as it was read. */
interface Acl {
  readonly etag: string | undefined;
  readonly holders: Readonly<Record<string, Holders>>;
}
export type Acls = Readonly<Record<Right['acl'], Acl>>;

export async function readAcls(type: string, id: string, signal?: AbortSignal): Promise<Acls> {
  const [first, second] = await Promise.all([
    readAcl(`${type}.acl`, id, signal),
    readAcl(`${type}.acl.acl`, id, signal),
  ]);
  return { '.acl': first, '.acl.acl': second };
}

async function readAcl(type: string, id: string, signal?: AbortSignal): Promise<Acl> {
  const { body, etag } = await ask('GET', pathOf(type, id), { signal });
  const attributes = Object.entries(documentOf(body)?.attributes ?? {});
  return { etag, holders: Object.fromEntries(attributes.map(([right, json]) => [right, holdersOf(json)])) };
}

function holdersOf(json: Json): Holders {
  if (json === '*') return '*';
  return isItems(json) ? json.flatMap((each) => linkOf(each) ?? []) : [];
}

function linkOf(json: Json): Link | undefined {
  const { type, id } = isMembers(json) ? json : {};
  return typeof type === 'string' && typeof id === 'string' ? { type, id } : undefined;
}

/** Saves who has one right, on the state that was read. */
export async function saveRight(
  type: string,
  id: string,
  { acl, right }: Right,
  holders: Holders,
  etag: string | undefined,
): Promise<void> {
  const data = { type: type + acl, id, attributes: { [right]: holders } };
  await ask('PATCH', pathOf(type + acl, id), { body: { data }, headers: { 'if-match': etag } });
}

export function holdersIn(acls: Acls, { acl, right }: Right): Holders {
  return acls[acl].holders[right] ?? [];
}

/** The same with others in one right: what is shown while it is saved. */
export function withHolders(acls: Acls, { acl, right }: Right, holders: Holders): Acls {
  const { etag, holders: before } = acls[acl];
  return { ...acls, [acl]: { etag, holders: { ...before, [right]: holders } } };
}

/** Everybody who is named anywhere, in the order of their first right. */
export function identitiesOf(acls: Acls): readonly Link[] {
  const all = RIGHTS.flatMap((right) => {
    const holders = holdersIn(acls, right);
    return holders === '*' ? [] : holders;
  });
  return [...new Map(all.map((link) => [keyOfLink(link), link])).values()];
}

export function holds(holders: Holders, link: Link): boolean {
  return holders === '*' || holders.some((each) => keyOfLink(each) === keyOfLink(link));
}

export function withHolder(holders: Holders, link: Link, may: boolean): Holders {
  if (holders === '*') return holders;
  const others = holders.filter((each) => keyOfLink(each) !== keyOfLink(link));
  return may ? [...others, link] : others;
}
