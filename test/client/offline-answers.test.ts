/** The store for work without a network, when an answer does not come: what was done is done once. */
import { beforeEach, describe, expect, test } from 'vitest';
import { REQUESTS, useBrowser } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { begun, conflicts, idle, loseAnswer, pageOf, run, shows, stored } from '../support/offline.ts';

const browser = useBrowser(REQUESTS);
let next = 0;
let type = '';
const client = await Client.create();
beforeEach(() => {
  type = `todos${(next += 1)}`;
});

describe('an answer that does not come', () => {
  test('to a creation: it is done once', async () => {
    const page = await begun(browser, await pageOf(client, { type }));
    await page.waitForFunction('list.isPushed');
    const { lost } = await loseAnswer(page, 'POST');
    await run(page, `void store.create('${type}', { text: 'one' })`);
    await lost;
    await page.reload();
    await page.waitForFunction('window.begun');
    await idle(page);
    expect(await stored(client, type)).toBe('one');
    expect(await run(page, 'texts()')).toBe('one');
  });

  test('to a change or a deletion: it is no conflict', async () => {
    await client.make(type, { text: 'one' });
    const page = await begun(browser, await pageOf(client, { type }));
    await shows(page, 'one');
    const { lost } = await loseAnswer(page, 'PATCH');
    await run(page, `void store.update(list.array[0], { text: 'two', deep: { b: 1, a: [{}] } })`);
    await lost;
    await page.reload();
    await page.waitForFunction('window.begun');
    await idle(page);
    expect(await stored(client, type)).toBe('two');
    const { lost: again } = await loseAnswer(page, 'DELETE');
    await run(page, `void store.delete(list.array[0])`);
    await again;
    await page.reload();
    await page.waitForFunction('window.begun');
    await idle(page);
    expect([await stored(client, type), await run(page, 'store.conflicts.length')]).toEqual(['', 0]);
  });

  test('for a day: a creation is the decision of the application', async () => {
    const page = await begun(browser, await pageOf(client, { type }));
    await page.waitForFunction('list.isPushed');
    const { lost } = await loseAnswer(page, 'POST');
    await run(page, `void store.create('${type}', { text: 'one' })`);
    await lost;
    await page.addInitScript('const now = Date.now; Date.now = () => now() + 24 * 3_600_000;');
    await page.reload();
    await page.waitForFunction('window.begun');
    await conflicts(page);
    expect(
      await run(page, `(({ kind, reason, mine }) => [kind, reason.code, mine.text])(store.conflicts[0])`),
    ).toEqual(['create', 'uncertain', 'one']);
    await run(page, `store.resolve(store.conflicts[0], 'theirs')`);
    await idle(page);
    expect(await stored(client, type)).toBe('one');
  });

  test('for a day: a creation with an id of the client is done once', async () => {
    const settings = { name: type, 'client-ids': true };
    await client.create('/schemas/core.type', { attributes: settings });
    const page = await begun(browser, await pageOf(client, { type, clientIds: [type] }));
    await page.waitForFunction('list.isPushed');
    const { lost } = await loseAnswer(page, 'POST');
    await run(
      page,
      `void store.create('${type}', { text: 'one' }).then(({ id }) => (localStorage.made = id))`,
    );
    await lost;
    await page.addInitScript('const now = Date.now; Date.now = () => now() + 24 * 3_600_000;');
    await page.reload();
    await page.waitForFunction('window.begun');
    await idle(page);
    expect(await stored(client, type)).toBe('one');
    expect(await run(page, 'list.array.map(({ id }) => id === localStorage.made)')).toEqual([true]);
  });
});
