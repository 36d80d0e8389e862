/** Whose store is whose, in one browser: tabs of one, users, applications; tokens that end; a browser that is full. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connect } from '../../src/client/index.ts';
import { REQUESTS, useBrowser } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { begun, idle, pageOf, run, stored, switchOff, watchRequests } from '../support/offline.ts';
import { ACL, EVERY_METHOD, may } from '../support/people.ts';

const browser = useBrowser(REQUESTS);
let next = 0;
let type = '';
const client = await Client.create();
beforeEach(() => {
  type = `notes${(next += 1)}`;
});

describe('two tabs of one store', () => {
  test('show the same at once, and each change is sent once', async () => {
    const address = await pageOf(client, { type, query: `{ sort: 'text' }` });
    const one = await begun(browser, address);
    const two = await begun(browser, address, one);
    const sent = watchRequests(one, 'POST', 'PATCH');
    const texts = Array.from({ length: 12 }, (_, at) => `note ${at + 10}`);
    await Promise.all(
      [one, two].map((page, tab) =>
        run(
          page,
          `(async () => {
            for (const text of ${JSON.stringify(texts.filter((_, at) => at % 2 === tab))}) {
              await store.create('${type}', { text });
            }
          })()`,
        ),
      ),
    );
    for (const page of [one, two]) {
      await idle(page);
      await page.waitForFunction(`texts() === ${JSON.stringify(texts.join())}`);
    }
    expect(await stored(client, type)).toBe(texts.join());
    expect(sent).toHaveLength(texts.length);
    const on = await switchOff(one);
    await run(one, `store.update(list.array[0], { text: 'aside' })`);
    await two.waitForFunction(`texts().startsWith('aside,') && store.waiting.size === 1`);
    await run(two, `store.update(list.array[0], { n: 1 })`);
    await on();
    for (const page of [one, two]) await idle(page);
    const { body } = await client.get(`/resources/${type}?filter[text]=aside`);
    expect(body.data.map(({ attributes }) => attributes)).toEqual([{ text: 'aside', n: 1 }]);
  });

  test('send each change once without locks, too', async () => {
    const address = await pageOf(client, { type });
    const one = await begun(browser, address);
    await one
      .context()
      .addInitScript(`Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })`);
    await one.reload();
    await one.waitForFunction('window.begun');
    const two = await begun(browser, address, one);
    const on = await switchOff(one);
    for (const text of ['a', 'b', 'c'])
      await run(one, `store.create('${type}', { text })`.replace('text }', `text: '${text}' }`));
    await on();
    await Promise.all([one, two].map((page) => run(page, 'store.sync().catch(() => undefined)')));
    for (const page of [one, two]) await idle(page);
    expect(await stored(client, type)).toBe('a,b,c');
  });
});

describe('with users', () => {
  const KEY = [
    may('post', '/users/core\\.user(\\.token)?'),
    may('delete', '/users/core\\.user\\.token/(me|[0-9a-f]{24})', ACL),
    may('get', '/users/core\\.user/(me|[0-9a-f]{24})', ACL),
    may(EVERY_METHOD, '/resources/.*', ACL),
  ];
  let people: Client;
  beforeAll(async () => {
    people = await client.withPermissions(KEY);
  });
  const login = async (username: string) => {
    const { url, application, key } = people;
    const db = connect({ url, application, key });
    const { id } = await db.signUp({ username, password: 'a good secret' });
    return { user: id, token: db.token, db };
  };
  const pageAs = (start: { user: string | null; token: string | null; application?: string }) =>
    pageOf(client, { type, key: people.key, ...start });

  test('a user and an application have a store of their own, which outlives a logout', async () => {
    const ann = await login('ann');
    const bob = await login('bob');
    // All pages are of one origin: they differ in what they are started with.
    const page = await begun(browser, await pageAs(ann));
    const open = (user: string | null, token: string | null, application = client.application) =>
      run(
        page,
        `(async () => {
          store.stop();
          const { url, key } = db.settings;
          const other = connect({ url, key, retries: 0, ...${JSON.stringify({ application, token })} });
          window.store = await offline(other, { user: ${JSON.stringify(user)} });
          window.list = await store.list('${type}');
          return [texts(), store.waiting.size];
        })()`,
      );
    const on = await switchOff(page);
    await run(page, `store.create('${type}', { text: 'of ann' })`);
    expect(await open(bob.user, bob.token)).toEqual(['', 0]);
    expect(await open(null, null)).toEqual(['', 0]);
    expect(await open(ann.user, ann.token, 'another')).toEqual(['', 0]);
    expect(await open(ann.user, ann.token)).toEqual(['of ann', 1]);
    await on();
    await idle(page);
    expect((await ann.db.list(type).all()).map(({ text }) => text)).toEqual(['of ann']);
    expect(await open(bob.user, bob.token)).toEqual(['', 0]);
    expect(await run(page, `offline(db, { user: null }).catch(({ name }) => name)`)).toBe('TypeError');
  });

  test('what was written is not sent without its user, nor as another', async () => {
    const carol = await login('carol');
    const page = await begun(browser, await pageAs(carol));
    const on = await switchOff(page);
    await run(page, `store.create('${type}', { text: 'of carol' })`);
    await page.waitForFunction(`store.error?.code === 'unreachable'`);
    const tokens = new Set<string | undefined>();
    page.on('request', (request) => {
      if (request.url().includes('/resources/')) tokens.add(request.headers()['authorization']);
    });
    // Another logs in between the steps of a change that is about to be sent.
    await run(
      page,
      `(async () => {
        // What is under way began as carol, and may be sent as such.
        await store.sync().catch(() => undefined);
        const { put } = IDBObjectStore.prototype;
        window.loggedIn = new Promise((resolve) => {
          IDBObjectStore.prototype.put = function (row) {
            IDBObjectStore.prototype.put = put;
            let isDone = false;
            const wait = () => {
              if (!isDone) this.count().onsuccess = wait;
            };
            wait();
            db.login({ username: 'ann', password: 'a good secret' }).finally(() => {
              isDone = true;
              resolve();
            });
            return put.call(this, row);
          };
        });
      })()`,
    );
    await on();
    await run(page, 'loggedIn');
    expect(await run(page, `store.sync().catch(({ code }) => code)`)).toBe('token-required');
    expect(await stored(client, type)).toBe('');
    expect([...tokens].filter((token) => token !== `Token ${carol.token}`)).toEqual([]);
    // It stays here: carol logs in again, and it is sent.
    await run(page, `store.stop()`);
    await run(page, `db.login({ username: 'carol', password: 'a good secret' })`);
    await run(page, 'begin()');
    await idle(page);
    expect((await carol.db.list(type).all()).map(({ text }) => text)).toEqual(['of carol']);
  });

  test('nothing is sent or asked before its user has logged in, though the key needs no token', async () => {
    const { user } = await login('eve');
    const page = await begun(browser, await pageOf(client, { type, user }));
    const sent = watchRequests(page, 'GET', 'POST');
    await run(page, `store.create('${type}', { text: 'of eve' })`);
    expect(await run(page, `store.sync().catch(({ code }) => code)`)).toBe('token-required');
    expect(await run(page, `store.waiting.size`)).toBe(1);
    expect([sent, await stored(client, type)]).toEqual([[], '']);
  });

  test('a token that is refreshed is still of its user', async () => {
    const limited = await Client.create();
    await limited.create('/users/core.account-settings', { attributes: { 'token-minutes': 10 } });
    const web = await limited.withPermissions(KEY);
    const { url, application, key } = web;
    let refresh: string | null = null;
    const onToken = (_: string | null, refreshToken: string | null) => (refresh = refreshToken);
    const db = connect({ url, application, key, onToken });
    const { id } = await db.signUp({ username: 'fay', password: 'a good secret' });
    const ended = `${db.token?.slice(0, -8)}AAAAAAAA`;
    const start = { type, application, key, user: id, token: ended, refreshToken: refresh };
    const page = await begun(browser, await pageOf(web, start));
    await run(page, `store.create('${type}', { text: 'of fay' })`);
    await idle(page);
    expect(await run(page, 'store.sync().then(() => store.error)')).toBeNull();
    expect(await stored(limited, type)).toBe('of fay');
  });

  test('a token that another tab has stored is still of its user, or of somebody else', async () => {
    const [gil, hal] = [await login('gil'), await login('hal')];
    const page = await begun(browser, await pageAs(gil));
    const ended = `${gil.token?.slice(0, -8)}AAAAAAAA`;
    const open = (token: string | null) =>
      run(
        page,
        `(async () => {
          store.stop();
          const options = ${JSON.stringify({ application: client.application, token: ended })};
          const { url, key } = db.settings;
          const other = connect({ url, key, retries: 0, ...options, stored: () => ['${token}', null] });
          window.store = await offline(other, { user: '${gil.user}' });
          await store.create('${type}', { text: 'of gil' });
          await store.create('${type}', { text: 'as well' });
          return store.sync().then(() => store.waiting.size, ({ code }) => code);
        })()`,
      );
    expect(await open(hal.token)).toBe('token-required');
    expect(await stored(client, type)).toBe('');
    expect(await open(gil.token)).toBe(0);
    expect(await gil.db.list(type).all()).toHaveLength(4);
  });

  test('an ended token is told, and nothing is asked any more', async () => {
    const dora = await login('dora');
    const page = await begun(browser, await pageAs(dora));
    await page.waitForFunction('list.isPushed');
    await dora.db.logout();
    const sent = watchRequests(page, 'GET', 'POST');
    await run(page, `store.create('${type}', { text: 'kept' })`);
    await page.waitForFunction('store.error?.status === 401');
    sent.length = 0;
    await run(page, `store.create('${type}', { text: 'kept, too' })`);
    expect(await run(page, `store.sync().catch(({ status }) => status)`)).toBe(401);
    expect([sent, await run(page, 'store.waiting.size')]).toEqual([[], 2]);
  });
});

describe('what is kept', () => {
  test('is deleted on demand', async () => {
    await client.make(type, { text: 'one' });
    const page = await begun(browser, await pageOf(client, { type }));
    await page.waitForFunction(`texts() === 'one'`);
    const on = await switchOff(page);
    await run(page, `store.create('${type}', { text: 'never sent' })`);
    await run(page, 'store.erase()');
    expect(await run(page, 'indexedDB.databases().then((all) => all.length)')).toBe(0);
    await page.reload();
    await page.waitForFunction('window.begun');
    expect(await run(page, '[texts(), store.waiting.size]')).toEqual(['', 0]);
    await on();
  });

  test('is deleted while a list begins, which opens no socket then', async () => {
    const page = await begun(browser, await pageOf(client, { type }));
    await page.waitForFunction('list.isPushed');
    const opened = await run(
      page,
      `(async () => {
        const opened = [];
        window.WebSocket = class extends WebSocket {
          constructor(...given) {
            super(...given);
            opened.push(given[0]);
          }
        };
        const { put } = IDBObjectStore.prototype;
        const erasing = new Promise((resolve) => {
          IDBObjectStore.prototype.put = function (row) {
            if (this.name === 'marks' && row.copy.startsWith('${type}b')) resolve([store.erase()]);
            return put.call(this, row);
          };
        });
        store.list('${type}b').catch(() => undefined);
        const [erased] = await erasing;
        await erased;
        return opened;
      })()`,
    );
    expect(opened).toEqual([]);
  });

  test('is brought up to date no more after a refusal, and no socket is left', async () => {
    const page = await begun(browser, await pageOf(client, { type }));
    await page.waitForFunction('list.isPushed');
    await run(page, `store.list('${type}', { filter: { text: { $none: 1 } } })`);
    await page.waitForFunction('store.error?.status === 400');
    expect(await run(page, 'list.isPushed')).toBe(false);
  });

  test('has no room: the application is told, by each call and of what comes', async () => {
    await client.make(type, { text: 'one' });
    const address = await pageOf(client, { type });
    // The browser looks at the room of an origin before it opens anything there.
    const page = await browser.open(`${address}/empty`);
    const session = await page.context().newCDPSession(page);
    await session.send('Storage.overrideQuotaForOrigin', { origin: address, quotaSize: 1000 });
    await page.goto(address);
    await page.waitForFunction(`window.begun && store.error?.name === 'QuotaExceededError'`);
    const create = `store.create('${type}', { text: 'x'.repeat(10_000) }).catch(({ name }) => name)`;
    expect(await run(page, create)).toBe('QuotaExceededError');
    expect(await run(page, '[texts(), store.waiting.size]')).toEqual(['', 0]);
  });

  test('cannot be kept: opening rejects', async () => {
    const page = await begun(browser, await pageOf(client, { type }));
    await page.addInitScript(`Object.defineProperty(globalThis, 'indexedDB', { value: undefined })`);
    await page.reload();
    await page.waitForFunction('window.begun');
    expect(await run(page, 'failed')).toBe('TypeError: There is no IndexedDB here.');
  });
});
