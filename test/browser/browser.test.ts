/** The real browser of the tests: it runs pages across origins, sees what goes wrong in them, and asks nobody else. */
import { describe, expect, inject, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { serveSite } from '../support/site.ts';

const browser = useBrowser();

describe('a page of another origin', () => {
  test('reads what the service answers', async () => {
    const client = await Client.create();
    const { id } = await client.make('books', { title: 'Dracula' });
    const headers = { 'application-id': client.application, 'api-key': client.key };
    const site = await serveSite({
      '/': `<!doctype html><h1></h1><script type="module">
        const answer = await fetch('${client.url}/resources/books/${id}', { headers: ${JSON.stringify(headers)} });
        document.querySelector('h1').textContent = (await answer.json()).data.attributes.title;
      </script>`,
    });
    const page = await browser.open(site);
    await page.waitForSelector('h1:not(:empty)');
    expect(await page.textContent('h1')).toBe('Dracula');
  });

  test('is Chromium, and shares its storage with a page beside it alone', async () => {
    const site = await serveSite({
      '/': '<!doctype html><script>localStorage.seen ??= 0; localStorage.seen++</script>',
    });
    const page = await browser.open(site);
    expect(await page.evaluate('navigator.userAgent')).toContain('Chrome/');
    const tab = await browser.open(site, { beside: page });
    expect(await tab.evaluate('localStorage.seen')).toBe('2');
    const stranger = await browser.open(site);
    expect(await stranger.evaluate('localStorage.seen')).toBe('1');
  });
});

describe('what goes wrong in a page is seen', () => {
  test.each<[string, string, ...RegExp[]]>([
    ['an error that it logs', 'console.error("no tea")', /^console: no tea /],
    ['an error that it throws', 'throw new Error("no milk")', /^error: Error: no milk$/],
    [
      'a request to anybody else',
      'fetch("http://example.com/x").catch(() => 0)',
      /^refused: http:\/\/example\.com\/x$/,
      /ERR_BLOCKED/,
    ],
    ['an answer that is no success', `fetch("URL/nowhere")`, /^console: .* 40[0-9]/],
  ])('%s', async (_, script, ...troubles) => {
    const site = await serveSite({
      '/': `<!doctype html><script>${script.replace('URL', inject('url'))}</script>`,
    });
    const page = await browser.open(site);
    await page.waitForLoadState('networkidle');
    browser.expects(...troubles);
  });
});
