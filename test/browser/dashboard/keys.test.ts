/** API keys in the dashboard, as a person uses it: permissions as rows, and what they would decide. */
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { entered, expectAccessible, goTo, placeTold } from '../../support/dashboard.ts';
import { ACL, grant, makeGroup, makeUser, may } from '../../support/people.ts';

const browser = useBrowser();
const HTML = '<img src=x onerror="document.title=`run`">';

let client: Client;

beforeEach(async () => {
  client = await Client.create('keys');
});

async function makeKey(name: string, permissions: readonly unknown[]): Promise<string> {
  const made = await client.create('/api-keys/core.api-key', { attributes: { name, permissions } });
  expect(made.status, made.text).toBe(201);
  return made.body.data.id;
}

async function stored(id: string): Promise<unknown> {
  return (await client.get(`/api-keys/core.api-key/${id}`)).body.data.attributes?.['permissions'];
}

const permission = (page: Page, number: number) =>
  page.getByRole('listitem', { name: `Permission ${number}`, exact: true });

const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
};

test('a key is created, and shows its secure-id once', async () => {
  const page = await entered(browser, client, '#/keys');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('website');
  await page.getByLabel('It may').selectOption('Read all documents');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const secureId = await page.getByLabel('the key', { exact: true }).textContent();
  const made = new Client(client.url, client.application, secureId ?? '');
  expect((await made.get('/resources/notes')).status).toBe(200);
  expect((await made.post('/resources/notes', {})).status).toBe(403);
  await page.getByRole('button', { name: 'Copy the key' }).waitFor();
  await page.getByRole('button', { name: 'Edit its permissions' }).click();
  await page.getByRole('heading', { name: 'website' }).waitFor();
  await page.getByRole('button', { name: 'As code' }).click();
  const code = await page.getByRole('complementary', { name: 'As code' }).textContent();
  expect(code).toContain('/api-keys/core.api-key');
  expect(`${page.url()} ${await page.content()}`).not.toContain(secureId);
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).not.toContain(
    secureId,
  );
  await page.getByRole('button', { name: 'Show the key' }).click();
  await page
    .getByRole('dialog')
    .getByText(secureId ?? 'none')
    .waitFor();
});

test('a key that is made on a page of its own has nothing to show or to test before it is there', async () => {
  const page = await entered(browser, client, '#/keys/new');
  await page.getByLabel('Name', { exact: true }).fill('typed by hand');
  await page.getByRole('button', { name: 'Add a permission' }).click();
  for (const name of ['Show the key', 'Ask'])
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'Show the key' }).waitFor();
  await page.getByRole('form', { name: 'Test a request' }).waitFor();
});

