/** Uploads by Uppy from another origin to `npm start` (docs/files.md, Large and shaky uploads), in a real browser. */
import { build } from 'esbuild';
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import type { Client } from '../support/client.ts';
import { cutting } from '../support/cutting.ts';
import { digestOf, FILES } from '../support/files.ts';
import { digestAt, UPLOADS } from '../support/resumable.ts';
import { serveSite } from '../support/site.ts';
import { clientOf, Starts } from '../support/starts.ts';

/** Requests that were lost; and those sent again, by the browser too, while the bytes of the lost ones came. */
const LOST = /ERR_(CONNECTION_RESET|CONNECTION_CLOSED|EMPTY_RESPONSE)|409 \(Conflict\)/;

const browser = useBrowser(LOST);

/** Bytes of a part in the bucket. */
const PART = 5 * 1024 * 1024;
const SIZE = 2 * PART + 3;
/** The bytes that the page uploads. */
const BYTES = new Uint8Array(SIZE).map((_, at) => (at * 7) % 251);

let starts: Starts;
let client: Client;
let script: string;
beforeAll(async () => {
  starts = await Starts.prepare();
  client = clientOf(await starts.run());
  // Bundled from a text: their types bring those of browsers, which a Worker has not.
  const contents = `export { Uppy } from '@uppy/core'; export { default as Tus } from '@uppy/tus';`;
  const stdin = { contents, resolveDir: import.meta.dirname };
  const bundled = await build({ stdin, bundle: true, format: 'esm', write: false, logLevel: 'error' });
  script = bundled.outputFiles[0]?.text ?? '';
});
afterAll(() => starts.end());

/** A page whose `upload()` resolves with the address of the upload. */
function siteOf(url: string): Promise<string> {
  const { application, key } = client;
  const headers = { 'application-id': application, 'api-key': key };
  return serveSite({
    '/uppy.js': script,
    '/': `<!doctype html><meta charset="utf-8"><title>Uppy</title><script type="module">
      import { Tus, Uppy } from '/uppy.js';
      const bytes = new Uint8Array(${SIZE}).map((_, at) => (at * 7) % 251);
      const settings = { endpoint: '${url}${UPLOADS}', headers: ${JSON.stringify(headers)}, chunkSize: ${PART},
        retryDelays: [0, 100, 200, 400, 800, 1600] };
      window.upload = async () => {
        const uppy = new Uppy().use(Tus, settings);
        uppy.addFile(new File([bytes], 'é.bin', { type: 'application/x-test', lastModified: 1 }));
        const { successful = [], failed = [] } = await uppy.upload();
        if (failed.length > 0) throw new Error(failed[0].error);
        return successful[0].uploadURL;
      };
    </script>`,
  });
}

async function open(site: string, url: string, beside?: Page): Promise<Page> {
  const page = await browser.open(site, { origins: [url], ...(beside && { beside }) });
  await page.waitForFunction('window.upload');
  return page;
}

/** The file is as the page has it. */
async function expectWhole(address: unknown): Promise<void> {
  const id = String(address).split('/').at(-1) ?? '';
  const attributes = { name: 'é.bin', 'media-type': 'application/x-test', size: SIZE };
  expect((await client.get(`${FILES}/${id}`)).body.data.attributes).toMatchObject(attributes);
  expect(await digestAt(client, id)).toBe(digestOf(BYTES));
}

test('Uppy goes on where the network loses the connection', async () => {
  const network = await cutting(client.url, [3_000, PART - 9_000, PART]);
  const page = await open(await siteOf(network), network);
  await expectWhole(await page.evaluate('upload()'));
  browser.expects(LOST);
});

test('Uppy goes on with an upload whose page was closed', async () => {
  const { url } = client;
  const site = await siteOf(url);
  const page = await open(site, url);
  // The page is gone before its second part is through.
  const { promise: stuck, resolve } = Promise.withResolvers<undefined>();
  await page.route(/\/files\/uploads\//, (route) => {
    if (route.request().headers()['upload-offset'] !== String(PART)) return route.fallback();
    resolve(undefined);
    return undefined;
  });
  page.evaluate('upload()').catch(() => undefined);
  await stuck;
  const later = await open(site, url, page);
  await page.close();
  const sent: Request[] = [];
  later.on('request', (request) => sent.push(request));
  await expectWhole(await later.evaluate('upload()'));
  expect(sent.map((request) => request.method())).not.toContain('POST');
  const offsets = sent.map((request) => Number(request.headers()['upload-offset'] ?? Infinity));
  expect(Math.min(...offsets)).toBeGreaterThanOrEqual(PART);
});
