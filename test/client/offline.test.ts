/** The offline store in a real browser: what is read and changed without a network, and what becomes of it. */
import { beforeEach, describe, expect, test } from 'vitest';
import { REQUESTS, useBrowser } from '../support/browser.ts';
import { Client, MEDIA_TYPE } from '../support/client.ts';
import { until } from '../support/started.ts';
import {
  begun,
  idle,
  pageOf,
  run,
  shows,
  stored,
  switchOff,
  watchAnswered,
  watchRequests,
} from '../support/offline.ts';

const browser = useBrowser(REQUESTS);
let next = 0;
let type = '';
const client = await Client.create();
beforeEach(() => {
  type = `todos${(next += 1)}`;
});

describe('a copy', () => {
  test('is read at once without a network, and is up to date when it is back', async () => {
    const { id } = await client.make(type, { text: 'one' });
    await client.make(type, { text: 'two' });
    const address = await pageOf(client, { type, query: `{ sort: 'text' }` });
    const page = await begun(browser, address);
    await shows(page, 'one,two');
    const on = await switchOff(page);
    await page.reload();
    await page.waitForFunction('window.begun');
    expect(await run(page, 'texts()')).toBe('one,two');
    await page.waitForFunction(`store.error?.code === 'unreachable'`);
    await client.delete(`/resources/${type}/${id}`);
    await client.make(type, { text: 'three' });
    await on();
    await shows(page, 'three,two');
    await page.waitForFunction('store.error === null');
  });

  test('keeps exact values, and names and texts of any kind as what they are', async () => {
    const text = '<img src=x onerror="window.hacked = 1">';
    const attributes = `{"text": ${JSON.stringify(text)}, "at": {"$date": "2026-01-02T03:04:05.006Z"},
      "price": {"$numberDecimal": "0.10"}, "views": {"$numberLong": "1152921504606846976"},
      "__proto__": {"hacked": 1}, "constructor": "x"}`;
    await client.post(`/resources/${type}`, `{"data": {"type": "${type}", "attributes": ${attributes}}}`);
    const page = await begun(browser, await pageOf(client, { type }));
    await page.waitForFunction('list.array.length === 1');
    const on = await switchOff(page);
    await page.reload();
    await page.waitForFunction('window.begun');
    const told = `(({ text, at, price, views, ...rest }) => [text, at.getTime(), price instanceof Decimal,
      String(price), typeof views, String(views), Object.hasOwn(rest, '__proto__'), rest.constructor,
      {}.hacked, window.hacked])(list.array[0])`;
    const expected = [
      text,
      Date.UTC(2026, 0, 2, 3, 4, 5, 6),
      true,
      '0.10',
      'bigint',
      `${2n ** 60n}`,
      true,
      'x',
    ];
    expect(await run(page, told)).toEqual([...expected, undefined, undefined]);
    await run(page, `store.update(list.array[0], { text: 'changed', price: new Decimal('0.20') })`);
    expect(await run(page, told)).toEqual([
      'changed',
      expected[1],
      true,
      '0.20',
      ...expected.slice(4),
      undefined,
      undefined,
    ]);
    await on();
    await run(page, 'store.sync()');
    const { body } = await client.get(`/resources/${type}`, {
      accept: `application/vnd.api+json;profile="${client.url}/profiles/extended-json"`,
    });
    expect(body.data[0]?.attributes).toMatchObject({
      text: 'changed',
      price: { $numberDecimal: '0.20' },
      views: { $numberLong: '1152921504606846976' },
    });
  });

  test('begins anew when its mark has expired: what is gone is gone', async () => {
    const { id } = await client.make(type, { text: 'gone' });
    await client.make(type, { text: 'stays' });
    const page = await begun(browser, await pageOf(client, { type, query: `{ sort: 'text' }` }));
    await shows(page, 'gone,stays');
    await run(page, 'store.stop()');
    await client.delete(`/resources/${type}/${id}`);
    const errors = [{ status: '410', code: 'mark-expired', title: 'Expired', detail: 'Begin anew.' }];
    await page.context().route(/changes.*since/, (route) =>
      route.fulfill({
        status: 410,
        contentType: MEDIA_TYPE,
        body: JSON.stringify({ errors }),
        headers: { 'access-control-allow-origin': '*' },
      }),
    );
    await page.reload();
    await page.waitForFunction('window.begun');
    await shows(page, 'stays');
  });

  test('that is kept and not open has no part in what is changed', async () => {
    const { id } = await client.make(type, { text: 'one', n: 1, on: true });
    const address = await pageOf(client, {
      type,
      query: '{ filter: JSON.parse(localStorage.filter ?? "{}") }',
    });
    const page = await begun(browser, address);
    await shows(page, 'one');
    await run(page, `localStorage.filter = '{"on":true}'`);
    await run(page, 'store.stop()');
    await client.update(`/resources/${type}/${id}`, { attributes: { text: 'two' } });
    await page.reload();
    await page.waitForFunction('window.begun');
    await shows(page, 'two');
    await run(page, `store.update(list.array[0], { n: 2 })`);
    expect(await run(page, 'texts()')).toBe('two');
    await idle(page);
    // What was sent has left the list, and is in the kept copy alone.
    await run(page, `store.update(list.array[0], { on: false })`);
    await run(page, 'store.sync()');
    await shows(page, '');
    await run(page, `store.update({ type: '${type}', id: '${id}' }, { text: 'three' })`);
    await run(page, 'store.sync()');
    expect(await run(page, '[store.waiting.size, store.conflicts.length]')).toEqual([0, 0]);
    const { body } = await client.get(`/resources/${type}/${id}`);
    expect(body.data.attributes).toEqual({ text: 'three', n: 2, on: false });
  });

  test('with other fields shows what is changed with the fields that it has', async () => {
    await client.make(type, { text: 'one', n: 1 });
    const page = await begun(browser, await pageOf(client, { type }));
    await shows(page, 'one');
    await run(page, `store.list('${type}', { fields: ['text'] }).then((short) => (window.short = short))`);
    await page.waitForFunction('short.array.length === 1');
    const on = await switchOff(page);
    await run(page, `store.update(short.array[0], { text: 'two' })`);
    expect(await run(page, '[list, short].map(({ array: [{ text, n }] }) => [text, n])')).toEqual([
      ['two', 1],
      ['two', undefined],
    ]);
    await on();
    await idle(page);
  });

  test('of a filter, shows what is made here if it matches', async () => {
    await client.make(type, { text: 'one', done: false });
    const page = await begun(
      browser,
      await pageOf(client, {
        type,
        query: `{ filter: { done: false }, sort: 'text' }`,
        options: '{ matches: ({ done }) => done === false }',
      }),
    );
    await shows(page, 'one');
    const on = await switchOff(page);
    await run(page, `store.create('${type}', { text: 'two', done: false })`);
    await run(page, `store.create('${type}', { text: 'three', done: true })`);
    await run(page, `store.update(list.array[0], { done: true })`);
    expect(await run(page, 'texts()')).toBe('two');
    await on();
    await run(page, 'store.sync()');
    expect(await run(page, 'texts()')).toBe('two');
    expect(await stored(client, type)).toBe('one,three,two');
  });
});

