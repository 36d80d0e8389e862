/** The people of the matrices of rights, one for each right, and what each may do to a document. */
import type { Client, Link } from './client.ts';
import { grant, makeExternalUser, makeGroup, makeUser, NOBODY, type Person } from './people.ts';

export const PEOPLE = [
  'nobody',
  'owner',
  'reader',
  'updater',
  'deleter',
  'superReader',
  'superUpdater',
  'member',
  'former',
  'external',
  'other',
] as const;
export type Name = (typeof PEOPLE)[number];

/** What each row's columns mean: the status for each person, in the order of PEOPLE. */
export type Row = readonly [
  title: string,
  method: string,
  path: (id: string) => string,
  body: ((id: string) => unknown) | null,
  statuses: string,
];

/** The people, and a group that `member` is in and `former` was in. */
export async function makeCast(client: Client): Promise<Cast> {
  const users = await Promise.all(
    PEOPLE.map(async (name) => {
      if (name === 'nobody') return [name, NOBODY] as const;
      return [
        name,
        name === 'external' ? await makeExternalUser(client) : await makeUser(client, name),
      ] as const;
    }),
  );
  const people = Object.fromEntries(users) as Record<Name, Person>;
  const group = await makeGroup(client, [people.member, people.former]);
  const stays = { type: group.type, id: group.id, relationships: { users: { data: [people.member.link] } } };
  const left = await client.patch(`/users/core.user-group/${group.id}`, { data: stays });
  if (left.status !== 200) throw new Error(left.text);
  return { people, group };
}

export interface Cast {
  readonly people: Readonly<Record<Name, Person>>;
  readonly group: Link;
}

/** Gives each person the rights of its name on a document. */
export async function share(client: Client, { people, group }: Cast, path: string): Promise<void> {
  const { owner, reader, updater, deleter, superReader, superUpdater, external } = people;
  await grant(
    client,
    path,
    {
      read: [owner.link, reader.link, group, external.link],
      update: [owner.link, updater.link],
      delete: [owner.link, deleter.link],
    },
    { read: [owner.link, superReader.link], update: [owner.link, superUpdater.link] },
  );
}

/** nobody owner reader updater deleter superReader superUpdater member former external other */
export const READ = '401 200 200 403 403 403 403 200 403 200 403';
export const UPDATE = '401 200 403 204 403 403 403 403 403 403 403';
const DELETE = '401 204 403 403 204 403 403 403 403 403 403';
const SUPER_READ = '401 200 403 403 403 200 403 403 403 403 403';
const SUPER_UPDATE = '401 200 403 403 403 403 204 403 403 403 403';

export function rowsOf(base: string, type: string): readonly Row[] {
  const change = (suffix: string, attributes?: object) => (id: string) => ({
    data: { type: `${type}${suffix}`, id, attributes },
  });
  const document = (id: string) => `${base}/${id}`;
  const acl = (suffix: string) => (id: string) => `${base}${suffix}/${id}`;
  return [
    ['read', 'GET', document, null, READ],
    ['read without its body', 'HEAD', document, null, READ],
    ['change', 'PATCH', document, change(''), UPDATE],
    ['read the ACL', 'GET', acl('.acl'), null, SUPER_READ],
    ['change the ACL', 'PATCH', acl('.acl'), change('.acl', {}), SUPER_UPDATE],
    ['read the super ACL', 'GET', acl('.acl.acl'), null, SUPER_READ],
    ['change the super ACL', 'PATCH', acl('.acl.acl'), change('.acl.acl', {}), SUPER_UPDATE],
    ['delete', 'DELETE', document, null, DELETE],
  ];
}
