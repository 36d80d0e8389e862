/** The client in a real browser: a static page of another origin imports it from the service, without a build. */
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, inject, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { PNG } from '../support/files.ts';
import { serveSite } from '../support/site.ts';
import { ACL, may } from '../support/people.ts';

const browser = useBrowser();
/** Scripts, their most bytes as the edge sends them (by Brotli; docs/client.md), and what each imports. */
const SCRIPTS = [
  ['client.js', 6_144, ['./client-files.js']],
  ['client-live.js', 2_800, ['./client.js']],
  ['client-offline.js', 8_192, ['./client.js', './client-files.js']],
  ['client-files.js', 2_300, ['./client.js']],
  ['client-account.js', 1_536, []],
] as const;

describe.each(SCRIPTS)('/%s', (name, largest, imported) => {
  test(`is one script below ${largest} bytes, compressed, and imports ${imported.join() || 'nothing'}`, async () => {
    const script = await (await fetch(`${inject('url')}/${name}`)).text();
    expect(brotliCompressSync(script).length).toBeLessThan(largest);
    const found = script.matchAll(/\bimport\b[^"'`]*["']([^"']+)/g);
    expect([...new Set(Array.from(found, ([, from]) => from))]).toEqual(imported);
  });
});

describe('/client.js', () => {
  test('needs no key, may be imported from anywhere, and is asked for again to see whether it changed', async () => {
    const answer = await fetch(`${inject('url')}/client.js`, { headers: { origin: 'https://app.example' } });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cache-control': 'public, no-cache',
    });
    await answer.arrayBuffer();
    const etag = answer.headers.get('etag') ?? '';
    const again = await fetch(`${inject('url')}/client.js`, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });
});

