/** What the offline store makes of answers that take nothing: who has spoken, what waits, what goes on beside it. */
import type { Route } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { REQUESTS, useBrowser } from '../support/browser.ts';
import { Client, MEDIA_TYPE, operator } from '../support/client.ts';
import {
  begun,
  conflicts,
  idle,
  loseAnswer,
  pageOf,
  run,
  shows,
  stored,
  switchOff,
  watchRequests,
} from '../support/offline.ts';
import { EVERY_METHOD, may } from '../support/people.ts';

const browser = useBrowser(REQUESTS);
let next = 0;
let type = '';
const client = await Client.create();
beforeEach(() => {
  type = `papers${(next += 1)}`;
});

type Page = Awaited<ReturnType<typeof begun>>;
/** The page has another API key from now on, which reads the feed and does one thing more. */
const restricted = async (page: Page, method: string, path: string) => {
  const feed = may('get', `/resources/${type}/changes`);
  const { key } = await client.withPermissions([feed, { path, methods: [method] }]);
  await page.addInitScript(`window.key = '${key}'`);
  await page.reload();
  await page.waitForFunction('window.begun');
};
const OURS = /\/resources\//;
const CORS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' };
const told = `(({ kind, base, mine, theirs, reason }) =>
  [kind, base?.text, mine?.text, theirs?.text, reason.status, reason.code])(store.conflicts[0])`;

describe('only an answer of the service says what has become of a document', () => {
  test.each([
    ['a page that is not found', 404, 'text/html', '<h1>Log in to this network</h1>'],
    ['a page', 200, 'text/html', '<h1>Log in to this network</h1>'],
    ['an empty page', 200, 'text/plain', ''],
    ['nothing', 204, 'text/plain', ''],
    ['a refusal', 403, 'text/html', '<h1>Log in to this network</h1>'],
    ['JSON of its own', 404, 'application/json', '{"error": "not found"}'],
    ['JSON that is none of a document', 200, 'application/json', '{}'],
    ['codes of ours', 404, 'text/html', '{"errors": [{"status": "404", "code": "document-not-found"}]}'],
  ])('where a network answers %s, all waits until it lets through', async (_, status, contentType, body) => {
    await client.make(type, { text: 'one' });
    await client.make(type, { text: 'two' });
    const page = await begun(browser, await pageOf(client, { type, query: `{ sort: 'text' }` }));
    await shows(page, 'one,two');
    const portal = (route: Route) => route.fulfill({ status, contentType, body, headers: CORS });
    await page.context().route(OURS, portal);
    await run(page, `store.delete(list.array[0])`);
    await run(page, `store.update(list.array[0], { text: 'changed' })`);
    await run(page, `store.create('${type}', { text: 'new' })`);
    await page.waitForFunction('store.error !== null', undefined, { polling: 20 });
    await page.reload();
    await page.waitForFunction('window.begun && store.error !== null', undefined, { polling: 20 });
    expect(await run(page, '[texts(), store.waiting.size, store.conflicts.length]')).toEqual([
      'changed,new',
      3,
      0,
    ]);
    await page.context().unroute(OURS, portal);
    // It goes on trying by itself.
    await idle(page);
    expect([await stored(client, type), await run(page, 'store.conflicts.length')]).toEqual([
      'changed,new',
      0,
    ]);
  });

  test('a deletion that was refused waits for a decision, though the document may not be read', async () => {
    const { id } = await client.make(type, { text: 'one' });
    const page = await begun(browser, await pageOf(client, { type }));
    await shows(page, 'one');
    const on = await switchOff(page);
    await run(page, 'store.delete(list.array[0])');
    await restricted(page, 'get', `/resources/${type}`);
    await on();
    await conflicts(page);
    const refusal = ['delete', 'one', undefined, undefined, 403, 'forbidden'];
    expect(await run(page, told)).toEqual(refusal);
    // It is sent in any case, and refused again; nothing is made of it.
    await run(page, `store.resolve(store.conflicts[0], 'mine')`);
    await run(page, 'store.sync()');
    await page.reload();
    await page.waitForFunction('window.begun');
    expect(await run(page, told)).toEqual(refusal);
    await run(page, `store.resolve(store.conflicts[0], 'theirs')`);
    await idle(page);
    expect((await client.get(`/resources/${type}/${id}`)).status).toBe(200);
  });

  test.each([
    ['locked', 409],
    ['refused', 422],
  ])('a deletion with the code %s waits, too, and mine deletes', async (code, status) => {
    await client.make(type, { text: 'one' });
    const page = await begun(browser, await pageOf(client, { type }));
    await shows(page, 'one');
    const errors = [{ status: `${status}`, code, title: 'Not now' }];
    const body = JSON.stringify({ errors });
    const refuse = (route: Route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status, contentType: MEDIA_TYPE, body, headers: CORS })
        : route.fallback();
    await page.context().route(OURS, refuse);
    await run(page, 'store.delete(list.array[0])');
    await conflicts(page);
    expect(await run(page, told)).toEqual(['delete', 'one', undefined, 'one', status, code]);
    await page.context().unroute(OURS, refuse);
    await run(page, `store.resolve(store.conflicts[0], 'mine')`);
    await idle(page);
    expect(await stored(client, type)).toBe('');
  });

  test('a change of a document that may no longer be read is not made anew', async () => {
    const { id } = await client.make(type, { text: 'one' });
    const page = await begun(browser, await pageOf(client, { type }));
    await shows(page, 'one');
    const on = await switchOff(page);
    await run(page, `store.update(list.array[0], { text: 'mine' })`);
    await client.update(`/resources/${type}/${id}`, { attributes: { text: 'theirs' } });
    await restricted(page, 'patch', `/resources/${type}/[0-9a-f]{24}`);
    await on();
    await conflicts(page);
    expect(await run(page, told)).toEqual(['update', 'one', 'mine', undefined, 412, 'precondition-failed']);
    await run(page, `store.resolve(store.conflicts[0], 'mine')`);
    await idle(page);
    expect(await stored(client, type)).toBe('mine');
  });
});

