/** The to-do app (docs/examples/todo.html), made ready by its guide and used in a real browser as two people would. */
import type { Page } from 'playwright-core';
import { readFileSync } from 'node:fs';
import { join as pathOf } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { accessibilityFaults } from '../support/accessible.ts';
import { useBrowser } from '../support/browser.ts';
import { pasteGuide } from '../support/guides.ts';
import { serveSite } from '../support/site.ts';
import { ROOT } from '../support/started.ts';

const browser = useBrowser();

let link: string;
beforeAll(async () => {
  const { outputs } = await pasteGuide('todo.md');
  link = outputs.at(-1)?.trim() ?? '';
});

/** Opens the app in a browser of its own, and creates an account. */
async function join(name: string): Promise<Page> {
  const page = await browser.open(link);
  await page.getByRole('textbox', { name: 'User name', exact: true }).fill(name);
  await page.getByLabel('Password').fill(`${name} knows`);
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByRole('button', { name: 'Log out' }).waitFor();
  return page;
}

async function add(page: Page, what: 'Title of a new list' | 'A new item', text: string): Promise<void> {
  await page.getByLabel(what).fill(text);
  await page.getByLabel(what).press('Enter');
  await (what === 'A new item' ? itemOf(page, text) : page.getByRole('heading', { name: text })).waitFor();
}

const itemOf = (page: Page, text: string) => page.getByRole('checkbox', { name: `Done: ${text}` });

/** What the items of the open list say, with what is done in front. */
const itemsOf = (page: Page) =>
  page.evaluate<readonly string[]>(
    `Array.from(document.querySelectorAll('#items li'), (item) =>
      (item.querySelector('[type=checkbox]').checked ? 'done: ' : '') + item.querySelector('input:not([type])').value)`,
  );

async function share(page: Page, friend: string): Promise<void> {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByLabel('User name of a friend').fill(friend);
  await page.getByLabel('User name of a friend').press('Enter');
}

/** Does something, and waits until the service has stored it. */
async function saving(page: Page, act: () => Promise<void>): Promise<void> {
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok());
  await act();
  await saved;
}

const eventually = <T>(look: () => Promise<T>) => expect.poll(look);

/** The tab comes back to the front: the app reads its lists again. */
async function comeBack(page: Page): Promise<void> {
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
}

test('two people keep lists, share one, and see when the other was faster', async () => {
  const bob = await join('bob');
  const ann = await join('ann');
  await add(ann, 'Title of a new list', 'Holiday');
  await add(ann, 'A new item', 'Pack the tent');
  await add(ann, 'A new item', 'Buy maps');
  await comeBack(bob);
  expect(await bob.getByRole('button', { name: /Holiday/ }).count()).toBe(0);

  await share(ann, 'nobody');
  await ann.getByText('There is no user nobody.').waitFor();
  await ann.getByRole('button', { name: 'Close' }).click();
  await share(ann, 'bob');
  await ann.getByText('Shared with bob').waitFor();
  await comeBack(bob);
  await bob.getByText('Shared by ann').waitFor();
  expect(await bob.getByRole('button', { name: 'Share', exact: true }).isVisible()).toBe(false);

  // Both add an item at the same time: nobody loses one.
  await add(bob, 'A new item', 'Charge the lamp');
  await add(ann, 'A new item', 'Water the plants');
  expect(await itemsOf(ann)).toEqual(['Pack the tent', 'Buy maps', 'Charge the lamp', 'Water the plants']);

  // Ann has not seen that Bob has done one.
  await comeBack(bob);
  await itemOf(bob, 'Water the plants').waitFor();
  await saving(bob, () => itemOf(bob, 'Pack the tent').check());
  await itemOf(ann, 'Buy maps').check();
  const conflict = ann.getByRole('dialog', { name: 'Somebody was faster' });
  await conflict.waitFor();
  const rest = ['Charge the lamp', 'Water the plants'];
  const theirs = ['done: Pack the tent', 'Buy maps', ...rest];
  const mine = ['done: Pack the tent', 'done: Buy maps', ...rest];
  expect(await conflict.locator('#theirs li').allTextContents()).toEqual(theirs);
  expect(await conflict.locator('#mine li').allTextContents()).toEqual(mine);
  browser.expects(/412/);
  await saving(ann, () => conflict.getByRole('button', { name: 'Store my change' }).click());
  await eventually(() => itemsOf(ann)).toEqual(mine);
  await comeBack(bob);
  await eventually(() => itemsOf(bob)).toEqual(mine);
});

test('a user stays logged in, and logs out', async () => {
  const page = await join('carol');
  await add(page, 'Title of a new list', 'Mine');
  await page.reload();
  await page.getByRole('heading', { name: 'Mine' }).waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('textbox', { name: 'User name', exact: true }).fill('carol');
  await page.getByLabel('Password').fill('a wrong guess');
  await page.getByRole('button', { name: 'Log in' }).click();
  await eventually(() => page.getByRole('status').textContent()).not.toBe('');
  browser.expects(/401/);
  await page.getByLabel('Password').fill('carol knows');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Mine' }).waitFor();
});

test('what others write is text, never HTML', async () => {
  const page = await join('mallory');
  const html = '<img src=x onerror="document.title=1">';
  await add(page, 'Title of a new list', html);
  await add(page, 'A new item', html);
  expect(await page.locator('main img').count()).toBe(0);
  expect(await page.title()).toBe('To-do');
});

test('axe finds no fault, in either theme, on a desk and on a telephone', async () => {
  const page = await join('dora');
  await add(page, 'Title of a new list', 'A list');
  await add(page, 'A new item', 'An item');
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      const faults = await accessibilityFaults(page);
      expect(faults, `${colorScheme}, ${width}`).toEqual([]);
      expect(await page.evaluate<number>('document.scrollingElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
  }
});

test('a copy on another server asks the address in it, and none that a link names', async () => {
  const file = readFileSync(pathOf(ROOT, 'docs/examples/todo.html'), 'utf8');
  const site = await serveSite({ '/': file.replace('<html', `<html data-url="${inject('url')}"`) });
  // The browser refuses other addresses, and the test fails for each.
  const page = await browser.open(
    `${site}/${new URL(link).hash}&url=${encodeURIComponent('https://mallory.example')}`,
  );
  await page.getByRole('textbox', { name: 'User name', exact: true }).fill('zoe');
  await page.getByLabel('Password').fill('zoe knows');
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByRole('button', { name: 'Log out' }).waitFor();
});
