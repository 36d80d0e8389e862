/** Accounts as a page without a key of its own sees them: a public key, strangers, mails that the service has kept. */
import { TOTP, URI } from 'otpauth';
import type { Client, Reply } from './client.ts';
import { until } from './started.ts';
import { ACL, may } from './people.ts';

export const ACCOUNTS_KEY = [
  may('post', '/users/core\\.user', ACL),
  may('post', '/users/core\\.account-action(/[0-9a-f]{24}/redemption)?', ACL),
  may('get patch', '/users/core\\.user/(me|[0-9a-f]{24})', ACL),
  may('get patch delete', '/users/core\\.passkey(/[0-9a-f]{24})?', ACL),
  may('post', '/users/core\\.user\\.token'),
];

export async function setAccounts(client: Client, attributes: object, groups: readonly string[] = []) {
  const sent = {
    type: 'core.account-settings',
    attributes,
    ...(groups.length > 0 && {
      relationships: { groups: { data: groups.map((id) => ({ type: 'core.user-group', id })) } },
    }),
  };
  const made = await client.post('/users/core.account-settings', { data: sent });
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data.id;
}

export function signUp(web: Client, attributes: object): Promise<Reply> {
  return web.create('/users/core.user', { attributes });
}

/** Somebody who has signed up, and confirmed the address. */
export async function confirmed(client: Client, web: Client, username: string, password: string) {
  const email = `${username}@shop.example`;
  const { id } = (await signUp(web, { username, email, password })).body.data;
  const [mail] = await mailsTo(client, email, 1);
  await redeem(web, mail?.action ?? '', { code: mail?.code });
  return { id, email, username };
}

/** The app that makes codes as the location of a second factor says. */
export function appAt(location: unknown): TOTP {
  const app = URI.parse(String(location));
  if (!(app instanceof TOTP)) throw new Error('The app makes other codes.');
  return app;
}

export function begin(
  web: Client,
  attributes: object,
  headers?: Readonly<Record<string, string>>,
): Promise<Reply> {
  return web.create('/users/core.account-action', { attributes }, headers);
}

export function redeem(
  web: Client,
  action: string,
  meta: object,
  headers?: Readonly<Record<string, string>>,
): Promise<Reply> {
  return web.post(`/users/core.account-action/${action}/redemption`, { meta }, headers);
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Of a code and a link in the text; empty without. */
  readonly code: string;
  readonly action: string;
  readonly link: string;
}

/** All mails to an address, once there are so many. */
export async function mailsTo(client: Client, to: string, many: number): Promise<readonly Mail[]> {
  let mails: readonly Mail[] = [];
  await until(`${many} mails to ${to}`, async () => {
    const { body } = await client.get(
      `/users/core.mail?filter[to]=${JSON.stringify(to)}&page[size]=100&page[number]=1`,
    );
    // What nobody has asked for is not counted.
    const asked = body.data.filter(
      ({ attributes }) => !/^Your login for /.test(String(attributes?.['subject'])),
    );
    mails = asked.map(({ attributes = {} }) => {
      const text = String(attributes['text']);
      const [, code = ''] = /code is (\d{6})/.exec(text) ?? [];
      const [link = '', action = ''] =
        /https?:\S*#kind=[a-z-]+&action=([0-9a-f]{24})&code=\S+/.exec(text) ?? [];
      return { to, subject: String(attributes['subject']), text, code, action, link };
    });
    return mails.length >= many;
  });
  return mails;
}
