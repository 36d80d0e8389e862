/** The reference page at `/docs`, in a real browser: it shows every endpoint, and sends requests with credentials. */
import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { accessibilityFaults } from '../support/accessible.ts';
import { useBrowser } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { entered } from '../support/dashboard.ts';
import { makeSchema } from '../support/type-settings.ts';

const browser = useBrowser();
const ADDRESS = `${inject('url')}/docs`;

/** The page when it shows the description. */
const open = async (): Promise<Page> => {
  const page = await browser.open(ADDRESS);
  await page.getByRole('heading', { name: 'API reference' }).waitFor();
  await page.locator('#link-overview').waitFor();
  return page;
};

const enter = async (page: Page, { application, key }: Client): Promise<void> => {
  await page.getByLabel('Application id').fill(application);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Use them' }).click();
};

const groupsOf = (page: Page) => page.locator('.nav-bar-tag').allInnerTexts();

const withSchema = async (): Promise<Client> => {
  const client = await Client.create();
  await makeSchema(client, 'articles', { attributes: { properties: { title: { type: 'string' } } } });
  return client;
};

describe('the reference page', () => {
  test('has a strict policy, and needs nobody but the server', async () => {
    const answer = await fetch(ADDRESS);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'");
    // Whatever else it asked for, the browser would refuse, and the test would fail.
    const page = await open();
    expect((await groupsOf(page)).map((name) => name.replace('▾', '').trim())).toEqual([
      'Documents',
      'Operations',
      'Files',
      'Users',
      'API keys',
      'Schemas',
      'Aggregates',
      'Webhooks',
      'Audit trail',
      'Applications',
      'Pages',
    ]);
  });

  test('leads to pages that are there', async () => {
    const links = (await (await fetch(ADDRESS)).text()).matchAll(/ (?:href|src)="([^"]*)"/g);
    for (const [, link = ''] of links) {
      expect([link, (await fetch(new URL(link, ADDRESS))).status]).toEqual([link, 200]);
    }
  });

  test('sends a request with the credentials that were entered, and shows 200', async () => {
    const client = await withSchema();
    await client.make('articles', { title: 'Dracula' });
    const page = await open();
    await enter(page, client);
    await page.getByText('One type of the application added.').waitFor();
    await page.locator('.nav-bar-tag', { hasText: '/resources/articles' }).click();
    await page.locator('.nav-bar-path', { hasText: 'Lists documents' }).first().click();
    const answered = page.waitForResponse(`${client.url}/resources/articles*`);
    await page.getByRole('button', { name: 'Execute' }).click();
    expect((await answered).status()).toBe(200);
    await page.getByText(/Response Status: .*200/).waitFor();
    await page.getByText('Dracula').first().waitFor();
  });

  test('takes what was entered in the dashboard, from its bar', async () => {
    const dashboard = await entered(browser, await withSchema());
    const opened = dashboard.waitForEvent('popup');
    await dashboard.getByRole('link', { name: 'API', exact: true }).click();
    await (await opened).getByText('One type of the application added.').waitFor();
  });

  test('says what is wrong with credentials', async () => {
    const page = await open();
    await enter(page, new Client(inject('url'), 'none', 'made-up'));
    await page.getByText('The application or the API key is not known.').waitFor();
    browser.expects(/401/);
  });

  test('can be read by assistive technology, in light and dark, and fits a telephone', async () => {
    const page = await open();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // The viewer takes its colors from a script, which the browser tells of the scheme with its next frame.
      await page.evaluate('new Promise(requestAnimationFrame)');
      expect(await accessibilityFaults(page, '.overview, .bar'), colorScheme).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(390);
    await page.getByLabel('Application id').waitFor();
  });
});
