/** The pages in the guides (docs/guides): saved as printed, with the application and key that the guide has made. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { GUIDES, pasteGuide } from '../support/guides.ts';
import { serveSite } from '../support/site.ts';

const browser = useBrowser();

/** The `html` blocks of a guide as a site: `/0`, `/1`… */
async function siteOf(guide: string): Promise<string> {
  const { outputs } = await pasteGuide(guide);
  const said = outputs.join('\n');
  const [, application = ''] = /^application: (.*)$/m.exec(said) ?? [];
  const [, key = ''] = /^key: (.*)$/m.exec(said) ?? [];
  const text = readFileSync(join(GUIDES, guide), 'utf8');
  const pages = Array.from(text.matchAll(/^```html\n(.*?)^```$/gms), ([, page = ''], index) => [
    `/${index}`,
    page
      .replaceAll('http://127.0.0.1:8787', inject('url'))
      .replaceAll('your application', application)
      .replaceAll('your key', key),
  ]);
  return serveSite(Object.fromEntries(pages) as Record<string, string>);
}

test('the page of web-page.md shows what it and others have written', async () => {
  const site = await siteOf('web-page.md');
  const written: string[] = [];
  for (const note of ['<b>note</b> 0', '<b>note</b> 1']) {
    const page = await browser.open(`${site}/0`);
    await page.getByLabel('Note').fill(note);
    await page.getByRole('button', { name: 'Add' }).click();
    written.push(note);
    await expect.poll(() => page.locator('li').allTextContents()).toEqual(written);
    await page.reload();
    await expect.poll(() => page.locator('li').allTextContents()).toEqual(written);
  }
});

test('the page of log-in.md logs in, stays logged in, and logs out', async () => {
  const page = await browser.open(`${await siteOf('log-in.md')}/0`);
  await page.getByText('Nobody is logged in.').waitFor();
  await page.getByLabel('User name').fill('ada');
  await page.getByLabel('Password').fill('a guess');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('The login is missing or wrong.').waitFor();
  expect(browser.troubles()).toEqual([expect.stringContaining('401')]);
  await page.getByLabel('Password').fill('difference engine');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('Hello, ada!').waitFor();
  await page.reload();
  await page.getByText('Hello, ada!').waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByText('Nobody is logged in.').waitFor();
  await page.reload();
  await page.getByText('Nobody is logged in.').waitFor();
});
