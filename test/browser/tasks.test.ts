/** The list that works offline (docs/examples/tasks.html), made by its guide and used in two real browsers. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { accessibilityFaults } from '../support/accessible.ts';
import { useBrowser } from '../support/browser.ts';
import { pasteGuide } from '../support/guides.ts';

/** Requests that could not be sent, and the conflicts that the page has dealt with, are no trouble. */
const browser = useBrowser(/INTERNET_DISCONNECTED| 412 /);

let link: string;
beforeAll(async () => {
  const { outputs } = await pasteGuide('offline.md');
  link = outputs.at(-1)?.trim() ?? '';
});

/** Opens the list in a browser of its own. */
async function open(): Promise<Page> {
  const page = await browser.open(link);
  await says(page, 'Up to date');
  return page;
}

const says = (page: Page, text: string) =>
  page.getByRole('status').getByText(text, { exact: true }).waitFor();
const boxOf = (page: Page, text: string) =>
  page.getByRole('checkbox', { name: `Done: ${text}`, exact: true });
const fieldOf = (page: Page, text: string) =>
  page
    .getByRole('listitem')
    .filter({ has: boxOf(page, text) })
    .getByRole('textbox');

async function add(page: Page, text: string): Promise<void> {
  await page.getByLabel('A new task').fill(text);
  await page.getByLabel('A new task').press('Enter');
  await boxOf(page, text).waitFor();
}

async function rewrite(page: Page, from: string, to: string): Promise<void> {
  await fieldOf(page, from).fill(to);
  await fieldOf(page, from).press('Enter');
  await boxOf(page, to).waitFor();
}

/** What the tasks say, with what is done in front. */
const tasksOf = (page: Page) =>
  page.evaluate<readonly string[]>(
    `Array.from(document.querySelectorAll('#tasks li'), (item) =>
      (item.querySelector('[type=checkbox]').checked ? 'done: ' : '') + item.querySelector('input:not([type])').value)`,
  );
const eventually = (page: Page) => expect.poll(() => tasksOf(page));

test('two people see each other, one goes on offline, and both end with the same', async () => {
  const ann = await open();
  const bob = await open();
  await add(ann, 'Pack the tent');
  await boxOf(bob, 'Pack the tent').waitFor();
  await add(bob, 'Buy maps');
  await add(bob, 'Charge the lamp');
  await boxOf(ann, 'Charge the lamp').waitFor();

  // Bob sits in a train.
  await bob.context().setOffline(true);
  await add(bob, 'Call the camp site');
  await boxOf(bob, 'Buy maps').check();
  await rewrite(bob, 'Pack the tent', 'Pack the small tent');
  await bob.getByRole('button', { name: 'Remove: Charge the lamp' }).click();
  await says(bob, 'Offline: 4 changes wait');
  expect(await bob.getByText('not sent yet').locator('visible=true').count()).toBe(3);

  // Meanwhile, Ann changes the same tasks.
  await rewrite(ann, 'Pack the tent', 'Pack the big tent');
  await rewrite(ann, 'Buy maps', 'Buy two maps');
  await add(ann, 'Water the plants');
  expect(await tasksOf(bob)).toEqual(['Pack the small tent', 'done: Buy maps', 'Call the camp site']);
  expect(await tasksOf(ann)).toEqual([
    'Pack the big tent',
    'Buy two maps',
    'Charge the lamp',
    'Water the plants',
  ]);

  await says(ann, 'Up to date');
  await bob.context().setOffline(false);
  // Both have rewritten one task: Bob decides. One has ticked what the other has rewritten: both count.
  const conflict = bob.getByRole('region', { name: 'Conflict: Pack the big tent' });
  await conflict.waitFor();
  await conflict.getByRole('button', { name: 'Mine' }).getByText('Pack the small tent').waitFor();
  await conflict.getByRole('button', { name: 'Theirs' }).getByText('Pack the big tent').waitFor();
  await boxOf(ann, 'Call the camp site').waitFor();
  await says(bob, 'Please decide');
  await conflict.getByRole('button', { name: 'Mine' }).click();
  await says(bob, 'Up to date');
  const all = ['Pack the small tent', 'done: Buy two maps', 'Call the camp site', 'Water the plants'];
  for (const page of [ann, bob]) await eventually(page).toEqual(all);
});

test('what one has removed and the other changed is a decision, too', async () => {
  const ann = await open();
  const bob = await open();
  await add(ann, 'Old');
  await boxOf(bob, 'Old').waitFor();
  await bob.context().setOffline(true);
  await bob.getByRole('button', { name: 'Remove: Old' }).click();
  await says(bob, 'Offline: 1 change waits');
  await rewrite(ann, 'Old', 'Old, and needed');
  await says(ann, 'Up to date');
  await bob.context().setOffline(false);
  const conflict = bob.getByRole('region', { name: 'Conflict: Old, and needed' });
  await conflict.getByRole('button', { name: 'Mine' }).getByText('removed').waitFor();
  await conflict.getByRole('button', { name: 'Theirs' }).click();
  await boxOf(bob, 'Old, and needed').waitFor();
  await says(bob, 'Up to date');
  expect(await boxOf(ann, 'Old, and needed').count()).toBe(1);
});

test('what was written stays over a reload, and whoever writes is not disturbed', async () => {
  const ann = await open();
  const bob = await open();
  await add(ann, 'Kept');
  await boxOf(bob, 'Kept').waitFor();
  await fieldOf(bob, 'Kept').fill('Half a sent');
  await add(ann, 'Another');
  await boxOf(bob, 'Another').waitFor();
  expect(await fieldOf(bob, 'Kept').inputValue()).toBe('Half a sent');
  await fieldOf(bob, 'Kept').fill('A sentence');
  await fieldOf(bob, 'Kept').press('Enter');
  await boxOf(ann, 'A sentence').waitFor();
  await bob.reload();
  await boxOf(bob, 'A sentence').waitFor();
});

test('what others write is text, never HTML', async () => {
  const page = await open();
  const html = '<img src=x onerror="document.title=1">';
  await add(page, html);
  const other = await open();
  await boxOf(other, html).waitFor();
  for (const each of [page, other]) {
    expect(await each.locator('main img').count()).toBe(0);
    expect(await each.title()).toBe('Tasks');
  }
});

test('axe finds no fault, in either theme, on a desk and on a telephone', async () => {
  const ann = await open();
  const bob = await open();
  await add(ann, 'A task');
  await boxOf(bob, 'A task').waitFor();
  await bob.context().setOffline(true);
  await rewrite(bob, 'A task', 'A task of mine');
  await rewrite(ann, 'A task', 'A task of theirs');
  await says(ann, 'Up to date');
  await bob.context().setOffline(false);
  await bob.getByRole('region', { name: /^Conflict/ }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 360]) {
      await bob.setViewportSize({ width, height: 844 });
      await bob.emulateMedia({ colorScheme });
      const faults = await accessibilityFaults(bob);
      expect(faults, `${colorScheme}, ${width}`).toEqual([]);
      expect(await bob.evaluate<number>('document.scrollingElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
  }
});
