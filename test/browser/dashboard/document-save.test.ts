/** A document is checked while it is written, saved on the state that was read, and not lost by a click. */
import { expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client, NO_ID } from '../../support/client.ts';
import {
  openCell,
  button,
  documentPage,
  entered,
  expectAccessible,
  field,
  goTo,
} from '../../support/dashboard.ts';
import { logIn, makeUser, may } from '../../support/people.ts';

const browser = useBrowser();

const wayTo = (id: string, tab?: string) =>
  `#/documents/places/${id}${tab === undefined ? '' : `?tab=${tab}`}`;

async function withSchema(attributes: object, of: object = {}) {
  const client = await Client.create();
  const made = await client.make('places', attributes);
  await client.create('/schemas/core.schema', {
    attributes: {
      target: 'places',
      content: { type: 'object', properties: { attributes: { type: 'object', ...of } } },
    },
  });
  return { client, ...made };
}

const NAMED = {
  required: ['name'],
  properties: { name: { type: 'string', minLength: 3 }, seen: { type: 'string', format: 'date-time' } },
};

test('a document is checked against its schemas while one types, at the field and in the JSON', async () => {
  const { client, id } = await withSchema(
    { name: 'Ulm', seen: { $date: '2026-05-04T10:00:00.000Z' } },
    NAMED,
  );
  const page = await entered(browser, client, wayTo(id));
  await page.getByText('Checked against its schema.').waitFor();
  await field(page, 'name').fill('U');
  await page.getByText('1 error.').waitFor();
  const noteId = (await field(page, 'name').getAttribute('aria-describedby')) ?? '';
  expect(await page.locator(`[id="${noteId}"]`).textContent()).toBe(
    'The string must have at least 3 characters.',
  );
  await button(page, 'Remove name').click();
  await page.getByText('The member name is required.').waitFor();
  await page.getByRole('tab', { name: 'JSON' }).click();
  await page.getByLabel('The document as JSON').fill('{"attributes": {"name": "U"}}');
  // The place that is wrong is underlined.
  await page.locator('.cm-lintRange-error').getByText('"U"').waitFor();
  await page.getByLabel('The document as JSON').fill('{"attributes": {"name": "Ulm"}}');
  await page.locator('.cm-lintRange-error').waitFor({ state: 'detached' });
});

test('a pattern on which others never end is decided at once, and what takes long stops no typing', async () => {
  const { client, id } = await withSchema(
    { name: 'a', list: Array.from({ length: 9000 }, (_, n) => `${n} a`) },
    {
      properties: { name: { type: 'string', pattern: '^(a+)+$' }, list: { items: { pattern: '[0-9] a$' } } },
    },
  );
  const { id: short } = await client.make('places', { name: 'a' });
  const page = await entered(browser, client, wayTo(id));
  await page.getByText('Checked when you save').waitFor();
  await goTo(page, wayTo(short));
  await page.getByText('Checked against its schema.').waitFor();
  await field(page, 'name').fill(`${'a'.repeat(40)}!`);
  await page.getByText('The string must match the pattern ^(a+)+$.').waitFor();
  await field(page, 'name').fill('aa');
  await button(page, 'Save').click();
  await page.getByText('Saved.').waitFor();
});

test('where a stored schema has faults, as former releases took some, the others are checked', async () => {
  const { client, id } = await withSchema({ name: 'Ulm' }, NAMED);
  const page = await entered(browser, client, '#/');
  await page.route('**/schemas/core.schema?*', async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { readonly data: readonly object[] };
    const faulty = { ...data[0], id: NO_ID, attributes: { content: { type: 'no type' } } };
    await route.fulfill({ response, body: JSON.stringify({ data: [faulty, ...data] }) });
  });
  await goTo(page, wayTo(id));
  await page.getByText('Checked when you save').waitFor();
  await field(page, 'name').fill('U');
  await page.getByText('1 error.').waitFor();
});

