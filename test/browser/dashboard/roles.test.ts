/** People who run an application under names of their own: roles as groups, one key for all, and every way in. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { appAt, redeem, setAccounts } from '../../support/accounts.ts';
import { addAuthenticator, useBrowser } from '../../support/browser.ts';
import { Client, operator } from '../../support/client.ts';
import { atDoor, entered, fillKey, goTo } from '../../support/dashboard.ts';
import { makeUser, PASSWORD, type Person } from '../../support/people.ts';

const browser = useBrowser();

let client: Client;
let web: Client;
let local: string;
/** By the name of their group. */
const people = new Map<string, Person>();

beforeAll(async () => {
  client = await Client.create('roles');
  // An address of numbers has no passkeys.
  local = client.url.replace('127.0.0.1', 'localhost');
  await setAccounts(client, {
    ...{ name: 'Shop', 'second-factor': 'allowed', 'token-minutes': 10 },
    origins: [local],
  });
  await client.make('notes', { text: 'of nobody' });
  const page = await entered(browser, client, '#/keys');
  // The second key is for the same groups.
  for (const name of ['people', 'more people']) {
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('It may').selectOption('roles');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const key = await page.getByLabel('the key', { exact: true }).textContent();
    web = new Client(client.url, client.application, key ?? '');
    await page.getByRole('button', { name: 'Edit its permissions' }).click();
    await page.getByRole('heading', { name, exact: true }).waitFor();
    await goTo(page, '#/keys');
  }
  const groups = (await client.get('/users/core.user-group?sort=name')).body.data as unknown as Group[];
  for (const { id, attributes } of groups) {
    const person = await makeUser(client, attributes.name.toLowerCase());
    people.set(attributes.name, person);
    const body = { data: [person.link] };
    expect((await client.post(`/users/core.user-group/${id}/relationships/users`, body)).status).toBe(200);
  }
  people.set('Nobody', await makeUser(client, 'nobody'));
  expect([...people.keys()]).toEqual(['Developers', 'Owners', 'Support', 'Nobody']);
});

interface Group {
  readonly id: string;
  readonly attributes: { readonly name: string };
}

const NOTE = { data: { type: 'notes', attributes: { text: 'new' } } };
const GROUP = { data: { type: 'core.user-group', attributes: { name: 'Owners too' } } };

test.each<
  readonly [path: string, body: object | undefined, owners: number, developers: number, support: number]
>([
  ['/resources/notes?filter[text]=of nobody', undefined, 200, 200, 200],
  ['/users/core.user', undefined, 200, 403, 200],
  ['/api-keys/core.api-key', undefined, 200, 403, 403],
  ['/audit/core.audit-entry', undefined, 200, 403, 403],
  ['/schemas/core.type', undefined, 200, 200, 403],
  ['/resources/notes', NOTE, 201, 201, 403],
  ['/users/core.user-group', GROUP, 201, 403, 403],
])('%s', async (path, body, owners, developers, support) => {
  for (const [role, status] of Object.entries({
    Owners: owners,
    Developers: developers,
    Support: support,
    Nobody: 403,
  })) {
    const options = people.get(role)?.headers;
    const answer = body === undefined ? await web.get(path, options) : await web.post(path, body, options);
    expect([role, answer.status], answer.text).toEqual([role, status]);
    if (path.includes('of nobody') && status === 200) expect(answer.body.meta['count']).toBe(1);
  }
});

test('developers give nobody rights on people by settings of types', async () => {
  const { headers } = people.get('Developers') ?? { headers: {} };
  const rights = { read: ['*'], delete: ['*'] };
  const made = async (by: Client, name: string, as = {}) => {
    return (await by.create('/schemas/core.type', { attributes: { name, rights } }, as)).status;
  };
  const tried = ['notes', 'core.user', 'core.external-user', 'core.user-group'].map((name) =>
    made(web, name, headers),
  );
  expect(await Promise.all(tried)).toEqual([201, 403, 403, 403]);
  expect(await made(client, 'core.user-group')).toBe(201);
  const stored = (await client.get('/schemas/core.type?filter[name]="core.user-group"')).body.data;
  const id = stored[0]?.id ?? '';
  const data = { type: 'core.type', id, attributes: { rights, name: 'others' } };
  expect((await web.patch(`/schemas/core.type/${id}`, { data }, headers)).status).toBe(403);
});