describe('changes', () => {
  test('made without a network wait in their order, over a reload, and are sent when it is back', async () => {
    await client.make(type, { text: 'b', n: 1 });
    await client.make(type, { text: 'c' });
    const page = await begun(browser, await pageOf(client, { type, query: `{ sort: 'text' }` }));
    await shows(page, 'b,c');
    const sent = watchAnswered(page, 'POST', 'PATCH', 'DELETE');
    const on = await switchOff(page);
    await run(page, `store.create('${type}', { text: 'a' })`);
    await run(page, `store.update(list.array[1], { text: 'bb', n: undefined })`);
    await run(page, `store.delete(list.array[2])`);
    await run(page, `store.update(list.array[0], { text: 'aa', at: new Date(5) })`);
    expect(await run(page, '[texts(), store.waiting.size]')).toEqual(['aa,bb', 3]);
    await page.reload();
    await page.waitForFunction('window.begun');
    expect(await run(page, '[texts(), store.waiting.size, list.array[1].n]')).toEqual([
      'aa,bb',
      3,
      undefined,
    ]);
    expect(await stored(client, type)).toBe('b,c');
    await on();
    await idle(page);
    expect(await stored(client, type)).toBe('aa,bb');
    expect(sent.map((each) => each.replace(/ .*/, ''))).toEqual(['POST', 'PATCH', 'DELETE', 'PATCH']);
    expect(await run(page, '[texts(), list.array[0].at.getTime()]')).toEqual(['aa,bb', 5]);
  });

  test('that are sent before their list is open show in it, though the feed is away', async () => {
    await client.make(type, { text: 'a' });
    const address = await pageOf(client, { type, query: `{ sort: 'text' }` });
    const page = await begun(browser, address);
    await shows(page, 'a');
    const on = await switchOff(page);
    await run(page, `store.create('${type}', { text: 'b' })`);
    await page.goto(`${address}/empty`);
    await page.context().route(/\/changes/, (route) => route.abort('internetdisconnected'));
    await on();
    await page.addInitScript('window.late = true');
    await page.goto(address);
    await page.waitForFunction('window.store');
    await until('it is sent', async () => (await stored(client, type)) === 'a,b');
    await page.waitForFunction('store.waiting.size === 0');
    await run(page, `window.proceed()`);
    await page.waitForFunction('window.begun');
    await shows(page, 'a,b');
    await page.context().unroute(/\/changes/);
    await run(page, 'store.sync()');
    await shows(page, 'a,b');
  });

  test('of a document that was made here and deleted again are never sent', async () => {
    const page = await begun(browser, await pageOf(client, { type }));
    const sent = watchRequests(page, 'POST', 'DELETE');
    const on = await switchOff(page);
    await run(page, `store.create('${type}', { text: 'first' })`);
    await page.waitForFunction(`store.error?.code === 'unreachable'`);
    sent.length = 0;
    await run(page, `store.create('${type}', { text: 'no' }).then((made) => store.delete(made))`);
    await on();
    await idle(page);
    expect(await stored(client, type)).toBe('first');
    expect(sent.filter((each) => each.includes('"no"'))).toEqual([]);
  });

  test('link to documents that have no id of the service yet, and are found under both ids', async () => {
    const page = await begun(browser, await pageOf(client, { type }));
    const on = await switchOff(page);
    const [parent, child] = (await run(
      page,
      `(async () => {
        const parent = await store.create('${type}', { text: 'parent' });
        const child = await store.create('${type}', { text: 'child', parent, friends: [parent] });
        await store.update(child, { text: 'a child', again: parent });
        return [parent.id, child.id];
      })()`,
    )) as [string, string];
    await on();
    await idle(page);
    await run(page, 'store.sync()');
    const { body } = await client.get(`/resources/${type}?sort=-text`);
    const [made, linked] = body.data;
    expect(linked?.attributes).toEqual({ text: 'a child' });
    const data = { type, id: made?.id };
    expect(linked?.relationships).toMatchObject({
      parent: { data },
      friends: { data: [data] },
      again: { data },
    });
    expect([parent, child]).not.toContain(made?.id);
    await run(page, `store.update({ type: '${type}', id: '${parent}' }, { text: 'the parent' })`);
    await idle(page);
    expect(await stored(client, type)).toBe('a child,the parent');
  });

  test('link to documents that were sent meanwhile, by the ids that these were made with', async () => {
    const page = await begun(browser, await pageOf(client, { type }));
    const made = `store.create('${type}', { text: 'parent' })`;
    const parent = (await run(page, made)) as { readonly id: string };
    await idle(page);
    const child = await run(
      page,
      `store.create('${type}', { text: 'child', parent: ${JSON.stringify(parent)} })`,
    );
    await idle(page);
    await run(
      page,
      `store.update(${JSON.stringify(child)}, { friends: [${JSON.stringify(parent)}], text: 'a child' })`,
    );
    await idle(page);
    expect(await run(page, 'store.conflicts.map(({ reason }) => reason.code)')).toEqual([]);
    const { body } = await client.get(`/resources/${type}?sort=-text`);
    const data = { type, id: body.data[0]?.id };
    expect(body.data[1]?.relationships).toMatchObject({ parent: { data }, friends: { data: [data] } });
  });
});