describe('permissions are edited as rows', () => {
  test('by ticks, which say it in words', async () => {
    for (const type of ['articles', 'comments']) await client.make(type);
    const id = await makeKey('website', [may('get', '/resources/articles(/[0-9a-f]{24})?')]);
    const page = await entered(browser, client, `#/keys/${id}`);
    const row = permission(page, 1);
    await row.getByText('Whoever has the key may read articles.').waitFor();
    expect(await row.getByLabel('Path').isVisible()).toBe(false);
    await row.getByLabel('comments').check();
    await row.getByLabel('post').check();
    await row.getByText('Whoever has the key may read and create articles and comments.').waitFor();
    await expectAccessible(page);
    await save(page);
    await page.getByText('Saved. It takes effect here now').waitFor();
    expect(await stored(id)).toEqual([may('get post', '/resources/(articles|comments)(/.*)?')]);
    await row.getByLabel('Every type').check();
    await row.getByText('documents of every type').waitFor();
    expect(await row.getByLabel('comments').isChecked()).toBe(false);
  });

  test('added, moved, changed, removed and saved', async () => {
    const id = await makeKey('website', [
      may('get', '/resources/a'),
      may('get', '/resources/b', { where: { public: true } }),
    ]);
    const page = await entered(browser, client, `#/keys/${id}`);
    await page.getByRole('button', { name: 'Move permission 2 up' }).click();
    await permission(page, 2).getByLabel('bulk').check();
    await permission(page, 2).getByLabel('patch').check();
    await page.getByRole('button', { name: 'Add a permission' }).click();
    await permission(page, 3).getByLabel('Path').fill('/resources/c');
    await page.getByRole('button', { name: 'Add a permission' }).click();
    await page.getByRole('button', { name: 'Remove permission 4' }).click();
    await permission(page, 3).getByText('Rules').click();
    await permission(page, 3).getByLabel('Check: what a write must satisfy').fill('{"ok": true}');
    await permission(page, 3).getByLabel('Fields that may be written').fill('title, text');
    await page.getByLabel('Requests a second').fill('20');
    await save(page);
    await page.getByText('Saved. It takes effect here now').waitFor();
    expect(await stored(id)).toEqual([
      may('get', '/resources/b', { where: { public: true } }),
      may('get patch bulk', '/resources/a'),
      may('get', '/resources/c', { check: { ok: true }, fields: { write: ['title', 'text'] } }),
    ]);
    const { quotas } = (await client.get(`/api-keys/core.api-key/${id}`)).body.data.attributes ?? {};
    expect(quotas).toEqual({ requests: 20 });
  });

  test('with what does not read yet, which goes where its permission goes', async () => {
    const where = { open: true };
    const rows = [
      { path: '/resources/notes', methods: ['get'], where },
      { path: '/resources/others', methods: ['post'], where },
    ];
    const id = await makeKey('half written', rows);
    const page = await entered(browser, client, `#/keys/${id}`);
    const rule = (number: number) => permission(page, number).getByLabel('Where: which documents');
    await rule(1).fill('{"open": tr');
    await page.getByRole('button', { name: 'Move permission 1 down' }).click();
    expect([await rule(1).inputValue(), await rule(2).inputValue()]).toEqual([
      '{"open":true}',
      '{"open": tr',
    ]);
    await rule(2).fill('{"open": false}');
    await save(page);
    await page.getByText('No changes.').waitFor();
    expect(await stored(id)).toEqual([rows[1], { ...rows[0], where: { open: false } }]);
  });

  test('for users, with lists of people by name', async () => {
    const ada = await makeUser(client, 'ada');
    const group = await makeGroup(client, [ada]);
    await client.update(`/users/core.user-group/${group.id}`, { attributes: { name: 'Editors' } });
    const id = await makeKey('website', [may('get', '/resources/a')]);
    const page = await entered(browser, client, `#/keys/${id}`);
    await permission(page, 1).getByLabel('For users').check();
    await permission(page, 1).getByLabel('Who may use it', { exact: true }).selectOption('Only these');
    await page.getByRole('button', { name: 'Add a user or group to: who may use it' }).click();
    await page.getByRole('dialog').getByLabel('Kind').selectOption('Group');
    await page.getByRole('dialog').getByRole('button', { name: 'Editors' }).click();
    await permission(page, 1).getByText('Editors').waitFor();
    await page.getByRole('button', { name: 'Add a user or group to: who may use it' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'ada' }).click();
    await page.getByRole('button', { name: 'Remove ada from: who may use it' }).click();
    await save(page);
    await page.getByText('Saved. It takes effect here now').waitFor();
    expect(await stored(id)).toEqual([
      may('get', '/resources/a', {
        acl: {
          active: true,
          'endpoint-access-list-flavor': 'white',
          'endpoint-access-list': [{ type: 'core.user-group', id: group.id }],
        },
      }),
    ]);
  });

  test('or as JSON, and what the service refuses stands where it is', async () => {
    const id = await makeKey('website', [may('get', '/resources/a')]);
    const page = await entered(browser, client, `#/keys/${id}`);
    await permission(page, 1).getByText('Pattern').click();
    await permission(page, 1).getByLabel('Path').fill('/resources/(');
    await save(page);
    await permission(page, 1).getByText('The path is no usable regular expression').waitFor();
    browser.expects(/422/);
    await page.getByRole('tab', { name: 'JSON' }).click();
    const permissions = [may('get', '/resources/z')];
    const text = JSON.stringify({ attributes: { name: 'website', permissions } });
    await page.getByLabel('The document as JSON').fill(text);
    await save(page);
    await page.getByText('Saved. It takes effect here now').waitFor();
    expect(await stored(id)).toEqual(permissions);
  });

  test('on the state that was read', async () => {
    const id = await makeKey('website', [may('get', '/resources/a')]);
    const page = await entered(browser, client, `#/keys/${id}`);
    await permission(page, 1).getByLabel('patch').check();
    await client.update(`/api-keys/core.api-key/${id}`, { attributes: { permissions: [] } });
    await save(page);
    await page.getByRole('dialog').getByLabel('Yours of permissions').waitFor();
    expect(await stored(id)).toEqual([]);
    browser.expects(/412/);
  });
});

