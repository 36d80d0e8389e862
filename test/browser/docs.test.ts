/** The documentation as a site: no dead link or anchor, and pages for telephones and assistive technology. */
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { pages } from '../../scripts/assets/docs/pages.ts';
import { accessibilityFaults } from '../support/accessible.ts';
import { useBrowser } from '../support/browser.ts';

const ADDRESSES = pages().map(({ address }) => address);
const urlOf = (address: string) => `${inject('url')}/${address}`;
const URLS = ADDRESSES.map(urlOf);
const INDEX = urlOf('docs/index');

/** The pages and whatever else they lead to, by address. */
const texts = new Map<string, string>();
beforeAll(async () => {
  for (const url of URLS) texts.set(url, await fetchText(url));
});

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url);
  return response.status === 200 ? response.text() : `${response.status}`;
}

/** What the `href`s and `src`s of a page lead to, resolved as a browser does. */
function linksOf(url: string): readonly URL[] {
  const links = (texts.get(url) ?? '').matchAll(/ (?:href|src)="([^"]*)"/g);
  return Array.from(links, ([, link = '']) => new URL(link.replaceAll('&amp;', '&'), url));
}

test('every page is served', () => {
  expect(URLS.filter((url) => texts.get(url)?.startsWith('<!doctype html>') !== true)).toEqual([]);
});

test('the index leads to every page but the license', () => {
  const reached = new Set(linksOf(INDEX).map(({ origin, pathname }) => origin + pathname));
  expect(URLS.filter((url) => !reached.has(url) && !url.endsWith('/license'))).toEqual([]);
});

test.each(ADDRESSES)('no link of %s is dead, and no anchor is missing', async (address) => {
  const dead: string[] = [];
  for (const { href, origin, pathname, hash } of linksOf(urlOf(address))) {
    if (origin !== inject('url')) {
      if (!href.startsWith('https:')) dead.push(href);
      continue;
    }
    const target = origin + pathname;
    if (!texts.has(target)) texts.set(target, await fetchText(target));
    const text = texts.get(target) ?? '';
    const anchor = decodeURIComponent(hash.slice(1));
    if (/^\d+$/.test(text) || (anchor !== '' && !text.includes(` id="${anchor}"`))) dead.push(href);
  }
  expect(dead).toEqual([]);
});

test.each(ADDRESSES)('%s names no anchor twice', (address) => {
  const ids = Array.from((texts.get(urlOf(address)) ?? '').matchAll(/ id="([^"]*)"/g), ([, id]) => id);
  expect(ids).toEqual([...new Set(ids)]);
});

describe('in a browser', () => {
  const browser = useBrowser();

  test('every page fits the width of a telephone', async () => {
    const page = await browser.open(INDEX);
    await page.setViewportSize({ width: 360, height: 780 });
    const wide: string[] = [];
    for (const url of URLS) {
      await page.goto(url, { waitUntil: 'domcontentloaded' });
      const width = await page.evaluate<number>('document.scrollingElement.scrollWidth');
      if (width > 360) wide.push(`${url}: ${width}`);
    }
    expect(wide).toEqual([]);
  });

  test('pages have no fault that axe finds, in light and dark', async () => {
    const page = await browser.open(INDEX);
    for (const name of ['index', 'guides/sharing', 'search', 'endpoints']) {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(urlOf(`docs/${name}`));
      expect(await accessibilityFaults(page), `${name} light`).toEqual([]);
      // The other theme has other colors, and nothing else.
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await accessibilityFaults(page, undefined, ['color-contrast']), `${name} dark`).toEqual([]);
    }
  });

  test('on a telephone, the menu opens over the page and leads to another', async () => {
    const page = await browser.open(INDEX);
    await page.setViewportSize({ width: 390, height: 844 });
    const link = page.locator('#menu').getByRole('link', { name: 'Share documents' });
    expect(await link.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    await link.click();
    await page.getByRole('heading', { level: 1, name: 'Share documents' }).waitFor();
    expect(await page.locator('#menu [aria-current=page]').textContent()).toBe('Share documents');
  });

  test('one search finds headings and texts of all guides', async () => {
    const page = await browser.open(`${INDEX}?q=rfc+6238`);
    const found = page.getByRole('list', { name: 'Found' });
    await found
      .getByRole('link', { name: /Second factors/ })
      .first()
      .waitFor();
    await page.getByLabel('Search the guides').fill('Share documents');
    await expect.poll(() => found.getByRole('link').first().innerText()).toBe('Share documents');
    await found.getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: 'Share documents' }).waitFor();
    await page.getByLabel('Search the guides').fill('xyzzy');
    await found.getByText('Nothing found.').waitFor();
  });

  test('what is typed before the script has come is searched', async () => {
    const page = await browser.open(INDEX);
    const { promise: typed, resolve } = Promise.withResolvers<null>();
    await page.route('**/assets/docs.js', async (route) => {
      await typed;
      await route.continue();
    });
    await page.goto(urlOf('docs/files'), { waitUntil: 'commit' });
    await page.getByLabel('Search the guides').fill('xyzzy');
    resolve(null);
    await page.getByRole('list', { name: 'Found' }).getByText('Nothing found.').waitFor();
    expect(await page.getByLabel('Search the guides').inputValue()).toBe('xyzzy');
  });

  test('code can be copied', async () => {
    const page = await browser.open(urlOf('docs/guides/sharing'));
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const block = page.locator('.code').first();
    await block.hover();
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toBe((await block.locator('code').textContent())?.trimEnd());
  });
});
