/** What somebody has written is not lost: by a click, by a login that ends, by what others do. */
import { expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { button, documentPage, entered, expectAccessible, field, goTo } from '../../support/dashboard.ts';
import { may, PASSWORD } from '../../support/people.ts';

const browser = useBrowser();

/** Refused requests are what these tests are about. */
function expectRefusals(...statuses: readonly (number | string)[]) {
  browser.expects(new RegExp(statuses.join('|')));
}

test('changes come back that are discarded, or not saved before a reload, until they are saved or left', async () => {
  const { client, id, page } = await documentPage(browser, 'books', { title: 'Emma', pages: 1 });
  page.on('dialog', (dialog) => void dialog.accept());
  await field(page, 'title').fill('Persuasion');
  await button(page, 'Discard').click();
  await page.getByText('No changes.').waitFor();
  await button(page, 'Undo').click();
  expect(await field(page, 'title').inputValue()).toBe('Persuasion');
  await client.update(`/resources/books/${id}`, { attributes: { title: 'Sanditon' } });
  await page.reload();
  await button(page, 'Forget them').click();
  await button(page, 'Undo').click();
  await button(page, 'Restore them').click();
  expect(await field(page, 'title').inputValue()).toBe('Persuasion');
  await expectAccessible(page);
  await button(page, 'Save').click();
  await page.getByLabel('Yours of title').check();
  await button(page, 'Save again').click();
  await page.getByText('Saved.').waitFor();
  expectRefusals(412);
  const drafts = () =>
    page.evaluate<number>('Object.keys(sessionStorage).filter((name) => /draft/.test(name)).length');
  await expect.poll(drafts).toBe(0);
  await field(page, 'title').fill('Lady Susan');
  await expect.poll(drafts).toBe(1);
  await page.getByRole('link', { name: 'Overview' }).click();
  await button(page, 'Leave without saving').click();
  await page.waitForURL(/overview/);
  await expect.poll(drafts).toBe(0);
});

test('a schema that a draft has replaced comes back', async () => {
  const client = await Client.create();
  await client.make('books', { title: 'Emma' });
  const page = await entered(browser, client, '#/schemas/new?target=books');
  const schema = page.getByLabel('Schema as JSON');
  await schema.fill('{"title": "by hand"}');
  await button(page, 'Draft from documents').click();
  await page.getByText(/^Drafted from 1 documents/).waitFor();
  expect(await schema.textContent()).not.toContain('by hand');
  await button(page, 'Undo').click();
  await schema.getByText('by hand').waitFor();
  // Nor is it offered to the schema of another type.
  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByRole('tab', { name: 'JSON' }).click();
  await page.reload();
  await button(page, 'Restore them').waitFor();
  await goTo(page, '#/schemas/new?target=films');
  await expect.poll(() => field(page, 'Type').inputValue()).toBe('films');
  expect(await button(page, 'Restore them').count()).toBe(0);
});

test('changes outlast a service that does not answer, and a login that has ended while the page was away', async () => {
  const client = await Client.create();
  const key = await client.withPermissions([may('get patch', '/.*')]);
  const { id } = await client.make('books', { title: 'Emma' });
  const page = await entered(browser, key, `#/documents/books/${id}`);
  page.on('dialog', (dialog) => void dialog.accept());
  await field(page, 'title').fill('Persuasion');
  // The service was killed.
  await page.route('**/resources/**', (route) => route.abort());
  await button(page, 'Save').click();
  await page.getByRole('alert').getByText('No answer from').first().waitFor();
  expect(await field(page, 'title').inputValue()).toBe('Persuasion');
  await page.unroute('**/resources/**');
  await page.reload();
  await button(page, 'Restore them').click();
  // The key has ended: another one takes its place.
  await page.route('**/resources/**', async (route) => {
    if (route.request().headers()['api-key'] === client.key) return route.fallback();
    return route.fulfill({
      status: 401,
      contentType: 'application/vnd.api+json',
      json: { errors: [{ status: '401', code: 'invalid-credentials', title: 'They have ended.' }] },
    });
  });
  await button(page, 'Save').click();
  const dialog = page.getByRole('dialog', { name: 'Log in again' });
  await dialog.getByLabel('API key').fill(client.key);
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await field(page, 'title').inputValue()).toBe('Persuasion');
  await button(page, 'Save').click();
  await page.getByText('Saved.').waitFor();
  expectRefusals(401, 'ERR_FAILED', 503);
});

