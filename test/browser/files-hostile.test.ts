/** Contents that would run: opened, framed and taken as scripts by a page elsewhere, none runs in a real browser. */
import { beforeAll, expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { linkTo, PNG, storePicture } from '../support/files.ts';
import { serveSite } from '../support/site.ts';

const browser = useBrowser(/./);

/** Whatever runs it: it marks the page that has it, and the page that frames it, and leaves a trace at the service. */
const RUN = `globalThis.ran=1;try{top.postMessage('ran','*')}catch{};fetch('/ran').catch(()=>0)`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"><script>${RUN}</script></svg>`;
const HTML = `<!doctype html><title>x</title><script>${RUN}</script><img src="x" onerror="${RUN}">`;
const XHTML = `<html xmlns="http://www.w3.org/1999/xhtml"><script>${RUN}</script></html>`;

let client: Client;
beforeAll(async () => {
  client = await Client.create('hostile contents');
});

test.each([
  ['HTML', 'text/html', HTML],
  ['HTML that is said to be text', 'text/plain', HTML],
  ['HTML of which nothing is said', 'application/octet-stream', HTML],
  ['XHTML', 'application/xhtml+xml', XHTML],
  ['SVG', 'image/svg+xml', SVG],
  ['XML with a picture that runs', 'text/xml', SVG],
  ['a script', 'text/javascript', RUN],
  ['a script that is said to be text', 'text/plain', RUN],
  ['a picture that is a script too', 'image/gif', `GIF89a/*\x01\x00\x01\x00*/=1;${RUN}`],
  ['a picture with HTML behind it', 'image/png', String.fromCharCode(...PNG) + HTML],
])('%s runs nowhere', async (_, mediaType, content) => {
  const bytes = Uint8Array.from(content, (sign) => sign.charCodeAt(0));
  const id = await storePicture(client, bytes, { 'content-type': mediaType });
  const href = String((await linkTo(client, id)).body.meta['href']);
  const site = await serveSite({
    '/': `<!doctype html><meta charset="utf-8"><title>Site</title>
      <script>var ran = 0; onmessage = () => { ran = 1; };</script>
      <iframe src="${href}"></iframe><object data="${href}"></object><embed src="${href}">
      <script src="${href}"></script><script type="module" src="${href}"></script>
      <link rel="stylesheet" href="${href}"><img src="${href}">`,
  });
  const page = await browser.open(site);
  const asked: string[] = [];
  page.context().on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.waitForLoadState('load');
  expect(await page.evaluate('globalThis.ran')).toBe(0);
  // Opened by itself: it is shown as what it is said to be, or saved.
  const opened = await page.context().newPage();
  const saved = opened.waitForEvent('download').then(() => 'saved');
  saved.catch(() => undefined);
  const shown = await Promise.race([
    opened.goto(href).then(
      () => 'shown',
      () => saved,
    ),
    saved,
  ]);
  expect(shown).toBe(/^(image\/(gif|png)|text\/plain)$/.test(mediaType) ? 'shown' : 'saved');
  expect(await opened.evaluate('globalThis.ran ?? 0')).toBe(0);
  expect(asked).not.toContain('/ran');
});