test('where schemas may not be read, the service says what is wrong, at the field', async () => {
  const { client, id } = await withSchema({ name: 'Ulm' }, NAMED);
  const narrow = await client.withPermissions([may('get patch', '/resources/.*'), may('get', '/users/.*')]);
  const page = await entered(browser, narrow, wayTo(id));
  await field(page, 'name').fill('U');
  await button(page, 'Save').click();
  await page.getByRole('alert').getByText('The document does not satisfy a schema').waitFor();
  const noteId = (await field(page, 'name').getAttribute('aria-describedby')) ?? '';
  expect(await page.locator(`[id="${noteId}"]`).textContent()).toBe(
    'The string must have at least 3 characters.',
  );
  browser.expects(/40[13]|422/);
});

test('a conflict is shown side by side, and each field is chosen', async () => {
  const { client, id, page } = await documentPage(browser, 'places', {
    both: 'base',
    mine: 'base',
    theirs: 'base',
    same: 'base',
  });
  await field(page, 'both').fill('my both');
  await field(page, 'mine').fill('my own');
  await client.update(`/resources/places/${id}`, { attributes: { both: 'their both', theirs: 'their own' } });
  await button(page, 'Save').click();
  const dialog = page.getByRole('dialog', { name: 'Somebody else changed this document' });
  await dialog.waitFor();
  browser.expects(/412/);
  await expectAccessible(page);
  for (const text of ['my both', 'their both', 'my own', 'their own'])
    await dialog.getByText(text, { exact: true }).waitFor();
  expect(await dialog.getByText('same', { exact: true }).count()).toBe(0);
  // What only one side has changed is chosen already; what both have is asked.
  expect(await dialog.getByLabel('Yours of mine').isChecked()).toBe(true);
  expect(await dialog.getByLabel('Theirs of theirs').isChecked()).toBe(true);
  expect(await button(page, 'Save again').isDisabled()).toBe(true);
  await dialog.getByLabel('Theirs of both').check();
  // Somebody saves once more: that is chosen from as well.
  await client.update(`/resources/places/${id}`, { attributes: { theirs: 'their last' } });
  await button(page, 'Save again').click();
  await dialog.getByText('their last').waitFor();
  browser.expects(/412/);
  await button(page, 'Save again').click();
  await page.getByText('Saved.').waitFor();
  const { body } = await client.get(`/resources/places/${id}`);
  expect(body.data.attributes).toEqual({
    both: 'their both',
    mine: 'my own',
    theirs: 'their last',
    same: 'base',
  });
});

test('changes that are not saved are not lost by a click, nor by the way back', async () => {
  const client = await Client.create();
  const { id } = await client.make('places', { name: 'Ulm' });
  const page = await entered(browser, client, '#/overview');
  await goTo(page, wayTo(id));
  await field(page, 'name').fill('Neu-Ulm');
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
  await button(page, 'Stay').click();
  expect(await field(page, 'name').inputValue()).toBe('Neu-Ulm');
  expect(page.url()).toContain(wayTo(id));
  await page.goBack();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await field(page, 'name').inputValue()).toBe('Neu-Ulm');
  await page.getByRole('link', { name: 'Overview' }).click();
  await button(page, 'Leave without saving').click();
  await page.waitForURL(/overview/);
  await field(page, 'name').waitFor({ state: 'detached' });
});

test('what is typed while a save is under way stays', async () => {
  const { client, id, page } = await documentPage(browser, 'places', { name: 'Ulm' });
  await page.route(`**/places/${id}`, async (route) => {
    if (route.request().method() === 'PATCH') await field(page, 'name').fill('Neu-Ulm am Rhein');
    await route.continue();
  });
  await field(page, 'name').fill('Neu-Ulm');
  await button(page, 'Save').click();
  await page.getByText('Saved.').waitFor();
  expect(await field(page, 'name').inputValue()).toBe('Neu-Ulm am Rhein');
  await page.getByText('Changed: name').waitFor();
  expect((await client.get(`/resources/places/${id}`)).body.data.attributes).toEqual({ name: 'Neu-Ulm' });
});

