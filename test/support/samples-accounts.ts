/** Valid requests to the endpoints of accounts. An application has one document of settings: each sample renews it. */
import { ACCOUNTS_KEY, begin, mailsTo, redeem, setAccounts, signUp } from './accounts.ts';
import { Authenticator } from './authenticator.ts';
import type { Client } from './client.ts';
import { makeUser, underAcl } from './people.ts';
import type { Sample } from './sample.ts';
import { imported } from './transfer.ts';

export const SETTINGS = '/users/core.account-settings';
const ACTIONS = '/users/core.account-action';
const PASSKEYS = '/users/core.passkey';
const PROVIDERS = '/users/core.identity-provider';
const TEMPLATES = '/users/core.mail-template';
const IDENTITIES = '/users/core.identity';
const FACTORS = '/users/core.second-factor';
const ORIGIN = 'https://shop.example';
const OPEN = {
  origins: [ORIGIN],
  'sign-up': 'open',
  'log-in-by-mail': true,
  'own-data': true,
  'return-to': ['https://shop.example/account'],
};

let last = 0;

async function clear(client: Client): Promise<void> {
  for (const { id } of (await client.get(SETTINGS)).body.data)
    await client.send('DELETE', `${SETTINGS}/${id}`);
}

export async function newSettings(client: Client): Promise<string> {
  await clear(client);
  return setAccounts(client, OPEN);
}

/** An action with a code that is right. */
async function redeemable(client: Client): Promise<Sample> {
  await newSettings(client);
  const web = await client.withPermissions(ACCOUNTS_KEY);
  const username = `sample${(last += 1)}`;
  const email = `${username}@shop.example`;
  await signUp(web, { username, password: 'a long difference', email });
  const [first] = await mailsTo(client, email, 1);
  await redeem(web, first?.action ?? '', { code: first?.code });
  const begun = await begin(web, { kind: 'log-in', email });
  const [, second] = await mailsTo(client, email, 2);
  return {
    address: `${ACTIONS}/${begun.body.data.id}/redemption`,
    bodies: { POST: { meta: { code: second?.code } } },
  };
}

const newTemplate = () => ({
  type: 'core.mail-template',
  attributes: {
    name: `log-in.${String.fromCharCode(97 + ((last += 1) % 26), 97 + (Math.floor(last / 26) % 26))}x`,
    ...{ subject: 'Hello', text: 'Your code is {{code}}.' },
  },
});

async function storedTemplate(client: Client): Promise<string> {
  return (await client.post(TEMPLATES, { data: newTemplate() })).body.data.id;
}

const newProvider = () => ({
  type: 'core.identity-provider',
  attributes: { name: `issuer-${(last += 1)}`, issuer: 'https://accounts.example.com', 'client-id': 'shop' },
});

/** An identity, or a second factor, as an import brings one: a login makes it. */
async function newMade(client: Client, type: string, made: object = {}): Promise<string> {
  const id = (last += 1).toString(16).padStart(24, '0');
  const attributes = { user: id, ...made };
  const line = JSON.stringify({ type, id, attributes });
  const { text, status } = await imported(client.application, type, line, client.url);
  if (status !== 200) throw new Error(text);
  return id;
}

/** A passkey of a new user. */
async function newPasskey(client: Client): Promise<string> {
  await newSettings(client);
  const web = await underAcl(client);
  const { headers } = await makeUser(client, `keeper${(last += 1)}`);
  const begun = await web.create(ACTIONS, { attributes: { kind: 'register-passkey' } }, headers);
  const meta = { response: new Authenticator(ORIGIN).register(begun) };
  const made = await web.post(`${ACTIONS}/${begun.body.data.id}/redemption`, { meta }, headers);
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data.id;
}

export function accountSamples(client: Client): Readonly<Record<string, () => Promise<Sample>>> {
  return {
    [SETTINGS]: async () => {
      await clear(client);
      return {
        address: SETTINGS,
        bodies: { POST: { data: { type: 'core.account-settings', attributes: OPEN } } },
      };
    },
    [`${SETTINGS}/{id}`]: async () => {
      const id = await newSettings(client);
      const data = { type: 'core.account-settings', id, attributes: { minutes: 10 } };
      return { address: `${SETTINGS}/${id}`, bodies: { PATCH: { data } } };
    },
    [PASSKEYS]: () => Promise.resolve({ address: PASSKEYS }),
    [`${PASSKEYS}/{id}`]: async () => {
      const id = await newPasskey(client);
      const data = { type: 'core.passkey', id, attributes: { name: `phone ${(last += 1)}` } };
      return { address: `${PASSKEYS}/${id}`, bodies: { PATCH: { data } } };
    },
    '/users/core.mail/deliveries': () =>
      Promise.resolve({ address: '/users/core.mail/deliveries', bodies: { POST: { meta: { ids: '*' } } } }),
    [TEMPLATES]: () => Promise.resolve({ address: TEMPLATES, bodies: { POST: { data: newTemplate() } } }),
    [`${TEMPLATES}/{id}`]: async () => {
      const id = await storedTemplate(client);
      const data = { type: 'core.mail-template', id, attributes: { subject: `Hello ${(last += 1)}` } };
      return { address: `${TEMPLATES}/${id}`, bodies: { PATCH: { data } } };
    },
    [`${TEMPLATES}/{id}/preview`]: async () => ({
      address: `${TEMPLATES}/${await storedTemplate(client)}/preview`,
    }),
    [PROVIDERS]: () => Promise.resolve({ address: PROVIDERS, bodies: { POST: { data: newProvider() } } }),
    [`${PROVIDERS}/{id}`]: async () => {
      const { id } = (await client.post(PROVIDERS, { data: newProvider() })).body.data;
      const data = { type: 'core.identity-provider', id, attributes: { 'client-id': `shop-${(last += 1)}` } };
      return { address: `${PROVIDERS}/${id}`, bodies: { PATCH: { data } } };
    },
    [FACTORS]: () => Promise.resolve({ address: FACTORS }),
    [`${FACTORS}/{id}`]: async () => ({
      address: `${FACTORS}/${await newMade(client, 'core.second-factor')}`,
    }),
    [IDENTITIES]: () => Promise.resolve({ address: IDENTITIES }),
    [`${IDENTITIES}/{id}`]: async () => ({
      address: `${IDENTITIES}/${await newMade(client, 'core.identity', {
        key: `["issuer","${(last += 1)}"]`,
        provider: 'issuer',
      })}`,
    }),
    [ACTIONS]: async () => {
      await newSettings(client);
      const attributes = { kind: 'log-in', email: `sample${(last += 1)}@shop.example` };
      return { address: ACTIONS, bodies: { POST: { data: { type: 'core.account-action', attributes } } } };
    },
    [`${ACTIONS}/{id}/redemption`]: () => redeemable(client),
  };
}