test('what each did stands in the audit trail with the name', async () => {
  await operator().change(client.application, { 'audit-days': 1 });
  const names = ['Owners', 'Developers'];
  for (const name of names)
    expect((await web.post('/resources/notes', NOTE, people.get(name)?.headers)).status).toBe(201);
  const page = await entered(browser, client, '#/audit');
  const row = (name: string) =>
    page.getByRole('row').filter({ hasText: 'notes' }).getByText(name, { exact: true });
  for (const name of names) {
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Refresh', exact: true }).click();
        return row(name.toLowerCase()).count();
      })
      .toBe(1);
  }
});

/** A user who has given name and password on the ready pages. */
async function byPages(username: string): Promise<Page> {
  const page = await atDoor(browser);
  await fillKey(page, web);
  await page.getByLabel('As a user').check();
  await page.getByRole('button', { name: 'Log in with a passkey or a code' }).click();
  await page.getByRole('heading', { name: 'Shop' }).waitFor();
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  return page;
}

test('who has a second factor comes in by the pages of accounts, and leaves no token in an address', async () => {
  const { headers } = people.get('Developers') ?? { headers: {} };
  const begun = await web.create(
    '/users/core.account-action',
    { attributes: { kind: 'add-second-factor' } },
    headers,
  );
  const app = appAt(begun.body.data.attributes?.['location']);
  expect((await redeem(web, begun.body.data.id, { code: app.generate() }, headers)).status).toBe(201);

  const page = await byPages('developers');
  const next = app.generate({ timestamp: Date.now() + 30_000 });
  await page.getByLabel('Code').fill(next);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByText('as developers').waitFor();
  expect(page.url()).not.toContain('token');
  browser.expects(/403/);
  const menu = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  expect(await menu.allInnerTexts()).toEqual(['Overview', 'Documents', 'Files', 'Aggregates', 'Schemas']);
});

test('who has a passkey comes in by it, without a name, and has their role', async () => {
  const page = await browser.open(`${local}/account/${web.application}/${web.key}`, { origins: [local] });
  await addAuthenticator(page);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await page.getByLabel('User name').fill('support');
  await page.getByLabel('Password').fill(PASSWORD);
  await press('Log in');
  await press('Add a passkey');
  await page.getByText('This device can log you in.').waitFor();
  await press('Log out');
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor();

  await page.goto(`${local}/dashboard`);
  await fillKey(page, web);
  await page.getByLabel('As a user').check();
  await press('Log in with a passkey or a code');
  await press('Use a passkey');
  await page.getByText('as support').waitFor();
  const menu = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  expect(await menu.allInnerTexts()).toContain('Users');
});

test('an ended token is refreshed: nobody logs in again before the login ends, also after a reload', async () => {
  const page = await byPages('owners');
  await page.getByText('as owners').waitFor();
  const refreshed = new Set<string | undefined>();
  page.on('request', (request) => {
    if (request.method() === 'POST') refreshed.add(request.headers()['authorization']);
  });
  for (const list of ['Groups', 'Users']) {
    // The token ends with the first request.
    let hasEnded = false;
    await page.route('**/users/core.user*', (route) => {
      const errors = [{ status: '401', code: 'token-required', title: 'The token has ended.' }];
      if (hasEnded || route.request().method() !== 'GET') return route.continue();
      hasEnded = true;
      return route.fulfill({ status: 401, json: { errors }, contentType: 'application/vnd.api+json' });
    });
    await page.getByRole('link', { name: list }).click();
    const row = page.getByRole('cell', { name: list === 'Groups' ? 'Owners' : 'owners', exact: true });
    await row.waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.unroute('**/users/core.user*');
    await page.reload();
    // A request that the next page ends would be the one that is refused, and nobody would see it.
    await row.waitFor();
  }
  // Each is good for one time.
  expect([...refreshed].map((header) => header?.split(' ')[0])).toEqual(['Refresh', 'Refresh']);
  browser.expects(/401/);
});

test('a token that nobody here has asked for enters nothing', async () => {
  const page = await browser.open(`${client.url}/dashboard#token=${'x'.repeat(20)}&state=guessed`);
  await page.getByLabel('Application id').waitFor();
  expect(page.url()).not.toContain('token');
});