describe('what does not pass now', () => {
  test('and is still being done is asked for again, without a reload', async () => {
    const page = await begun(browser, await pageOf(client, { type }));
    await page.waitForFunction('list.isPushed');
    const errors = [{ status: '409', code: 'request-in-progress', title: 'The same request is being done' }];
    let times = 0;
    await page.context().route(OURS, (route) => {
      if (route.request().method() !== 'POST' || (times += 1) > 2) return route.fallback();
      return route.fulfill({
        status: 409,
        contentType: MEDIA_TYPE,
        body: JSON.stringify({ errors }),
        headers: CORS,
      });
    });
    await run(page, `store.create('${type}', { text: 'one' })`);
    await idle(page);
    expect([await stored(client, type), times]).toEqual(['one', 3]);
  });

  test('for want of room does not hold up the deletion that makes room, nor what goes before and after', async () => {
    const full = await Client.create('full');
    await full.make(type, { text: 'old' });
    await full.make(type, { text: 'stays' });
    // The key, two documents, and no more.
    await operator().change(full.application, { quotas: { documents: 3 } });
    const page = await begun(browser, await pageOf(full, { type, query: `{ sort: 'text' }` }));
    await shows(page, 'old,stays');
    const on = await switchOff(page);
    await run(
      page,
      `(async () => {
        const made = await store.create('${type}', { text: 'new' });
        await store.update(list.array[1], { text: 'older' });
        await store.update(list.array.find(({ text }) => text === 'stays'), { beside: made });
        await store.update(made, { n: 1 });
        await store.delete(list.array.find(({ text }) => text === 'older'));
      })()`,
    );
    const sent = watchRequests(page, 'POST', 'PATCH', 'DELETE');
    await on();
    await run(page, 'store.sync()');
    expect([
      await stored(full, type),
      await run(page, '[store.waiting.size, store.conflicts.length]'),
    ]).toEqual(['new,stays', [0, 0]]);
    const { body } = await full.get(`/resources/${type}?sort=text`);
    expect(body.data[1]?.relationships?.['beside']).toMatchObject({ data: { id: body.data[0]?.id } });
    expect(sent.filter((each) => each.startsWith('DELETE'))).toHaveLength(1);
  });

  test('because no answer comes ends, and other tabs send what waits', async () => {
    const address = await pageOf(client, { type });
    const one = await begun(browser, address);
    await one.addInitScript('window.timeout = 1');
    // Neither an answer nor an end comes: whatever this page sends.
    await one.route(OURS, () => undefined);
    await one.reload();
    await one.waitForFunction('window.begun');
    await run(one, `store.create('${type}', { text: 'one' })`);
    const two = await begun(browser, address, one);
    await idle(two);
    expect(await stored(client, type)).toBe('one');
    await one.waitForFunction(`store.error?.code === 'unreachable'`);
  });
});

describe('a creation whose answer was lost, and a page that is back with another API key', () => {
  /** Loses the answer to a creation; then the page has another key. */
  async function lostAndBack(clientIds: readonly string[]): Promise<Page> {
    const other = await client.withPermissions([may(EVERY_METHOD, '/resources/.*')]);
    const page = await begun(browser, await pageOf(client, { type, clientIds }));
    await page.waitForFunction('list.isPushed');
    const on = await switchOff(page);
    const { lost } = await loseAnswer(page, 'POST');
    await run(page, `void store.create('${type}', { text: 'one' })`);
    await lost;
    await page.waitForFunction(`store.error?.code === 'unreachable'`);
    await page.addInitScript(`window.key = '${other.key}'`);
    await on();
    await page.reload();
    await page.waitForFunction('window.begun');
    return page;
  }

  test('is told as uncertain, and not made twice', async () => {
    const page = await lostAndBack([]);
    await conflicts(page);
    expect(await run(page, told)).toEqual(['create', undefined, 'one', undefined, 0, 'uncertain']);
    await run(page, 'store.sync()');
    expect(await stored(client, type)).toBe('one');
    await run(page, `store.resolve(store.conflicts[0], 'mine')`);
    await idle(page);
    expect(await stored(client, type)).toBe('one,one');
  });

  test('is known by its own id, where the type permits ids of clients', async () => {
    const settings = { name: type, 'client-ids': true };
    await client.create('/schemas/core.type', { attributes: settings });
    const page = await lostAndBack([type]);
    await idle(page);
    expect([await stored(client, type), await run(page, 'store.conflicts.length')]).toEqual(['one', 0]);
  });
});