test('the last key cannot be deleted, and says so; others can', async () => {
  const id = await makeKey(HTML, []);
  const page = await entered(browser, client, '#/keys');
  await page.getByRole('link', { name: HTML }).click();
  await page.getByRole('heading', { name: HTML }).waitFor();
  expect(await page.locator('img[src=x]').count()).toBe(0);
  await page.getByLabel('Requests a second').fill('7');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete now' }).click();
  await page.getByText('was deleted.').waitFor();
  expect((await client.get(`/api-keys/core.api-key/${id}`)).body.data).toBe(null);
  await page.getByRole('table').getByRole('link').click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete now' }).click();
  await placeTold(page.getByRole('alert').first(), 'last-api-key');
  browser.expects(/409/);
});

describe('the tester', () => {
  async function world() {
    const ada = await makeUser(client, 'ada');
    const ben = await makeUser(client, 'ben');
    const note = await client.make('notes', { text: 'hello' });
    await grant(client, `/resources/notes/${note.id}`, { read: [ada.link] });
    const acl = { active: true, 'endpoint-access-list': [] };
    const id = await makeKey('website', [
      may('get', '/resources/other'),
      may('get', '/resources/notes(/[0-9a-f]{24})?', { acl }),
    ]);
    const page = await entered(browser, client, `#/keys/${id}`);
    const tester = page.getByRole('form', { name: 'Test a request' });
    const ask = async (path: string) => {
      await tester.getByLabel('Path').fill(path);
      await tester.getByLabel('Path').press('Enter');
    };
    const as = async (name: string) => {
      await tester.getByRole('button', { name: /^As a/ }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: new RegExp(`^${name} `) })
        .click();
    };
    return { ada, ben, note, id, page, tester, ask, as };
  }

  test('says whether a request would be admitted, by which permission, or why not', async () => {
    const { note, page, tester, ask, as } = await world();
    const path = `/resources/notes/${note.id}`;
    await ask(path);
    await tester.getByText('Refused: 401').waitFor();
    await tester.getByText('the path does not match').waitFor();
    await tester.getByText('needs a user token').waitFor();
    await as('ada');
    await tester.getByText('Changed since the last test.').waitFor();
    await ask(path);
    await tester.getByText('Admitted', { exact: true }).waitFor();
    await tester.getByText('permission 2:').waitFor();
    await tester.getByText('right read: its own rights').waitFor();
    await as('ben');
    await ask(path);
    await tester.getByText('Admitted, and then refused: 403').waitFor();
    await tester.getByText('right read: nothing gives it').waitFor();
    await tester.getByLabel('Method').selectOption('DELETE');
    await ask(path);
    await tester.getByText('Refused: 403').waitFor();
    await tester.getByText('another method').first().waitFor();
    await expectAccessible(page);
  });

  test('names the permissions of both paths of me', async () => {
    const { page, tester, ask, as } = await world();
    const path = '/users/core.user/[0-9a-f]{24}';
    const both = [path, '/users/core.user/me'].map((each) => may('get', each));
    await goTo(page, `#/keys/${await makeKey('people', both)}`);
    await page.getByRole('heading', { name: 'people' }).waitFor();
    await as('ada');
    await ask('/users/core.user/me');
    await tester.getByText('permission 2: /users/core.user/me').waitFor();
    await tester.getByText(`permission 1: ${path}`).waitFor();
  });

  test('asks about permissions that are not saved yet', async () => {
    const { id, page, tester, ask } = await world();
    await page.getByRole('button', { name: 'Remove permission 2' }).click();
    await page.getByRole('button', { name: 'Remove permission 1' }).click();
    await page.getByText('No permissions yet.').waitFor();
    await ask('/resources/cars');
    await tester.getByText('Refused: 403').waitFor();
    await page.getByRole('button', { name: 'Add a permission' }).click();
    await permission(page, 1).getByLabel('Path').fill('/resources/cars');
    await ask('/resources/cars');
    await tester.getByText('Admitted', { exact: true }).waitFor();
    await tester.getByText('rights do not count').waitFor();
    expect(await stored(id)).toHaveLength(2);
  });
});

test('the list can be used with assistive technology, and on a telephone', async () => {
  await makeKey(`a name that goes on ${'and on '.repeat(30)}`, [may('get', '/resources/a', ACL)]);
  const page = await entered(browser, client, '#/keys');
  await page.getByText('users, with their rights').waitFor();
  await expectAccessible(page);
  await goTo(page, '#/keys/000000000000000000000000');
  await placeTold(page.getByRole('alert').first(), '404');
  browser.expects(/404/);
});
