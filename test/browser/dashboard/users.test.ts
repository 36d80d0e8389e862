/** Users and groups in the dashboard, as a person uses it. */
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import {
  entered,
  enteredAsOperatorIn,
  enteredAsUser,
  expectAccessible,
  goTo,
} from '../../support/dashboard.ts';
import {
  ACL,
  logIn,
  makeExternalUser,
  makeGroup,
  makeUser,
  may,
  PASSWORD,
  tokenOf,
} from '../../support/people.ts';
import { imported } from '../../support/transfer.ts';

const browser = useBrowser();
const HTML = '<img src=x onerror="document.title=`run`">';
const SECRET = 'correct horse battery staple';

let client: Client;

beforeEach(async () => {
  client = await Client.create('people');
});

/** What the page, the tab and the address have kept. */
async function kept(page: Page): Promise<string> {
  const stored = await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])');
  return `${page.url()} ${String(stored)} ${await page.content()}`;
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

describe('users', () => {
  test('are found by a part of their name, and by /', async () => {
    await makeUser(client, 'ada.lovelace');
    await makeUser(client, 'ben');
    const page = await entered(browser, client, '#/users');
    await row(page, 'ada.lovelace').waitFor();
    await page.getByRole('heading', { name: 'Users' }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('LOVE');
    await row(page, 'ben').waitFor({ state: 'detached' });
    await row(page, 'ada.lovelace').waitFor();
    expect(page.url()).toContain('q=LOVE');
    await page.getByLabel('Search users').fill('[nobody');
    await page.getByText('No users match “[nobody”.').waitFor();
    // They are of two types.
    await goTo(page, '#/users/notes/6b011e2f6aeea231a557b681');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  });

  test('are created with a password that stays nowhere', async () => {
    const page = await entered(browser, client, '#/users');
    await page.getByText('No users yet.').waitFor();
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByLabel('User name').fill('ada');
    await page.getByLabel('Password').fill('short');
    await page.getByLabel('Password').press('Enter');
    await page.getByRole('alert').getByText('A password has at least 6 characters.').waitFor();
    await page.getByLabel('Password').fill(SECRET);
    await page.getByLabel('Password').press('Enter');
    await page.getByRole('heading', { name: 'ada' }).waitFor();
    expect((await logIn(client, 'ada', SECRET)).status).toBe(201);
    await page.getByRole('button', { name: 'As code' }).click();
    await page.getByText('"password": "$PASSWORD"').first().waitFor();
    expect(await kept(page)).not.toContain(SECRET);
    browser.expects(/422/);
  });

  test('are changed as JSON, on the state that was read', async () => {
    const { link } = await makeUser(client, 'ada');
    const page = await entered(browser, client, `#/users/core.user/${link.id}?tab=json`);
    const editor = page.getByLabel('The document as JSON');
    await editor.fill('{"attributes": {"username": "ada", "city": "London"}}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. All tokens of this user have ended.').waitFor();
    const stored = await client.get(`/users/core.user/${link.id}`);
    expect(stored.body.data.attributes).toMatchObject({ username: 'ada', city: 'London' });
    await client.update(`/users/core.user/${link.id}`, { attributes: { city: 'Paris' } });
    await editor.fill('{"attributes": {"username": "ada", "city": "Rome"}}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByLabel('Yours of city').waitFor();
    browser.expects(/412/);
  });

  test('a field that was deleted in the JSON is removed, and the hash of the password is not shown', async () => {
    const made = await client.create('/users/core.user', {
      attributes: { username: 'ada', password: PASSWORD, city: 'London' },
    });
    const { id } = made.body.data;
    const page = await entered(browser, client, `#/users/core.user/${id}?tab=json`);
    await page.getByText('"London"').waitFor();
    expect(await page.content()).not.toContain('scrypt');
    await page.getByLabel('The document as JSON').fill('{"attributes": {"username": "ada"}}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. All tokens of this user have ended.').waitFor();
    const stored = await client.get(`/users/core.user/${id}`);
    expect(Object.keys(stored.body.data.attributes ?? {}).sort()).toEqual(['password', 'username']);
  });

  test('get a new password, and are deleted', async () => {
    const { link, headers } = await makeUser(client, 'ada');
    const page = await entered(browser, client, `#/users/core.user/${link.id}`);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByLabel('New password').fill(SECRET);
    await page.getByLabel('New password').press('Enter');
    await page.getByText('ada has a new password.').waitFor();
    expect((await logIn(client, 'ada', SECRET)).status).toBe(201);
    expect((await client.get('/users/core.user/me', headers)).status).toBe(401);
    expect(await kept(page)).not.toContain(SECRET);
    await page.getByLabel('username', { exact: true }).fill('not saved');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete now' }).click();
    await page.getByText('No users yet.').waitFor();
  });

  test.each([
    ['a key', (to: string) => entered(browser, client, to)],
    ['the operator', (to: string) => enteredAsOperatorIn(browser, client, 'people', to)],
  ])('all their tokens are ended with %s', async (_, open) => {
    const { link, headers } = await makeUser(client, 'ada');
    const page = await open(`#/users/core.user/${link.id}`);
    await page.getByRole('button', { name: 'End all tokens' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End all tokens' }).click();
    await page.getByText('All tokens have ended.').waitFor();
    expect((await client.get('/users/core.user/me', headers)).status).toBe(401);
  });

  test('are listed to the last, page after page', async () => {
    const type = 'core.external-user';
    const lines = Array.from({ length: 60 }, (_, n) =>
      JSON.stringify({ type, id: n.toString(16).padStart(24, '0'), attributes: { name: `guest ${n}` } }),
    );
    expect((await imported(client.application, type, lines)).status).toBe(200);
    const page = await entered(browser, client, `#/users/${type}`);
    await page.getByText('60 external users').waitFor();
    const people = page.getByRole('table', { name: 'external users' }).locator('tbody tr');
    expect(await people.count()).toBe(50);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => people.count()).toBe(60);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    // Another list begins at its first page, and so does this one after it.
    const search = page.getByRole('searchbox');
    await search.fill('guest 7');
    await expect.poll(() => people.count()).toBe(1);
    await search.fill('');
    await expect.poll(() => people.count()).toBe(50);
  });

  test('join and leave groups', async () => {
    const { link } = await makeUser(client, 'ada');
    const group = await client.create('/users/core.user-group', { attributes: { name: 'Editors' } });
    const page = await entered(browser, client, `#/users/core.user/${link.id}`);
    await page.getByRole('button', { name: 'Add to a group' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Editors' }).click();
    await page.getByRole('link', { name: 'Editors' }).waitFor();
    const members = () => client.get(`/users/core.user-group/${group.body.data.id}/users`);
    expect((await members()).body.data.map(({ id }) => id)).toEqual([link.id]);
    await page.getByRole('button', { name: 'Remove from Editors' }).click();
    await page.getByText('In no group').waitFor();
    expect((await members()).body.data).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'Editors' }).waitFor();
    expect((await members()).body.data.map(({ id }) => id)).toEqual([link.id]);
  });

  test('are in a group that has never had any', async () => {
    const { id } = (await client.create('/users/core.user-group', { attributes: { name: 'Nobody' } })).body
      .data;
    const page = await entered(browser, client, `#/groups/${id}`);
    await page.getByText('No members.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    browser.expects(/404/);
  });

  test('can be used with assistive technology, and on a telephone', async () => {
    const { link } = await makeUser(client, `a-name-that-goes-on-${'and-on-'.repeat(20)}`);
    await makeGroup(client, [{ link, headers: {} }]);
    const page = await entered(browser, client, '#/users');
    await row(page, 'a-name-that').waitFor();
    await expectAccessible(page);
    await goTo(page, `#/users/core.user/${link.id}`);
    await page.getByLabel('username', { exact: true }).waitFor();
    await expectAccessible(page);
  });
});

test('tokens of external users are listed without their worth, and ended one by one', async () => {
  const { link, headers } = await makeExternalUser(client);
  const page = await entered(browser, client, `#/users/core.external-user/${link.id}`);
  await page.getByRole('button', { name: /^End the token/ }).waitFor();
  expect(await page.content()).not.toContain(headers['authorization']?.split(' ')[1]);
  await page.getByRole('button', { name: /^End the token/ }).click();
  expect((await client.get('/users/core.external-user/me', headers)).status).toBe(200);
  await page.getByRole('dialog').getByRole('button', { name: 'End the token' }).click();
  await page.getByText('No logins that you may see.').waitFor();
  expect((await client.get('/users/core.external-user/me', headers)).status).toBe(401);
});

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0 Safari/537.36';

test('sessions of a user are listed with their devices and times, and ended one by one', async () => {
  const { link, headers } = await makeUser(client, 'ada');
  const authorization = `Basic ${btoa(`ada:${PASSWORD}`)}`;
  const second = await client.post('/users/core.user.token', undefined, {
    authorization,
    'user-agent': CHROME,
    'test-country': 'DE',
  });
  const page = await entered(browser, client, `#/users/core.user/${link.id}`);
  const logins = page.getByRole('table', { name: 'Ways in' });
  const session = logins.getByRole('row', { name: /Session Chrome on Linux, DE .*20\d\d.* 20\d\d/ });
  await session.waitFor();
  expect(await logins.locator('tbody tr').count()).toBe(2);
  expect(await page.content()).not.toContain(String(second.body.data.attributes?.['token']));
  await expectAccessible(page);
  await session.getByRole('button', { name: /^End the session/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End the session' }).click();
  await session.waitFor({ state: 'detached' });
  expect((await client.get('/users/core.user/me', tokenOf(second))).status).toBe(401);
  expect((await client.get('/users/core.user/me', headers)).status).toBe(200);
});

test('whoever looks as a user sees no sessions of others', async () => {
  const key = await client.withPermissions([
    may('post', '/users/core\\.user\\.token'),
    may('get', '/.*', ACL),
  ]);
  await makeUser(client, 'ada');
  const { link } = await makeUser(client, 'ben');
  await client.update(`/users/core.user.acl/${link.id}`, { attributes: { read: '*' } });
  const page = await enteredAsUser(browser, key, 'ada', `#/users/core.user/${link.id}`);
  await page.getByText('No logins that you may see.').waitFor();
  browser.expects(/403/);
});

describe('groups', () => {
  test('are created, renamed and deleted', async () => {
    const page = await entered(browser, client, '#/groups');
    await page.getByText('No groups yet.').waitFor();
    await page.getByRole('link', { name: 'New group' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Editors');
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'Editors' }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill(HTML);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: HTML }).waitFor();
    expect(await page.locator('img[src=x]').count()).toBe(0);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete now' }).click();
    await page.getByText('No groups yet.').waitFor();
  });

  test('members are added by search, shown by name, and removed', async () => {
    const ada = await makeUser(client, 'ada.lovelace');
    const guest = await client.create('/users/core.external-user', { attributes: { name: 'Guest' } });
    await makeUser(client, 'ben');
    const { id } = await makeGroup(client, [
      { link: { type: 'core.external-user', id: guest.body.data.id }, headers: {} },
    ]);
    const page = await entered(browser, client, `#/groups/${id}`);
    await page.getByRole('link', { name: 'Guest' }).waitFor();
    await page.getByRole('button', { name: 'Add a member' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'ben' }).waitFor();
    await dialog.getByLabel('Search').fill('lovel');
    await dialog.getByRole('button', { name: 'ben' }).waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'ada.lovelace' }).click();
    await page.getByRole('link', { name: 'ada.lovelace' }).waitFor();
    await page.getByRole('button', { name: 'Remove Guest' }).click();
    await page.getByRole('link', { name: 'Guest' }).waitFor({ state: 'detached' });
    const members = await client.get(`/users/core.user-group/${id}/users`);
    expect(members.body.data.map((member) => member.id)).toEqual([ada.link.id]);
    await expectAccessible(page);
  });
});
