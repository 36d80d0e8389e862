/** Conflicts of the offline store in a real browser: what others changed meanwhile, and who decides. */
import { beforeEach, describe, expect, test } from 'vitest';
import { REQUESTS, useBrowser } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { begun, conflicts, idle, pageOf, run, shows, stored, switchOff } from '../support/offline.ts';
import { may } from '../support/people.ts';
import { makeSchema } from '../support/type-settings.ts';

const browser = useBrowser(REQUESTS);
let next = 0;
let type = '';
const client = await Client.create();
beforeEach(() => {
  type = `todos${(next += 1)}`;
});

type Page = Awaited<ReturnType<typeof begun>>;
const change = (id: string, attributes: object) => client.update(`/resources/${type}/${id}`, { attributes });

describe('a conflict', () => {
  /** A page that has changed `one` to `mine` without a network, while somebody else did `theirs`. */
  async function conflicted(mine: string, theirs: (id: string) => Promise<unknown>): Promise<Page> {
    const { id } = await client.make(type, { text: 'one', n: 1 });
    const page = await begun(browser, await pageOf(client, { type }));
    await shows(page, 'one');
    const on = await switchOff(page);
    await run(page, mine);
    await theirs(id);
    await on();
    await conflicts(page);
    return page;
  }
  const told = `(({ kind, base, mine, theirs, reason }) =>
    [kind, base?.text, mine?.text, theirs?.text, reason.status])(store.conflicts[0])`;
  const update = `store.update(list.array[0], { text: 'mine' })`;
  const theirs = (id: string) => change(id, { text: 'theirs', n: 2 });

  test.each([
    [`'mine'`, 'mine', 2],
    [`'theirs'`, 'theirs', 2],
    [`{ text: 'mine and theirs' }`, 'mine and theirs', 2],
  ])('has what it was, mine and theirs; the answer %s is done', async (decision, text, n) => {
    const page = await conflicted(update, theirs);
    expect(await run(page, told)).toEqual(['update', 'one', 'mine', 'theirs', 412]);
    // It waits over a reload, and others see to what is theirs meanwhile.
    await page.reload();
    await page.waitForFunction('window.begun');
    expect(await run(page, told)).toEqual(['update', 'one', 'mine', 'theirs', 412]);
    await run(page, `store.resolve(store.conflicts[0], ${decision})`);
    await idle(page);
    const { body } = await client.get(`/resources/${type}`);
    expect(body.data[0]?.attributes).toEqual({ text, n });
    await shows(page, text);
  });

  test('does not hold up others, and takes up what is changed of its document', async () => {
    const page = await conflicted(update, theirs);
    await run(page, `store.update(list.array[0], { text: 'mine again', n: 3 })`);
    await run(page, `store.create('${type}', { text: 'another' })`);
    await page.waitForFunction('store.waiting.size === 1');
    expect(await stored(client, type)).toBe('another,theirs');
    expect(await run(page, told)).toEqual(['update', 'one', 'mine again', 'theirs', 412]);
    await run(page, `store.resolve(store.conflicts[0], 'mine')`);
    await idle(page);
    expect(await stored(client, type)).toBe('another,mine again');
  });

  test('with a deletion: mine is created anew', async () => {
    const linked = `${update}.then(() => store.create('${type}', { text: 'link', x: list.array[0] }))`;
    const page = await conflicted(linked, (id) => client.delete(`/resources/${type}/${id}`));
    expect(await run(page, told)).toEqual(['update', 'one', 'mine', undefined, 412]);
    // What links to it is refused, until it is there again.
    await page.waitForFunction('store.conflicts.length === 2');
    await run(page, `store.resolve(store.conflicts[0], 'mine')`);
    await page.waitForFunction('store.waiting.size === 1');
    await run(page, `store.resolve(store.conflicts[0], 'mine')`);
    await idle(page);
    const { body } = await client.get(`/resources/${type}?sort=-text`);
    expect(body.data.map(({ attributes }) => attributes)).toEqual([{ text: 'mine', n: 1 }, { text: 'link' }]);
    await page.waitForFunction(`list.array.map(({ text }) => text).sort().join() === 'link,mine'`);
  });

  test.each([
    [`'mine'`, ''],
    [`'theirs'`, 'theirs'],
  ])('of a deletion; the answer %s is done', async (decision, text) => {
    const page = await conflicted('store.delete(list.array[0])', theirs);
    expect(await run(page, told)).toEqual(['delete', 'one', undefined, 'theirs', 412]);
    await run(page, `store.resolve(store.conflicts[0], ${decision})`);
    await idle(page);
    expect(await stored(client, type)).toBe(text);
    await shows(page, text);
  });

  test('of what the key does not permit stays one, and spoils nothing', async () => {
    const reader = await client.withPermissions([may('get', '/resources/.*')]);
    await client.make(type, { text: 'one', n: 1 });
    const page = await begun(browser, await pageOf(client, { type, key: reader.key }));
    await shows(page, 'one');
    await run(page, update);
    await conflicts(page);
    expect(await run(page, told)).toEqual(['update', 'one', 'mine', 'one', 403]);
    await run(page, `store.resolve(store.conflicts[0], 'mine')`);
    await run(page, 'store.sync()');
    await conflicts(page);
    expect(await run(page, '[list.array[0].text, list.array[0].n]')).toEqual(['mine', 1]);
    await run(page, `store.resolve(store.conflicts[0], 'theirs')`);
    await shows(page, 'one');
    expect(await stored(client, type)).toBe('one');
  });

  test('of new documents that link to each other ends: one is made first, and gets its link after', async () => {
    await makeSchema(client, type, { attributes: { properties: { text: { minLength: 3 } } } });
    const page = await begun(browser, await pageOf(client, { type, query: `{ sort: 'text' }` }));
    const create = `store.create('${type}', { text: 'x' }).then((x) => store.create('${type}', { text: 'other', x }))`;
    await run(page, create);
    await conflicts(page);
    await shows(page, 'other,x');
    await run(page, 'store.update(list.array[1], { back: list.array[0] })');
    await run(page, `store.resolve(store.conflicts[0], { text: 'long' })`);
    await idle(page);
    const { body } = await client.get(`/resources/${type}?sort=text`);
    const [long, other] = body.data;
    expect(long?.relationships?.['back']?.data).toEqual({ type, id: other?.id });
    expect(other?.relationships?.['x']?.data).toEqual({ type, id: long?.id });
  });

  test('is told of what the service refuses for what it says, too', async () => {
    await makeSchema(client, type, { attributes: { properties: { text: { minLength: 3 } } } });
    const page = await begun(browser, await pageOf(client, { type }));
    await run(
      page,
      `store.create('${type}', { text: 'x', n: 1 }).then((x) => store.create('${type}', { text: 'link', x }))`,
    );
    await conflicts(page);
    expect(await run(page, told)).toEqual(['create', undefined, 'x', undefined, 422]);
    // What links to it waits for it.
    expect(await run(page, 'store.waiting.size')).toBe(2);
    await run(page, `store.resolve(store.conflicts[0], { text: 'long' })`);
    await idle(page);
    const { body } = await client.get(`/resources/${type}?sort=-text`);
    expect(body.data.map(({ attributes }) => attributes)).toEqual([{ text: 'long', n: 1 }, { text: 'link' }]);
  });
});
