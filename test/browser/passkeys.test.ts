/** A passkey in a real browser, for a page elsewhere: registered, used and removed (docs/accounts.md#passkeys). */
import { beforeAll, expect, test } from 'vitest';
import { ACCOUNTS_KEY, setAccounts } from '../support/accounts.ts';
import { addAuthenticator, useBrowser } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { makeUser, type Person } from '../support/people.ts';
import { serveSite } from '../support/site.ts';

const browser = useBrowser();

let client: Client;
let web: Client;
let ada: Person;
beforeAll(async () => {
  client = await Client.create('passkeys');
  web = await client.withPermissions(ACCOUNTS_KEY);
  ada = await makeUser(client, 'ada');
});

/** A page with `register(authorization)`, `logIn()` and `send(method, path, body, authorization)`; each answers. */
const siteOf = ({ url, application, key }: Client) =>
  serveSite({
    '/': `<!doctype html><meta charset="utf-8"><title>Shop</title><script type="module">
      const actions = '/users/core.account-action';
      window.send = async (method, path, body, authorization) => {
        const headers = { 'application-id': '${application}', 'api-key': '${key}',
          ...(body && { 'content-type': 'application/vnd.api+json' }), ...(authorization && { authorization }) };
        const answer = await fetch('${url}' + path, { method, headers, body: body && JSON.stringify(body) });
        const text = await answer.text();
        return { status: answer.status, ...(text && JSON.parse(text)) };
      };
      const begin = async (kind, authorization) =>
        (await send('POST', actions,
          { data: { type: 'core.account-action', attributes: { kind } } }, authorization)).data;
      const redeem = (id, credential, authorization) =>
        send('POST', actions + '/' + id + '/redemption', { meta: { response: credential.toJSON() } }, authorization);
      window.register = async (authorization) => {
        const { id, attributes } = await begin('register-passkey', authorization);
        const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(attributes.options);
        return redeem(id, await navigator.credentials.create({ publicKey }), authorization);
      };
      window.logIn = async () => {
        const { id, attributes } = await begin('log-in-passkey');
        const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(attributes.options);
        return redeem(id, await navigator.credentials.get({ publicKey }));
      };
    </script>`,
  });

test('somebody registers a passkey, is logged out, logs in by it without a name, and removes it', async () => {
  // An address of numbers has no passkeys.
  const site = (await siteOf(web)).replace('127.0.0.1', 'localhost');
  await setAccounts(client, { name: 'Shop', origins: [site] });
  const page = await browser.open(site, { origins: [web.url] });
  await addAuthenticator(page);
  const run = async (call: string): Promise<Answer> => page.evaluate<Answer>(call);
  const authorization = ada.headers['authorization'] ?? '';

  const made = await run(`register(${JSON.stringify(authorization)})`);
  expect([made.status, made.data?.attributes?.['user']]).toEqual([201, ada.link.id]);
  // Whatever changes the user ends all logins.
  await client.update(`/users/core.user/${ada.link.id}`, { attributes: { name: 'Ada' } });
  expect((await web.get('/users/core.user/me', ada.headers)).status).toBe(401);

  const token = await run('logIn()');
  const entered = `Token ${String(token.data?.attributes?.['token'])}`;
  const me = await web.get('/users/core.user/me', { authorization: entered });
  expect([token.status, me.body.data.id]).toEqual([201, ada.link.id]);

  const path = `/users/core.passkey/${made.data?.id ?? ''}`;
  expect((await run(`send('DELETE', '${path}', undefined, '${entered}')`)).status).toBe(204);
  expect((await run('logIn()')).status).toBe(403);
  // The browser tells of the refusal.
  browser.expects(/403/);
});

interface Answer {
  readonly status: number;
  readonly data?: { readonly id: string; readonly attributes?: Readonly<Record<string, unknown>> };
}