test('refused reads interrupt nobody who writes: a click or saving opens one dialog, and leaving ends it', async () => {
  const { client, page } = await documentPage(browser, 'books', { title: 'Emma' });
  await field(page, 'title').fill('Persuasion');
  const errors = [{ status: '401', code: 'invalid-api-key', title: 'The key has ended.' }];
  await page.route('**/resources/**', (route) =>
    route.fulfill({ status: 401, json: { errors }, contentType: 'application/vnd.api+json' }),
  );
  // The page looks by itself whether anybody has changed the document.
  await button(page, 'Log in again').waitFor();
  const dialog = page.getByRole('dialog');
  expect(await dialog.count()).toBe(0);
  expect(await field(page, 'title').evaluate('document.activeElement?.value')).toBe('Persuasion');
  await expectAccessible(page);
  for (const name of ['Log in again', 'Save']) {
    await button(page, name).click();
    await dialog.getByLabel('API key').waitFor();
    expect(await dialog.count()).toBe(1);
    await button(page, 'Close').click();
    expect(await field(page, 'title').inputValue()).toBe('Persuasion');
  }
  await button(page, 'Log in again').click();
  await dialog.getByLabel('API key').fill(client.key);
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
  await button(page, 'Log in again').waitFor({ state: 'detached' });
  // It is refused once more, and whoever enters then is asked for nothing.
  await button(page, 'Save').click();
  await button(page, 'Close').click();
  await button(page, 'Leave').click();
  await button(page, 'Leave without saving').click();
  await page.unroute('**/resources/**');
  await field(page, 'Application id').fill(client.application);
  await field(page, 'API key').fill(client.key);
  await field(page, 'API key').press('Enter');
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  expect(await button(page, 'Log in again').count()).toBe(0);
  expect(await dialog.count()).toBe(0);
  expectRefusals(401);
});

test('a document that somebody has changed is shown before it is deleted', async () => {
  const { client, id, page } = await documentPage(browser, 'books', { title: 'Emma' });
  await field(page, 'title').waitFor();
  await client.update(`/resources/books/${id}`, { attributes: { title: 'Persuasion' } });
  await button(page, 'Delete').click();
  await button(page, 'Delete now').click();
  await page.getByText('Somebody changed the document meanwhile. This is how it is now.').waitFor();
  expect(await field(page, 'title').inputValue()).toBe('Persuasion');
  await button(page, 'Delete').click();
  await button(page, 'Delete now').click();
  await page.getByText(/was deleted\.$/).waitFor();
  expect((await client.get(`/resources/books/${id}`)).body.data).toBeNull();
  expectRefusals(412);
});

test('the focus and what is typed stay while a document is read anew', async () => {
  const client = await Client.create();
  const attributes = { username: 'ada', password: PASSWORD, city: 'Paris', name: '' };
  const { id } = (await client.create('/users/core.user', { attributes })).body.data;
  const path = `/users/core.user/${id}`;
  const page = await entered(browser, client, `#${path}`);
  await field(page, 'city').waitFor();
  await page.route(`**${path}`, async (route) => {
    const request = route.request();
    // The page looks by itself whether anybody has changed the user: that brings a tag.
    if (request.method() === 'GET' && request.headers()['if-none-match'] === undefined) {
      await client.update(path, { attributes: { city: 'London' } });
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await field(page, 'name').pressSequentially('Ada');
    }
    await route.continue();
  });
  await button(page, 'End all tokens').click();
  await page.getByRole('dialog').getByRole('button', { name: 'End all tokens' }).click();
  // What others have changed is shown beside it.
  await expect.poll(() => field(page, 'city').inputValue()).toBe('London');
  await page.keyboard.type(' Lovelace');
  expect(await field(page, 'name').inputValue()).toBe('Ada Lovelace');
  await page.getByText('Changed: name', { exact: true }).waitFor();
  await page.unroute(`**${path}`);
  await button(page, 'Save').click();
  await page.getByText('Saved. All tokens of this user have ended.').waitFor();
  const { body } = await client.get(path);
  expect(body.data.attributes).toMatchObject({ city: 'London', name: 'Ada Lovelace' });
});
