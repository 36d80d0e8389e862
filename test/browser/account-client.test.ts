/** The client's module of accounts in a real browser (docs/accounts.md, In JavaScript): passkeys and providers. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ACCOUNTS_KEY, setAccounts } from '../support/accounts.ts';
import { addAuthenticator, useBrowser } from '../support/browser.ts';
import { CLIENT } from '../support/issuer.ts';
import { ACL, makeUser, may, PASSWORD } from '../support/people.ts';
import { newIssuer, newService } from '../support/scope.ts';
import { serveSite } from '../support/site.ts';

const browser = useBrowser();

// The provider is on this machine.
const service = await newService({ settings: { WEBHOOKS_TO_PRIVATE: 'yes' } });

/** A shop whose page has `db` and `account`; the client comes from the service. */
async function shop(settings: object) {
  const client = await service.newClient('shop');
  const web = await client.withPermissions([
    ...ACCOUNTS_KEY,
    may('get delete', '/users/core\\.identity(/[0-9a-f]{24})?', ACL),
  ]);
  const { url, application, key } = web;
  // An address of numbers has no passkeys.
  const site = (
    await serveSite({
      '/': `<!doctype html><title>Shop</title><script type="module">
        import { connect } from '${url}/client.js';
        import { accountOf } from '${url}/client-account.js';
        window.db = connect(${JSON.stringify({ url, application, key })});
        window.account = accountOf(db);
      </script>`,
    })
  ).replace('127.0.0.1', 'localhost');
  const id = await setAccounts(client, { ...settings, origins: [site], 'return-to': [`${site}/`] });
  /** The page, once what it loads is there. */
  const enter = async (...origins: readonly string[]) => {
    const page = await browser.open(site, { origins: [url, ...origins] });
    await addAuthenticator(page);
    return page;
  };
  return { client, id, site, enter };
}

/** What an expression of the page gives. */
async function run<Given>(page: Page, expression: string): Promise<Given> {
  await page.waitForFunction('globalThis.account');
  return page.evaluate<Given>(`(async () => ${expression})()`);
}

const refused = (promise: string) => `${promise}.then(() => 'done', ({ code }) => code)`;

interface Named {
  readonly id: string;
  readonly name: string;
}

test('a user adds, names and removes passkeys, which log in, alone and as second factors', async () => {
  const { client, enter } = await shop({ name: 'Shop', 'second-factor': 'allowed' });
  const { link } = await makeUser(client, 'ada');
  const page = await enter();
  const login = `db.login(${JSON.stringify({ username: 'ada', password: PASSWORD })})`;
  await run(page, login);
  expect(await run(page, "account.addPasskey('Phone')")).toMatchObject({ type: 'core.passkey' });
  const [phone] = await run<readonly Named[]>(page, 'account.passkeys()');
  expect(phone).toMatchObject({ name: 'Phone', created: expect.any(Date) as Date });
  await run(page, `account.renamePasskey('${phone?.id}', 'Key')`);
  expect(await run(page, 'account.passkeys()')).toMatchObject([{ id: phone?.id, name: 'Key' }]);

  // It keeps no token.
  await page.reload();
  expect(await run(page, 'account.logInWithPasskey()')).toEqual(link);
  const codes =
    'account.requestSecondFactor().then((asked) => account.confirmSecondFactorWithPasskey(asked))';
  expect(await run(page, codes)).toHaveLength(10);
  const inTwoSteps = `${login}.catch((error) => account.logInWithPasskey(error.errors[0].meta))`;
  expect(await run(page, inTwoSteps)).toEqual(link);
  await run(page, `account.removePasskey('${phone?.id}')`);
  expect(await run(page, 'account.passkeys()')).toEqual([]);
  browser.expects(/403/);
});

test('somebody goes to a provider, gives what an account must have, and takes the identity away', async () => {
  const { client, id, site, enter } = await shop({ name: 'Shop', 'sign-up': 'open', required: ['motto'] });
  const issuer = await newIssuer({ redirect: `${site}/`, subject: 'grace' });
  const attributes = { name: 'site', issuer: issuer.url, 'client-id': CLIENT };
  expect((await client.create('/users/core.identity-provider', { attributes })).status).toBe(201);
  const page = await enter(issuer.url);
  expect(await run(page, 'account.finishLogIn()')).toBeNull();
  const go = async () => {
    await page.goto(site);
    await run(page, "{ account.logInWith('site'); }");
    await page.waitForURL(`${site}/?*`);
  };
  await go();
  const completed = `account.finishLogIn()
    .catch(({ errors: [{ meta }] }) => account.completeSignUp(meta, { motto: 'On.' }))`;
  const user = await run<Named>(page, completed);
  expect((await client.get(`/users/core.user/${user.id}`)).body.data.attributes).toMatchObject({
    username: 'grace',
    motto: 'On.',
  });
  await go();
  expect(await run(page, 'account.finishLogIn()')).toEqual(user);
  const [identity] = await run<readonly Named[]>(page, 'account.identities()');
  expect(identity?.name).toBe('site');
  await client.update(`/users/core.account-settings/${id}`, { attributes: { 'log-in-by-mail': true } });
  await run(page, `account.removeIdentity('${identity?.id}')`);
  expect(await run(page, 'account.identities()')).toEqual([]);
  expect(await run(page, refused("account.logInWith('other')"))).toBe('invalid-attribute');
  browser.expects(/422/);
});