test('a save that is slow tells for how long, on a page and in a dialog', async () => {
  const { page } = await documentPage(browser, 'places', { name: 'Ulm' });
  const slow = page.getByRole('timer').getByText(/^Not done yet: [3-9] s$/);
  await page.route(/\/(places|core\.user)\b/, async (route) => {
    if (route.request().method() !== 'GET') await slow.waitFor();
    await route.continue();
  });
  await field(page, 'name').fill('Neu-Ulm');
  await button(page, 'Save').click();
  await page.getByText('Saved.').waitFor();
  expect(await page.getByRole('timer').count()).toBe(0);
  await goTo(page, '#/users');
  await button(page, 'New user').click();
  await field(page, 'User name').fill('ada');
  await field(page, 'Password').fill('difference engine');
  await button(page, 'Create').click();
  await page.getByRole('heading', { name: 'ada' }).waitFor();
});

test('a 429 tells when to try again, on a page and in a table', async () => {
  const client = await Client.create();
  const { id } = await client.make('places', { name: 'Ulm' });
  await makeUser(client, 'ada');
  let refusal = await logIn(client, 'ada', 'a wrong one');
  while (refusal.status !== 429) refusal = await logIn(client, 'ada', 'a wrong one');
  const page = await entered(browser, client, wayTo(id));
  await page.route(`**/places/${id}`, (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({
          status: 429,
          headers: Object.fromEntries(refusal.headers),
          body: refusal.text,
        })
      : route.continue(),
  );
  await field(page, 'name').fill('Neu-Ulm');
  await button(page, 'Save').click();
  await page
    .getByRole('alert')
    .getByText(/Try again in \d\d seconds\./)
    .waitFor();
  await button(page, 'Discard').click();
  await goTo(page, '#/documents/places');
  await openCell(page.getByRole('cell', { name: 'Ulm' }), 'name');
  const editor = page.getByRole('textbox', { name: `name of ${id}` });
  await editor.fill('Neu-Ulm');
  await editor.press('Enter');
  const told = () => page.evaluate<string>('document.querySelector(".cell-editor").validationMessage');
  await expect.poll(told).toMatch(/Try again in \d\d seconds\.$/);
  browser.expects(/429/);
});

test('a deletion is held back: undone, it leaves all as it is; it is done as one leaves, or says so', async () => {
  const client = await Client.create();
  const [one, other] = [
    await client.make('places', { name: 'Ulm' }),
    await client.make('places', { name: 'Bonn' }),
  ];
  const page = await entered(browser, client, wayTo(one.id));
  await button(page, 'Delete').click();
  await page.getByRole('alert').getByText('Ulm is deleted in 10 seconds').waitFor();
  await button(page, 'Undo').click();
  await button(page, 'Delete').waitFor();
  expect((await client.get(`/resources/places/${one.id}`)).body.data).not.toBe(null);
  await button(page, 'Delete').click();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('Ulm was deleted.').waitFor();
  expect((await client.get(`/resources/places/${one.id}`)).body.data).toBe(null);
  await goTo(page, wayTo(other.id));
  await button(page, 'Delete').click();
  await button(page, 'Delete now').click();
  await page.getByText('Bonn was deleted.').waitFor();
  expect((await client.get(`/resources/places/${other.id}`)).body.data).toBe(null);
  await goTo(page, wayTo(one.id));
  await page.getByText('This document was deleted.').waitFor();
});

test('a deletion is sent while the tab closes, by a request that outlives its page', async () => {
  const { client, id, page } = await documentPage(browser, 'places', { name: 'Ulm' });
  await button(page, 'Delete').click();
  await button(page, 'Undo').waitFor();
  // Whether a browser keeps what it promises such requests is not ours: a loaded one does not always.
  const outlives = await page.evaluate(`new Promise((resolve) => {
    const { fetch } = window;
    window.fetch = (input, init) => {
      resolve(init?.keepalive);
      return fetch(input, init);
    };
    dispatchEvent(new PageTransitionEvent('pagehide'));
    // Long before the deletion would be sent by itself.
    setTimeout(resolve, 2_000, 'nothing was sent');
  })`);
  expect(outlives).toBe(true);
  const left = async () => (await client.get(`/resources/places/${id}`)).body.data;
  await expect.poll(left).toBe(null);
});
