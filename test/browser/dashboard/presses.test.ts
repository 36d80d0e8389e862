/** What is pressed at an unlucky moment counts: as the page moves by what comes late, or before it is seen. */
import { expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { button, entered, goTo } from '../../support/dashboard.ts';

const browser = useBrowser();

/** The page of a document, whose requests like the pattern are answered when the test lets them. */
async function opened(held: RegExp) {
  const client = await Client.create();
  const properties = { name: { type: 'string', description: 'What it is called.' } };
  const content = { properties: { attributes: { properties } } };
  await client.create('/schemas/core.schema', { attributes: { target: 'places', content } });
  const { id } = await client.make('places', { name: 'Ulm' }, { town: { data: null } });
  const page = await entered(browser, client, '#/documents');
  const { promise, resolve } = Promise.withResolvers<boolean>();
  await page.route(held, async (route) => {
    await promise;
    await route.fallback();
  });
  await goTo(page, `#/documents/places/${id}`);
  return { page, come: resolve };
}

const HINT = '.hint';
const TIME = 'main time';

test.each([
  ['stays, as when it was made is told', /created/, HINT, TIME, true],
  ['counts, as the hint of a schema moves it', /core\.schema\?/, TIME, HINT, false],
])('a button that is pressed %s', async (_, held, known, told, stays) => {
  const { page, come } = await opened(held);
  await page.locator(known).first().waitFor();
  const link = button(page, 'Link town');
  await link.hover();
  const before = await link.boundingBox();
  await page.mouse.down();
  come(true);
  await page.locator(told).first().waitFor();
  const now = await link.boundingBox();
  expect(now?.y === before?.y).toBe(stays);
  await page.mouse.up();
  await page.getByRole('dialog', { name: 'Link town' }).getByLabel('Type').waitFor();
});

/** Presses Ctrl+K as soon as the menu is there, before it is seen, and notes whether the dialog is open as it comes. */
const AT_ONCE = `new MutationObserver(() => {
  if (self.isPressed !== true && document.querySelector('#menu') !== null) {
    self.isPressed = true;
    dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }));
  }
  self.isOpen ??= document.querySelector('dialog')?.open;
}).observe(document, { childList: true, subtree: true });`;

test('a key counts as soon as the page is there, and the next is for the dialog that it opens', async () => {
  const page = await entered(browser, await Client.create());
  await page.addInitScript(AT_ONCE);
  await page.reload();
  await page.getByRole('combobox', { name: 'Find' }).waitFor();
  expect(await page.evaluate('isOpen')).toBe(true);
});
