/** Users, external users and groups for tests of rights: made by a trusted service, each with a token of its own. */
import type { Client, Link, Reply } from './client.ts';

export interface Person {
  readonly link: Link;
  /** Headers that say who is asking; empty for nobody. */
  readonly headers: Readonly<Record<string, string>>;
}

export const PASSWORD = 'a good secret';

export const NOBODY: Person = { link: { type: 'core.user', id: '0'.repeat(24) }, headers: {} };

export const EVERY_METHOD = ['get', 'post', 'patch', 'delete'];

/** Of a permission: whoever comes by it has the rights that ACLs give to users. */
export const ACL = { acl: { active: true } };

/** A permission of a key: methods, with blanks between them, on a path, and what else it says. */
export const may = (methods: string | readonly string[], path: string, rule: object = {}) => ({
  path,
  methods: typeof methods === 'string' ? methods.split(' ') : methods,
  ...rule,
});

/** A client whose key permits everything to users, each with the rights that ACLs give. */
export function underAcl(client: Client): Promise<Client> {
  return client.withPermissions([may(EVERY_METHOD, '/.*', ACL)]);
}

/** A user of the application, logged in. */
export async function makeUser(client: Client, username: string): Promise<Person> {
  const made = await client.create('/users/core.user', { attributes: { username, password: PASSWORD } });
  if (made.status !== 201) throw new Error(made.text);
  const login = await logIn(client, username, PASSWORD);
  return { link: linkOf(made), headers: tokenOf(login) };
}

export async function makeExternalUser(client: Client): Promise<Person> {
  const link = linkOf(await client.create('/users/core.external-user'));
  return { link, headers: tokenOf(await logInExternally(client, link.id)) };
}

export function logInExternally(client: Client, id: string): Promise<Reply> {
  const authorization = `External ${btoa(`id:${id}`)}`;
  return client.post('/users/core.external-user.token', undefined, { authorization });
}

export async function makeGroup(client: Client, members: readonly Person[]): Promise<Link> {
  const users = { data: members.map(({ link }) => link) };
  const made = await client.create('/users/core.user-group', { relationships: { users } });
  if (made.status !== 201) throw new Error(made.text);
  return linkOf(made);
}

export function logIn(client: Client, username: string, password: string, headers = {}): Promise<Reply> {
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  const authorization = `Basic ${btoa(String.fromCharCode(...bytes))}`;
  return client.post('/users/core.user.token', undefined, { authorization, ...headers });
}

/** The header that a login's answer gives. */
export function tokenOf(login: Reply): Readonly<Record<string, string>> {
  if (login.status !== 201) throw new Error(login.text);
  return { authorization: `Token ${String(login.body.data.attributes?.['token'])}` };
}

export function linkOf({ body }: Reply): Link {
  return { type: body.data.type, id: body.data.id };
}

/** Sets rights on a document as a trusted service does: those of its ACL, and those of the ACL's own. */
export async function grant(
  client: Client,
  path: string,
  acl: Readonly<Record<string, unknown>>,
  superAcl: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const [, module = '', type = '', id = ''] = path.split('/');
  for (const [suffix, attributes] of [
    ['.acl', acl],
    ['.acl.acl', superAcl],
  ] as const) {
    const reply = await client.update(`/${module}/${type}${suffix}/${id}`, { attributes });
    if (reply.status !== 200) throw new Error(reply.text);
  }
}