describe('in a page of another origin', () => {
  test('documents are made, listed, saved, and conflicts told', async () => {
    const { url, application, key } = await Client.create();
    const site = await serveSite({
      '/': `<!doctype html><title>Books</title><ol></ol><p></p><script type="module">
        import { connect, Decimal } from '${url}/client.js';
        const db = connect(${JSON.stringify({ url, application, key })});
        const author = await db.create('authors', { name: 'Mary Shelley' });
        for (const title of ['Frankenstein', 'Mathilda', 'Valperga']) {
          await db.create('books', { title, author, price: new Decimal('7.90'), seen: new Date(0) });
        }
        for await (const book of db.list('books', { include: 'author', sort: '-title', size: 2 })) {
          const line = document.createElement('li');
          line.textContent = [book.title, book.author.name, book.price, book.seen.getTime()].join(' / ');
          document.querySelector('ol').append(line);
        }
        const book = await db.list('books').first();
        const mine = { ...book, title: 'Mine' };
        await db.save({ ...book, title: 'Theirs' });
        const { name, current } = await db.save(mine).catch((error) => error);
        document.querySelector('p').textContent = name + ': ' + current.title;
      </script>`,
    });
    const page = await browser.open(site);
    await page.waitForSelector('p:not(:empty)');
    expect(await page.locator('li').allTextContents()).toEqual([
      'Valperga / Mary Shelley / 7.90 / 0',
      'Mathilda / Mary Shelley / 7.90 / 0',
      'Frankenstein / Mary Shelley / 7.90 / 0',
    ]);
    expect(await page.textContent('p')).toBe('ConflictError: Theirs');
    // The browser's console names the 412 that the page has dealt with.
    browser.expects(/^console: .* 412 /);
  });

  test('files are sent, told how far they are, and shown, also under a strict policy', async () => {
    const { url, application, key } = await Client.create();
    const policy = `default-src 'none'; script-src 'nonce-n' ${url}; connect-src data: ${url}; img-src ${url}`;
    const site = await serveSite({
      '/': `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}">
      <title>Files</title><img alt=""><script type="module" nonce="n">
        import { connect } from '${url}/client.js';
        const { files } = connect(${JSON.stringify({ url, application, key })});
        window.send = async (size) => {
          const told = [];
          const file = await files.upload(new Blob([new Uint8Array(size)]), {
            name: 'zeros', onProgress: (sent) => told.push(sent),
          });
          return { name: file.name, size: file.size, told };
        };
        window.fail = () => files.upload(new Blob(['x'], { type: 'image/png' }))
          .catch(({ status, code }) => [status, code]);
        window.cancel = () => {
          const control = new AbortController();
          const onProgress = () => control.abort(new Error('Enough'));
          return files.upload(new Blob([new Uint8Array(9e6)]), { onProgress, signal: control.signal })
            .catch(({ message }) => message);
        };
        const picture = await (await fetch('data:image/png;base64,${PNG.toBase64()}')).blob();
        document.querySelector('img').src = await files.url(await files.upload(picture));
      </script>`,
    });
    const page = await browser.open(site);
    const width = () => page.evaluate('document.querySelector("img").naturalWidth');
    await expect.poll(width).toBe(1);
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 4_000_000 };
    await (await page.context().newCDPSession(page)).send('Network.emulateNetworkConditions', slow);
    for (const size of [2_000_000, 7_000_000]) {
      const { told, ...file } = await page.evaluate<{ told: number[] }>(`send(${size})`);
      expect(file).toEqual({ name: 'zeros', size });
      expect(told.at(-1)).toBe(size);
      // More often than once for each request.
      expect(told.some((sent) => sent > 0 && sent < size && sent % (5 * 1024 * 1024) !== 0)).toBe(true);
    }
    expect(await page.evaluate('fail()')).toEqual([415, 'unsupported-media-type']);
    expect(await page.evaluate('cancel()')).toBe('Enough');
    browser.expects(/^console: .* 415 /);
  });

  test('files without a network for their script are an error of the client, until there is one', async () => {
    const { url } = await Client.create();
    const page = await browser.open(await serveSite({ '/': '<!doctype html><title>Files</title>' }));
    await page.context().route('**/client-files.js*', (route) => route.abort());
    const upload = `import('${url}/client.js').then(({ connect }) => connect({ url: '${url}' }).files
      .upload(new Blob(['x'])).catch(({ name, status, code }) => [name, status, code]))`;
    expect(await page.evaluate(upload)).toEqual(['ForedgeError', 0, 'unreachable']);
    await page.context().unroute('**/client-files.js*');
    expect(await page.evaluate(upload)).toEqual(['ForedgeError', 401, 'missing-application']);
    browser.expects(/ERR_FAILED/, / 401 /);
  });

  test('a user stays logged in over a reload, and a second page is logged out with the first', async () => {
    const whole = await Client.create();
    const { url, application, key } = await whole.withPermissions([
      may('post', '/users/core\\.user(\\.token)?'),
      may('get delete', '/users/core\\.user(\\.token)?/(me|[0-9a-f]{24})', ACL),
    ]);
    const site = await serveSite({
      '/': `<!doctype html><title>Who</title><h1></h1><script type="module">
        import { connect } from '${url}/client.js';
        window.db = connect({
          ...${JSON.stringify({ url, application, key })},
          token: localStorage.token,
          onToken: (token) => {
            if (token === null) localStorage.removeItem('token'); else localStorage.token = token; },
        });
        window.show = async () => {
          const user = await db.me().catch((error) => ({ username: error.code }));
          document.querySelector('h1').textContent = user?.username ?? 'nobody';
        };
        await show();
      </script>`,
    });
    const page = await browser.open(site);
    const shows = (who: string, of = page) => of.locator(`h1:text-is("${who}")`).waitFor();
    await shows('nobody');
    await page.evaluate("db.signUp({ username: 'ada', password: 'difference engine' }).then(show)");
    await shows('ada');
    await page.reload();
    await shows('ada');
    const tab = await browser.open(site, { beside: page });
    await shows('ada', tab);
    await page.evaluate('db.logout().then(show)');
    await shows('nobody');
    await tab.evaluate('show()');
    await shows('token-required', tab);
    expect(await tab.evaluate('[db.token, localStorage.token]')).toEqual([null, undefined]);
    browser.expects(/^console: .* 401 /);
  });
});
