/** Values of a table that are edited in their cell, by keys or a pen. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { openCell, entered } from '../../support/dashboard.ts';
import { rows, table } from '../../support/document-table.ts';

const browser = useBrowser();

describe('a value is edited where it stands', () => {
  const editor = (page: Page) => table(page, 'desks').getByRole('textbox');
  const stored = async (own: Client, id: string) =>
    (await own.get(`/resources/desks/${id}`)).body.data.attributes;

  test('by keys: F2 begins, Tab saves and goes on over what is no text, Enter saves, Escape leaves', async () => {
    const own = await Client.create();
    const { id } = await own.make('desks', { label: 'one', legs: 3, parts: [1], tall: true });
    const page = await entered(browser, own, '#/documents/desks?columns=label,parts,legs,tall,$updated');
    await rows(page, 'desks').first().focus();
    await page.keyboard.press('F2');
    await editor(page).fill('two');
    await page.keyboard.press('Tab');
    await expect.poll(() => editor(page).inputValue()).toBe('3');
    await editor(page).fill('4');
    await page.keyboard.press('Tab');
    await expect.poll(() => editor(page).inputValue()).toBe('true');
    await editor(page).fill('false');
    await page.keyboard.press('Tab');
    await editor(page).waitFor({ state: 'detached' });
    expect(await stored(own, id)).toEqual({ label: 'two', legs: 4, parts: [1], tall: false });
    await expect.poll(() => page.locator('tr:focus').getAttribute('aria-rowindex')).toBe('2');
    await page.keyboard.press('F2');
    await editor(page).fill('three');
    await page.keyboard.press('Escape');
    await rows(page, 'desks').getByText('two', { exact: true }).waitFor();
    expect(await stored(own, id)).toMatchObject({ label: 'two' });
  });

  test('but for a text of several lines, which keeps them', async () => {
    const own = await Client.create();
    const { id } = await own.make('desks', { text: 'one\ntwo', label: 'one' });
    const page = await entered(browser, own, '#/documents/desks?columns=text,label');
    await rows(page, 'desks').getByText('one', { exact: true }).waitFor();
    const label = 'one\nmore';
    await own.update(`/resources/desks/${id}`, { attributes: { label } });
    await rows(page, 'desks').first().focus();
    await page.keyboard.press('F2');
    await expect.poll(() => editor(page).inputValue()).toBe('onemore');
    await page.keyboard.press('Tab');
    await editor(page).waitFor({ state: 'detached' });
    expect(await stored(own, id)).toEqual({ text: 'one\ntwo', label });
  });

  test('by a pen beside it; whoever clicks elsewhere has saved', async () => {
    const own = await Client.create();
    const { id } = await own.make('desks', { label: 'one' });
    const page = await entered(browser, own, '#/documents/desks');
    await openCell(rows(page, 'desks').getByText('one', { exact: true }), 'label');
    await editor(page).fill('two');
    await page.getByRole('heading', { level: 1 }).click();
    await editor(page).waitFor({ state: 'detached' });
    expect(await stored(own, id)).toEqual({ label: 'two' });
  });

  test('what is refused says why, and stays', async () => {
    const own = await Client.create();
    const { id } = await own.make('desks', { legs: 3 });
    const page = await entered(browser, own, '#/documents/desks');
    await rows(page, 'desks').first().focus();
    await page.keyboard.press('F2');
    await editor(page).fill('three');
    await page.keyboard.press('Enter');
    const told = () => page.evaluate<string>('document.querySelector(".cell-editor").validationMessage');
    await expect.poll(told).toBe('This is no number.');
    await own.update(`/resources/desks/${id}`, { attributes: { legs: 5 } });
    await editor(page).fill('4');
    await page.keyboard.press('Enter');
    await expect.poll(told).toMatch(/^Somebody else has changed this document/);
    expect(await stored(own, id)).toEqual({ legs: 5 });
    browser.expects(/412/);
  });
});
